// A drawing that viz/figures/drawing.py describes, as SVG in the theme's colours. It follows shared.js in
// the same text. Pointing at a shape reads what it says; shapes that can be picked answer to click and Enter.

const drawings = new WeakMap(); // the function below runs again at every change of data or theme
const SVG = "http://www.w3.org/2000/svg";
const CHANGE = ["#d55e00", "#0072b2"];
const HUES = {
  light: ["#0072b2", "#d55e00", "#008f68", "#b95b95", "#b07500", "#3a8fc7", "#857a00", "#4d525e"],
  dark: ["#3e9bdc", "#e8722a", "#1db58a", "#d98cb8", "#e69f00", "#7cc8f2", "#f0e442", "#b9bdc9"],
};

export default function drawing({ data, parentElement, setTriggerValue }) {
  let sheet = drawings.get(parentElement);
  if (!sheet) drawings.set(parentElement, (sheet = new Sheet(parentElement)));
  sheet.show(data, setTriggerValue);
  return () => drawings.delete(parentElement);
}

class Sheet {
  constructor(parent) {
    this.root = parent.querySelector(".drawing");
    this.tip = this.root.querySelector(".tip");
    this.root.onpointermove = (event) => this.say(event.target.said, event);
    this.root.onpointerleave = () => this.say();
    this.root.onfocusin = (event) => this.say(event.target.said, null, event.target);
    this.root.onfocusout = () => this.say();
  }

  show({ wide, high, title, marks }, trigger) {
    Object.assign(this, { trigger, colours: ramp(this.root), dark: isDark(this.root) });
    this.root.shown = { title, marks }; // for those who ask what is drawn
    const picture = element("svg", { viewBox: `0 0 ${wide} ${high}`, role: "group", "aria-label": title });
    // A little larger where there is room, but not so tall that what is written below leaves the screen.
    picture.style.maxWidth = `${wide * Math.min(1.25, Math.max(1, 380 / high))}px`;
    for (const mark of marks) picture.append(...this.draw(mark));
    const focused = this.root.getRootNode().activeElement?.dataset?.name;
    this.root.querySelector("svg").replaceWith(picture);
    if (focused) picture.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus();
    this.say();
    this.root.dataset.painted = Number(this.root.dataset.painted ?? 0) + 1;
  }

  draw(mark) {
    if (mark.shape === "cells") return this.cells(mark);
    const made = this[mark.shape](mark);
    if (mark.name) made.dataset.name = mark.name;
    if (mark.tip) made.said = mark.tip;
    if (mark.pick !== undefined) this.pickable(made, mark);
    return [made];
  }

  rect({ x, y, wide, high, fill, stroke, round, on }) {
    const [paint, opacity] = this.colour(fill);
    const made = element("rect", { x, y, width: wide, height: high, rx: round, fill: paint, "fill-opacity": opacity });
    const [edge, faint] = this.colour(on ? "mark" : stroke ?? "none");
    set(made, { stroke: edge, "stroke-opacity": faint, "stroke-width": on ? 2.5 : 1 });
    return made;
  }

  circle({ x, y, radius, fill, stroke }) {
    const [paint, opacity] = this.colour(fill);
    return element("circle", { cx: x, cy: y, r: radius, fill: paint, "fill-opacity": opacity, stroke: this.colour(stroke ?? "none")[0] });
  }

  line({ points, stroke, thick = 1, dash, arrow }) {
    const [paint, opacity] = this.colour(stroke);
    let path = "M" + points.map(([x, y]) => `${x} ${y}`).join("L");
    if (arrow) path += arrowHead(...points.slice(-2));
    return element("path", { d: path, fill: "none", stroke: paint, "stroke-opacity": opacity, "stroke-width": thick, "stroke-dasharray": dash ? "4 3" : null });
  }

  text({ text, x, y, size = 12, anchor, fill = "ink", bold, turn }) {
    const [paint, opacity] = this.colour(fill);
    const made = element("text", { x, y, "font-size": size, "text-anchor": anchor, fill: paint, "fill-opacity": opacity, "font-weight": bold ? 600 : null, transform: turn ? `rotate(${turn} ${x} ${y})` : null });
    made.textContent = text; // words are typed by people: never read them as HTML
    return made;
  }

  cells({ x, y, size, high, columns, values, most, name, first }) {
    return values.map((value, place) => {
      const [paint, opacity] = this.colour(`change:${value / most}`);
      const made = element("rect", {
        x: x + (place % columns) * size, y: y + Math.floor(place / columns) * high, width: size - 1, height: high - 1,
        fill: paint, "fill-opacity": opacity, class: "cell",
      });
      made.said = `${name} ${first + place}: ${value}`;
      return made;
    });
  }

  pickable(made, { pick, on, tip, label }) {
    set(made, { tabindex: 0, role: "button", "aria-pressed": String(Boolean(on)), "aria-label": label ?? tip ?? "", class: "pick" });
    made.onclick = () => void this.trigger("pick", pick);
    made.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.trigger("pick", pick);
    };
  }

  colour(name) {
    const [kind, number] = name.split(":"), share = Number(number);
    if (kind === "scale") return [`rgb(${this.colours[Math.round(Math.max(0, Math.min(1, share)) * 255)].join(" ")})`, null];
    if (kind === "change") return [CHANGE[Number(share >= 0)], Math.min(1, Math.abs(share))];
    if (kind === "head") return [HUES[this.dark ? "dark" : "light"][share % 8], null];
    const ink = "var(--st-text-color)";
    return {
      ink: [ink, null], faint: [ink, 0.65], line: [ink, 0.3], panel: [ink, 0.07], none: ["none", null],
      mark: ["var(--st-primary-color)", null], paper: ["var(--st-background-color)", null],
    }[kind];
  }

  say(words, event, at) {
    this.tip.hidden = !words;
    if (!words) return;
    this.tip.textContent = words;
    const box = this.root.getBoundingClientRect(), spot = at?.getBoundingClientRect();
    const zoom = box.width / this.root.offsetWidth || 1; // presenter mode enlarges the page
    const x = ((spot ? spot.left + spot.width / 2 : event.clientX) - box.left) / zoom;
    const y = ((spot ? spot.top : event.clientY) - box.top) / zoom;
    this.tip.style.left = `${Math.max(0, Math.min(this.root.offsetWidth - this.tip.offsetWidth, x - this.tip.offsetWidth / 2))}px`;
    this.tip.style.top = `${y > this.tip.offsetHeight + 10 ? y - this.tip.offsetHeight - 8 : y + 18}px`;
  }
}

function element(name, attributes) {
  return set(document.createElementNS(SVG, name), attributes);
}

function set(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) made.setAttribute(name, value);
  return made;
}

function arrowHead([x0, y0], [x1, y1]) {
  const far = Math.hypot(x0 - x1, y0 - y1) || 1, a = ((x0 - x1) / far) * 6, b = ((y0 - y1) / far) * 6;
  return [1, -1].map((side) => `M${x1} ${y1}L${x1 + a - b * 0.6 * side} ${y1 + b + a * 0.6 * side}`).join("");
}
