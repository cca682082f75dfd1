// Keys that step: arrows, and the page keys that a presenter's clicker sends. Escape leaves. They are left
// alone where somebody types or where a view of ours uses the arrows itself.

import { TYPING } from "./shared/typing.js";

const listeners = new WeakMap(), counts = new WeakMap();
const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
const TAKEN = `${TYPING}, [role=application], [role=slider], [role=radio], [role=option], .word`;

function keys({ data, parentElement, setStateValue, setTriggerValue }) {
  listeners.get(parentElement)?.abort();
  if (!counts.has(parentElement)) counts.set(parentElement, { listener: Math.random(), count: 0 });
  const pressed = counts.get(parentElement), ending = new AbortController();
  listeners.set(parentElement, ending);
  if (data.focus) {
    const box = document.querySelector(`.st-key-${data.focus} input`);
    box?.focus();
    box?.select(); // what is typed takes its place
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    const taken = event.composedPath().some((part) => part instanceof Element && part.matches(TAKEN));
    if (taken || document.querySelector("[role=dialog]")) return;
    const free = event.key === "Enter" && data.enter && document.activeElement === document.body;
    if ((event.key in STEPS || free) && data.steps) {
      event.preventDefault();
      pressed.count += STEPS[event.key] ?? 1; // all so far: a press may come before the last was answered
      setStateValue("step", { ...pressed }); // a state, because of triggers only the first would arrive
    } else if (event.key === "Escape" && data.leave) setTriggerValue("leave", true);
  }, { signal: ending.signal });
  return () => ending.abort();
}

export default keys;
