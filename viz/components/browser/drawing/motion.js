// From one drawing to the next: marks of the same thing move from their old place to the new one.
//
// A mark's `kin` says what it stands for; without one, its name does. `spin` and `pivot` are a hand's angle
// in degrees and what it turns about; marks that `grow` fill up one after the other, from left to right.

import { animate, LONG, still } from "../shared/motion.js";

const MANY = 400, LONG_LINE = 60; // marks and points from which on nothing moves: frames would be dropped
const TURNS = 720; // degrees: further than that nobody can follow

export function moveOn(before, after) {
  if (still() || after.length > MANY || same(marksOf(before), marksOf(after))) return;
  const old = byKin(before), another = before.length > 0 && before.title !== after.title;
  const stood = new Set(marksOf(before).map(JSON.stringify));
  for (const [kin, [mark, element]] of byKin(after)) {
    const from = old.get(kin)?.[0];
    if (mark.grow) continue;
    if (from) move(element, from, mark);
    else if (another) appear(element);
  }
  if (another)
    for (const [mark, element] of after)
      if (!kinOf(mark) && !stood.has(JSON.stringify(mark))) appear(element);
  fillUp(after.filter(([mark]) => mark.grow));
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const marksOf = (drawn) => drawn.map(([mark]) => mark);
const kinOf = ({ kin, name }) => kin ?? name;
const appear = (element) => animate(element, { opacity: [0, 0, 1] });

// Each mark that stands for something; where several stand for the same, in their order.
function byKin(drawn) {
  const found = new Map();
  for (const [mark, element] of drawn) {
    let kin = kinOf(mark);
    if (!kin) continue;
    while (found.has(kin)) kin += "'";
    found.set(kin, [mark, element]);
  }
  return found;
}

function move(element, from, to) {
  if (to.turn || same(from, to)) return; // a turned word has a transform of its own
  if (to.pivot && from.pivot) return turn(element, from, to);
  if (to.shape === "line" && from.shape === "line") return bend(element, from, to);
  const a = boxOf(from), b = boxOf(to);
  const across = a.wide && b.wide ? a.wide / b.wide : 1, down = a.high && b.high ? a.high / b.high : 1;
  const begins = `translate(${a.x - b.x * across}px, ${a.y - b.y * down}px) scale(${across}, ${down})`;
  if (begins !== STANDS) animate(element, { transform: [begins, STANDS] });
}

const STANDS = "translate(0px, 0px) scale(1, 1)";

function turn(element, { spin: begins }, { spin: ends, pivot: [x, y] }) {
  const away = begins - ends, whole = Math.abs(away);
  const far = whole > TURNS ? Math.sign(away) * (360 + (whole % 360)) : away;
  const turned = (degrees) => `translate(${x}px, ${y}px) rotate(${degrees}deg) translate(${-x}px, ${-y}px)`;
  if (far) animate(element, { transform: [turned(far), turned(0)] }, { duration: LONG * 1.5 });
}

function bend(element, from, to) {
  const count = to.points.length;
  if (from.points.length !== count || count > LONG_LINE || to.arrow || from.arrow) return;
  const path = ({ points }) => `path("M${points.map(([x, y]) => `${x} ${y}`).join("L")}")`;
  animate(element, { d: [path(from), path(to)] });
}

function boxOf({ shape, x, y, wide, high, radius, size, columns, values, points }) {
  const rows = Math.ceil(values?.length / columns);
  if (shape === "cells") return { x, y, wide: columns * size, high: rows * high };
  if (shape === "circle") return { x: x - radius, y: y - radius, wide: 2 * radius, high: 2 * radius };
  if (shape === "text") return { x, y }; // as wide as it is: it moves and keeps its size
  if (shape !== "line") return { x, y, wide, high };
  const [xs, ys] = [0, 1].map((part) => points.map((point) => point[part]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, wide: Math.max(...xs) - left, high: Math.max(...ys) - top };
}

// As if poured in at the left, at one speed: what comes later begins where the others have ended. What grows
// under a name of its own begins together with the others, wherever on the sheet it stands.
function fillUp(grown) {
  const boxes = grown.map(([mark]) => boxOf(mark)), begins = {};
  grown.forEach(([{ grow }], place) => (begins[grow] = Math.min(begins[grow] ?? Infinity, boxes[place].x)));
  const after = boxes.map(({ x }, place) => x - begins[grown[place][0].grow]);
  const speed = (2 * LONG) / Math.max(1, ...boxes.map(({ wide }, place) => after[place] + wide));
  grown.forEach(([, element], place) => {
    const { x, wide } = boxes[place];
    const timing = { delay: after[place] * speed, duration: Math.max(1, wide * speed), easing: "linear" };
    animate(element, { transform: [`translate(${x}px, 0px) scale(0, 1)`, STANDS] }, timing);
  });
}
