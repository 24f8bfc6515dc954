// Fields to override values of a book at a new table. Options and assumed values can be set; a fixed value shows the passage that fixes it.

import { h } from "../dom.js";
import { words } from "../words.js";
import { citation } from "../study/notes.js";

/**
 * @typedef {import("../protocol").SourcedValue} Value
 * @typedef {{ chosen: string, changes: Record<string, string> }} ValueEdits the selected value, and the overrides by value
 */

/** Values that have their own fields in the form. */
const OWN_FIELDS = /\.offered$|\.default$/;

/** @param {Value[]} values @param {ValueEdits} edits @param {(edits: ValueEdits) => void} change */
export function bookValues(values, edits, change) {
  const { open: say } = words;
  const all = values.filter(({ value }) => !OWN_FIELDS.test(value));
  const value = all.find((one) => one.value === edits.chosen);
  return h("details", { class: "wide", key: "values" }, h("summary", null, say.values),
    h("div", { class: "stack" },
      h("label", { class: "field" }, say.value, h("select", { ".value": edits.chosen, onchange: (/** @type {any} */ event) => change({ ...edits, chosen: event.target.value }) },
        h("option", { value: "" }, say.none),
        /** @type {const} */ (["option", "assumed", "fixed"]).map((kind) => h("optgroup", { key: kind, label: words.rules.kinds[kind] },
          all.filter((one) => one.kind === kind).map((one) => h("option", { key: one.value, value: one.value }, one.value)))))),
      value && setting(value, edits, change),
      Object.entries(edits.changes).map(([name, text]) => h("p", { key: name, class: "row small" }, h("code", null, `${name} = ${text}`),
        h("button", { type: "button", class: "button slim plain", onclick: () => change({ ...edits, changes: without(edits.changes, name) }) }, say.unset, h("span", { class: "unseen" }, ` ${name}`))))));
}

/** @param {Value} value @param {ValueEdits} edits @param {(edits: ValueEdits) => void} change */
function setting({ value, is, kind, cite, because, allowed }, edits, change) {
  const assumed = kind === "assumed";
  return h("div", { key: value, class: "stack" },
    h("label", { class: "field" }, words.open.setTo(is), h("input", { disabled: kind === "fixed", autocomplete: "off", ".value": edits.changes[value] ?? is,
      onchange: (/** @type {any} */ event) => change({ ...edits, changes: event.target.value === is ? without(edits.changes, value) : { ...edits.changes, [value]: event.target.value } }) })),
    citation({ cite: (assumed ? because : cite) ?? "", assumed, kind, allowed }),
    kind === "fixed" && h("span", { class: "small" }, words.open.cannot));
}

/** @param {Record<string, string>} changes @param {string} name */
function without(changes, name) {
  const { [name]: _, ...others } = changes;
  return others;
}
