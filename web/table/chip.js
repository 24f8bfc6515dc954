// Chips, drawn as SVG: one chip, or a stack for an amount.

import { h } from "../dom.js";
import { onChip } from "../money.js";
import { CHIPS } from "./stakes.js";

/** Number of chips that a stack shows. */
const SHOWN = 4;

/** @param {number} value of the chip, in cents @param {string} [label] @param {Record<string, any>} [props] */
export function chip(value, label = onChip(value), props = {}) {
  const long = label.length > 2;
  return h("svg", { ...props, class: ["chip", props.class], "data-value": value / 100, viewBox: "0 0 100 104", "aria-hidden": "true" },
    h("circle", { class: "chip-side", cx: 50, cy: 54, r: 48 }),
    h("circle", { class: "chip-top", cx: 50, cy: 50, r: 48 }),
    Array.from({ length: 6 }, (_, index) => h("path", { class: "chip-spot", d: "M43.5 2.6A48 48 0 0 1 56.5 2.6L55 17A33 33 0 0 0 45 17Z", transform: `rotate(${index * 60} 50 50)` })),
    h("circle", { class: "chip-face", cx: 50, cy: 50, r: 31.5 }),
    h("circle", { class: "chip-ring", cx: 50, cy: 50, r: 27 }),
    h("text", { x: 50, y: long ? 59.5 : 62, "text-anchor": "middle", "font-size": long ? (label.length > 3 ? 21 : 27) : 34 }, label));
}

/** Returns the values of the chips of an amount, the largest first. @param {number} cents */
export function chipsOf(cents) {
  /** @type {number[]} */
  const found = [];
  let rest = cents;
  for (const value of CHIPS.toReversed()) {
    while (rest >= value && found.length < 40) {
      found.push(value);
      rest -= value;
    }
  }
  return found.length > 0 ? found : [CHIPS[0]];
}

/** A stack of chips. The top chip shows its value, or the amount if the stack has one chip only. @param {number} cents @param {import("../dom.js").Props} [props] */
export function stack(cents, props = {}) {
  const all = chipsOf(cents);
  // The smallest chips lie on top.
  const shown = all.slice(0, SHOWN);
  return h("span", { ...props, class: ["stack", props.class], "aria-hidden": "true" },
    shown.map((value, index) => chip(value, index === shown.length - 1 ? (all.length === 1 ? onChip(cents) : onChip(value)) : "", { key: index, style: { "--n": index } })));
}
