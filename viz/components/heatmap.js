// A map: rows look, columns are looked at, a colour for every weight. It follows shared.js in the same
// text. Pointing stays in the browser, and tells the head view beside it; only clicks reach Python.

const MANY = 20_000; // cells, from which on a cell is a pixel of a picture that is stretched
const ROW = { most: 24, usual: 20, least: 13 }, TALL = 520, SHORT = 220;
const maps = new WeakMap(); // the function below runs again at every change of data or theme

export default function heatMap({ data, parentElement, setTriggerValue }) {
  let map = maps.get(parentElement);
  if (!map) maps.set(parentElement, (map = new HeatMap(parentElement)));
  map.show(unpack(data), setTriggerValue);
  return () => {
    map.end();
    maps.delete(parentElement);
  };
}

function make(name, className, text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text; // words are typed by people: never read them as HTML
  return made;
}

class HeatMap {
  constructor(parent) {
    this.root = parent.querySelector(".heat-map");
    this.part = (name) => this.root.querySelector(`.${name}`);
    this.pointed = this.framed = this.kept = null;
    this.ending = new AbortController();
    const hear = (where, name, call) => where.addEventListener(name, call, { signal: this.ending.signal });
    const cells = this.part("cells");
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
    this.ending.abort();
    this.resizing.disconnect();
  }

  show({ header, numbers }, trigger) {
    Object.assign(this, { header, numbers, trigger, cursor: null });
    const { queries, keys, axes, text, row, column } = header;
    const fits = (at) => at?.row < queries.length && at?.column < keys.length;
    if (!fits(this.pointed)) this.pointed = null; // the mouse may rest where it was: another layer, the same cell
    if (!fits(this.framed)) this.framed = null;
    this.kept = { row, column };
    this.root.shown = { header, numbers }; // for those who ask what is drawn
    this.root.setAttribute("aria-label", text.label);
    this.part("looking").textContent = axes[0];
    this.part("looked-at").textContent = axes[1];
    this.label(this.part("rows"), queries);
    this.label(this.part("columns"), keys);
    this.part("table").firstElementChild.textContent = text.table;
    this.part("table").hidden = Boolean(header.tall) && queries.length * keys.length > MANY; // no page holds it
    this.part("cells").setAttribute("aria-label", text.label);
    this.colours = header.least < 0 ? diverging() : ramp(this.root);
    this.legend();
    this.tabulate();
    this.width = null; // everything is drawn anew
    this.fit();
  }

  label(where, words) {
    if (where.children.length !== words.length) where.replaceChildren(...words.map(() => make("span")));
    words.forEach((word, place) => {
      const label = where.children[place];
      if (label.title !== word) label.textContent = label.title = word;
    });
  }

  // Size, labels and colours

  fit() {
    const { queries, keys } = this.header ?? {}, width = this.part("cells").clientWidth;
    if (!queries || !width || width === this.width) return;
    this.width = width;
    const tall = Math.max(SHORT, Math.min(TALL, queries.length * ROW.usual));
    const readable = Math.min(ROW.most, Math.max(ROW.least, tall / queries.length));
    const row = this.header.tall ? this.header.tall / queries.length : readable;
    const column = width / keys.length, size = row < 16 || column < 14 ? 11 : 13;
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${size}px ${getComputedStyle(this.root).fontFamily}`;
    const longest = Math.max(...keys.map((key) => pen.measureText(key).width));
    const upright = longest + 6 > column;
    const style = this.root.style;
    style.setProperty("--row", `${row}px`);
    style.setProperty("--column", `${column}px`);
    style.setProperty("--size", `${size}px`);
    style.setProperty("--above", `${upright ? Math.min(longest, 130) + 8 : size + 10}px`);
    // Where rows or columns are too narrow for a name, every second or third has one; pointing names all.
    style.setProperty("--down", `${row * queries.length}px`);
    const apart = size * (this.header.tall ? 1.4 : 0.95);
    this.thin(this.part("columns"), Math.ceil((upright ? apart : longest) / column));
    this.thin(this.part("rows"), Math.ceil(apart / row));
    this.root.classList.toggle("upright", upright);
    this.root.classList.toggle("dense", Boolean(this.header.tall));
    this.paint(width, row * queries.length);
    this.root.dataset.painted = Number(this.root.dataset.painted ?? 0) + 1; // for those who wait for it
    this.frame(this.framed); // this map may point there, or the head view beside it
    this.tip(this.pointed);
  }

  thin(labels, every) {
    [...labels.children].forEach((label, place) => label.classList.toggle("unnamed", place % every > 0));
  }

  paint(width, height) {
    const canvas = this.part("canvas"), sharp = window.devicePixelRatio || 1;
    const { queries, keys } = this.header, rows = queries.length, columns = keys.length;
    canvas.width = Math.round(width * sharp);
    canvas.height = Math.round(height * sharp);
    canvas.style.height = `${height}px`;
    const pen = canvas.getContext("2d");
    if (rows * columns > MANY) return this.stretch(pen, canvas);
    for (let row = 0; row < rows; row++) {
      const top = Math.round((row / rows) * canvas.height);
      const high = Math.round(((row + 1) / rows) * canvas.height) - top - sharp;
      for (let column = 0; column < columns; column++) {
        const number = this.numbers[row * columns + column];
        if (number === FORBIDDEN) continue; // the page shines through: nobody may look there
        const left = Math.round((column / columns) * canvas.width);
        const wide = Math.round(((column + 1) / columns) * canvas.width) - left - sharp;
        pen.fillStyle = this.css(number);
        pen.fillRect(left, top, wide, high);
      }
    }
  }

  stretch(pen, canvas) {
    const { queries, keys } = this.header, small = document.createElement("canvas");
    small.width = keys.length;
    small.height = queries.length;
    const context = small.getContext("2d"), image = context.createImageData(small.width, small.height);
    this.numbers.forEach((number, place) => {
      if (number !== FORBIDDEN) image.data.set(this.colour(number), place * 4);
    });
    context.putImageData(image, 0, 0);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(small, 0, 0, canvas.width, canvas.height);
  }

  colour(number) {
    const [r, g, b, a = 255] = this.colours[Math.round(SHADES[this.header.colour](number / SCALE) * 255)];
    return [r, g, b, a];
  }

  css(number) {
    const [r, g, b, a] = this.colour(number);
    return `rgb(${r} ${g} ${b} / ${a / 255})`;
  }

  legend() {
    const { text, ticks } = this.header, bar = this.part("bar");
    this.part("unit").textContent = text.unit;
    const stops = [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1].map((place) => {
      const [r, g, b, a = 255] = this.colours[Math.round(place * 255)];
      return `rgb(${r} ${g} ${b} / ${a / 255})`;
    });
    bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    this.part("ticks").replaceChildren(...ticks.map(([place, number]) => {
      const tick = make("span", "", number);
      tick.style.left = `${place * 100}%`;
      return tick;
    }));
  }

  // Pointing and keeping

  weight(row, column) {
    const { keys, least, most } = this.header, number = this.numbers[row * keys.length + column];
    return number === FORBIDDEN ? null : least + (number / SCALE) * (most - least);
  }

  strongest() {
    let best = -1, place = 0;
    this.numbers.forEach((number, index) => {
      if (number !== FORBIDDEN && number > best) [best, place] = [number, index];
    });
    return { row: Math.floor(place / this.header.keys.length), column: place % this.header.keys.length };
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
    if (!this.header.linked) return;
    const detail = { from: this, row: cell?.row ?? null, column: cell?.column ?? null };
    document.dispatchEvent(new CustomEvent("headlight-point", { detail }));
  }

  tip(cell) {
    const tip = this.part("tip"), { queries, keys, text } = this.header;
    tip.hidden = !cell;
    if (!cell) return;
    const weight = this.weight(cell.row, cell.column);
    const number = weight === null ? text.forbidden : weight.toFixed(4);
    tip.textContent = `${queries[cell.row]} → ${keys[cell.column]}: ${number}`;
    const canvas = this.part("canvas"), x = (canvas.clientWidth / keys.length) * (cell.column + 0.5);
    const y = (canvas.clientHeight / queries.length) * cell.row;
    tip.style.left = `${Math.max(0, Math.min(canvas.clientWidth - tip.offsetWidth, x - tip.offsetWidth / 2))}px`;
    tip.style.top = `${y > tip.offsetHeight + 6 ? y - tip.offsetHeight - 6 : y + canvas.clientHeight / queries.length + 6}px`;
  }

  frame(at) {
    this.framed = at;
    const { queries, keys } = this.header, wanted = [], { row, column } = this.kept;
    if (row !== null) wanted.push([row, null]);
    if (column !== null) wanted.push([null, column]);
    for (const more of this.header.also ?? []) wanted.push([more, null]);
    if (at && (at.row !== null || at.column !== null)) wanted.push([at.row, at.column]);
    const span = (place, count) => (place === null ? [0, 100] : [(place / count) * 100, 100 / count]);
    this.part("frames").replaceChildren(...wanted.map(([row, column]) => {
      const frame = make("div"), [top, high] = span(row, queries.length), [left, wide] = span(column, keys.length);
      Object.assign(frame.style, { top: `${top}%`, height: `${high}%`, left: `${left}%`, width: `${wide}%` });
      return frame;
    }));
  }

  keep(cell) {
    if (!cell || !this.header.linked) return;
    const again = cell.row === this.kept.row && cell.column === this.kept.column;
    this.kept = again ? { row: null, column: null } : cell;
    this.trigger("pick", this.kept);
    this.frame(this.pointed);
  }

  press(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const { queries, keys } = this.header, at = this.cursor ?? this.strongest(), step = steps[event.key];
    if (step) {
      const inside = (place, count) => Math.max(0, Math.min(count - 1, place));
      this.cursor = { row: inside(at.row + step[0], queries.length), column: inside(at.column + step[1], keys.length) };
      this.point(this.cursor);
    } else if (event.key === "Enter" || event.key === " ") this.keep(at);
    else return;
    event.preventDefault();
  }

  tabulate() {
    const details = this.part("table");
    if (!details.open || !this.header) return;
    const { queries, keys } = this.header;
    const heading = (text, scope) => Object.assign(make("th", "", text), { scope });
    const first = make("tr");
    first.append(make("td"), ...keys.map((key) => heading(key, "col")));
    const rows = queries.map((query, row) => {
      const line = make("tr");
      const cells = keys.map((_, column) => make("td", "", this.weight(row, column)?.toFixed(3) ?? ""));
      line.append(heading(query, "row"), ...cells);
      return line;
    });
    details.querySelector("table").replaceChildren(first, ...rows);
  }
}

// Orange and blue tell apart for every colour vision; nothing at zero, so that the page shines through.
function diverging() {
  return Array.from({ length: 256 }, (_, place) => {
    const share = (place / 255) * 2 - 1;
    return [...(share < 0 ? [213, 94, 0] : [0, 114, 178]), Math.round(Math.abs(share) * 255)];
  });
}
