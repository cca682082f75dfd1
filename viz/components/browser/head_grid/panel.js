// The head that is pointed at, large, with its words and a crosshair, beside the grid of all heads.

import { clamp, fill, sharpness } from "../shared/elements.js";
import { weightOf } from "../shared/payload.js";
import { OPACITY, STROKE } from "../constants.js";
import { paint, sizeOf } from "./painter.js";
import { find, hueOf, LETTERS, namesOf, startOf, withoutOf } from "./parts.js";

const LARGEST_UNIT = 22, LARGEST_PANEL = 400, LONGEST_LABEL = 96, EDGE = 8; // CSS pixels

export function hide(view) {
  view.at = null;
  const panel = find(view, ".panel");
  if (panel.matches(":popover-open")) panel.hidePopover();
}

export function show(view, at, by) {
  const panel = find(view, ".panel"), block = view.header.blocks[at.block], { text, most } = view.header;
  const same = view.at?.block === at.block && view.at.map === at.map;
  Object.assign(view, { at, by });
  const number = view.numbers[startOf(block, at.map) + at.row * block.keys.length + at.column];
  find(view, ".reading").textContent = fill(text.reading, {
    ...namesOf(block, at.map),
    looking: block.queries[at.row],
    seen: block.keys[at.column],
    weight: weightOf(number, most)?.toFixed(4) ?? text.masked,
  });
  if (same) return crosshair(view, at);
  const without = find(view, ".without");
  without.textContent = withoutOf(view, block, at.map);
  without.hidden = !without.textContent;
  find(view, ".axes").textContent = block.axes;
  find(view, ".how").textContent = text[by];
  panel.classList.toggle("tapped", by === "touch");
  if (!panel.matches(":popover-open")) panel.showPopover();
  enlarge(view, at);
}

// The enlargement stands beside its block; on a narrow screen above or below its head.
export function enlarge(view, at) {
  const panel = find(view, ".panel"), block = view.header.blocks[at.block], ratio = sharpness();
  const cell = view.cells[at.block].flat().find((each) => Number(each.dataset.map) === at.map);
  const small = cell.getBoundingClientRect(), home = cell.closest(".block").getBoundingClientRect();
  const right = innerWidth - home.right, beside = Math.max(right, home.left) > 300;
  const context = find(view, ".enlarged").getContext("2d");
  const [left, top] = marginsOf(view, block, context);
  const around = panel.offsetHeight - find(view, ".picture").offsetHeight;
  const above = Math.max(small.top, innerHeight - small.bottom); // or below
  const tall = (beside ? innerHeight : above) - around - top - 4 * EDGE;
  const wide = (beside ? Math.max(right, home.left) : innerWidth) - left - 6 * EDGE;
  const most = Math.max(block.queries.length, block.keys.length);
  const room = Math.max(80, Math.min(LARGEST_PANEL, tall, wide, most * LARGEST_UNIT));
  const size = sizeOf(block, Math.floor(room * ratio));
  view.frame = { left, top, width: size.width / ratio, height: size.height / ratio, size };
  drawLarge(view, block, at, size, context);
  crosshair(view, at);
  stand(panel, small, home, beside, right);
}

// The room that labels need to the left of a map and above it.
function marginsOf(view, block, context) {
  context.font = `bold ${view.font}`; // the one that is pointed at is bold, and wider than all others
  block.margins ??= [block.queries, block.keys].map((labels) => {
    const longest = Math.max(...labels.map((label) => context.measureText(label).width));
    return Math.ceil(Math.min(LONGEST_LABEL, longest)) + 8;
  });
  return block.margins;
}

function drawLarge(view, block, at, size, context) {
  const { left, top, width, height } = view.frame, ratio = sharpness();
  for (const each of [context.canvas, find(view, ".crosshair")]) {
    each.width = Math.ceil((left + width + EDGE) * ratio);
    each.height = Math.ceil((top + height + EDGE) * ratio); // letters of the last row may be taller than it
    each.style.width = `${each.width / ratio}px`;
    each.style.height = `${each.height / ratio}px`;
  }
  view.large ??= document.createElement("canvas");
  paint(view.large, view, block, at.map, size);
  context.drawImage(view.large, Math.round(left * ratio), Math.round(top * ratio));
  context.scale(ratio, ratio);
  const every = (unit) => Math.max(1, Math.ceil((LETTERS + 1) / unit));
  const rows = block.queries.length, columns = block.keys.length;
  for (let row = 0; row < rows; row += every(height / rows)) writeLabel(view, context, block, row, null);
  for (let column = 0; column < columns; column += every(width / columns))
    writeLabel(view, context, block, null, column);
}

function stand(panel, small, home, beside, right) {
  const { offsetWidth: width, offsetHeight: height } = panel;
  const middle = small.top + small.height / 2 - height / 2;
  let x = right >= width + 2 * EDGE ? home.right + EDGE : home.left - width - EDGE, y = middle;
  if (!beside) {
    x = small.left + small.width / 2 - width / 2;
    y = innerHeight - small.bottom > small.top ? small.bottom + EDGE : small.top - height - EDGE;
  }
  panel.style.left = `${clamp(x, EDGE, Math.max(EDGE, innerWidth - width - EDGE))}px`;
  panel.style.top = `${clamp(y, EDGE, Math.max(EDGE, innerHeight - height - EDGE))}px`;
}

function writeLabel(view, context, block, row, column, strong = false) {
  const { left, top, width, height } = view.frame, across = row === null;
  const label = across ? block.keys[column] : block.queries[row];
  context.save();
  if (across) {
    context.translate(left + ((column + 0.5) * width) / block.keys.length, top - 4);
    context.rotate(-Math.PI / 2);
    context.textAlign = "left";
  } else {
    context.translate(left - 4, top + ((row + 0.5) * height) / block.queries.length);
    context.textAlign = "right";
  }
  context.font = strong ? `bold ${view.font}` : view.font;
  context.textBaseline = "middle";
  if (strong) {
    const length = Math.min(LONGEST_LABEL, context.measureText(label).width) + 4;
    context.fillStyle = view.paper;
    context.fillRect(across ? -2 : 2 - length, -LETTERS * 0.7, length, LETTERS * 1.4);
  }
  context.fillStyle = view.ink;
  context.fillText(label, 0, 0, LONGEST_LABEL);
  context.restore();
}

function crosshair(view, at) {
  const block = view.header.blocks[at.block], ratio = sharpness();
  const canvas = find(view, ".crosshair"), context = canvas.getContext("2d");
  const { left, top, width, height } = view.frame;
  const across = width / block.keys.length, down = height / block.queries.length;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  Object.assign(context, { strokeStyle: view.ink, lineWidth: STROKE.usual, globalAlpha: OPACITY.cursor });
  context.strokeRect(left - 0.5, top + at.row * down - 0.5, width + 1, down + 1);
  context.strokeRect(left + at.column * across - 0.5, top - 0.5, across + 1, height + 1);
  const hue = hueOf(view, at.map % block.heads);
  Object.assign(context, { strokeStyle: hue, lineWidth: STROKE.frame, globalAlpha: 1 });
  context.strokeRect(left + at.column * across - 1, top + at.row * down - 1, across + 2, down + 2);
  writeLabel(view, context, block, at.row, null, true);
  writeLabel(view, context, block, null, at.column, true);
}
