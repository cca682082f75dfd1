// Colour scales, and where on one a weight lies: viz/figures/scales.py in the browser.

import { DECADES, LESS, LEVELS, MORE } from "../constants.js";
import { make } from "./elements.js";
import { rgb, variable } from "./theme.js";

export const css = ([r, g, b, a = 255]) => `rgb(${r} ${g} ${b} / ${a / 255})`;

// All colours of the theme's own scale from 0 to 1, evenly between its ten.
export function ramp(element) {
  const listed = variable(element, "--st-chart-sequential-colors").match(/#[0-9a-f]{6}|rgba?\([^)]*\)/gi);
  const stops = listed.map(rgb);
  return Array.from({ length: LEVELS }, (_, level) => {
    const place = (level / (LEVELS - 1)) * (stops.length - 1), below = Math.min(Math.floor(place), stops.length - 2);
    return stops[below].map((c, part) => Math.round(c + (stops[below + 1][part] - c) * (place - below)));
  });
}

// The scale of a difference: nothing at zero, so that the page shines through.
export function diverging() {
  const [less, more] = [rgb(LESS), rgb(MORE)];
  return Array.from({ length: LEVELS }, (_, level) => {
    const share = (level / (LEVELS - 1)) * 2 - 1;
    return [...(share < 0 ? less : more), Math.round(Math.abs(share) * 255)];
  });
}

// The scales a visitor can choose: where on the scale a share of the most lies.
const SHADES = {
  linear: (share) => share,
  root: Math.sqrt,
  log: (share) => Math.max(0, 1 + Math.log10(Math.max(share, 10 ** -DECADES)) / DECADES),
};

export const levelOf = (share, colour) => Math.round(SHADES[colour](share) * (LEVELS - 1));

// The numbers of a colour scale, each where it stands on it.
export function marked(ticks) {
  return ticks.map(([place, number]) => {
    const tick = make("span", "", number);
    tick.style.left = `${place * 100}%`;
    return tick;
  });
}
