// Keys that step: arrows, and the page keys that a presenter's clicker sends. Escape leaves. They are left
// alone where somebody types or where a view of ours uses the arrows itself.

const listening = new WeakMap();
const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
const OWN = "input, textarea, select, [contenteditable], [role=application], [role=slider], [role=radio], [role=option], [role=dialog], .word";

export default function keys({ data, parentElement, setTriggerValue }) {
  listening.get(parentElement)?.abort();
  const ending = new AbortController();
  listening.set(parentElement, ending);
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    const busy = event.composedPath().some((part) => part instanceof Element && part.matches(OWN));
    if (busy || document.querySelector("[role=dialog]")) return;
    if (event.key in STEPS && data.steps) {
      event.preventDefault();
      setTriggerValue("step", STEPS[event.key]);
    } else if (event.key === "Escape" && data.leave) setTriggerValue("leave", true);
  }, { signal: ending.signal });
  return () => ending.abort();
}
