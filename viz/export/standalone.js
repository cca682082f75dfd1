
// The page that leaves the app: the same head view, and a heatmap that answers to it.

const place = document.getElementById("view").shadowRoot;
const bytes = Uint8Array.from(atob(document.getElementById("data").textContent), (c) => c.charCodeAt(0));
const show = () => headView({ data: bytes, parentElement: place, setTriggerValue: () => {} });
show();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);

const view = place.querySelector(".head-view"), { header } = unpack(bytes);
for (const cells of document.querySelectorAll(".heatmap .cells")) {
  const svg = cells.ownerSVGElement, size = +cells.dataset.size;
  const cellAt = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(cells.getScreenCTM().inverse());
    const row = Math.floor(at.y / size), column = Math.floor(at.x / size);
    const inside = row >= 0 && column >= 0 && row < header.queries.length && column < header.keys.length;
    return inside ? { row, column } : null;
  };
  const send = (name, detail) => view.dispatchEvent(new CustomEvent(name, { detail }));
  svg.onpointermove = (event) => send("point", cellAt(event));
  svg.onpointerleave = () => send("point", null);
  svg.onclick = (event) => cellAt(event) && send("keep", cellAt(event));
  const frame = (row, column) => {
    const made = document.createElementNS(svg.namespaceURI, "rect");
    const look = {
      x: (column ?? 0) * size - 1.5, y: (row ?? 0) * size - 1.5, rx: 3, class: "frame",
      width: (column === null ? header.keys.length : 1) * size + 2,
      height: (row === null ? header.queries.length : 1) * size + 2,
      fill: "none", stroke: "var(--st-primary-color)", "stroke-width": 2,
    };
    for (const [name, value] of Object.entries(look)) made.setAttribute(name, value);
    cells.append(made);
  };
  const mark = ({ detail: { pointed, kept } }) => {
    cells.querySelectorAll(".frame").forEach((old) => old.remove());
    if (kept.row !== null) frame(kept.row, null);
    if (kept.column !== null) frame(null, kept.column);
    if (pointed.row !== null || pointed.column !== null) frame(pointed.row, pointed.column);
  };
  view.addEventListener("pointed", mark);
}
