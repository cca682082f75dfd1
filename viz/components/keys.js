// Keys that step: arrows, and the page keys that a presenter's clicker sends. Escape leaves. They are left
// alone where somebody types or where a view of ours uses the arrows itself.

const listening = new WeakMap(), counts = new WeakMap();
const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
const OWN = "input, textarea, select, [contenteditable], [role=application], [role=slider], [role=radio], [role=option], [role=dialog], .word";

export default function keys({ data, parentElement, setStateValue, setTriggerValue }) {
  listening.get(parentElement)?.abort();
  if (!counts.has(parentElement)) counts.set(parentElement, { listener: Math.random(), count: 0 });
  const pressed = counts.get(parentElement), ending = new AbortController();
  listening.set(parentElement, ending);
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    const busy = event.composedPath().some((part) => part instanceof Element && part.matches(OWN));
    if (busy || document.querySelector("[role=dialog]")) return;
    if (event.key in STEPS && data.steps) {
      event.preventDefault();
      pressed.count += STEPS[event.key]; // all so far: a press may come before the last was answered
      setStateValue("step", { ...pressed }); // a state, because of triggers only the first would arrive
    } else if (event.key === "Escape" && data.leave) setTriggerValue("leave", true);
  }, { signal: ending.signal });
  return () => ending.abort();
}
