// The page that leaves the app: the same head view, and a heatmap that answers to it.

import headView from "../components/browser/head_view/view.js";
import { alone } from "../components/browser/shared/alone.js";
import { unpack } from "../components/browser/shared/payload.js";
import { pointTogether } from "../components/browser/shared/views.js";
import { STROKE } from "../components/browser/constants.js";
import { takePlace } from "./framed.js";

const { place, data } = alone(headView);
const view = place.querySelector(".head-view"), { header } = unpack(data);

// The heatmap is a drawing in the page; there is one for light pages and one for dark ones.
for (const cells of document.querySelectorAll(".heatmap .cells")) {
  const svg = cells.ownerSVGElement, size = +cells.dataset.size;
  const cellAt = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(cells.getScreenCTM().inverse());
    const row = Math.floor(at.y / size), column = Math.floor(at.x / size);
    const inside = row >= 0 && column >= 0 && row < header.queries.length && column < header.keys.length;
    return inside ? { row, column } : null;
  };
  const point = (cell) => pointTogether(svg, cell?.row ?? null, cell?.column ?? null);
  svg.onpointermove = (event) => point(cellAt(event));
  svg.onpointerleave = () => point(null);
  svg.onclick = (event) => {
    const detail = cellAt(event);
    if (detail) view.dispatchEvent(new CustomEvent("keep", { detail }));
  };
  const frame = (row, column) => {
    const made = document.createElementNS(svg.namespaceURI, "rect");
    const look = {
      x: (column ?? 0) * size - 1.5, y: (row ?? 0) * size - 1.5, rx: 3, class: "frame",
      width: (column === null ? header.keys.length : 1) * size + 2,
      height: (row === null ? header.queries.length : 1) * size + 2,
      fill: "none", stroke: "var(--st-primary-color)", "stroke-width": STROKE.frame,
    };
    for (const [name, value] of Object.entries(look)) made.setAttribute(name, value);
    cells.append(made);
  };
  view.addEventListener("pointed", ({ detail: { pointed, kept } }) => {
    cells.querySelectorAll(".frame").forEach((old) => old.remove());
    if (kept.row !== null) frame(kept.row, null);
    if (kept.column !== null) frame(null, kept.column);
    if (pointed.row !== null || pointed.column !== null) frame(pointed.row, pointed.column);
  });
}

takePlace();
