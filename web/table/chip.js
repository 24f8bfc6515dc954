// A stack of chips, drawn as one chip with the amount and the color of its largest chip.

import { h } from "../dom.js";
import { onChip } from "../money.js";
import { CHIPS } from "./stakes.js";

/** @param {number} cents @param {Record<string, boolean>} [state] */
export function chip(cents, state) {
  const largest = CHIPS.findLast((value) => value <= cents) ?? CHIPS[0];
  const stacked = cents > largest;
  return h("span", { class: ["chip", { stacked, ...state }], "data-value": largest / 100, "aria-hidden": "true" }, h("b", null, onChip(cents)));
}
