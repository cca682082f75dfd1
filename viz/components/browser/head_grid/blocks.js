// The blocks of small maps: which heads are shown, in which order, and how large.

import { fill, make, sharpness } from "../shared/elements.js";
import { glide, placesOf } from "./gliding.js";
import { paint, sizeOf } from "./painter.js";
import { arrange, GAP, LAYERS, shape } from "./room.js";
import { find, hueOf, labelOf, mapOf, namesOf, withoutOf, written } from "./parts.js";

// Which maps a block shows, and in which order: what has no value comes last.
function orderOf(view, block) {
  const maps = Array.from({ length: block.maps }, (_, map) => map);
  if (view.measure === "none") return maps;
  const values = block.measures[view.measure];
  return maps
    .filter((map) => view.least === 0 || (values[map] ?? -1) >= view.least)
    .sort((one, other) => (values[other] ?? -1) - (values[one] ?? -1) || one - other);
}

export function drawBlocks(view) {
  const { header, measure } = view;
  const focused = view.root.getRootNode().activeElement?.dataset.map !== undefined;
  const before = placesOf(view);
  view.cells = []; // [block][row][column] as on screen
  const drawn = header.blocks.map((block, number) => drawBlock(view, block, number));
  find(view, ".blocks").replaceChildren(...drawn);
  const shown = view.cells.flat(2), all = header.blocks.reduce((sum, block) => sum + block.maps, 0);
  if (measure !== "none") {
    const values = { least: view.least.toFixed(2), shown: shown.length, all };
    find(view, ".filter .says").textContent = fill(header.text.filter, values);
  }
  layOut(view);
  const { block, map } = view.current ?? header.selected ?? {};
  const same = (cell) => mapOf(cell).block === block && mapOf(cell).map === map;
  const reachable = shown.find(same) ?? shown[0];
  if (reachable) reachable.tabIndex = 0; // one stop for the Tab key; arrows do the rest
  if (focused) reachable?.focus();
  glide(view, before);
}

function drawBlock(view, block, number) {
  const { text } = view.header, sorted = view.measure !== "none";
  const section = make("section", "block"), grid = make("div", "maps"), title = make("h3", "", block.name);
  title.append(make("small", "", block.axes));
  grid.setAttribute("role", "grid");
  grid.setAttribute("aria-label", `${block.name}, ${block.axes}`);
  grid.classList.toggle("sorted", sorted);
  grid.style.setProperty("--heads", block.heads);
  if (!sorted) grid.append(headNames(view, block));
  const order = orderOf(view, block), rows = [];
  for (let from = 0; from < order.length; from += block.heads) {
    const row = named("div", "row", "row");
    if (!sorted) row.append(named("span", "layer", "rowheader", fill(text.layer, { layer: from / block.heads + 1 })));
    const cells = order.slice(from, from + block.heads).map((map) => drawCell(view, block, number, map));
    row.append(...cells);
    rows.push(cells);
    grid.append(row);
  }
  view.cells.push(rows);
  section.append(title, grid);
  if (!order.length) section.append(make("p", "nothing", text.nothing));
  return section;
}

function named(tag, className, role, text) {
  const made = make(tag, className, text);
  made.setAttribute("role", role);
  return made;
}

function headNames(view, block) {
  const top = named("div", "row names", "row");
  top.append(make("span", "corner"));
  for (let head = 0; head < block.heads; head++) {
    const name = named("span", "head", "columnheader", fill(view.header.text.head, { head: head + 1 }));
    name.style.setProperty("--hue", hueOf(view, head));
    top.append(name);
  }
  return top;
}

function drawCell(view, block, number, map) {
  const { header, measure } = view, { text, selected } = header, entropy = block.measures.entropy[map];
  const cell = named("div", "cell", "gridcell"), bar = make("div", "bar"), names = namesOf(block, map);
  Object.assign(cell.dataset, { block: number, map });
  cell.tabIndex = -1;
  const said = [fill(text.name, { ...names, entropy: written(entropy) }), withoutOf(view, block, map)];
  cell.setAttribute("aria-label", said.filter(Boolean).join(". "));
  bar.append(make("i"));
  bar.firstChild.style.width = `${(entropy ?? 0) * 100}%`;
  cell.append(canvasOf(view, number, map), bar);
  if (measure !== "none") {
    cell.append(make("span", "whose", fill(text.cell, names)));
    cell.append(make("span", "value", written(block.measures[measure][map])));
  }
  const label = labelOf(block, map);
  if (label) cell.append(make("span", "named", label));
  if (selected?.block === number && selected.maps.includes(map)) {
    cell.classList.add("selected");
    cell.style.setProperty("--hue", hueOf(view, map % block.heads));
  }
  return cell;
}

// Sorting and filtering move a map and need not paint it again.
function canvasOf(view, number, map) {
  const name = `${number}.${map}`;
  if (!view.canvases.has(name)) view.canvases.set(name, document.createElement("canvas"));
  return view.canvases.get(name);
}

// Draw every map as large as there is room, and say so where weights outnumber pixels.
export function layOut(view) {
  const largest = arrange(view), width = find(view, ".block")?.clientWidth ?? 0, ratio = sharpness();
  view.width = width;
  let condensed = false;
  view.cells.forEach((rows, number) => {
    if (!width) return;
    const block = view.header.blocks[number], beside = view.measure === "none" ? LAYERS + GAP : 0;
    shape(view, find(view, ".blocks").children[number].querySelector(".maps"), block.heads);
    const room = Math.min(largest, (width / view.beside - beside + GAP) / block.heads - GAP - 4);
    const size = (block.size = sizeOf(block, Math.max(8, Math.floor(room * ratio))));
    const painted = `${view.calls} ${size.width} ${size.height}`;
    condensed ||= size.width < block.keys.length;
    for (const cell of rows.flat()) {
      const canvas = cell.firstChild;
      if (canvas.dataset.painted === painted) continue;
      canvas.dataset.painted = painted;
      paint(canvas, view, block, mapOf(cell).map, size);
      canvas.style.width = `${size.width / ratio}px`;
      canvas.style.height = `${size.height / ratio}px`;
    }
  });
  find(view, ".condensed").hidden = !condensed;
}
