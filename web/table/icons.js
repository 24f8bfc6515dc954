// Icons of the table: tools of the bar and marks of wagers.

import { h } from "../dom.js";

const SHAPES = {
  menu: ["M4 7h16M4 12h16M4 17h10"],
  keys: ["M8.5 9c0-4.5 7-4.5 7 0 0 3-3.5 3-3.5 6", "M12 18.500v.4"],
  panel: ["M5.5 4.500h13a2.5 2.5 0 0 1 2.5 2.500v10a2.5 2.5 0 0 1-2.5 2.500h-13a2.5 2.5 0 0 1-2.5-2.500V7a2.5 2.5 0 0 1 2.5-2.500ZM14.5 4.500v15"],
  settings: ["M4 7h10M18 7h2M4 17h2M10 17h10", "M13.8 7a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0M5.8 17a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0"],
  text: ["M5 6h14M5 11h14M5 16h8"],
  tick: ["M5 13l5 5L19 7"],
  cross: ["M6 6l12 12M18 6L6 18"],
  dragon: ["M6 17c3 0 4-2 3-5-1-4 2-8 7-8 3 0 5 2 5 4l-3 1c2 1 3 3 2 5-2 4-6 2-8 4-2 1-2 4 1 4M16.5 4.500l1-3 1.7 3"],
  crown: ["M3.5 18.500h17M4 15.500L3 7l5 4 4-7 4 7 5-4-1 8.500Z"],
  shield: ["M12 2.500l8 3v6c0 5-3.5 8.5-8 10-4.5-1.5-8-5-8-10v-6ZM12 6v12"],
  star: ["M12 3l2.7 5.7 6.3.8-4.6 4.3 1.2 6.200L12 17l-5.6 3 1.2-6.200L3 9.500l6.3-.8Z"],
};

/** @typedef {keyof typeof SHAPES} Icon */

/** Marks of wagers by their names. @type {Record<string, Icon>} */
const WAGERS = { "queens-dragon": "dragon", dynasty: "crown", protection: "shield", insurance: "shield" };

/** @param {Icon} name */
export function icon(name) {
  return h("svg", { class: "ic stroke", viewBox: "0 0 24 24", "aria-hidden": "true" }, SHAPES[name].map((d) => h("path", { d })));
}

/** The mark of a side wager. @param {string} wager */
export const wagerIcon = (wager) => icon(WAGERS[wager] ?? "star");
