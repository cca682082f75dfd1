// What moves along the lines of a drawing, once, when what they carry has changed: lines name a moment and their turn.

import { still } from "../shared/motion.js";
import { FLOW } from "../constants.js";
import { element } from "./marks.js";

export function flow(picture, marks, before, now) {
  if (still()) return;
  const carried = marks.filter((mark) => mark.flow && before[mark.flow[0]] !== now[mark.flow[0]]);
  const first = Math.min(...carried.map((mark) => mark.flow[1]));
  for (const { points, flow: [, turn] } of carried) {
    const path = "M" + points.map(([x, y]) => `${x} ${y}`).join("L");
    const light = element("path", { d: path, class: "flow", pathLength: 1 });
    light.style.animationDelay = `${(turn - first) * FLOW}ms`;
    light.onanimationend = () => light.remove();
    picture.append(light);
  }
}
