// A map: rows look, columns are looked at, a colour for every weight. Pointing stays in the browser, and
// tells the head view beside it; only clicks reach Python.

import { clamp, make, tabulate } from "../shared/elements.js";
import { strongestOf, unpack, weightOf } from "../shared/payload.js";
import { roomOf } from "../shared/room.js";
import { placeTip } from "../shared/tip.js";
import { count, lasting, listening, pointTogether } from "../shared/views.js";
import { MANY, Painter } from "./painter.js";

const ROW = { most: 24, usual: 20, least: 13 }, TALL = 520, SHORT = 220;
const MANY_BESIDE = 30; // columns of one of two maps, from which on names are small
const AROUND = 72, WALL = { row: 64, size: 20, letters: 0.6 }; // pixels; letters are so much of a row
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

class HeatMap {
  constructor(parent) {
    this.root = parent.querySelector(".heat-map");
    this.part = (name) => this.root.querySelector(`.${name}`);
    this.pointed = this.framed = this.kept = null;
    this.listeners = listening();
    const cells = this.part("cells"), { hear } = this.listeners;
    hear(cells, "pointermove", (event) => this.point(this.cellAt(event)));
    hear(cells, "pointerleave", () => this.point(cells.matches(":focus-visible") ? this.cursor : null));
    hear(cells, "click", (event) => this.keep(this.cellAt(event)));
    hear(cells, "focus", () => cells.matches(":focus-visible") && this.point((this.cursor ??= this.strongest())));
    hear(cells, "blur", () => this.point(null));
    hear(cells, "keydown", (event) => this.press(event));
    // The head view beside it points at a row, a column, or both.
    hear(document, "headlight-point", ({ detail }) => {
      if (detail.from !== this && this.header?.linked) this.frame(detail);
    });
    hear(this.part("table"), "toggle", () => this.tabulate());
    this.resizing = new ResizeObserver(() => this.fit());
    this.resizing.observe(this.root);
  }

  end() {
    this.listeners.end();
    this.resizing.disconnect();
  }

  show(data, trigger) {
    const { header, numbers } = unpack(data), { queries, keys, axes, text, row, column } = header;
    Object.assign(this, { header, numbers, trigger, cursor: null, kept: { row, column } });
    const fits = (at) => at?.row < queries.length && at?.column < keys.length;
    if (!fits(this.pointed)) this.pointed = null; // the mouse may rest where it was: another layer, the same cell
    if (!fits(this.framed)) this.framed = null;
    this.root.shown = { header, numbers }; // for those who ask what is drawn
    this.root.setAttribute("aria-label", text.label);
    this.part("cells").setAttribute("aria-label", text.label);
    this.part("looking").textContent = axes[0];
    this.part("looked-at").textContent = axes[1];
    this.part("unit").textContent = text.unit;
    label(this.part("rows"), queries);
    label(this.part("columns"), keys);
    this.part("table").firstElementChild.textContent = text.table;
    this.part("table").hidden = Boolean(header.tall) && queries.length * keys.length > MANY; // no page holds it
    this.painter = new Painter(this.root, this.root.shown);
    this.painter.legend(this.part("bar"), this.part("ticks"));
    this.tabulate();
    this.width = null; // everything is drawn anew
    this.fit();
  }

  // Size, labels and colours

  fit() {
    const { queries, keys } = this.header ?? {}, width = this.part("cells").clientWidth;
    const wall = roomOf(this.root); // a part of the screen to fill; else as tall as its rows
    if (!queries || !width || (width === this.width && wall === this.wall)) return;
    Object.assign(this, { width, wall });
    // Beside another map nothing may depend on the width or on these words alone: rows begin at one height.
    const { abreast } = this.header, rows = abreast?.rows ?? queries.length, names = abreast ? [abreast.longest] : keys;
    const column = width / keys.length, narrow = abreast ? abreast.columns > MANY_BESIDE : column < 14;
    const pen = document.createElement("canvas").getContext("2d");
    const named = (size) => {
      pen.font = `${size}px ${getComputedStyle(this.root).fontFamily}`;
      const longest = Math.max(...names.map((key) => pen.measureText(key).width));
      const upright = Boolean(abreast) || longest + 6 > column;
      return { longest, upright, above: upright ? Math.min(longest, Math.max(130, 10 * size)) + 8 : size + 10 };
    };
    const { row, size } = this.rowsOf(rows, narrow, named), { longest, upright, above } = named(size);
    const sizes = { row, column, size, above, down: row * queries.length };
    this.part("body").style.marginBottom = `${(rows - queries.length) * row}px`;
    for (const [name, value] of Object.entries(sizes)) this.root.style.setProperty(`--${name}`, `${value}px`);
    // Where rows or columns are too narrow for a name, every second or third has one; pointing names all.
    const apart = size * (this.header.tall ? 1.4 : 0.95);
    thin(this.part("columns"), Math.ceil((upright ? apart : longest) / column));
    thin(this.part("rows"), Math.ceil(apart / row));
    this.root.classList.toggle("upright", upright);
    this.root.classList.toggle("dense", Boolean(this.header.tall));
    this.painter.paint(this.part("canvas"), width, sizes.down);
    count(this.root);
    this.frame(this.framed); // this map may point there, or the head view beside it
    this.tip(this.pointed);
  }

  // How high each of so many rows is, and how large the letters of its name.
  rowsOf(rows, narrow, named) {
    const { tall, queries } = this.header, { wall } = this;
    if (!wall) {
      const usual = clamp(rows * ROW.usual, SHORT, TALL);
      const row = tall ? tall / queries.length : clamp(usual / rows, ROW.least, ROW.most);
      return { row, size: row < 16 || narrow ? 11 : 13 };
    }
    const rowOf = (size) => (wall - AROUND - named(size).above) / rows;
    if (tall) return { row: rowOf(13), size: 13 };
    const size = narrow ? 11 : clamp(rowOf(13) * WALL.letters, 11, WALL.size);
    return { row: clamp(rowOf(size), ROW.least, WALL.row), size };
  }

  // Pointing and keeping

  weight(row, column) {
    const { keys, least, most } = this.header;
    return weightOf(this.numbers[row * keys.length + column], most, least);
  }

  strongest() {
    const columns = this.header.keys.length, place = strongestOf(this.numbers, 0, this.numbers.length);
    return { row: Math.floor(place / columns), column: place % columns };
  }

  cellAt(event) {
    const box = this.part("canvas").getBoundingClientRect(), { queries, keys } = this.header;
    const row = Math.floor(((event.clientY - box.top) / box.height) * queries.length);
    const column = Math.floor(((event.clientX - box.left) / box.width) * keys.length);
    return row >= 0 && column >= 0 && row < queries.length && column < keys.length ? { row, column } : null;
  }

  point(cell) {
    if (cell?.row === this.pointed?.row && cell?.column === this.pointed?.column) return;
    this.pointed = cell;
    this.frame(cell);
    this.tip(cell);
    if (this.header.linked) pointTogether(this, cell?.row ?? null, cell?.column ?? null);
  }

  tip(cell) {
    const tip = this.part("tip"), { queries, keys, text } = this.header;
    tip.hidden = !cell;
    if (!cell) return;
    const number = this.weight(cell.row, cell.column)?.toFixed(4) ?? text.forbidden;
    tip.textContent = `${queries[cell.row]} → ${keys[cell.column]}: ${number}`;
    const { clientWidth, clientHeight } = this.part("canvas"), high = clientHeight / queries.length;
    const x = (clientWidth / keys.length) * (cell.column + 0.5), top = high * cell.row;
    placeTip(tip, x, top, top + high, clientWidth);
  }

  frame(at) {
    this.framed = at;
    const { queries, keys } = this.header, wanted = [], { row, column } = this.kept;
    if (row !== null) wanted.push([row, null]);
    if (column !== null) wanted.push([null, column]);
    for (const more of this.header.also ?? []) wanted.push([more, null]);
    if (at && (at.row !== null || at.column !== null)) wanted.push([at.row, at.column]);
    const span = (place, count) => (place === null ? [0, 100] : [(place / count) * 100, 100 / count]);
    this.part("frames").replaceChildren(...this.divides(), ...wanted.map(([row, column]) => {
      const frame = make("div"), [top, high] = span(row, queries.length), [left, wide] = span(column, keys.length);
      Object.assign(frame.style, { top: `${top}%`, height: `${high}%`, left: `${left}%`, width: `${wide}%` });
      return frame;
    }));
  }

  // A line between columns of two kinds.
  divides() {
    const { divide, keys } = this.header;
    if (!divide) return [];
    const line = make("div");
    line.className = "divide";
    line.style.left = `${(divide / keys.length) * 100}%`;
    return [line];
  }

  keep(cell) {
    if (!cell || !this.header.linked) return;
    const again = cell.row === this.kept.row && cell.column === this.kept.column;
    this.kept = again ? { row: null, column: null } : cell;
    this.trigger("pick", this.kept);
    this.frame(this.pointed);
  }

  press(event) {
    const { queries, keys } = this.header, at = this.cursor ?? this.strongest(), step = STEPS[event.key];
    if (step) {
      const row = clamp(at.row + step[0], 0, queries.length - 1), column = clamp(at.column + step[1], 0, keys.length - 1);
      this.point((this.cursor = { row, column }));
    } else if (event.key === "Enter" || event.key === " ") this.keep(at);
    else return;
    event.preventDefault();
  }

  tabulate() {
    if (!this.header) return;
    tabulate(this.part("table"), this.header, (...at) => this.weight(...at)?.toFixed(3) ?? "");
  }
}

function label(where, words) {
  if (where.children.length !== words.length) where.replaceChildren(...words.map(() => make("span")));
  words.forEach((word, place) => {
    const label = where.children[place];
    if (label.title !== word) label.textContent = label.title = word;
  });
}

// Only every second, third … label is written.
function thin(labels, every) {
  [...labels.children].forEach((label, place) => label.classList.toggle("unnamed", place % every > 0));
}

const heatMap = lasting(HeatMap);
export default heatMap;
