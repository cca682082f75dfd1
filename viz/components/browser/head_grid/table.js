// Every head as a row of a table: what was measured of it, and its strongest pair of words.

import { fill, heading, make } from "../shared/elements.js";
import { strongestOf, weightOf } from "../shared/payload.js";
import { breaksOf, find, namesOf, startOf, written } from "./parts.js";

export function drawTable(view) {
  const { header } = view, { text } = header, details = find(view, "details");
  find(view, "summary").textContent = text.table;
  details.ontoggle = () => {
    if (!details.open || view.tabled === header) return; // its hundred rows are made once asked for
    view.tabled = header;
    const top = make("tr"), named = header.blocks.some(({ names }) => Object.keys(names).length);
    const columns = [text.which, ...(named ? [text.names] : []), ...Object.values(text.measures), text.strongest];
    top.append(...columns.map((name) => heading(name, "col")));
    const rows = header.blocks.flatMap((block) =>
      Array.from({ length: block.maps }, (_, map) => tableRow(view, block, map, named)),
    );
    find(view, "thead").replaceChildren(top);
    find(view, "tbody").replaceChildren(...rows);
  };
  details.ontoggle();
}

function tableRow(view, block, map, named) {
  const { text, most } = view.header, row = make("tr"), columns = block.keys.length, start = startOf(block, map);
  const place = strongestOf(view.numbers, start, block.queries.length * columns);
  const pair = fill(text.pair, {
    looking: block.queries[Math.floor(place / columns)],
    seen: block.keys[place % columns],
    weight: weightOf(view.numbers[start + place], most).toFixed(2),
  });
  const values = Object.keys(text.measures).map((name) => written(block.measures[name][map]));
  const name = heading(fill(text.whose, namesOf(block, map)), "row");
  const breaks = named ? [make("td", "pair", breaksOf(block, map))] : [];
  row.append(name, ...breaks, ...values.map((value) => make("td", "", value)), make("td", "pair", pair));
  return row;
}
