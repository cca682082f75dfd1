// Small things that every view needs: elements with text, sentences with gaps, numbers within bounds.

export function make(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text; // words are typed by people: never read them as HTML
  return made;
}

export const heading = (text, scope) => Object.assign(make("th", "", text), { scope });

// Sentences come from Python; what only the browser knows stands in braces.
export const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (gap, name) => values[name] ?? gap);

export const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

// Pixels of the screen for one of the page.
export const sharpness = () => window.devicePixelRatio || 1;

// The same numbers as a table, made once somebody unfolds it. `cell` writes one number.
export function tabulate(details, { queries, keys }, cell) {
  if (!details.open) return;
  const first = make("tr");
  first.append(make("td"), ...keys.map((key) => heading(key, "col")));
  const rows = queries.map((query, row) => {
    const line = make("tr");
    line.append(heading(query, "row"), ...keys.map((_, column) => make("td", "", cell(row, column))));
    return line;
  });
  details.querySelector("table").replaceChildren(first, ...rows);
}
