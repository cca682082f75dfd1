// On a wall the small maps grow until the screen is full: kinds stand side by side or one above the other,
// and layers too, whatever makes the maps largest.

import { roomOf } from "../shared/room.js";
import { find, labelOf } from "./parts.js";

export const LAYERS = 24; // CSS pixels
export const GAP = 4;
const LARGEST_MAP = 64, AROUND = 4, BESIDE = 24, BETWEEN = 8; // around a map; between blocks
const TITLE = 30, HEADS = 22, BELOW = 12, SAID = 30; // what stands above, below and under maps
const NAME = { size: 13, margin: 4, line: 16.25 }; // of the letters under a map, see wall.css and names.css

// The largest map, in CSS pixels; each block is told how many layers stand beside each other.
export function arrange(view) {
  const room = roomOf(view.root), blocks = find(view, ".blocks"), all = view.header.blocks;
  const best = room ? largest(view, all, blocks.clientWidth, room) : { columns: 0, beside: 1, map: LARGEST_MAP };
  view.beside = best.beside;
  view.root.classList.toggle("filling", room > 0);
  blocks.style.gridTemplateColumns = best.columns ? `repeat(${best.columns}, minmax(0, 1fr))` : "";
  return best.map;
}

function largest(view, blocks, width, room) {
  const sorted = view.measure !== "none", { heads, maps } = blocks[0], layers = maps / heads;
  const long = ruler(view.root);
  let best = { map: 0 };
  for (let columns = 1; columns <= blocks.length; columns++)
    for (let beside = 1; beside <= layers; beside++) {
      const across = (width - (columns - 1) * BESIDE) / columns / beside - (sorted ? 0 : LAYERS + GAP);
      const lines = chunks(blocks, columns), rows = Math.ceil(layers / beside);
      const fits = (label) => long(label) <= across / heads - GAP;
      const tall = (block) => heightOf(block, rows, beside, sorted, fits);
      const fixed = lines.map((line) => Math.max(...line.map(tall)));
      const high = (room - fixed.reduce((sum, each) => sum + each + BETWEEN)) / (rows * lines.length);
      const map = Math.floor(Math.min(across / heads - GAP - AROUND, high));
      if (map > best.map) best = { columns, beside, map };
    }
  return best;
}

// What a block takes beside its maps; sorted maps may stand anywhere, and so may names.
function heightOf(block, rows, beside, sorted, fits) {
  const under = Array(rows).fill(0);
  for (const map of Object.keys(block.names).map(Number)) {
    const row = Math.floor(map / block.heads / beside), lines = fits(labelOf(block, map)) ? 1 : 2;
    under[row] = Math.max(under[row], NAME.margin + lines * NAME.line);
  }
  const said = sorted ? rows * (SAID + Math.max(...under)) : HEADS + under.reduce((sum, each) => sum + each, 0);
  return TITLE + rows * (BELOW + GAP) + said;
}

// How long a name is in the letters that stand under maps.
function ruler(root) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `${NAME.size}px ${getComputedStyle(root).fontFamily}`;
  return (label) => context.measureText(label).width;
}

const chunks = (all, size) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, line) => all.slice(line * size, (line + 1) * size));

// So many layers beside each other, each with the names of its heads above.
export function shape(view, grid, heads) {
  const { beside } = view, sorted = view.measure !== "none", first = grid.querySelector(".names");
  const one = `${sorted ? "" : `${LAYERS}px `}repeat(${heads}, minmax(0, 1fr))`;
  grid.style.gridTemplateColumns = beside > 1 ? Array(beside).fill(one).join(" ") : "";
  grid.querySelectorAll(".names.again").forEach((again) => again.remove());
  if (!first) return;
  for (let more = 1; more < beside; more++) {
    const again = first.cloneNode(true);
    again.classList.add("again");
    again.setAttribute("aria-hidden", "true");
    first.after(again);
  }
}
