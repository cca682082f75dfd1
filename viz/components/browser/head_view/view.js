// The head view: who looks on the left, who is looked at on the right, a line for every weight.
// Pointing stays in the browser; only clicks reach Python.

import { schemeOf } from "../shared/theme.js";
import { clamp, fill, make, tabulate } from "../shared/elements.js";
import { unpack } from "../shared/payload.js";
import { roomOf } from "../shared/room.js";
import { TYPING } from "../shared/typing.js";
import { lasting, listening, pointTogether } from "../shared/views.js";
import { empty, Lines, words } from "./lines.js";
import { Weights } from "./weights.js";
import { Words } from "./words.js";

const AROUND = 120, ROW = { least: 13, most: 48 }; // pixels: what stands above and below; a row on a wall
const NOTHING = { row: null, column: null, head: null };
const same = (a, b) => a.row === b.row && a.column === b.column && (a.head ?? null) === (b.head ?? null);

class HeadView {
  constructor(parent) {
    const root = (this.root = parent.querySelector(".head-view"));
    const part = (this.part = (name) => root.querySelector(`.${name}`));
    this.pointed = this.kept = NOTHING;
    this.words = new Words(part);
    this.lines = new Lines(part);
    this.listeners = listening();
    this.listen(part("body"), part("lines"), this.listeners.hear);
    this.resizing = new ResizeObserver(() => this.fit());
    this.resizing.observe(part("lines"));
  }

  listen(body, lines, hear) {
    hear(body, "pointerover", ({ target }) => {
      const place = this.words.placeOf(target);
      if (place) this.point(place);
      else if (!lines.contains(target)) this.leave();
    });
    hear(body, "pointerleave", () => this.leave());
    hear(body, "click", ({ target }) => {
      const place = this.words.placeOf(target) ?? (this.pointed.head === null ? null : this.pointed);
      if (place) this.keep(place);
    });
    hear(body, "keydown", (event) => this.press(event));
    hear(body, "focusin", ({ target }) => this.point(this.words.placeOf(target) ?? NOTHING));
    hear(body, "focusout", (event) => event.relatedTarget?.closest(".word") || this.point(NOTHING));
    hear(lines, "pointermove", (event) => this.point(this.lines.nearest(event, this.kept) ?? NOTHING));
    hear(this.part("table"), "toggle", () => this.tabulate());
    hear(document, "keydown", (event) => {
      const elsewhere = event.composedPath()[0].closest?.(TYPING);
      if (event.key === "Escape" && !elsewhere && !event.defaultPrevented) this.release();
    });
    // The map beside it points at a cell; so does the one of a saved page.
    hear(document, "headlight-point", ({ detail: { from, row, column } }) => {
      if (from !== this) this.point({ ...NOTHING, row, column });
    });
    hear(this.root, "keep", ({ detail }) => this.keep(detail));
  }

  end() {
    this.listeners.end();
    this.resizing.disconnect();
  }

  show(data, trigger) {
    const { header, numbers } = unpack(data), { heads, queries, keys, axes, text } = header;
    const height = this.grow(data, header);
    const hues = header.hues[schemeOf(this.root)], weights = new Weights({ header, numbers });
    const anew = !weights.same(this.weights), kept = { ...NOTHING, row: header.row, column: header.column };
    const moved = anew || !same(kept, this.kept);
    Object.assign(this, { header, trigger, hues, weights, kept });
    this.lines.set(header, this.weights, hues);

    const style = { "--row": `${height}px`, "--size": `${clamp(height - 3, 10, this.wall ? 20 : 14)}px` };
    style["--rows"] = Math.max(queries.length, keys.length);
    style["--bar"] = heads.length > 1 ? "var(--st-text-color)" : hues[0];
    for (const [name, value] of Object.entries(style)) this.root.style.setProperty(name, value);
    this.root.setAttribute("aria-label", text.label);

    this.part("looking").textContent = axes[0];
    this.part("looked-at").textContent = axes[1];
    this.part("note").textContent = text.note;
    this.words.list("row", queries, axes[0]);
    this.words.list("column", keys, axes[1]);
    this.part("legend").replaceChildren(...heads.map((head, place) => this.chip(head, place)));
    this.part("table").hidden = !text.table;
    this.part("table").firstElementChild.textContent = text.table;
    this.tabulate();
    if (!this.fits(this.pointed)) this.pointed = NOTHING;
    this.fit();
    if (moved) this.flow(anew);
  }

  // Another head or sentence: all lines run anew. Another row: its own.
  flow(anew) {
    this.lines.flow(...(anew ? ["all", "some"] : ["some"]));
    this.words.flow();
  }

  // On a large screen rows, and lines with them, grow until the picture is as tall as its room.
  grow(data, header) {
    Object.assign(this, { data, wall: roomOf(this.root) });
    const rows = Math.max(header.queries.length, header.keys.length);
    const wanted = this.wall ? clamp((this.wall - AROUND) / rows, ROW.least, ROW.most) : header.height;
    const times = wanted / header.height;
    for (const name of ["height", "apart", "thickest"]) header[name] *= times;
    return wanted;
  }

  fit() {
    if (this.header && roomOf(this.root) !== this.wall) return this.show(this.data, this.trigger);
    if (this.header && this.lines.fit()) this.paint();
  }

  chip(head, place) {
    const chip = make("button", "chip", head + 1);
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
    if (!this.header) return;
    const written = (row, column) => this.weights.weight(row, column, null).toFixed(3);
    tabulate(this.part("table"), this.header, (...at) => (this.weights.allowed(...at) ? written(...at) : ""));
  }

  // Pointing and keeping

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
    this.point((active?.matches(":focus-visible") && this.words.placeOf(active)) || NOTHING);
  }

  keep({ row, column }) {
    const place = { ...NOTHING, row, column };
    this.kept = same(place, this.kept) ? NOTHING : place;
    this.trigger("pick", { row: this.kept.row, column: this.kept.column });
    this.paint();
    if (!empty(this.kept)) this.flow(false);
  }

  release() {
    if (empty(this.kept)) return;
    this.kept = this.pointed = NOTHING;
    this.trigger("pick", { row: null, column: null });
    this.paint();
  }

  press(event) {
    const place = this.words.placeOf(event.target);
    if (!place || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.keep(place);
    else if (!this.words.step(event.key, place)) return;
    event.preventDefault();
  }

  // Drawing

  paint() {
    if (!this.lines.width) return;
    const { row, column, head } = this.pointed, at = words(this.pointed) ? this.pointed : { ...this.kept, head };
    this.draw(at);
    this.tell(at);
    pointTogether(this, row, column);
    this.root.dispatchEvent(new CustomEvent("pointed", { detail: { pointed: this.pointed, kept: this.kept } }));
  }

  draw(at) {
    const { row, column, head } = at, { most } = this.header, { weights } = this;
    this.lines.show(at);
    const gets = row === null ? null : (place) => weights.weight(row, place, head);
    const gives = row !== null || column === null ? null : (place) => weights.weight(place, column, head);
    this.words.weigh("column", gets, most, at, this.kept);
    this.words.weigh("row", gives, most, at, this.kept);
    [...this.part("legend").children].forEach((chip, place) => {
      chip.classList.toggle("away", head !== null && head !== place);
    });
  }

  tell(at) {
    const { text, queries, keys, heads } = this.header, { weights } = this;
    let { row, column } = at;
    if (!words(at)) {
      this.part("status").textContent = text.hint;
      return;
    }
    row ??= strongest(queries.length, (place) => weights.weight(place, column, at.head));
    column ??= strongest(keys.length, (place) => weights.weight(row, place, at.head));
    const named = at.head !== null && heads.length > 1;
    const sentence = !weights.allowed(row, column) ? text.forbidden : named ? text.one : text.pair;
    this.part("status").textContent = fill(sentence, {
      looking: queries[row], seen: keys[column], weight: weights.weight(row, column, at.head).toFixed(4),
      head: named ? heads[at.head] + 1 : "",
    });
  }
}

function strongest(count, weight) {
  let best = 0;
  for (let place = 1; place < count; place++) if (weight(place) > weight(best)) best = place;
  return best;
}

const headView = lasting(HeadView);
export default headView;
