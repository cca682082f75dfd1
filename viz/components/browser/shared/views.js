// How a view lives on a page of Streamlit.

// Streamlit calls a view's function at every change of data or theme; the object behind it is made once.
// Data that comes while the script still loads makes several calls, and Streamlit then ends the earlier ones
// after the last was made: only the end of the last call is the end of the view, or nobody hears its clicks.
export function lasting(View) {
  const views = new WeakMap();
  return ({ data, parentElement, setTriggerValue }) => {
    let view = views.get(parentElement);
    if (!view) views.set(parentElement, (view = new View(parentElement)));
    const call = (view.call = {});
    view.show(data, setTriggerValue);
    return () => {
      if (view.call !== call) return;
      view.end();
      views.delete(parentElement);
    };
  };
}

// Listeners that end together, when the view leaves the page.
export function listening() {
  const ending = new AbortController();
  const hear = (where, name, answer, more) => {
    where.addEventListener(name, answer, { ...more, signal: ending.signal });
  };
  return { hear, end: () => ending.abort() };
}

// Views of one run point together: a cell of the map is a line of the head view.
export function pointTogether(from, row, column) {
  document.dispatchEvent(new CustomEvent("headlight-point", { detail: { from, row, column } }));
}

// For those who wait for a picture: how often it was drawn.
export function count(root) {
  root.dataset.painted = Number(root.dataset.painted ?? 0) + 1;
}
