// Back of a card: scales around a medallion with two dice.

import { h } from "../dom.js";
import { BRASS } from "./colors.js";

const DARK = "#57101b";
/** Spots of the two dice. */
const SPOTS = [[-10.6, 2.4, 1.7], [-5, -2, 1.7], [4.6, -2.6, 1.5], [10.4, -1.9, 1.5], [4.2, 2.2, 1.5], [9.9, 3, 1.5]];

export function back() {
  const panel = { x: 5.5, y: 5.5, width: 89, height: 129, rx: 5 };
  return [
    h("defs", null, ground(), scales()),
    h("rect", { ...panel, fill: "url(#card-back-ground)" }),
    h("rect", { ...panel, fill: "url(#card-back-scales)", opacity: 0.5 }),
    h("rect", { x: 9, y: 9, width: 82, height: 122, rx: 3.5, fill: "none", stroke: BRASS, "stroke-width": 0.9, opacity: 0.9 }),
    h("g", { transform: "translate(50 70)", fill: BRASS },
      h("circle", { r: 25, fill: DARK, stroke: BRASS, "stroke-width": 1.2 }),
      h("circle", { r: 22, fill: "none", stroke: BRASS, "stroke-width": 0.6, "stroke-dasharray": "1.2 2.256" }),
      h("path", { d: "M0-19l4.5 6L0-7l-4.5-6ZM0 19l4.5-6L0 7l-4.5 6Z" }),
      h("rect", { x: -14, y: -6, width: 13, height: 12, rx: 2, transform: "rotate(-8 -8 0)" }),
      h("rect", { x: 1, y: -6, width: 13, height: 12, rx: 2, transform: "rotate(8 8 0)" }),
      h("g", { fill: DARK }, SPOTS.map(([cx, cy, r]) => h("circle", { cx, cy, r })))),
  ];
}

function ground() {
  return h("radialGradient", { id: "card-back-ground", cx: 0.5, cy: 0.5, r: 0.75 },
    h("stop", { offset: 0, "stop-color": "#8e2433" }), h("stop", { offset: 1, "stop-color": DARK }));
}

function scales() {
  return h("pattern", { id: "card-back-scales", width: 12, height: 12, patternUnits: "userSpaceOnUse" },
    h("g", { fill: "none", stroke: BRASS, "stroke-width": 0.55 },
      [[6, 12], [0, 6], [12, 6]].flatMap(([cx, cy]) => [6, 3.6].map((r) => h("circle", { cx, cy, r })))));
}
