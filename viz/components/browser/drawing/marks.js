// The marks of a drawing as SVG elements: what viz/figures/drawing_svg.py writes, in the page's own colours.

import { clamp, make } from "../shared/elements.js";
import { css, diverging, levelOf, ramp } from "../shared/scale.js";
import { schemeOf } from "../shared/theme.js";
import { ARROW, BOLD, DASH, FAMILIES, HUES, LESS, LETTER, MORE, NAMED, SERIES, STROKE } from "../constants.js";

const SVG = "http://www.w3.org/2000/svg";
const THEMED = {
  ink: "var(--st-text-color)", mark: "var(--st-primary-color)", paper: "var(--st-background-color)", none: "none",
};

export function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  set(made, attributes);
  return made;
}

export function set(made, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) made.setAttribute(name, value);
}

export class Marks {
  constructor(root) {
    this.colours = ramp(root);
    const scheme = schemeOf(root);
    this.hues = HUES[scheme];
    this.series = SERIES[scheme];
    this.families = FAMILIES[scheme];
  }

  // A named colour, and how much of it.
  paint(name) {
    const [kind, number] = name.split(":"), share = Number(number);
    if (kind === "scale") return [css(this.colours[levelOf(clamp(share, 0, 1), "linear")]), 1];
    if (kind === "change") return [share >= 0 ? MORE : LESS, Math.min(1, Math.abs(share))];
    if (kind === "head") return [this.hues[share % this.hues.length], 1];
    if (kind === "series") return [this.series[share % this.series.length], 1];
    if (kind === "family") return [this.families[number] ?? this.families.own, 1];
    const [themed, opacity] = NAMED[kind];
    return [THEMED[themed], opacity];
  }

  filled(name) {
    const [fill, opacity] = this.paint(name);
    return { fill, "fill-opacity": opacity };
  }

  stroked(name, width) {
    const [stroke, opacity] = this.paint(name);
    return { stroke, "stroke-opacity": opacity, "stroke-width": width };
  }

  rect({ x, y, wide, high, fill, stroke = "none", round, on }) {
    const edge = on ? this.stroked("mark", STROKE.chosen) : this.stroked(stroke, STROKE.usual);
    return element("rect", { x, y, width: wide, height: high, rx: round, ...this.filled(fill), ...edge });
  }

  circle({ x, y, radius, fill, stroke = "none" }) {
    return element("circle", { cx: x, cy: y, r: radius, ...this.filled(fill), ...this.stroked(stroke, STROKE.usual) });
  }

  line({ points, stroke, thick = STROKE.usual, dash, arrow }) {
    let path = "M" + points.map(([x, y]) => `${x} ${y}`).join("L");
    if (arrow) path += arrowHead(...points.slice(-2));
    const look = { ...this.stroked(stroke, thick), "stroke-dasharray": dash ? DASH : null };
    return element("path", { d: path, fill: "none", ...look });
  }

  text({ text, x, y, size = LETTER, anchor, fill = "ink", bold, turn }) {
    const look = { "font-size": size, "text-anchor": anchor, "font-weight": bold ? BOLD : null, ...this.filled(fill) };
    const made = element("text", { x, y, ...look, transform: turn ? `rotate(${turn} ${x} ${y})` : null });
    made.textContent = text; // words are typed by people: never read them as HTML
    return made;
  }

  // A table of numbers as a picture of one pixel each; two letters a number, dots where nothing is shown.
  map({ x, y, wide, high, rows, difference }) {
    const canvas = make("canvas"), colours = difference ? diverging() : this.colours;
    Object.assign(canvas, { width: rows[0].length / 2, height: rows.length });
    const pen = canvas.getContext("2d"), image = pen.createImageData(canvas.width, canvas.height);
    [...rows.join("").matchAll(/../g)].forEach(([level], place) => {
      const [r, g, b, a = 255] = level === ".." ? [0, 0, 0, 0] : colours[parseInt(level, 16)];
      image.data.set([r, g, b, a], 4 * place);
    });
    pen.putImageData(image, 0, 0);
    const look = { preserveAspectRatio: "none", style: "image-rendering: pixelated", fill: "none" };
    return element("image", { x, y, width: wide, height: high, href: canvas.toDataURL(), ...look });
  }

  // Numbers as coloured squares; each tells its own.
  cells({ x, y, size, high, columns, values, most, name, first }) {
    const group = element("g", {});
    group.append(...values.map((value, place) => {
      const made = element("rect", {
        x: x + (place % columns) * size, y: y + Math.floor(place / columns) * high,
        width: size - 1, height: high - 1, class: "cell", ...this.filled(`change:${value / most}`),
      });
      made.said = `${name} ${first + place}: ${value}`;
      return made;
    }));
    return group;
  }
}

function arrowHead([x0, y0], [x1, y1]) {
  const far = Math.hypot(x0 - x1, y0 - y1) || 1, [long, wide] = ARROW;
  const back = ((x0 - x1) / far) * long, up = ((y0 - y1) / far) * long;
  return [1, -1].map((side) => `M${x1} ${y1}L${x1 + back - up * wide * side} ${y1 + up + back * wide * side}`).join("");
}
