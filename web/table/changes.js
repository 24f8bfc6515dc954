// Values of a book that a table overrides.

import { h } from "../dom.js";
import { words } from "../words.js";

/** @typedef {import("./view-types.js").View} View */

/** A list of the overridden values, as given when the table was opened. @param {View} view */
export function changes(view) {
  const entries = Object.entries(view.facts.changes);
  const { own_house_way: ownWay } = view.facts;
  return (entries.length > 0 || ownWay) && h("section", { class: "changes" },
    h("h2", null, words.changes.title),
    h("p", { class: "small" }, words.changes.says),
    h("dl", { class: "sentences" },
      ownWay && h("div", { key: "house-way" }, h("dt", null, words.changes.houseWay), h("dd", null, h("a", { href: `/house-ways/table:${view.table}` }, words.changes.ownWay))),
      entries.map(([key, value]) => h("div", { key }, h("dt", null, key), h("dd", null, value)))));
}
