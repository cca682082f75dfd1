// The two columns of words beside the lines, each with a bar and a number for what it gives or gets.

import { clamp, make } from "../shared/elements.js";
import { animate } from "../shared/motion.js";
import { LEAST } from "../constants.js";

export class Words {
  constructor(part) {
    this.columns = { row: part("left"), column: part("right") };
    this.listed = { row: [], column: [] };
    this.stop = { row: 0, column: 0 }; // where the Tab key enters each column
  }

  list(side, words, label) {
    const column = this.columns[side];
    column.setAttribute("aria-label", label);
    this.stop[side] = Math.min(this.stop[side], words.length - 1);
    if (this.listed[side].length !== words.length) {
      this.listed[side] = words.map((_, place) => option(side, place));
      column.replaceChildren(...this.listed[side]);
    }
    this.listed[side].forEach((word, place) => {
      word.tabIndex = place === this.stop[side] ? 0 : -1;
      if (word.title === words[place]) return; // another layer of the same sentence: nothing to lay out
      word.firstChild.textContent = word.title = words[place];
      word.firstChild.classList.toggle("special", /^⟨.*⟩$/.test(words[place]));
      word.setAttribute("aria-label", words[place]);
    });
  }

  // The place that an element stands for: a row or a column; null if it is no word.
  placeOf(target) {
    const { row, column } = target.closest?.(".word")?.dataset ?? {};
    if (row === undefined && column === undefined) return null;
    return { row: row === undefined ? null : +row, column: column === undefined ? null : +column, head: null };
  }

  // Where an arrow key leads from a word; whether it led anywhere.
  step(key, place) {
    const side = place.row === null ? "column" : "row", at = place[side];
    const go = {
      ArrowUp: [side, at - 1], ArrowDown: [side, at + 1], Home: [side, 0], End: [side, Infinity],
      ArrowLeft: ["row", at], ArrowRight: ["column", at],
    }[key];
    if (!go) return false;
    const words = this.listed[go[0]], next = clamp(go[1], 0, words.length - 1);
    words[this.stop[go[0]]].tabIndex = -1;
    words[(this.stop[go[0]] = next)].tabIndex = 0;
    words[next].focus();
    return true;
  }

  // Weights arrive where the lines end: a row fills up behind the words that it gives its attention to.
  flow() {
    for (const word of this.listed.column)
      if (word.lastChild.textContent) animate(word, { backgroundSize: ["0% 100%", word.style.backgroundSize] });
  }

  // Behind and beside each word of one side, the weight that it gives or gets; null: there is no such thing.
  weigh(side, weightOf, most, at, kept) {
    this.listed[side].forEach((word, place) => {
      const weight = weightOf ? weightOf(place) : 0, share = weight / most;
      const on = at[side] === place, keeps = kept[side] === place;
      const number = weightOf && share >= LEAST ? weight.toFixed(3) : "";
      const away = !on && (weightOf ? share < LEAST : at[side] !== null);
      const look = [share, number, on, keeps, away].join();
      if (word.look === look) return; // most words stay as they are, and each change costs layout
      word.look = look;
      word.style.backgroundSize = `${number ? share * 100 : 0}% 100%`;
      word.lastChild.textContent = number;
      word.classList.toggle("on", on);
      word.classList.toggle("away", away);
      word.classList.toggle("kept", keeps);
      word.setAttribute("aria-selected", keeps);
    });
  }
}

function option(side, place) {
  const word = make("div", "word");
  word.append(make("span", "text"), make("span", "number"));
  word.setAttribute("role", "option");
  word.dataset[side] = place;
  return word;
}
