// The maps of a film: one large, and all heads of its layer small, each blended of two recorded moments.

import { make, sharpness } from "../shared/elements.js";
import { css, levelOf, marked, ramp } from "../shared/scale.js";
import { schemeOf } from "../shared/theme.js";
import { HUES } from "../constants.js";

const ROW = 22, WIDEST = 64; // pixels of a cell

export class Stage {
  constructor(root, { header, maps }) {
    const { queries, keys, names, colour } = header;
    const part = (name) => root.querySelector(`.${name}`), tones = ramp(root);
    this.colours = Array.from({ length: 256 }, (_, byte) => tones[levelOf(byte / 255, colour)]);
    Object.assign(this, {
      header, maps, part, root, heads: names.length, size: queries.length * keys.length,
      painted: this.colours.map(css), hues: HUES[schemeOf(root)],
    });
    const bar = tones.filter((_, level) => level % 15 === 0).map(css);
    part("ramp").style.background = `linear-gradient(to right, ${bar.join(", ")})`;
    part("ticks").replaceChildren(...marked(header.ticks));
    label(part("rows"), queries);
    label(part("columns"), keys);
    root.style.setProperty("--widest", `${keys.length * WIDEST}px`);
    root.style.setProperty("--row", `${ROW}px`);
    part("cells").style.height = `${queries.length * ROW}px`;
  }

  // Whether row and column may meet: nobody reads ahead.
  allowed(row, column) {
    return !this.header.causal || column <= row;
  }

  // Where a film stands, as two recorded moments and the share of the later one.
  frame(at) {
    const below = Math.floor(at), last = this.header.steps.length - 1;
    return { below, above: Math.min(below + 1, last), share: at - below };
  }

  // The byte of every cell of a head, blended.
  *bytes(head, { below, above, share }) {
    const start = (moment) => (moment * this.heads + head) * this.size;
    const from = start(below), to = start(above);
    for (let cell = 0; cell < this.size; cell++)
      yield this.maps[from + cell] * (1 - share) + this.maps[to + cell] * share;
  }

  weight(at, row, column) {
    const { below, above, share } = this.frame(at), { keys, head: [, , head] } = this.header;
    const of = (moment) => this.maps[(moment * this.heads + head) * this.size + row * keys.length + column] / 255;
    return of(below) * (1 - share) + of(above) * share;
  }

  fit() {
    const canvas = this.part("cells").firstElementChild, { queries, keys } = this.header, sharp = sharpness();
    const wide = this.part("cells").clientWidth, longest = Math.max(...keys.map((key) => key.length));
    canvas.width = Math.round(wide * sharp);
    canvas.height = Math.round(queries.length * ROW * sharp);
    this.root.classList.toggle("upright", longest * 7.5 > wide / keys.length);
  }

  paint(at) {
    const frame = this.frame(at), { queries, keys, head } = this.header;
    const canvas = this.part("cells").firstElementChild, pen = canvas.getContext("2d"), gap = sharpness();
    const across = canvas.width / keys.length, down = canvas.height / queries.length;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    let cell = 0;
    for (const byte of this.bytes(head[2], frame)) {
      const row = Math.floor(cell / keys.length), column = cell++ % keys.length;
      if (!this.allowed(row, column)) continue;
      const left = Math.round(column * across), top = Math.round(row * down);
      pen.fillStyle = this.painted[Math.round(byte)];
      pen.fillRect(left, top, Math.round((column + 1) * across) - left - gap, Math.round((row + 1) * down) - top - gap);
    }
    this.small.forEach((each, place) => this.paintSmall(each, place, frame));
  }

  paintSmall({ pen, image }, head, frame) {
    const { keys } = this.header;
    let cell = 0;
    for (const byte of this.bytes(head, frame)) {
      const seen = this.allowed(Math.floor(cell / keys.length), cell % keys.length);
      const [r, g, b] = this.colours[Math.round(byte)];
      image.data.set([r, g, b, seen ? 255 : 0], 4 * cell++);
    }
    pen.putImageData(image, 0, 0);
  }

  // All heads of the layer; the one that is large is pressed.
  line(pick) {
    const { queries, keys, names, head } = this.header;
    this.small = [];
    this.part("heads").replaceChildren(...names.map((name, place) => {
      const button = make("button"), canvas = make("canvas"), pen = canvas.getContext("2d");
      Object.assign(canvas, { width: keys.length, height: queries.length });
      this.small.push({ pen, image: pen.createImageData(keys.length, queries.length) });
      button.append(canvas, make("span", "", String(place + 1)));
      button.type = "button";
      button.title = name;
      button.setAttribute("aria-label", name);
      button.setAttribute("aria-pressed", String(place === head[2]));
      button.style.setProperty("--hue", this.hues[place % this.hues.length]);
      button.onclick = () => pick(place);
      return button;
    }));
  }
}

function label(where, words) {
  where.replaceChildren(...words.map((word) => Object.assign(make("span", "", word), { title: word })));
}
