// Keys that step: arrows, and the page keys that a presenter's clicker sends. Escape leaves. They are left
// alone where somebody types or where a view of ours uses the arrows itself. On a wall, where there are no
// controls, keys also choose the layer (up and down), the kind (K) and the head (its number).

import { TYPING } from "./shared/typing.js";

const listeners = new WeakMap(), counts = new WeakMap();
const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
const MOVES = { ArrowUp: ["layer", -1], ArrowDown: ["layer", 1], KeyK: ["kind", 1] }; // by key or by its place
const TAKEN = `${TYPING}, [role=application], [role=slider], [role=radio], [role=option], .word`;

function keys({ data, parentElement, setStateValue, setTriggerValue }) {
  listeners.get(parentElement)?.abort();
  if (!counts.has(parentElement)) counts.set(parentElement, {
    listener: Math.random(), presses: 0, count: 0, moved: { presses: 0, layer: 0, kind: 0, head: 0, heads: 0 },
  });
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
      pressed.presses += 1;
      const { listener, presses, count } = pressed;
      setStateValue("step", { listener, presses, count }); // a state, because of triggers only the first would arrive
    } else if (data.moves && move(event, pressed.moved)) {
      event.preventDefault();
      setStateValue("moved", { listener: pressed.listener, ...pressed.moved });
    } else if (event.key === "Escape" && data.leave) setTriggerValue("leave", true);
  }, { signal: ending.signal });
  return () => ending.abort();
}

// Whether this key moves on: counts as above, and of a head its number and how many were chosen.
function move({ key, code }, moved) {
  const [name, by] = MOVES[key] ?? MOVES[code] ?? [];
  if (name) moved[name] += by;
  else if (/^[1-9]$/.test(key)) Object.assign(moved, { head: Number(key) - 1, heads: moved.heads + 1 });
  else return false;
  moved.presses += 1;
  return true;
}

export default keys;
