// Weights as viz/components/payload.py packed them: a JSON header, then 16-bit numbers.

import { FORBIDDEN, SCALE } from "../constants.js";

export function unpack(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const rest = bytes.slice(4 + length); // a copy begins at an even place of its own buffer
  return { header, numbers: new Uint16Array(rest.buffer, 0, rest.length >> 1) };
}

// The weight behind a number; null where a row may not look.
export function weightOf(number, most, least = 0) {
  return number === FORBIDDEN ? null : least + (number / SCALE) * (most - least);
}

// The place of the largest of `count` numbers, from `start` on.
export function strongestOf(numbers, start, count) {
  let best = 0, most = -1;
  for (let place = 0; place < count; place++) {
    const number = numbers[start + place];
    if (number !== FORBIDDEN && number > most) [best, most] = [place, number];
  }
  return best;
}
