// Every setting of the hand with what it is worth.

import { h } from "../dom.js";
import { words } from "../words.js";
import { outcomeBar, outcomeLegend } from "../study/bars.js";
import { laid } from "../study/laid.js";
import { decimal, difference, share, spaced, thousands } from "../study/numbers.js";
import { csvButton, exactButton, section, table } from "../study/table.js";

/**
 * @typedef {import("../protocol").LabSetting} Setting
 * @typedef {import("../protocol").Lab} Lab
 * @typedef {{ chosen: number, all: boolean, exact: boolean, change: (some: { chosen?: number, all?: boolean, exact?: boolean }) => void }} Shown
 */

const FIRST = 7;

/** What a setting gives away. @param {Lab} lab @param {Setting} setting */
export const costOf = (lab, setting) => difference(setting.ev_exact, lab.settings[0].ev_exact);

/** @param {Lab} lab @param {Shown} shown */
export function settings(lab, shown) {
  const { lab: say, study } = words;
  const { ranking, dealer_hands: all } = lab;
  /** @type {import("../study/table.js").Column<Setting>[]} */
  const columns = [
    { title: say.place, class: "lab-place", csv: (_, place) => place + 1, head: true, cell: (setting, place) => h("button", {
      type: "button", class: "place-button", "aria-pressed": String(place === shown.chosen), onclick: () => shown.change({ chosen: place }) },
      place + 1, h("span", { class: "unseen" }, say.show(setting.low_says, setting.high_says))) },
    { title: say.setting, class: "cards", cell: (setting) => [laid(setting, ranking),
      h("span", { class: "small lab-says" }, setting.low_says, " · ", setting.high_says),
      h("span", { class: "tags" }, setting.best && h("b", { class: "tag on" }, say.best), setting.house_way && h("span", { class: "tag" }, say.houseWay))] },
    { title: say.low, csv: (setting) => setting.low },
    { title: say.high, csv: (setting) => setting.high },
    { title: say.outcomes, class: "outcomes", cell: (setting) => [outcomeBar(setting),
      h("span", { class: "small amount" }, shown.exact
        ? say.counts(thousands(setting.win), thousands(setting.push), thousands(setting.lose))
        : say.counts(share(setting.win, all), share(setting.push, all), share(setting.lose, all)))] },
    { title: study.outcomes.win, csv: (setting) => setting.win },
    { title: study.outcomes.push, csv: (setting) => setting.push },
    { title: study.outcomes.lose, csv: (setting) => setting.lose },
    { title: say.worth, number: true, class: "lab-worth", csv: (setting) => setting.ev,
      cell: (setting) => [h("b", { class: ["amount", Number(setting.ev) < 0 ? "bad" : "good"] }, decimal(setting.ev, { sign: true })),
        shown.exact && h("span", { class: "fraction" }, spaced(setting.ev_exact))] },
    { title: `${say.worth} (${study.exact})`, csv: (setting) => setting.ev_exact },
    { title: say.cost, number: true, class: "lab-cost", csv: (setting) => costOf(lab, setting),
      cell: (setting) => h("span", { class: "amount" }, setting.best ? "–" : decimal(costOf(lab, setting))) },
  ];
  const rows = shown.all ? lab.settings : lab.settings.slice(0, FIRST);
  return section("lab-settings", say.settings, [exactButton(shown.exact, () => shown.change({ exact: !shown.exact })), csvButton("settings", columns, lab.settings)],
    h("p", { class: "small" }, say.settingsWhy),
    outcomeLegend(),
    table({ caption: say.settings, class: "lab-table", columns, rows, key: (setting) => setting.low, rowClass: (_, place) => ({ chosen: place === shown.chosen }) }),
    lab.settings.length > FIRST && h("button", { type: "button", class: "button slim", "aria-expanded": String(shown.all), onclick: () => shown.change({ all: !shown.all }) },
      shown.all ? say.fewer : say.all(lab.settings.length)));
}
