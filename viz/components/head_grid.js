// Every head of a model as a small exact map. Hovering never leaves the browser.
// A place is { block, map, row, column }; map = layer × heads + head. Text comes from Python.

const LAYERS = 24, GAP = 4, LARGEST_MAP = 64; // CSS pixels
const TICKS = { linear: [0, 0.5, 1], root: [0, 0.25, 1], log: [0.001, 0.01, 0.1, 1] };
const views = new WeakMap(); // the function below runs again at every change of data or theme

export default function headGrid({ data, parentElement, setTriggerValue }) {
  const began = performance.now();
  const root = parentElement.querySelector(".head-grid");
  const view = views.get(parentElement) ?? { root, at: null, current: null, canvases: new Map(), calls: 0 };
  views.set(parentElement, view);
  Object.assign(view, unpack(data));
  view.calls += 1;
  const { header } = view;
  let start = 0;
  for (const block of header.blocks) {
    block.start = start;
    block.maps = block.layers * block.heads;
    start += block.maps * block.queries.length * block.keys.length;
  }
  if (view.measure !== header.measure) Object.assign(view, { measure: header.measure, least: 0 });
  view.scale = ramp(root);
  view.colours = palette(view.scale, SHADES[header.colour]);
  view.hues = header.hues[isDark(root) ? "dark" : "light"];
  const { color, backgroundColor, fontFamily } = getComputedStyle(root);
  Object.assign(view, { ink: color, paper: backgroundColor, font: `${LETTERS}px ${fontFamily}` });
  view.open = (at) => {
    const { kind, heads } = header.blocks[at.block];
    const layer = Math.floor(at.map / heads), head = at.map % heads;
    setTriggerValue("open", { kind, layer, head: [head], row: at.row, column: at.column });
  };
  hide(view);
  drawLegend(view);
  drawFilter(view);
  drawBlocks(view);
  drawTable(view);
  listen(view);
  root.dataset.drawn = (performance.now() - began).toFixed(1);
  return () => {
    view.observer.disconnect();
    view.listening.abort();
  };
}

const fill = (template, values) => template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const find = (view, selector) => view.root.querySelector(selector);
const pixelRatio = () => window.devicePixelRatio || 1;
const written = (value) => (value === null ? "–" : value.toFixed(2));

function element(tag, name, text) {
  const made = document.createElement(tag);
  made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
}

function numbersOf(block, map) {
  return { kind: block.name, layer: Math.floor(map / block.heads) + 1, head: (map % block.heads) + 1 };
}

// ---- above the blocks

function drawLegend(view) {
  const { colour, text } = view.header;
  const strip = document.createElement("canvas"), ticks = element("div", "ticks");
  strip.width = 256;
  strip.height = 1;
  const context = strip.getContext("2d");
  view.scale.forEach(([r, g, b], place) => {
    context.fillStyle = `rgb(${r} ${g} ${b})`;
    context.fillRect(place, 0, 1, 1);
  });
  for (const share of TICKS[colour]) {
    const tick = element("span", "", colour === "log" && share === 0.001 ? `≤ ${share}` : String(share));
    tick.style.left = `${SHADES[colour](share) * 100}%`;
    ticks.append(tick);
  }
  const scaleOf = element("div", "scale");
  scaleOf.append(strip, ticks);
  find(view, ".legend").replaceChildren(element("span", "", text.legend), scaleOf);
}

function drawFilter(view) {
  const { header, measure } = view, form = find(view, ".filter");
  form.hidden = measure === "none";
  if (form.hidden) return;
  const values = header.blocks.flatMap((block) => block.measures[measure]).filter((value) => value !== null);
  const most = Math.max(1, Math.ceil(Math.max(...values, 0)));
  const slider = find(view, ".filter input");
  Object.assign(slider, { min: 0, max: most, step: most > 1 ? 0.1 : 0.01 });
  slider.value = view.least;
  slider.oninput = () => {
    view.least = Number(slider.value);
    hide(view);
    drawBlocks(view);
  };
}

// ---- the blocks

// Which maps a block shows, and in which order: what has no value comes last.
function orderOf(view, block) {
  const maps = Array.from({ length: block.maps }, (_, map) => map);
  if (view.measure === "none") return maps;
  const values = block.measures[view.measure];
  return maps
    .filter((map) => view.least === 0 || (values[map] ?? -1) >= view.least)
    .sort((one, other) => (values[other] ?? -1) - (values[one] ?? -1) || one - other);
}

function drawBlocks(view) {
  const { header, measure } = view;
  const focused = view.root.getRootNode().activeElement?.dataset.map !== undefined;
  view.cells = []; // [block][row][column] as on screen
  const drawn = header.blocks.map((block, number) => drawBlock(view, block, number));
  find(view, ".blocks").replaceChildren(...drawn);
  const shown = view.cells.flat(2), all = header.blocks.reduce((sum, block) => sum + block.maps, 0);
  if (measure !== "none") {
    const values = { least: view.least.toFixed(2), shown: shown.length, all };
    find(view, ".filter .says").textContent = fill(header.text.filter, values);
  }
  find(view, ".condensed").hidden = !layOut(view);
  const { block, map } = view.current ?? header.selected ?? {};
  const same = (cell) => Number(cell.dataset.block) === block && Number(cell.dataset.map) === map;
  const reachable = shown.find(same) ?? shown[0];
  if (reachable) reachable.tabIndex = 0; // one stop for the Tab key; arrows do the rest
  if (focused) reachable?.focus();
}

function drawBlock(view, block, number) {
  const { measure } = view, { text } = view.header, sorted = measure !== "none";
  const section = element("section", "block"), grid = element("div", "maps");
  const heading = element("h3", "", block.name);
  heading.append(element("small", "", block.axes));
  grid.setAttribute("role", "grid");
  grid.setAttribute("aria-label", `${block.name}, ${block.axes}`);
  grid.classList.toggle("sorted", sorted);
  grid.style.setProperty("--heads", block.heads);
  const order = orderOf(view, block), rows = [];
  if (!sorted) {
    const top = element("div", "row");
    top.setAttribute("role", "row");
    top.append(element("span", "corner"));
    for (let head = 0; head < block.heads; head++) {
      const name = element("span", "head", fill(text.head, { head: head + 1 }));
      name.setAttribute("role", "columnheader");
      name.style.setProperty("--hue", view.hues[head % view.hues.length]);
      top.append(name);
    }
    grid.append(top);
  }
  for (let from = 0; from < order.length; from += block.heads) {
    const row = element("div", "row"), cells = [];
    row.setAttribute("role", "row");
    if (!sorted) {
      const name = element("span", "layer", fill(text.layer, { layer: from / block.heads + 1 }));
      name.setAttribute("role", "rowheader");
      row.append(name);
    }
    for (const map of order.slice(from, from + block.heads)) cells.push(drawCell(view, block, number, map));
    row.append(...cells);
    rows.push(cells);
    grid.append(row);
  }
  view.cells.push(rows);
  section.append(heading, grid);
  if (!order.length) section.append(element("p", "nothing", text.nothing));
  return section;
}

function drawCell(view, block, number, map) {
  const { header, measure, hues } = view, { text, selected } = header;
  const cell = element("div", "cell"), bar = element("div", "bar"), names = numbersOf(block, map);
  const entropy = block.measures.entropy[map];
  Object.assign(cell.dataset, { block: number, map });
  cell.tabIndex = -1;
  cell.setAttribute("role", "gridcell");
  cell.setAttribute("aria-label", fill(text.name, { ...names, entropy: written(entropy) }));
  bar.append(element("i", ""));
  bar.firstChild.style.width = `${(entropy ?? 0) * 100}%`;
  cell.append(canvasOf(view, number, map), bar);
  if (measure !== "none") {
    cell.append(element("span", "whose", fill(text.cell, names)));
    cell.append(element("span", "value", written(block.measures[measure][map])));
  }
  if (selected?.block === number && selected.maps.includes(map)) {
    cell.classList.add("selected");
    cell.style.setProperty("--hue", hues[(map % block.heads) % hues.length]);
  }
  return cell;
}

// Sorting and filtering move a map and need not paint it again.
function canvasOf(view, number, map) {
  const name = `${number}.${map}`;
  if (!view.canvases.has(name)) view.canvases.set(name, document.createElement("canvas"));
  return view.canvases.get(name);
}

// Draw every map as large as there is room. Whether weights outnumber pixels.
function layOut(view) {
  const width = find(view, ".block")?.clientWidth ?? 0;
  view.width = width;
  if (!width) return false;
  const ratio = pixelRatio();
  let condensed = false;
  view.cells.forEach((rows, number) => {
    const block = view.header.blocks[number];
    const beside = view.measure === "none" ? LAYERS + GAP : 0;
    const room = Math.min(LARGEST_MAP, (width - beside + GAP) / block.heads - GAP - 4);
    const size = sizeOf(block, Math.max(8, Math.floor(room * ratio)));
    const painted = `${view.calls} ${size.width} ${size.height}`;
    condensed ||= size.width < block.keys.length;
    for (const cell of rows.flat()) {
      const canvas = cell.firstChild;
      if (canvas.dataset.painted === painted) continue;
      canvas.dataset.painted = painted;
      paint(canvas, view, block, Number(cell.dataset.map), size);
      canvas.style.width = `${size.width / ratio}px`;
      canvas.style.height = `${size.height / ratio}px`;
    }
  });
  return condensed;
}

// ---- pointing, keys and fingers

function listen(view) {
  const blocks = find(view, ".blocks"), panel = find(view, ".panel");
  blocks.onpointermove = (event) => {
    if (event.pointerType === "touch") return; // a finger that scrolls points at nothing
    const at = placeUnder(view, event);
    if (at) show(view, at, "mouse");
    else hide(view);
  };
  blocks.onpointerleave = (event) => event.pointerType !== "touch" && hide(view);
  blocks.onclick = (event) => {
    const at = placeUnder(view, event);
    if (!at) return hide(view);
    const again = view.at?.block === at.block && view.at.map === at.map;
    if (event.pointerType !== "touch") view.open(at);
    else if (again) view.open(view.at);
    else show(view, at, "touch");
  };
  panel.onclick = (event) => {
    const at = placeInPanel(view, event);
    if (!at) return;
    if (at.row === view.at.row && at.column === view.at.column) view.open(at);
    else show(view, at, "touch");
  };
  blocks.onkeydown = (event) => onKey(view, event);
  view.listening?.abort(); // what follows cannot be assigned as a property, and so be replaced
  view.listening = new AbortController();
  const { signal } = view.listening;
  const focus = (event) => {
    const cell = event.target.closest(".cell");
    if (cell?.matches(":focus-visible")) show(view, strongest(view, cell), "keys");
  };
  const scroll = () => {
    // The panel stands still while the map it belongs to moves; the focus brings its map into view.
    if (view.at && view.by === "keys") enlarge(view, view.at);
    else hide(view);
  };
  blocks.addEventListener("focusin", focus, { signal });
  blocks.addEventListener("focusout", () => hide(view), { signal });
  addEventListener("scroll", scroll, { signal, capture: true, passive: true });
  addEventListener("keydown", (event) => event.key === "Escape" && hide(view), { signal });
  const outside = (event) => !event.composedPath().includes(view.root);
  addEventListener("pointerdown", (event) => outside(event) && hide(view), { signal });
  view.observer ??= new ResizeObserver(() => {
    if (find(view, ".block")?.clientWidth !== view.width) find(view, ".condensed").hidden = !layOut(view);
  });
  view.observer.observe(view.root);
}

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

function placeUnder(view, event) {
  const cell = event.target.closest(".cell");
  if (!cell) return null;
  const at = { block: Number(cell.dataset.block), map: Number(cell.dataset.map) };
  return { ...at, ...under(view.header.blocks[at.block], cell.firstChild.getBoundingClientRect(), event) };
}

function under(block, box, event) {
  const rows = block.queries.length, columns = block.keys.length;
  return {
    row: clamp(Math.floor(((event.clientY - box.top) / box.height) * rows), 0, rows - 1),
    column: clamp(Math.floor(((event.clientX - box.left) / box.width) * columns), 0, columns - 1),
  };
}

function placeInPanel(view, event) {
  if (!view.at || !view.frame) return null;
  const { left, top, width, height } = view.frame, box = find(view, ".crosshair").getBoundingClientRect();
  const map = { left: box.left + left, top: box.top + top, width, height };
  return { ...view.at, ...under(view.header.blocks[view.at.block], map, event) };
}

// The edge with the largest weight: what the keyboard points at.
function strongest(view, cell) {
  const at = { block: Number(cell.dataset.block), map: Number(cell.dataset.map) };
  return { ...at, ...strongestOf(view, view.header.blocks[at.block], at.map) };
}

function strongestOf(view, block, map) {
  const columns = block.keys.length, size = block.queries.length * columns;
  const start = block.start + map * size;
  let best = 0, most = -1;
  for (let place = 0; place < size; place++) {
    const number = view.numbers[start + place];
    if (number !== FORBIDDEN && number > most) [best, most] = [place, number];
  }
  return { row: Math.floor(best / columns), column: best % columns, number: most };
}

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function onKey(view, event) {
  const cell = event.target.closest(".cell");
  if (!cell) return;
  if (event.key === "Enter" || event.key === " ") view.open(view.at ?? strongest(view, cell));
  else if (STEPS[event.key]) step(view, cell, ...STEPS[event.key]);
  else return;
  event.preventDefault();
}

// One head further; past the edge of a block, into the next one.
function step(view, cell, down, right) {
  const { cells } = view;
  let block = Number(cell.dataset.block);
  let row = cells[block].findIndex((each) => each.includes(cell)), column = cells[block][row].indexOf(cell);
  row += down;
  column += right;
  if (!cells[block][row]?.[column]) {
    const forward = down + right;
    do block += forward;
    while (cells[block] && !cells[block].length);
    if (!cells[block]) return;
    const last = cells[block].length - 1;
    row = down ? (forward > 0 ? 0 : last) : Math.min(row, last);
    column = clamp(right ? (forward > 0 ? 0 : Infinity) : column, 0, cells[block][row].length - 1);
  }
  const next = cells[block][row][column];
  view.cells.flat(2).forEach((each) => (each.tabIndex = -1));
  view.current = { block, map: Number(next.dataset.map) };
  next.tabIndex = 0;
  next.focus({ focusVisible: true });
}

// ---- the same as a table

function drawTable(view) {
  const { header } = view, { text } = header, details = find(view, "details");
  find(view, "summary").textContent = text.table;
  find(view, ".condensed").textContent = text.condensed;
  const write = () => {
    if (!details.open || view.tabled === header) return; // its hundred rows are made once asked for
    view.tabled = header;
    const top = element("tr", "");
    for (const name of [text.which, ...Object.values(text.measures), text.strongest]) {
      const cell = element("th", "", name);
      cell.scope = "col";
      top.append(cell);
    }
    const rows = header.blocks.flatMap((block) =>
      Array.from({ length: block.maps }, (_, map) => tableRow(view, block, map)),
    );
    find(view, "thead").replaceChildren(top);
    find(view, "tbody").replaceChildren(...rows);
  };
  details.ontoggle = write;
  write();
}

function tableRow(view, block, map) {
  const { text, most } = view.header, row = element("tr", ""), names = numbersOf(block, map);
  const { row: query, column, number } = strongestOf(view, block, map);
  const head = element("th", "", fill(text.whose, names));
  head.scope = "row";
  const weight = weightOf(number, most).toFixed(2);
  const pair = fill(text.pair, { looking: block.queries[query], seen: block.keys[column], weight });
  const values = Object.keys(text.measures).map((name) => written(block.measures[name][map]));
  row.append(head, ...values.map((value) => element("td", "", value)), element("td", "pair", pair));
  return row;
}
