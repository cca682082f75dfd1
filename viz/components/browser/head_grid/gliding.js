// Sorting and filtering: each small map glides from where it was to where it belongs now.

import { animate, still } from "../shared/motion.js";

const nameOf = ({ dataset }) => `${dataset.block}.${dataset.map}`;
const sortedBy = ({ measure, least }) => `${measure} ${least}`;

// Where each map is on screen, in the middle of a motion too.
export function placesOf(view) {
  if (!view.cells || view.order === sortedBy(view) || still()) return null;
  return new Map(view.cells.flat(2).map((cell) => [nameOf(cell), cell.getBoundingClientRect()]));
}

export function glide(view, before) {
  view.order = sortedBy(view);
  if (!before) return;
  const zoom = view.root.getBoundingClientRect().width / view.root.offsetWidth || 1; // presenter mode enlarges
  const places = view.cells.flat(2).map((cell) => [cell, before.get(nameOf(cell)), cell.getBoundingClientRect()]);
  for (const [cell, from, to] of places) {
    if (!from) animate(cell, { opacity: [0, 1] });
    else if (from.left !== to.left || from.top !== to.top) {
      const away = `translate(${(from.left - to.left) / zoom}px, ${(from.top - to.top) / zoom}px)`;
      animate(cell, { transform: [away, "translate(0px, 0px)"] });
    }
  }
}
