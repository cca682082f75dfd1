// A film of heads: it plays, pauses and is scrubbed here, and only tells Python where it came to rest.
// Recorded moments are ticks of the time line; between two of them the maps are blended, and it says so. Words
// and numbers are never blended: they are those of the last recorded moment.

import { clamp, fill } from "../shared/elements.js";
import { still } from "../shared/motion.js";
import { placeTip } from "../shared/tip.js";
import { TYPING } from "../shared/typing.js";
import { count, lasting, listening } from "../shared/views.js";
import { Stage } from "./stage.js";
import { Track } from "./track.js";

const PACE = 420; // milliseconds from one recorded moment to the next
const REST = 250; // milliseconds until a moment is told: keys come in bursts
const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }, PAGES = { PageDown: 1, PageUp: -1 };

class Film {
  constructor(parent) {
    this.root = parent.querySelector(".film");
    this.part = (name) => this.root.querySelector(`.${name}`);
    this.listeners = listening();
    const { hear } = this.listeners, track = this.part("track"), cells = this.part("cells");
    hear(this.part("play"), "click", () => (this.playing ? this.rest() : this.play()));
    hear(track, "pointerdown", (event) => {
      track.setPointerCapture(event.pointerId);
      this.stop();
      this.scrubbing = true;
      this.go(this.track.under(event.clientX));
    });
    hear(track, "pointermove", (event) => this.scrubbing && this.go(this.track.under(event.clientX)));
    for (const end of ["pointerup", "pointercancel"]) hear(track, end, () => this.scrubbing && this.rest());
    hear(cells, "pointermove", (event) => this.point(event));
    hear(cells, "pointerleave", () => this.point(null));
    // Before the keys of the page: those that the film has no use for are theirs.
    hear(document, "keydown", (event) => this.press(event), { capture: true });
    this.resizing = new ResizeObserver(() => this.stage && this.draw());
    this.resizing.observe(this.root);
  }

  end() {
    this.stop();
    clearTimeout(this.telling);
    this.listeners.end();
    this.resizing.disconnect();
  }

  show(data, trigger) {
    const length = new DataView(data.buffer, data.byteOffset).getUint32(0, true), first = !this.header;
    const header = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length))), { text, moment } = header;
    Object.assign(this, { header, trigger, last: header.steps.length - 1 });
    this.root.setAttribute("aria-label", text.label);
    this.part("map").setAttribute("aria-label", text.label);
    for (const name of ["sentence", "looking", "looked-at", "unit", "heads-title", "named-title", "defined", "blended"])
      this.part(name).textContent = text[name];
    this.part("track").ariaLabel = text.time;
    this.stage = new Stage(this.root, { header, maps: data.slice(4 + length) });
    this.stage.line((head) => this.pick([...header.head.slice(0, 2), head], null));
    this.track = new Track(this.root, header, ({ head, moment }) => this.pick(head, moment));
    if (first) this.at = header.begins && !still() ? 0 : moment;
    else if (!this.playing && !this.scrubbing && !this.telling && moment !== this.told) this.at = moment;
    this.at = clamp(this.at, 0, this.last);
    this.told = moment;
    this.draw();
    if (first && this.at < moment && header.begins) this.play();
  }

  draw() {
    if (!this.root.offsetWidth) return; // whoever leaves the page has no width for a moment
    this.stage.fit();
    this.reached = null;
    this.paint();
  }

  paint() {
    const at = still() ? Math.round(this.at) : this.at, frame = this.stage.frame(at);
    this.stage.paint(at);
    this.track.move(frame);
    const reached = `${frame.below} ${frame.share > 0}`;
    if (reached !== this.reached) this.say(frame);
    this.reached = reached;
    if (this.pointed) this.tip(at);
    this.root.shown = { at, moment: frame.below }; // for those who ask what is drawn
    count(this.root);
  }

  say({ below, above, share }) {
    const { text, steps, written } = this.header, words = written[below] || text.nothing;
    const step = share ? fill(text.between, { from: steps[below], to: steps[above] }) : fill(text.recorded, { step: steps[below] });
    this.part("now").textContent = step;
    this.part("written").textContent = words;
    this.track.reach(below);
    const now = { ariaValueMin: "0", ariaValueMax: String(this.last), ariaValueNow: String(below), ariaValueText: `${step}: ${words}` };
    Object.assign(this.part("track"), now);
    this.button();
  }

  button() {
    const { text } = this.header, playing = Boolean(this.playing);
    this.part("play").textContent = playing ? `❚❚ ${text.pause}` : `▶ ${text.play}`;
    this.root.dataset.playing = playing;
  }

  // Time

  play() {
    if (this.at >= this.last) this.at = 0;
    let before = null;
    const tick = (time) => {
      this.at = Math.min(this.last, this.at + (before === null ? 0 : (time - before) / PACE));
      before = time;
      if (this.at >= this.last) return this.rest();
      this.playing = requestAnimationFrame(tick);
      this.paint();
    };
    this.playing = requestAnimationFrame(tick);
    this.button();
  }

  stop() {
    cancelAnimationFrame(this.playing);
    this.playing = null;
  }

  go(at) {
    this.at = clamp(at, 0, this.last);
    this.paint();
  }

  // A film that rests shows what was recorded.
  rest(moment = Math.round(this.at)) {
    this.stop();
    this.scrubbing = false;
    this.go(moment);
    this.button();
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      this.telling = null;
      if (this.told !== moment) this.trigger("moment", (this.told = moment));
    }, REST);
  }

  press(event) {
    const path = event.composedPath(), inside = path.includes(this.root);
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    if (!inside && path[0] !== document.body) return;
    if (path[0].matches?.(TYPING) || document.querySelector("[role=dialog]")) return;
    if (event.key === " " && !path[0].matches("button")) this.playing ? this.rest() : this.play();
    else if (inside && (event.key === "Home" || event.key === "End")) this.rest(event.key === "Home" ? 0 : this.last);
    else {
      const by = (this.header?.pages && PAGES[event.key]) || ((inside || !event.key.match("Up|Down")) && STEPS[event.key]);
      const from = by > 0 ? Math.floor(this.at) : Math.ceil(this.at);
      if (!by || from + by < 0 || from + by > this.last) return;
      this.rest(from + by);
    }
    event.preventDefault();
  }

  // Pointing and picking

  pick(head, moment) {
    if (moment !== null) {
      this.stop();
      this.go(moment);
      this.button();
      this.told = moment;
    }
    this.trigger("pick", [...head, moment]);
  }

  point(event) {
    this.pointed = null;
    if (event) {
      const { queries, keys } = this.header, box = this.part("cells").getBoundingClientRect();
      const place = (share, many) => clamp(Math.floor(share * many), 0, many - 1);
      const row = place((event.clientY - box.top) / box.height, queries.length);
      this.pointed = { row, column: place((event.clientX - box.left) / box.width, keys.length) };
    }
    this.part("tip").hidden = !event;
    if (event) this.tip(this.at);
  }

  tip(at) {
    const tip = this.part("tip"), { queries, keys, text } = this.header, { row, column } = this.pointed;
    const number = this.stage.allowed(row, column) ? this.stage.weight(at, row, column).toFixed(2) : text.forbidden;
    tip.textContent = `${queries[row]} → ${keys[column]}: ${number}`;
    const { clientWidth, clientHeight } = this.part("cells"), high = clientHeight / queries.length;
    placeTip(tip, (clientWidth / keys.length) * (column + 0.5), high * row, high * (row + 1), clientWidth);
  }
}

const film = lasting(Film);
export default film;
