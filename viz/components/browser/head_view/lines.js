// The lines of the head view on two canvases: all of them, and those of what is pointed at.

import { sharpness } from "../shared/elements.js";
import { animate, stop } from "../shared/motion.js";
import { FAINTEST_LINE, LEAST, THINNEST } from "../constants.js";

const REACH = 6; // pixels from a line within which it is pointed at
const LEVELS_OF_STRENGTH = 40; // lines of one level are drawn in one go

const grouped = () => Array.from({ length: LEVELS_OF_STRENGTH + 1 }, () => []);

// Whether a place is no word, one word or a pair of words.
export const words = ({ row, column }) => (row !== null) + (column !== null);
export const empty = (place) => !words(place) && (place.head ?? null) === null;

export class Lines {
  constructor(part) {
    this.part = part;
  }

  // Everything is drawn anew.
  set(header, weights, hues) {
    Object.assign(this, { header, weights, hues, width: null });
    this.order = grouped(); // faint ones first
    for (let index = 0; index < weights.heads * weights.cells; index++) {
      const share = weights.share(index);
      if (share >= header.least) this.order[Math.round(share * LEVELS_OF_STRENGTH)].push(index);
    }
  }

  // Whether the room for lines has changed, and all of them were drawn anew.
  fit() {
    const width = this.part("lines").clientWidth;
    if (!width || width === this.width) return false;
    this.width = width;
    this.stroke(this.canvas("all"), this.order, FAINTEST_LINE[0]);
    return true;
  }

  show(at) {
    this.part("all").style.visibility = empty(at) ? "visible" : "hidden";
    this.part("some").style.visibility = empty(at) ? "hidden" : "visible";
    if (!empty(at)) this.stroke(this.canvas("some"), this.of(at), FAINTEST_LINE[words(at)]);
  }

  // Lines run from who looks to who is looked at: what is drawn comes to light from the left to the right.
  flow(...names) {
    for (const name of names) {
      stop(this.part(name));
      animate(this.part(name), { clipPath: ["inset(0 100% 0 0)", "inset(0 0 0 0)"] });
    }
  }

  // The lines of one word, one pair or one head.
  of(at) {
    const { rows, columns, heads, cells } = this.weights;
    if (!words(at))
      return this.order.map((indices) => indices.filter((index) => Math.floor(index / cells) === at.head));
    const chosen = (place, count) => (place === null ? Array.from({ length: count }, (_, each) => each) : [place]);
    const levels = grouped();
    for (const row of chosen(at.row, rows))
      for (const column of chosen(at.column, columns))
        for (const place of chosen(at.head ?? null, heads)) {
          const index = this.weights.index(row, column, place), share = this.weights.share(index);
          if (share >= LEAST) levels[Math.round(share * LEVELS_OF_STRENGTH)].push(index);
        }
    return levels;
  }

  // The heights at which a line begins and ends: heads of one pair run side by side, each from its own place.
  ends(index) {
    const { height, apart } = this.header, { head, row, column } = this.weights.at(index);
    const aside = (head - (this.weights.heads - 1) / 2) * apart;
    return { head, from: (row + 0.5) * height + aside, to: (column + 0.5) * height + aside };
  }

  canvas(name) {
    const canvas = this.part(name), sharp = sharpness(), context = canvas.getContext("2d");
    const height = Math.max(this.weights.rows, this.weights.columns) * this.header.height;
    const wide = Math.round(this.width * sharp), high = Math.round(height * sharp);
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    context.setTransform(sharp, 0, 0, sharp, 0, 0);
    context.clearRect(0, 0, this.width, height);
    return context;
  }

  // `faintest` is the opacity of no weight at all: the fewer the lines, the more of each can be seen.
  stroke(context, levels, faintest) {
    const half = this.width / 2;
    levels.forEach((indices, level) => {
      const share = level / LEVELS_OF_STRENGTH;
      context.lineWidth = THINNEST + (this.header.thickest - THINNEST) * share;
      context.globalAlpha = faintest + (1 - faintest) * share;
      let hue = null;
      for (const index of indices) {
        const { head, from, to } = this.ends(index);
        if (hue !== head) context.strokeStyle = this.hues[(hue = head)];
        context.beginPath();
        context.moveTo(0, from);
        if (from === to) context.lineTo(this.width, to);
        else context.bezierCurveTo(half, from, half, to, this.width, to);
        context.stroke();
      }
    });
  }

  // The line nearest to the pointer. All lines share one shape, so one height on it serves them all.
  nearest({ clientX, clientY }, kept) {
    const box = this.part("lines").getBoundingClientRect();
    const across = (clientX - box.left) / box.width, y = clientY - box.top;
    if (across <= 0 || across >= 1) return null;
    const { rise, slope } = curveAt(across);
    let best = null, least = REACH;
    for (const indices of empty(kept) ? this.order : this.of(kept)) {
      for (const index of indices) {
        const { from, to } = this.ends(index), climb = to - from;
        const distance = Math.abs(from + climb * rise - y) / Math.hypot(1, (climb * slope) / box.width);
        if (distance <= least) [least, best] = [distance, index];
      }
    }
    return best === null ? null : this.weights.at(best);
  }
}

// How far a line has risen at a share of its way across, and how steep it is there: its Bézier curve has its
// handles in the middle, so x = 1.5t - 1.5t² + t³ and y = 3t² - 2t³.
function curveAt(across) {
  let low = 0, high = 1;
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (1.5 * middle - 1.5 * middle ** 2 + middle ** 3 < across) low = middle;
    else high = middle;
  }
  const t = low;
  return { rise: 3 * t * t - 2 * t * t * t, slope: (6 * t - 6 * t * t) / (1.5 - 3 * t + 3 * t * t) };
}
