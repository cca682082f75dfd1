// Every head of a model as a small exact map. Hovering never leaves the browser; text comes from Python.

import { make } from "../shared/elements.js";
import { unpack } from "../shared/payload.js";
import { css, marked, ramp } from "../shared/scale.js";
import { schemeOf } from "../shared/theme.js";
import { lasting } from "../shared/views.js";
import { HUES } from "../constants.js";
import { drawBlocks } from "./blocks.js";
import { coloursOf } from "./painter.js";
import { hide } from "./panel.js";
import { find, LETTERS } from "./parts.js";
import { spread } from "./payload.js";
import { listen } from "./pointing.js";
import { drawTable } from "./table.js";

class HeadGrid {
  constructor(parent) {
    this.root = parent.querySelector(".head-grid");
    this.at = this.current = null; // what is enlarged, and what the keyboard is at
    this.canvases = new Map();
    this.calls = 0;
    this.end = listen(this);
  }

  show(data, trigger) {
    const began = performance.now(), { root } = this, { header, numbers } = spread(unpack(data));
    Object.assign(this, { header, numbers, calls: this.calls + 1, hues: HUES[schemeOf(root)] });
    if (this.measure !== header.measure) Object.assign(this, { measure: header.measure, least: 0 });
    if (this.told !== header.least[0]) [this.told, this.least] = header.least;
    this.sift = (least) => trigger("least", { measure: header.measure, least });
    this.scale = ramp(root);
    this.colours = coloursOf(this.scale, header.colour);
    const { color, backgroundColor, fontFamily } = getComputedStyle(root);
    Object.assign(this, { ink: color, paper: backgroundColor, font: `${LETTERS}px ${fontFamily}` });
    this.open = ({ block, map }) => {
      const { kind, heads } = header.blocks[block];
      trigger("open", { kind, layer: Math.floor(map / heads), head: [map % heads] });
    };
    find(this, ".condensed").textContent = header.text.condensed;
    hide(this);
    drawLegend(this);
    drawFilter(this);
    drawBlocks(this);
    drawTable(this);
    root.dataset.drawn = (performance.now() - began).toFixed(1);
  }
}

function drawLegend(view) {
  const { text, ticks } = view.header;
  const strip = document.createElement("canvas"), numbers = make("div", "ticks"), scale = make("div", "scale");
  Object.assign(strip, { width: view.scale.length, height: 1 });
  const context = strip.getContext("2d");
  view.scale.forEach((colour, place) => {
    context.fillStyle = css(colour);
    context.fillRect(place, 0, 1, 1);
  });
  numbers.append(...marked(ticks));
  scale.append(strip, numbers);
  find(view, ".legend").replaceChildren(make("span", "", text.legend), scale);
}

function drawFilter(view) {
  const { header, measure } = view, form = find(view, ".filter");
  form.hidden = measure === "none";
  if (form.hidden) return;
  const values = header.blocks.flatMap((block) => block.measures[measure]).filter((value) => value !== null);
  const most = Math.max(1, Math.ceil(Math.max(...values, 0)));
  const slider = find(view, ".filter input");
  Object.assign(slider, { min: 0, max: most, step: most > 1 ? 0.1 : 0.01 });
  slider.value = view.least;
  slider.oninput = () => {
    view.least = Number(slider.value);
    hide(view);
    drawBlocks(view);
  };
  slider.onchange = () => view.sift(view.least);
}

const headGrid = lasting(HeadGrid);
export default headGrid;
