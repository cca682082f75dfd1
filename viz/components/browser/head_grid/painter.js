// One head as pixels: a colour for each weight, exact where there is a pixel for each.

import { levelOf } from "../shared/scale.js";
import { FORBIDDEN, SCALE } from "../constants.js";
import { startOf } from "./parts.js";

// A colour for each 16-bit number; none where a row may not look.
export function coloursOf(scale, colour) {
  const packed = scale.map(([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r);
  const table = new Uint32Array(FORBIDDEN + 1);
  for (let number = 0; number <= SCALE; number++) table[number] = packed[levelOf(number / SCALE, colour)];
  table[FORBIDDEN] = 0;
  return table;
}

// One map in device pixels. A weight covers whole pixels; where there are more weights than pixels,
// a pixel shows the strongest of those below it, so that no line of a pattern is lost.
export function paint(canvas, view, block, map, size) {
  const { numbers, colours } = view, { width, height, across, down } = size, columns = block.keys.length;
  const start = startOf(block, map);
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const image = context.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
  for (let y = 0; y < height; y++) {
    const top = down.first[y], bottom = down.end[y];
    if (y && top === down.first[y - 1] && bottom === down.end[y - 1]) {
      pixels.copyWithin(y * width, (y - 1) * width, y * width);
      continue;
    }
    for (let x = 0; x < width; x++) {
      let strongest = -1;
      for (let row = start + top * columns; row < start + bottom * columns; row += columns)
        for (let place = row + across.first[x]; place < row + across.end[x]; place++)
          if (numbers[place] > strongest && numbers[place] !== FORBIDDEN) strongest = numbers[place];
      pixels[y * width + x] = colours[strongest < 0 ? FORBIDDEN : strongest];
    }
  }
  context.putImageData(image, 0, 0);
}

// Whose colour one pixel of a map has.
export function shownAt(view, block, map, { across, down }, x, y) {
  const { numbers } = view, columns = block.keys.length, start = startOf(block, map);
  let best = { row: down.first[y], column: across.first[x] }, strongest = -1;
  for (let row = down.first[y]; row < down.end[y]; row++)
    for (let column = across.first[x]; column < across.end[x]; column++) {
      const number = numbers[start + row * columns + column];
      if (number !== FORBIDDEN && number > strongest) [best, strongest] = [{ row, column }, number];
    }
  return best;
}

// The size of a map in device pixels inside a square of `room`, and which weights each pixel shows.
// Weights are square, and of whole pixels where one sees the difference and the map stays about as large.
export function sizeOf(block, room) {
  const rows = block.queries.length, columns = block.keys.length;
  let unit = room / Math.max(rows, columns);
  if (unit < 6 && Math.floor(unit) >= 0.85 * unit) unit = Math.floor(unit);
  const width = Math.max(1, Math.round(columns * unit)), height = Math.max(1, Math.round(rows * unit));
  return { width, height, across: spans(columns, width), down: spans(rows, height) };
}

// Which of `count` weights each of `length` pixels shows: from the first up to before the end.
function spans(count, length) {
  const share = count / length, first = new Uint16Array(length), end = new Uint16Array(length);
  for (let i = 0; i < length; i++) {
    first[i] = Math.floor(share <= 1 ? (i + 0.5) * share : i * share);
    end[i] = share <= 1 ? first[i] + 1 : Math.min(count, Math.ceil((i + 1) * share));
  }
  return { first, end };
}
