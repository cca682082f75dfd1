// The weights of all heads, as viz/components/head_grid.py packed them: of each row only the part where it
// may look, because half of a decoder's map is forbidden.

import { FORBIDDEN } from "../constants.js";

// Every map whole again, and in each block where its maps begin and how many they are.
export function spread({ header, numbers }) {
  let start = 0;
  for (const block of header.blocks) {
    Object.assign(block, { start, maps: block.layers * block.heads });
    start += block.maps * block.queries.length * block.keys.length;
  }
  const whole = new Uint16Array(start).fill(FORBIDDEN);
  let next = 0;
  for (const { start, maps, queries, keys, seen } of header.blocks)
    for (let line = 0; line < maps * queries.length; line++) {
      const [first, end] = seen[line % queries.length];
      whole.set(numbers.subarray(next, (next += end - first)), start + line * keys.length + first);
    }
  return { header, numbers: whole };
}
