// Motion that explains. What is drawn is the final picture from the start; motion only shows how it came
// about, so that it can be cut short at any time and that nothing waits for it. Who asks for less of it sees
// the final picture at once.

export const LONG = 550; // milliseconds, for eyes that follow

const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// From `frames` to what the element is by itself.
export function animate(element, frames, more) {
  if (still()) return;
  element.animate(frames, { duration: LONG, easing: EASE, fill: "backwards", ...more });
}

// What was in motion stands where it belongs.
export function stop(element) {
  for (const motion of element.getAnimations()) motion.cancel();
}
