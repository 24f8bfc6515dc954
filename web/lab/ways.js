// How every house way sets the hand, grouped by setting.

import { h } from "../dom.js";
import { words } from "../words.js";
import { addressOf } from "../study/address.js";
import { settingCards } from "../study/small-cards.js";
import { citation } from "../study/notes.js";
import { csvButton, section } from "../study/table.js";
import { costOf, costText } from "./settings.js";

/** @typedef {import("./settings.js").Lab} Lab @typedef {import("../protocol").LabHouseWay} Way */

/** @param {Lab} lab */
export function ways(lab) {
  const { lab: say } = words;
  const settingOf = (/** @type {Way} */ way) => lab.settings[way.place];
  const cost = (/** @type {Way} */ way) => costOf(lab, settingOf(way));
  /** @type {import("../study/table.js").Column<Way>[]} */
  const columns = [
    { title: say.columns.way, csv: (way) => way.title },
    { title: say.columns.low, csv: (way) => way.low },
    { title: say.columns.high, csv: (way) => way.high },
    { title: say.columns.rank, csv: (way) => way.place + 1 },
    { title: say.columns.cost, csv: cost },
    { title: say.columns.number, csv: (way) => way.clause_number },
    { title: say.columns.clause, csv: (way) => way.says },
    { title: say.columns.cite, csv: (way) => way.cite },
  ];
  return section("lab-ways", say.houseWays, csvButton("house-ways", columns, lab.house_ways),
    h("p", { class: "small" }, say.houseWaysWhy),
    groupBySetting(lab.house_ways).map((group) => {
      const [first] = group;
      const setting = settingOf(first);
      return h("section", { class: "way-group", key: first.low },
        h("h3", null, settingCards(first, lab.ranking),
          h("span", { class: "way-says" }, `${setting.low_says} · ${setting.high_says}`),
          h("span", { class: "way-verdict" },
            setting.best ? h("b", { class: "good" }, say.best) : h("b", { class: "bad amount" }, say.costs(costText(lab, setting))),
            " ", h("span", { class: "small" }, say.agree(group.length, lab.house_ways.length)))),
        h("ul", null, group.map((way) => h("li", { key: way.house_way },
          h("p", null, h("b", null, way.title), way.house_way === lab.house_way && h("span", { class: "tag on" }, say.dealers)),
          h("p", { class: "clause" }, way.says),
          h("p", { class: "clause-at" }, h("a", { href: addressOf(`/house-ways/${way.house_way}`, { clause: way.clause_number }) }, say.clauseAt(way.clause_number), h("span", { class: "unseen" }, ` ${say.clauseOf(way.title)}`)), " ", citation(way))))));
    }));
}

/** Groups house ways that set the hand alike, best setting first. @param {Way[]} all @returns {Way[][]} */
function groupBySetting(all) {
  /** @type {Map<string, Way[]>} */
  const groups = new Map();
  for (const way of all) groups.set(way.low, [...(groups.get(way.low) ?? []), way]);
  return [...groups.values()].sort((one, other) => one[0].place - other[0].place);
}
