// What is otherwise at a table than in its book: a table may be opened with values of its own.

import { h } from "../dom.js";
import { words } from "../words.js";

/** @typedef {import("./view-types.js").View} View */

/** All that is otherwise, as it was asked for. @param {View} view */
export function changes(view) {
  const entries = Object.entries(view.facts.changes);
  return entries.length > 0 && h("section", { class: "changes" },
    h("h2", null, words.changes.title),
    h("p", { class: "small" }, words.changes.says),
    h("dl", { class: "sentences" }, entries.map(([key, value]) => h("div", { key }, h("dt", null, key), h("dd", null, value)))));
}
