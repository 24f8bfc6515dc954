// The coach: the values of the settings of a hand, and the cost of the chosen one.

import { h } from "../dom.js";
import { cardsOf, sameCards } from "../cards/card-text.js";
import { highHand, lowHand } from "../cards/evaluate.js";
import { highHandName, lowHandName } from "../cards/names.js";
import { money } from "../money.js";
import { finePercent, percent } from "../study/numbers.js";
import { words } from "../words.js";

/**
 * @typedef {import("./own-hand.js").Worth} Worth
 * @typedef {import("../cards/evaluate.js").Ranking} Ranking
 */

/** Number of settings shown. */
const ROWS = 5;

/** Returns the cost of a setting per unit wagered, or `null` if it is a foul. @param {Worth[]} settings best first @param {string[]} low the low hand */
export function costOf(settings, low) {
  const chosen = settings.find((setting) => sameCards(cardsOf(setting.low), low));
  return chosen ? Number(settings[0].ev) - Number(chosen.ev) : null;
}

/** Returns the best settings, one for each value, always including the chosen one. @param {Worth[]} settings best first @param {string[]} low the low hand */
function shownSettings(settings, low) {
  const chosen = settings.find((setting) => sameCards(cardsOf(setting.low), low));
  const different = settings.filter((setting, index) => setting === chosen || settings.findIndex((other) => other.ev === setting.ev) === index);
  const first = different.slice(0, ROWS);
  return chosen && !first.includes(chosen) ? [...first.slice(0, ROWS - 1), chosen] : first;
}

/**
 * @param {{ ranking: Ranking }} state @param {Worth[]} settings @param {string[]} low the chosen low hand
 * @param {number} stake the base wager, in cents
 */
export function worthTable(state, settings, low, stake) {
  const cost = costOf(settings, low);
  return h("div", { class: "coach" },
    h("h2", { id: "coach-title" }, words.coach.title),
    cost !== null && h("p", null, cost === 0 ? h("b", { class: "good" }, words.coach.bestChoice)
      : h("b", { class: "bad" }, words.study.cost(finePercent(cost.toFixed(12)), stake > 0 ? money(Math.round(cost * stake)) : ""))),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": "coach-title" }, h("table", { class: "worth" },
      h("thead", null, h("tr", null, [words.coach.setting, words.coach.odds, words.coach.worth].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", null, shownSettings(settings, low).map((setting) => row(state.ranking, setting, sameCards(cardsOf(setting.low), low)))))));
}

/** @param {Ranking} ranking @param {Worth} setting @param {boolean} chosen */
function row(ranking, { low, high, win, push, lose, ev, best, house_way: house }, chosen) {
  const all = win + push + lose;
  const share = (/** @type {number} */ part) => (100 * part) / all;
  return h("tr", { key: low, class: { chosen } },
    h("th", { scope: "row" }, lowHandName(lowHand(cardsOf(low), ranking)), " / ", highHandName(highHand(cardsOf(high), ranking)),
      h("small", null, [chosen && words.coach.yours, best && words.coach.best, house && words.coach.house].filter(Boolean).join(" · "))),
    h("td", null, h("span", { class: "bars", role: "img", "aria-label": words.coach.shares(share(win).toFixed(1), share(push).toFixed(1), share(lose).toFixed(1)) },
      [["good", win], ["push", push], ["bad", lose]].map(([name, part]) => h("i", { class: `bar-${name}`, style: { width: `${share(Number(part))}%` } })))),
    h("td", { class: "amount" }, percent(ev, { sign: true })));
}
