import { clamp } from "./elements.js";

// A small label over what is pointed at, or below it where there is no room above; never outside `width`.
export function placeTip(tip, x, top, bottom, width) {
  tip.style.left = `${clamp(x - tip.offsetWidth / 2, 0, Math.max(0, width - tip.offsetWidth))}px`;
  tip.style.top = `${top > tip.offsetHeight + 6 ? top - tip.offsetHeight - 6 : bottom + 6}px`;
}
