// The table of all settings of the hand with their values.

import { h } from "../dom.js";
import { words } from "../words.js";
import { outcomeBar, outcomeLegend } from "../study/bars.js";
import { settingCards } from "../study/small-cards.js";
import { difference, finePercent, percent, share, spaced, thousands } from "../study/numbers.js";
import { csvButton, exactButton, section, table } from "../study/table.js";

/**
 * @typedef {import("../protocol").LabSetting} Setting
 * @typedef {import("../protocol").LabAnswer} Lab
 * @typedef {Pick<Lab, "settings" | "ranking" | "dealer_hands">} Analysis the settings of a hand
 * @typedef {{ chosen: number, yours?: number, all: boolean, exact: boolean, change: (some: { chosen?: number, all?: boolean, exact?: boolean }) => void }} Display indices of the chosen setting and of the player's own, and how the table is shown
 */

/** Number of settings shown at first. */
const ROWS = 7;

/** Returns the cost of a setting as a fraction of the wager: the best value less its value. @param {Pick<Lab, "settings">} lab @param {Setting} setting */
export const costOf = (lab, setting) => difference(lab.settings[0].ev_exact, setting.ev_exact);

/** Formats the value of a setting, as a percentage of the wager. @param {Setting} setting */
export const worthText = ({ ev }) => percent(ev, { sign: true });

/** Formats the cost of a setting, as a percentage of the wager. @param {Pick<Lab, "settings">} lab @param {Setting} setting */
export const costText = (lab, setting) => finePercent(costOf(lab, setting));

/** @param {Analysis} lab @param {Display} shown */
export function settings(lab, shown) {
  const { lab: say, study } = words;
  const { ranking, dealer_hands: all } = lab;
  const indexOf = (/** @type {Setting} */ setting) => lab.settings.indexOf(setting);
  /** @type {import("../study/table.js").Column<Setting>[]} */
  const columns = [
    { title: say.rank, class: "lab-rank", csv: (_, index) => index + 1, head: true, cell: (setting) => h("button", {
      type: "button", class: "rank-button", "aria-pressed": String(indexOf(setting) === shown.chosen), onclick: () => shown.change({ chosen: indexOf(setting) }) },
      indexOf(setting) + 1, h("span", { class: "unseen" }, say.show(setting.low_says, setting.high_says))) },
    { title: say.setting, class: "cards", cell: (setting) => [settingCards(setting, ranking),
      h("span", { class: "small lab-says" }, setting.low_says, " · ", setting.high_says),
      h("span", { class: "tags" }, indexOf(setting) === shown.yours && h("b", { class: "tag on" }, say.yours), setting.best && h("b", { class: "tag on" }, say.best), setting.house_way && h("span", { class: "tag" }, say.houseWay))] },
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
      cell: (setting) => [h("b", { class: ["amount", Number(setting.ev) < 0 ? "bad" : "good"] }, worthText(setting)),
        shown.exact && h("span", { class: "fraction" }, spaced(setting.ev_exact))] },
    { title: `${say.worth} (${study.exact})`, csv: (setting) => setting.ev_exact },
    { title: say.cost, number: true, class: "lab-cost", csv: (setting) => costOf(lab, setting),
      cell: (setting) => h("span", { class: "amount" }, setting.best ? "–" : costText(lab, setting)) },
  ];
  const rows = lab.settings.filter((_, index) => shown.all || index < ROWS || index === shown.yours);
  return section("lab-settings", say.settings, [exactButton(shown.exact, () => shown.change({ exact: !shown.exact })), csvButton("settings", columns, lab.settings)],
    h("p", { class: "small" }, say.settingsWhy),
    outcomeLegend(),
    table({ caption: say.settings, class: "lab-table", columns, rows, key: (setting) => setting.low, rowClass: (setting) => ({ chosen: indexOf(setting) === shown.chosen }) }),
    lab.settings.length > ROWS && h("button", { type: "button", class: "button slim", "aria-expanded": String(shown.all), onclick: () => shown.change({ all: !shown.all }) },
      shown.all ? say.fewer : say.all(lab.settings.length)));
}
