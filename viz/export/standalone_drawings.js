// Drawings as a page of its own. With a strip of all of them on top, one is shown at a time.

import drawing from "../components/browser/drawing/view.js";
import { takePlace } from "./framed.js";

const root = document.getElementById("view").shadowRoot;
const letters = atob(document.getElementById("data").textContent);
const { menu, sheets } = JSON.parse(new TextDecoder().decode(Uint8Array.from(letters, (c) => c.charCodeAt(0))));
const mount = (place, data, pick = () => {}) => {
  drawing({ data, parentElement: place, setTriggerValue: (name, picked) => pick(picked) });
};
const places = [...root.querySelectorAll(".sheet")];
let chosen = menu?.marks.find((mark) => mark.on)?.pick;

function show() {
  if (menu) {
    for (const mark of menu.marks) if (mark.pick !== undefined) mark.on = mark.pick === chosen;
    mount(root.querySelector(".menu"), menu, (picked) => {
      chosen = picked;
      show();
    });
    for (const place of places) place.hidden = place.dataset.name !== chosen;
  }
  places.forEach((place, number) => place.hidden || mount(place, sheets[number]));
}

show();
const ways = { ArrowLeft: -1, ArrowRight: 1 };
addEventListener("keydown", ({ key }) => {
  const names = places.map((place) => place.dataset.name);
  const next = names[names.indexOf(chosen) + ways[key]];
  if (!menu || !next) return;
  chosen = next;
  show();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
takePlace();
