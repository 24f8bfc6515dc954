// Bar charts. The same numbers are always shown as text as well.

import { h } from "../dom.js";
import { words } from "../words.js";
import { share } from "./numbers.js";

const KINDS = /** @type {const} */ (["win", "push", "lose"]);

/** A bar divided into win, push and lose. @param {{ win: number, push: number, lose: number }} outcomes */
export function outcomeBar(outcomes) {
  const all = outcomes.win + outcomes.push + outcomes.lose;
  const label = KINDS.map((kind) => `${words.study.outcomes[kind]} ${share(outcomes[kind], all)}`).join(", ");
  return h("div", { class: "outcome-bar", role: "img", "aria-label": label }, KINDS.map((kind) =>
    h("span", { class: `is-${kind}`, style: { "--part": outcomes[kind] / all } },
      outcomes[kind] / all > 0.2 && h("b", null, share(outcomes[kind], all, 1)))));
}

/** The legend of `outcomeBar`. */
export function outcomeLegend() {
  return h("ul", { class: "legend" }, KINDS.map((kind) => h("li", null, h("i", { class: `is-${kind}` }), words.study.outcomes[kind])));
}

/** A bar for a fraction of the largest value. Hidden from screen readers: the number is beside it. @param {number} part from 0 to 1 @param {string} [name] CSS class */
export function plainBar(part, name = "") {
  return h("span", { class: ["plain-bar", name], "aria-hidden": "true", style: { "--part": Math.max(0, Math.min(1, part)) } });
}

/**
 * A column chart with a title and a text description.
 * @param {{ id: string, title: string, says: string, columns: { name: string, value: number, label: string }[] }} chart
 */
export function columnChart({ id, title, says, columns }) {
  const width = 46;
  const top = 22;
  const height = 120;
  const highest = Math.max(...columns.map(({ value }) => value), 0);
  const lowest = Math.min(...columns.map(({ value }) => value), 0);
  const y = (/** @type {number} */ value) => top + (height * (highest - value)) / (highest - lowest || 1);
  return h("svg", { class: "columns", viewBox: `0 0 ${columns.length * width} ${top + height + 40}`, role: "img", "aria-labelledby": `${id}-t ${id}-d` },
    h("title", { id: `${id}-t` }, title),
    h("desc", { id: `${id}-d` }, says),
    h("line", { x1: 0, x2: columns.length * width, y1: y(0), y2: y(0), class: "axis" }),
    columns.map(({ name, value, label }, index) => h("g", { key: name },
      h("rect", { x: index * width + 8, width: width - 16, y: Math.min(y(0), y(value)), height: Math.max(1.5, Math.abs(y(value) - y(0))), rx: 3, class: value < 0 ? "below" : "" }),
      h("text", { x: index * width + width / 2, y: value < 0 ? y(value) + 14 : y(value) - 6, class: "value" }, label),
      h("text", { x: index * width + width / 2, y: top + height + 32, class: "name" }, name))));
}
