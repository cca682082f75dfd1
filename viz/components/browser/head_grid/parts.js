// What the files of the head grid share. A place is { block, map, row, column }; map = layer × heads + head.

import { fill } from "../shared/elements.js";

export const LETTERS = 11; // CSS pixels: labels of the panel

export const find = (view, selector) => view.root.querySelector(selector);

export const written = (value) => (value === null ? "–" : value.toFixed(2));

export const hueOf = (view, head) => view.hues[head % view.hues.length];

// The names of one map, numbered from 1.
export function namesOf(block, map) {
  return { kind: block.name, layer: Math.floor(map / block.heads) + 1, head: (map % block.heads) + 1 };
}

// The first of its names, and how many more there are; nothing where there is none.
export function labelOf(block, map) {
  const [first, ...others] = block.names[map] ?? [];
  return others.length ? `${first} +${others.length}` : first;
}

// What breaks without one head; nothing where nobody has found anything. In a sentence, too.
export const breaksOf = (block, map) => (block.names[map] ?? []).join(" · ");
export const withoutOf = (view, block, map) =>
  block.names[map] ? fill(view.header.text.without, { names: breaksOf(block, map) }) : "";

// Where a block's map begins among all numbers.
export const startOf = (block, map) => block.start + map * block.queries.length * block.keys.length;

// The place that a cell of the grid stands for.
export const mapOf = (cell) => ({ block: Number(cell.dataset.block), map: Number(cell.dataset.map) });
