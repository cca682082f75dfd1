// The weights of the head view: one map a head, and after several the map of all of them.

import { weightOf } from "../shared/payload.js";
import { FORBIDDEN } from "../constants.js";

export class Weights {
  constructor({ header, numbers }) {
    const { heads, queries, keys, most } = header;
    Object.assign(this, { numbers, most, heads: heads.length, rows: queries.length, columns: keys.length });
    this.cells = this.rows * this.columns;
    this.together = heads.length > 1 ? heads.length : 0; // which map is that of all heads
  }

  // Whether another one shows the same numbers.
  same(other) {
    const { numbers } = this, others = other?.numbers ?? [];
    return others.length === numbers.length && numbers.every((number, place) => number === others[place]);
  }

  index(row, column, place) {
    return (place ?? this.together) * this.cells + row * this.columns + column;
  }

  // The head's place, the row and the column of an index.
  at(index) {
    const cell = index % this.cells;
    return { head: Math.floor(index / this.cells), row: Math.floor(cell / this.columns), column: cell % this.columns };
  }

  weight(row, column, place) {
    return weightOf(this.numbers[this.index(row, column, place)], this.most) ?? 0;
  }

  share(index) {
    return weightOf(this.numbers[index], 1) ?? 0;
  }

  allowed(row, column) {
    return this.numbers[this.index(row, column, 0)] !== FORBIDDEN;
  }
}
