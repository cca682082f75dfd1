// A map of weights on a canvas: a colour for every cell, the page where nobody may look.

import { sharpness } from "../shared/elements.js";
import { css, diverging, levelOf, marked, ramp } from "../shared/scale.js";
import { FORBIDDEN, SCALE } from "../constants.js";

export const MANY = 20_000; // cells, from which on a cell is a pixel of a picture that is stretched

export class Painter {
  constructor(root, { header, numbers }) {
    Object.assign(this, { header, numbers, colours: header.least < 0 ? diverging() : ramp(root) });
  }

  colour(number) {
    return this.colours[levelOf(number / SCALE, this.header.colour)];
  }

  paint(canvas, width, height) {
    const sharp = sharpness(), { queries, keys } = this.header, rows = queries.length, columns = keys.length;
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
        if (number === FORBIDDEN) continue; // the page shines through
        const left = Math.round((column / columns) * canvas.width);
        const wide = Math.round(((column + 1) / columns) * canvas.width) - left - sharp;
        pen.fillStyle = css(this.colour(number));
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
      if (number !== FORBIDDEN) image.data.set([...this.colour(number), 255].slice(0, 4), place * 4);
    });
    context.putImageData(image, 0, 0);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(small, 0, 0, canvas.width, canvas.height);
  }

  // The scale as a bar, and the numbers below it.
  legend(bar, ticks) {
    const colours = this.colours.filter((_, level) => level % 15 === 0); // 18 of 256 look the same in a bar
    bar.style.background = `linear-gradient(to right, ${colours.map(css).join(", ")})`;
    ticks.replaceChildren(...marked(this.header.ticks));
  }
}
