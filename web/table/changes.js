// What is otherwise at a table than in its book: a table may be opened with values of its own.

import { h } from "../dom.js";
import { words } from "../words.js";

/** @typedef {import("./view-types.js").View} View */

/** Whether a wager is not as the book has it: then the book's paytable is not the table's. @param {View} view @param {string} wager */
export const isChanged = (view, wager) => Object.keys(view.facts.changes).some((key) => key.startsWith(`wagers.${wager}.`));

/** All that is otherwise, as it was asked for. @param {View} view */
export function changes(view) {
  const entries = Object.entries(view.facts.changes);
  return entries.length > 0 && h("section", { class: "changes" },
    h("h2", null, words.changes.title),
    h("p", { class: "small" }, words.changes.says),
    h("dl", { class: "sentences" }, entries.map(([key, value]) => h("div", { key }, h("dt", null, key), h("dd", null, value)))));
}
