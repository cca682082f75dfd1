// The head view: who looks on the left, who is looked at on the right, a line for every weight.
// It follows shared.js in the same text. Pointing stays in the browser; only clicks reach Python.

const LEAST = 0.01; // of the scale: what is fainter is neither drawn nor written, even of one word
const REACH = 6; // pixels from a line within which it is pointed at
const LEVELS = 40; // steps of strength: lines of one step are drawn in one go
const NOTHING = { row: null, column: null, head: null };
const views = new WeakMap(); // the function below runs again at every change of data or theme

export default function headView({ data, parentElement, setTriggerValue }) {
  let view = views.get(parentElement);
  if (!view) views.set(parentElement, (view = new HeadView(parentElement)));
  view.show(unpack(data), setTriggerValue);
  return () => {
    view.end();
    views.delete(parentElement);
  };
}

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const same = (a, b) => a.row === b.row && a.column === b.column && (a.head ?? null) === (b.head ?? null);
const empty = (place) => place.row === null && place.column === null && (place.head ?? null) === null;

function element(name, className, text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text; // words are typed by people: never read them as HTML
  return made;
}

class HeadView {
  constructor(parent) {
    const root = (this.root = parent.querySelector(".head-view"));
    const part = (this.part = (name) => root.querySelector(`.${name}`));
    this.pointed = this.kept = NOTHING;
    this.words = { row: [], column: [] };
    this.stop = { row: 0, column: 0 }; // where the Tab key enters each column

    const body = part("body"), lines = part("lines");
    body.onpointerover = (event) => {
      const place = this.placeOf(event.target);
      if (place) this.point(place);
      else if (!lines.contains(event.target)) this.leave();
    };
    body.onpointerleave = () => this.leave();
    body.onclick = (event) => {
      const place = this.placeOf(event.target) ?? (this.pointed.head === null ? null : this.pointed);
      if (place) this.keep(place);
    };
    body.onkeydown = (event) => this.press(event);
    lines.onpointermove = (event) => this.point(this.nearest(event) ?? NOTHING);
    part("table").ontoggle = () => this.tabulate();

    const { signal } = (this.ending = new AbortController());
    const hear = (target, name, answer) => target.addEventListener(name, answer, { signal });
    hear(body, "focusin", (event) => this.point(this.placeOf(event.target) ?? NOTHING));
    hear(body, "focusout", (event) => event.relatedTarget?.closest(".word") || this.point(NOTHING));
    hear(root, "point", (event) => this.point({ ...NOTHING, ...event.detail }));
    hear(root, "keep", (event) => this.keep({ ...NOTHING, ...event.detail }));
    hear(document, "keydown", (event) => {
      const typing = "input, textarea, select, [contenteditable], dialog, [role=dialog]";
      const elsewhere = event.composedPath()[0].closest?.(typing);
      if (event.key === "Escape" && !elsewhere && !event.defaultPrevented) this.release();
    });

    this.resizing = new ResizeObserver(() => this.fit());
    this.resizing.observe(lines);
    // The map beside it points at a cell.
    hear(document, "headlight-point", ({ detail }) => {
      if (detail.from !== this) this.point({ ...NOTHING, row: detail.row, column: detail.column });
    });
  }

  end() {
    this.ending.abort();
    this.resizing.disconnect();
  }

  show({ header, numbers }, trigger) {
    Object.assign(this, { header, numbers, trigger });
    const { heads, queries, keys, axes, text } = header;
    this.cells = queries.length * keys.length;
    this.hues = header.hues[isDark(this.root) ? "dark" : "light"];
    this.kept = { ...NOTHING, row: header.row, column: header.column };
    this.order = this.sorted();

    const rows = Math.max(queries.length, keys.length);
    this.height = rows <= 25 ? 22 : Math.max(12, Math.floor(550 / rows));
    // Heads of one pair run side by side, each from its own place in the row.
    this.step = heads.length > 1 ? Math.min(3, (this.height * 0.7) / (heads.length - 1)) : 0;
    this.root.style.setProperty("--row", `${this.height}px`);
    this.root.style.setProperty("--size", `${Math.min(14, Math.max(10, this.height - 3))}px`);
    this.root.style.setProperty("--rows", rows);
    this.root.style.setProperty("--bar", heads.length > 1 ? "var(--st-text-color)" : this.hues[0]);
    this.root.setAttribute("aria-label", text.label);

    this.part("looking").textContent = axes[0];
    this.part("looked-at").textContent = axes[1];
    this.part("note").textContent = text.note;
    this.list("row", this.part("left"), queries, axes[0]);
    this.list("column", this.part("right"), keys, axes[1]);
    this.part("legend").replaceChildren(...heads.map((head, place) => this.chip(head, place)));
    this.part("table").hidden = !text.table;
    this.part("table").firstElementChild.textContent = text.table;
    this.tabulate();
    if (!this.fits(this.pointed)) this.pointed = NOTHING;
    this.width = null; // everything is drawn anew
    this.fit();
  }

  // Words, chips and numbers

  list(side, column, words, label) {
    column.setAttribute("aria-label", label);
    this.stop[side] = Math.min(this.stop[side], words.length - 1);
    const old = this.words[side];
    if (old.length !== words.length) {
      this.words[side] = words.map((_, place) => {
        const word = element("div", "word");
        word.append(element("span", "text"), element("span", "number"));
        word.setAttribute("role", "option");
        word.dataset[side] = place;
        return word;
      });
      column.replaceChildren(...this.words[side]);
    }
    this.words[side].forEach((word, place) => {
      word.tabIndex = place === this.stop[side] ? 0 : -1;
      if (word.title === words[place]) return; // another layer of the same sentence: nothing to lay out
      word.firstChild.textContent = word.title = words[place];
      word.firstChild.classList.toggle("special", /^⟨.*⟩$/.test(words[place]));
      word.setAttribute("aria-label", words[place]);
    });
  }

  chip(head, place) {
    const chip = element("button", "chip", head + 1);
    const alone = () => this.trigger("solo", head);
    chip.type = "button";
    chip.style.setProperty("--hue", this.hues[place]);
    chip.title = fill(this.header.text.head, { head: head + 1 });
    chip.setAttribute("aria-label", chip.title);
    chip.ondblclick = alone;
    chip.onkeydown = (event) => {
      if (event.key === "Enter" && event.shiftKey) alone(); // giving back false would swallow the Tab key
    };
    chip.onpointerenter = chip.onfocus = () => this.point({ ...NOTHING, head: place });
    chip.onpointerleave = chip.onblur = () => this.point(NOTHING);
    return chip;
  }

  tabulate() {
    const details = this.part("table");
    if (!details.open || !this.header) return;
    const { queries, keys } = this.header;
    const heading = (text, scope) => Object.assign(element("th", "", text), { scope });
    const first = element("tr");
    first.append(element("td"), ...keys.map((key) => heading(key, "col")));
    const rows = queries.map((query, row) => {
      const line = element("tr");
      const cells = keys.map((_, column) => {
        const seen = this.allowed(row, column);
        return element("td", "", seen ? this.weight(row, column, null).toFixed(3) : "");
      });
      line.append(heading(query, "row"), ...cells);
      return line;
    });
    details.querySelector("table").replaceChildren(first, ...rows);
  }

  // Weights: one map a head, and after several the map of all of them

  index(row, column, place) {
    const { heads, keys } = this.header;
    return (place ?? (heads.length > 1 ? heads.length : 0)) * this.cells + row * keys.length + column;
  }

  weight(row, column, place) {
    return weightOf(this.numbers[this.index(row, column, place)], this.header.most);
  }

  allowed(row, column) {
    return this.numbers[this.index(row, column, 0)] !== FORBIDDEN;
  }

  share(index) {
    return weightOf(this.numbers[index], 1);
  }

  // The lines worth drawing, faint ones first: [index, index, …] for every level of strength.
  sorted() {
    const levels = Array.from({ length: LEVELS + 1 }, () => []);
    const all = this.header.heads.length * this.cells;
    for (let index = 0; index < all; index++) {
      const share = this.share(index);
      if (share >= this.header.least) levels[Math.round(share * LEVELS)].push(index);
    }
    return levels;
  }

  // Pointing and keeping

  placeOf(target) {
    const { row, column } = target.closest?.(".word")?.dataset ?? {};
    if (row === undefined && column === undefined) return null;
    return { row: row === undefined ? null : +row, column: column === undefined ? null : +column, head: null };
  }

  fits({ row, column, head }) {
    const { queries, keys, heads } = this.header;
    return !(row >= queries.length || column >= keys.length || head >= heads.length);
  }

  point(place) {
    if (same(place, this.pointed) || !this.fits(place)) return;
    this.pointed = place;
    this.paint();
  }

  // The mouse is gone: show again what the keyboard is at.
  leave() {
    const active = this.root.getRootNode().activeElement;
    this.point((active?.matches(":focus-visible") && this.placeOf(active)) || NOTHING);
  }

  keep({ row, column }) {
    const place = { ...NOTHING, row, column };
    this.kept = same(place, this.kept) ? NOTHING : place;
    this.trigger("pick", { row: this.kept.row, column: this.kept.column });
    this.paint();
  }

  release() {
    if (empty(this.kept)) return;
    this.kept = this.pointed = NOTHING;
    this.trigger("pick", { row: null, column: null });
    this.paint();
  }

  press(event) {
    const place = this.placeOf(event.target);
    if (!place || event.altKey || event.ctrlKey || event.metaKey) return;
    const side = place.row === null ? "column" : "row", at = place[side];
    const go = {
      ArrowUp: [side, at - 1], ArrowDown: [side, at + 1], Home: [side, 0], End: [side, Infinity],
      ArrowLeft: ["row", at], ArrowRight: ["column", at],
    }[event.key];
    if (go) {
      const words = this.words[go[0]], next = Math.max(0, Math.min(words.length - 1, go[1]));
      words[this.stop[go[0]]].tabIndex = -1;
      words[(this.stop[go[0]] = next)].tabIndex = 0;
      words[next].focus();
    } else if (event.key === "Enter" || event.key === " ") this.keep(place);
    else return;
    event.preventDefault();
  }

  // The line nearest to the pointer. All lines share one shape, so one height on it serves them all.
  nearest({ clientX, clientY }) {
    const box = this.part("lines").getBoundingClientRect();
    const across = (clientX - box.left) / box.width, y = clientY - box.top;
    if (across <= 0 || across >= 1) return null;
    let low = 0, high = 1;
    for (let i = 0; i < 20; i++) {
      const t = (low + high) / 2;
      if (1.5 * t - 1.5 * t * t + t * t * t < across) low = t;
      else high = t;
    }
    const rise = 3 * low * low - 2 * low * low * low;
    const slope = (6 * low - 6 * low * low) / (1.5 - 3 * low + 3 * low * low) / box.width;
    const { keys, heads } = this.header;
    let best = null, least = REACH;
    for (const indices of empty(this.kept) ? this.order : this.lines(this.kept)) {
      for (const index of indices) {
        const place = Math.floor(index / this.cells), row = Math.floor((index % this.cells) / keys.length);
        const column = index % keys.length;
        const climb = (column - row) * this.height;
        const middle = (row + 0.5) * this.height + (place - (heads.length - 1) / 2) * this.step;
        const distance = Math.abs(middle + climb * rise - y) / Math.hypot(1, climb * slope);
        if (distance <= least) {
          least = distance;
          best = { row, column, head: place };
        }
      }
    }
    return best;
  }

  // Drawing

  fit() {
    const width = this.part("lines").clientWidth;
    if (!this.header || !width || width === this.width) return;
    this.width = width;
    this.stroke(this.canvas("all"), this.order, 0.05);
    this.paint();
  }

  canvas(name) {
    const canvas = this.part(name), sharp = window.devicePixelRatio || 1;
    const { queries, keys } = this.header;
    const height = Math.max(queries.length, keys.length) * this.height, context = canvas.getContext("2d");
    const wide = Math.round(this.width * sharp), high = Math.round(height * sharp);
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    context.setTransform(sharp, 0, 0, sharp, 0, 0);
    context.clearRect(0, 0, this.width, height);
    return context;
  }

  // `faintest` is the opacity of no weight at all: the fewer the lines, the more of each can be seen.
  stroke(context, levels, faintest) {
    const { heads, keys } = this.header, half = this.width / 2;
    const widest = Math.min(3, Math.max(1.5, this.height / 7));
    levels.forEach((indices, level) => {
      const share = level / LEVELS;
      context.lineWidth = 0.6 + (widest - 0.6) * share;
      context.globalAlpha = faintest + (1 - faintest) * share;
      let hue = null;
      for (const index of indices) {
        const place = Math.floor(index / this.cells), row = Math.floor((index % this.cells) / keys.length);
        const aside = (place - (heads.length - 1) / 2) * this.step;
        const from = (row + 0.5) * this.height + aside, to = ((index % keys.length) + 0.5) * this.height + aside;
        if (hue !== place) context.strokeStyle = this.hues[(hue = place)];
        context.beginPath();
        context.moveTo(0, from);
        if (from === to) context.lineTo(this.width, to);
        else context.bezierCurveTo(half, from, half, to, this.width, to);
        context.stroke();
      }
    });
  }

  paint() {
    if (!this.width) return;
    const { row, column, head } = this.pointed, whole = row === null && column === null;
    const at = whole ? { ...this.kept, head } : this.pointed;
    this.draw(at);
    this.tell(at);
    const detail = { from: this, row, column };
    document.dispatchEvent(new CustomEvent("headlight-point", { detail }));
    this.root.dispatchEvent(new CustomEvent("pointed", { detail: { pointed: this.pointed, kept: this.kept } }));
  }

  draw(at) {
    const { row, column, head } = at;
    this.part("all").style.visibility = empty(at) ? "visible" : "hidden";
    this.part("some").style.visibility = empty(at) ? "hidden" : "visible";
    if (!empty(at)) {
      const faintest = row === null && column === null ? 0.05 : row === null || column === null ? 0.15 : 0.3;
      this.stroke(this.canvas("some"), this.lines(at), faintest);
    }
    this.weigh("column", row === null ? null : (place) => [row, place], at);
    this.weigh("row", row !== null || column === null ? null : (place) => [place, column], at);
    [...this.part("legend").children].forEach((chip, place) => chip.classList.toggle("faint", head !== null && head !== place));
  }

  // The lines of one word, one pair or one head.
  lines({ row, column, head }) {
    const { heads, queries, keys } = this.header;
    if (row === null && column === null)
      return this.order.map((indices) => indices.filter((index) => Math.floor(index / this.cells) === head));
    const levels = Array.from({ length: LEVELS + 1 }, () => []);
    const rows = row === null ? queries.keys() : [row], columns = column === null ? [...keys.keys()] : [column];
    for (const i of rows) {
      for (const j of columns) {
        for (const place of head === null ? heads.keys() : [head]) {
          const index = this.index(i, j, place), share = this.share(index);
          if (share >= LEAST) levels[Math.round(share * LEVELS)].push(index);
        }
      }
    }
    return levels;
  }

  // Behind and beside each word of one side, what it gives or gets.
  weigh(side, pair, at) {
    this.words[side].forEach((word, place) => {
      const weight = pair ? this.weight(...pair(place), at.head) : 0;
      const share = weight / this.header.most, on = at[side] === place, kept = this.kept[side] === place;
      const number = pair && share >= LEAST ? weight.toFixed(3) : "";
      const faint = !on && (pair ? share < LEAST : at[side] !== null);
      const look = [share, number, on, kept, faint].join();
      if (word.look === look) return; // most words stay as they are, and each change costs layout
      word.look = look;
      word.style.backgroundSize = `${number ? share * 100 : 0}% 100%`;
      word.lastChild.textContent = number;
      word.classList.toggle("on", on);
      word.classList.toggle("faint", faint);
      word.classList.toggle("kept", kept);
      word.setAttribute("aria-selected", kept);
    });
  }

  tell(at) {
    const { text, queries, keys, heads } = this.header;
    let { row, column } = at;
    if (row === null && column === null) {
      this.part("status").textContent = text.hint;
      return;
    }
    const strongest = (count, weight) => {
      let best = 0;
      for (let place = 1; place < count; place++) if (weight(place) > weight(best)) best = place;
      return best;
    };
    row ??= strongest(queries.length, (place) => this.weight(place, column, at.head));
    column ??= strongest(keys.length, (place) => this.weight(row, place, at.head));
    const named = at.head !== null && heads.length > 1;
    this.part("status").textContent = fill(
      !this.allowed(row, column) ? text.forbidden : named ? text.one : text.pair, {
        looking: queries[row], seen: keys[column], weight: this.weight(row, column, at.head).toFixed(4),
        head: named ? heads[at.head] + 1 : "",
      });
  }
}
