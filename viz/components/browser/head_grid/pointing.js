// The mouse, the keyboard and fingers on the head grid.

import { clamp, sharpness } from "../shared/elements.js";
import { strongestOf } from "../shared/payload.js";
import { listening } from "../shared/views.js";
import { layOut } from "./blocks.js";
import { shownAt } from "./painter.js";
import { enlarge, hide, show } from "./panel.js";
import { find, mapOf, startOf } from "./parts.js";

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

// The grid outlives its data: it listens once, and each answer reads what is shown now.
export function listen(view) {
  const blocks = find(view, ".blocks"), { hear, end } = listening();
  hear(blocks, "pointermove", (event) => {
    if (event.pointerType === "touch") return; // a finger that scrolls points at nothing
    const at = placeUnder(view, event);
    if (at) show(view, at, "mouse");
    else hide(view);
  });
  hear(blocks, "pointerleave", (event) => event.pointerType !== "touch" && hide(view));
  hear(blocks, "click", (event) => click(view, event, placeUnder(view, event)));
  hear(blocks, "keydown", (event) => press(view, event));
  hear(blocks, "focusin", ({ target }) => {
    const cell = target.closest(".cell");
    if (cell?.matches(":focus-visible")) show(view, strongest(view, cell), "keys");
  });
  hear(blocks, "focusout", () => hide(view));
  hear(find(view, ".panel"), "click", (event) => {
    const at = placeInPanel(view, event);
    if (!at) return;
    if (at.row === view.at.row && at.column === view.at.column) view.open(at);
    else show(view, at, "touch");
  });
  hear(window, "keydown", (event) => event.key === "Escape" && hide(view));
  hear(window, "pointerdown", (event) => event.composedPath().includes(view.root) || hide(view));
  // The panel stands still while the map it belongs to moves; the focus brings its map into view.
  const scrolled = () => (view.at && view.by === "keys" ? enlarge(view, view.at) : hide(view));
  hear(window, "scroll", scrolled, { capture: true, passive: true });
  const observer = new ResizeObserver(() => {
    if (find(view, ".block")?.clientWidth !== view.width) layOut(view);
  });
  observer.observe(view.root);
  return () => {
    end();
    observer.disconnect();
  };
}

// A finger's first tap shows a map, its second opens it; a mouse has shown it before it clicks.
function click(view, event, at) {
  if (!at) return hide(view);
  const again = view.at?.block === at.block && view.at.map === at.map;
  if (event.pointerType !== "touch") view.open(at);
  else if (again) view.open(view.at);
  else show(view, at, "touch");
}

function placeUnder(view, event) {
  const cell = event.target.closest(".cell");
  if (!cell) return null;
  const at = mapOf(cell), block = view.header.blocks[at.block], box = cell.firstChild.getBoundingClientRect();
  return { ...at, ...under(view, block, at.map, block.size, box, event) };
}

function placeInPanel(view, event) {
  if (!view.at || !view.frame) return null;
  const { left, top, width, height, size } = view.frame, box = find(view, ".crosshair").getBoundingClientRect();
  const map = new DOMRect(box.left + left, box.top + top, width, height);
  return { ...view.at, ...under(view, view.header.blocks[view.at.block], view.at.map, size, map, event) };
}

// What is painted under the pointer. A map lies on whole pixels of the screen, wherever the layout puts it.
function under(view, block, map, size, box, event) {
  const x = pixelAt(event.clientX, box.left, box.right, size.width);
  return shownAt(view, block, map, size, x, pixelAt(event.clientY, box.top, box.bottom, size.height));
}

function pixelAt(client, from, to, count) {
  const ratio = sharpness(), first = Math.round(from * ratio), length = Math.round(to * ratio) - first;
  const middle = Math.floor(client * ratio + 0.01) + 0.5; // of the pixel; a fraction comes with an error of its own
  return clamp(Math.floor(((middle - first) / length) * count), 0, count - 1);
}

// The largest weight of a map: what the keyboard points at.
function strongest(view, cell) {
  const at = mapOf(cell), block = view.header.blocks[at.block], columns = block.keys.length;
  const place = strongestOf(view.numbers, startOf(block, at.map), block.queries.length * columns);
  return { ...at, row: Math.floor(place / columns), column: place % columns };
}

function press(view, event) {
  const cell = event.target.closest(".cell");
  if (!cell) return;
  if (event.key === "Enter" || event.key === " ") view.open(view.at ?? strongest(view, cell));
  else if (STEPS[event.key]) step(view, cell, ...STEPS[event.key]);
  else return;
  event.preventDefault();
}

// One head further; past the edge of a block, into the next one.
function step(view, cell, down, right) {
  const { cells } = view;
  let { block } = mapOf(cell);
  let row = cells[block].findIndex((each) => each.includes(cell)), column = cells[block][row].indexOf(cell);
  row += down;
  column += right;
  if (!cells[block][row]?.[column]) {
    const forward = down + right;
    do block += forward;
    while (cells[block] && !cells[block].length);
    if (!cells[block]) return;
    const last = cells[block].length - 1;
    row = down ? (forward > 0 ? 0 : last) : Math.min(row, last);
    column = clamp(right ? (forward > 0 ? 0 : Infinity) : column, 0, cells[block][row].length - 1);
  }
  const next = cells[block][row][column];
  view.cells.flat(2).forEach((each) => (each.tabIndex = -1));
  view.current = mapOf(next);
  next.tabIndex = 0;
  next.focus({ focusVisible: true });
}
