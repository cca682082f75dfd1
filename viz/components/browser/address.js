// Streamlit adds a step to the browser's history whenever the address changes. Here each thing that a visitor
// does is one step, however often the address changes with it: a page that is opened and then completes its
// link, a slider on its way, a key that is held or pressed again at once.

const AGAIN = 1000; // milliseconds within which the same key goes on with what it began

function watch() {
  const push = history.pushState;
  let acted = false, last = "", at = 0;
  addEventListener("pointerdown", () => (acted = true), true);
  addEventListener("keydown", (event) => {
    const goesOn = event.key === last && event.timeStamp - at < AGAIN;
    [last, at] = [event.key, event.timeStamp];
    if (!goesOn) acted = true;
  }, true);
  addEventListener("popstate", () => (acted = false), true);
  history.pushState = function (...entry) {
    (acted ? push : history.replaceState).apply(history, entry);
    acted = false;
  };
}

function address({ data }) {
  if (!window.headlightAddress) {
    window.headlightAddress = true;
    watch();
  }
  if (data.link && location.search !== data.link) {
    history.replaceState({}, "", location.pathname + data.link);
  }
}

export default address;
