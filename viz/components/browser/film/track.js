// The time line of a film: curves, a tick for every recorded moment, a mark where a named head appears.

import { make } from "../shared/elements.js";
import { schemeOf } from "../shared/theme.js";
import { HUES, SERIES } from "../constants.js";

const SVG = "http://www.w3.org/2000/svg";
const STACK = 7; // pixels from one mark to the one above it
const percent = (share) => `${share * 100}%`;

export class Track {
  constructor(root, header, pick) {
    const part = (name) => root.querySelector(`.${name}`), { places, curves, named, scale } = header;
    Object.assign(this, { header, part, scheme: schemeOf(root) });
    part("labels").replaceChildren(...curves.map(({ name }) => {
      const label = make("div", "", name);
      label.append(make("b"));
      return label;
    }));
    part("strips").replaceChildren(...curves.map((curve, place) => this.strip(curve, place)));
    part("moments").replaceChildren(...places.map((place) => at(place, make("i"))));
    part("steps").replaceChildren(...scale.map(([place, step]) => at(place, make("span", "", step))));
    this.marks = named.map((each) => this.mark(each, pick, make("button", "mark")));
    const heights = new Map();
    for (const [place, { moment }] of named.entries()) {
      const height = heights.get(moment) ?? 0; // several at one moment stand above each other
      heights.set(moment, height + 1);
      at(places[moment], this.marks[place]).style.bottom = `${height * STACK}px`;
      Object.assign(this.marks[place], { tabIndex: -1, title: named[place].label, ariaHidden: "true" });
    }
    part("marks").style.height = `${Math.max(0, ...heights.values()) * STACK + 2}px`;
    part("marks").replaceChildren(...this.marks);
    this.list = named.map((head) => {
      const entry = this.mark(head, pick, make("button"));
      entry.append(make("i"), make("span", "", head.label), make("small", "", header.steps[head.moment]));
      return entry;
    });
    part("named").replaceChildren(...this.list);
  }

  mark(named, pick, button) {
    const hues = HUES[this.scheme];
    button.type = "button";
    button.style.setProperty("--hue", hues[named.head[2] % hues.length]);
    button.onclick = () => pick(named);
    button.onpointerdown = (event) => event.stopPropagation(); // it does not scrub
    return button;
  }

  strip({ points, most }, place) {
    const strip = make("div", "strip"), svg = document.createElementNS(SVG, "svg"), series = SERIES[this.scheme];
    const path = document.createElementNS(SVG, "path"), round = (share) => Math.round(share * 1000) / 10;
    svg.setAttribute("viewBox", "0 -2 100 104");
    svg.setAttribute("preserveAspectRatio", "none");
    path.setAttribute("d", "M" + points.map(([x, y]) => `${round(x)} ${round(1 - y)}`).join("L"));
    path.setAttribute("stroke", series[place % series.length]);
    svg.append(path);
    // Where a curve ends high, its number stands at its beginning.
    strip.append(svg, make("span", points.at(-1)[1] > 0.5 ? "low" : "", most));
    return strip;
  }

  // Where the cursor stands, between two moments.
  move({ below, above, share }) {
    const { places } = this.header;
    this.part("cursor").style.left = percent(places[below] * (1 - share) + places[above] * share);
  }

  // The moment of the film under the pointer, with what lies between two recorded ones.
  under(clientX) {
    const box = this.part("strips").getBoundingClientRect(), { places } = this.header, last = places.length - 1;
    const share = (clientX - box.left) / box.width;
    const above = places.findIndex((place) => place >= share);
    if (above <= 0) return above ? last : 0;
    return above - 1 + (share - places[above - 1]) / (places[above] - places[above - 1]);
  }

  // What is true from the last recorded moment on.
  reach(moment) {
    const { curves, named, head } = this.header;
    curves.forEach(({ values }, place) => (this.part("labels").children[place].lastChild.textContent = values[moment]));
    named.forEach((each, place) => {
      const here = each.head.every((part, index) => part === head[index]);
      for (const entry of [this.marks[place], this.list[place]]) {
        entry.classList.toggle("there", each.moment <= moment);
        entry.classList.toggle("here", here);
      }
    });
  }
}

function at(place, element) {
  element.style.left = percent(place);
  return element;
}
