// A view whose code comes with the library: it is drawn as soon as both are there, in whichever order they come.

const NAME = "the view's name"; // put in by viz/components/library.py

function waiting(given) {
  const drawn = globalThis.headlightViews?.[NAME];
  if (drawn) return drawn(given);
  const ending = new AbortController();
  let end = null;
  const draw = () => {
    end = globalThis.headlightViews[NAME](given);
  };
  document.addEventListener("headlight-views", draw, { once: true, signal: ending.signal });
  return () => {
    ending.abort();
    end?.();
  };
}

export default waiting;
