// A drawing that viz/figures/drawing.py describes. Pointing at a shape reads what it says; shapes that can
// be picked answer to click and Enter. Where shapes know their neighbours, arrow keys lead from one to the next.

import { clamp } from "../shared/elements.js";
import { placeTip } from "../shared/tip.js";
import { count, lasting } from "../shared/views.js";
import { flow } from "./flow.js";
import { element, Marks, set } from "./marks.js";
import { moveOn } from "./motion.js";

const NARROW = 0.75; // of its own width: where there is less room, what is drawn for a telephone is drawn
const LARGEST = 1.25, TALL = 380; // times its own size; pixels from which on it grows no further
const BELOW = 90; // pixels of the page under a drawing that is all of it

class Sheet {
  constructor(parent) {
    this.root = parent.querySelector(".drawing");
    this.tip = this.root.querySelector(".tip");
    this.made = []; // each mark with its element
    this.root.onpointermove = (event) => this.say(event.target.said, event);
    this.root.onpointerleave = () => this.say();
    this.root.onfocusin = (event) => this.say(event.target.said, null, event.target);
    this.root.onfocusout = () => this.say();
    this.root.onpointerdown = () => this.hold();
    this.moments = {};
    this.room = new ResizeObserver(() => this.fit());
    this.room.observe(this.root);
  }

  end() {
    this.room.disconnect(); // everything else it listens to leaves the page with it
  }

  // A sheet that is exchanged under a pressed finger would lose the click: the next one waits until it is up.
  hold() {
    this.held = true;
    const listen = new AbortController(), { signal } = listen;
    const release = () => {
      listen.abort();
      setTimeout(() => { // the click itself comes after this
        this.held = false;
        if (this.later) this.show(...this.later);
      });
    };
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, release, { signal });
  }

  show(given, trigger) {
    this.later = this.held ? [given, trigger] : null;
    if (this.held) return;
    const before = this.made;
    Object.assign(this, { given, trigger });
    this.redraw();
    moveOn(before, this.made);
    flow(this.root.querySelector("svg"), this.drawn.marks, this.moments, given.moments ?? {});
    this.moments = given.moments ?? {};
  }

  // Whoever leaves the page has no width for a moment, and no colours.
  fit() {
    if (this.root.offsetWidth && this.given?.narrow && this.fitting() !== this.drawn) this.redraw();
  }

  // What has a sheet for telephones is all of its page, and may be as tall as the screen below it.
  tallest() {
    if (!this.given.narrow) return TALL;
    const box = this.root.getBoundingClientRect(), zoom = box.width / this.root.offsetWidth || 1;
    const scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop ?? 0;
    return (window.innerHeight - box.top - scrolled) / zoom - BELOW;
  }

  fitting() {
    const { wide, narrow } = this.given;
    return narrow && this.root.offsetWidth < wide * NARROW ? narrow : this.given;
  }

  redraw() {
    const { wide, high, title, marks } = (this.drawn = this.fitting());
    this.marks = new Marks(this.root);
    this.root.shown = { title, marks }; // for those who ask what is drawn
    const picture = element("svg", { viewBox: `0 0 ${wide} ${high}`, role: "group", "aria-label": title });
    // A little larger where there is room, but not so tall that what is written below leaves the screen.
    picture.style.setProperty("--most", `${wide * clamp(this.tallest() / high, 1, LARGEST)}px`);
    picture.style.setProperty("--shape", wide / high);
    this.made = Object.assign(marks.map((mark) => [mark, this.draw(mark)]), { title });
    picture.append(...this.made.map(([, made]) => made));
    const focused = this.root.getRootNode().activeElement?.dataset?.name;
    this.root.querySelector("svg").replaceWith(picture);
    if (focused) (this.picked(this.next) ?? picture.querySelector(`[data-name="${CSS.escape(focused)}"]`))?.focus();
    this.say();
    count(this.root);
  }

  draw(mark) {
    if (mark.shape === "cells") return this.marks.cells(mark);
    const made = this.marks[mark.shape](mark);
    if (mark.name) made.dataset.name = mark.name;
    if (mark.tip) made.said = mark.tip;
    if (mark.pick !== undefined) this.pickable(made, mark);
    else if (!mark.tip) made.style.pointerEvents = "none"; // what lies under it answers
    return made;
  }

  pickable(made, { pick, on, tip, label, moves }) {
    const said = { "aria-pressed": String(Boolean(on)), "aria-label": label ?? tip ?? "" };
    set(made, { tabindex: moves && !on ? -1 : 0, role: "button", class: "pick", ...said });
    made.onclick = () => void this.trigger("pick", pick);
    made.onkeydown = (event) => {
      const steps = moves && event.key.startsWith("Arrow");
      if (!steps && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault(); // and the page's own arrow keys leave it alone
      if (!steps) this.trigger("pick", pick);
      else if (event.key in moves) this.moveTo(moves[event.key]);
    };
  }

  picked(pick) {
    return this.made.find(([mark]) => pick !== undefined && mark.pick === pick)?.[1];
  }

  // To a neighbour; one that is not on this sheet is picked, and the next sheet has it.
  moveTo(pick) {
    const there = this.picked(pick);
    this.next = there ? undefined : pick;
    if (there) there.focus();
    else this.trigger("pick", pick);
  }

  say(said, event, at) {
    this.tip.hidden = !said;
    if (!said) return;
    this.tip.textContent = said;
    const box = this.root.getBoundingClientRect(), spot = at?.getBoundingClientRect();
    const zoom = box.width / this.root.offsetWidth || 1; // presenter mode enlarges the page
    const x = ((spot ? spot.left + spot.width / 2 : event.clientX) - box.left) / zoom;
    const y = ((spot ? spot.top : event.clientY) - box.top) / zoom;
    placeTip(this.tip, x, y - 2, y + 12, this.root.offsetWidth); // clear of the pointer
  }
}

const drawing = lasting(Sheet);
export default drawing;
