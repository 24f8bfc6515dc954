// Values of a book that a new table sets otherwise. Options and assumed values can be set; a fixed value shows the passage that fixes it.

import { h } from "../dom.js";
import { words } from "../words.js";
import { citation } from "../study/said.js";

/**
 * @typedef {import("../protocol").SourcedValue} Value
 * @typedef {{ chosen: string, changes: Record<string, string> }} Wish the value that is looked at, and those that are set
 */

/** What the book's own form has fields for. */
const ELSEWHERE = /\.offered$|\.default$/;

/** @param {Value[]} values @param {Wish} wish @param {(wish: Wish) => void} change */
export function bookValues(values, wish, change) {
  const { open: say } = words;
  const all = values.filter(({ value }) => !ELSEWHERE.test(value));
  const value = all.find((one) => one.value === wish.chosen);
  return h("details", { class: "wide", key: "values" }, h("summary", null, say.values),
    h("div", { class: "stack" },
      h("label", { class: "field" }, say.value, h("select", { ".value": wish.chosen, onchange: (/** @type {any} */ event) => change({ ...wish, chosen: event.target.value }) },
        h("option", { value: "" }, say.none),
        /** @type {const} */ (["option", "assumed", "fixed"]).map((kind) => h("optgroup", { key: kind, label: words.rules.kinds[kind] },
          all.filter((one) => one.kind === kind).map((one) => h("option", { key: one.value, value: one.value }, one.value)))))),
      value && setting(value, wish, change),
      Object.entries(wish.changes).map(([name, text]) => h("p", { key: name, class: "row small" }, h("code", null, `${name} = ${text}`),
        h("button", { type: "button", class: "button slim plain", onclick: () => change({ ...wish, changes: without(wish.changes, name) }) }, say.unset, h("span", { class: "unseen" }, ` ${name}`))))));
}

/** @param {Value} value @param {Wish} wish @param {(wish: Wish) => void} change */
function setting({ value, is, kind, cite, because, allowed }, wish, change) {
  const assumed = kind === "assumed";
  return h("div", { key: value, class: "stack" },
    h("label", { class: "field" }, words.open.setTo(is), h("input", { disabled: kind === "fixed", autocomplete: "off", ".value": wish.changes[value] ?? is,
      onchange: (/** @type {any} */ event) => change({ ...wish, changes: event.target.value === is ? without(wish.changes, value) : { ...wish.changes, [value]: event.target.value } }) })),
    citation({ cite: (assumed ? because : cite) ?? "", assumed, kind, allowed }),
    kind === "fixed" && h("span", { class: "small" }, words.open.cannot));
}

/** @param {Record<string, string>} changes @param {string} name */
function without(changes, name) {
  const { [name]: _, ...others } = changes;
  return others;
}
