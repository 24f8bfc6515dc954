// The coach: what every setting of a hand is worth, and what the one that was chosen cost.

import { h } from "../dom.js";
import { cardsOf, sameCards } from "../cards/card-text.js";
import { highHand, lowHand } from "../cards/evaluate.js";
import { highWords, lowWords } from "../cards/names.js";
import { money } from "../money.js";
import { words } from "../words.js";

/**
 * @typedef {import("./own-hand.js").Worth} Worth
 * @typedef {import("../cards/evaluate.js").Ranking} Ranking
 */

/** How many settings are shown. */
const SHOWN = 5;

/** What a choice cost, for every cent wagered. @param {Worth[]} settings @param {string[]} front */
export function costOf(settings, front) {
  const chosen = settings.find((setting) => sameCards(cardsOf(setting.low), front));
  return chosen ? Number(settings[0].ev) - Number(chosen.ev) : null;
}

/** Settings from the best down, those that come to the same left out, the chosen one among them. @param {Worth[]} settings @param {string[]} front */
export function shownSettings(settings, front) {
  const chosen = settings.find((setting) => sameCards(cardsOf(setting.low), front));
  const different = settings.filter((setting, place) => setting === chosen || settings.findIndex((other) => other.ev === setting.ev) === place);
  const first = different.slice(0, SHOWN);
  return chosen && !first.includes(chosen) ? [...first.slice(0, SHOWN - 1), chosen] : first;
}

/**
 * @param {{ ranking: Ranking }} state @param {Worth[]} settings @param {string[]} front what was or is put in front
 * @param {number} stake what lies on the base game
 */
export function worthTable(state, settings, front, stake) {
  const cost = costOf(settings, front);
  return h("div", { class: "coach" },
    h("h2", { id: "coach-title" }, words.coach.title),
    cost !== null && h("p", null, cost === 0 ? h("b", { class: "good" }, words.coach.bestChoice)
      : h("b", { class: "bad" }, words.coach.cost((cost * 100).toFixed(2), stake > 0 ? money(Math.round(cost * stake)) : ""))),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": "coach-title" }, h("table", { class: "worth" },
      h("thead", null, h("tr", null, [words.coach.setting, words.coach.odds, words.coach.worth].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", null, shownSettings(settings, front).map((setting) => row(state.ranking, setting, sameCards(cardsOf(setting.low), front)))))));
}

/** @param {Ranking} ranking @param {Worth} setting @param {boolean} chosen */
function row(ranking, { low, high, win, push, lose, ev, best, house_way: house }, chosen) {
  const all = win + push + lose;
  const share = (/** @type {number} */ part) => (100 * part) / all;
  return h("tr", { key: low, class: { chosen } },
    h("th", { scope: "row" }, lowWords(lowHand(cardsOf(low), ranking)), " / ", highWords(highHand(cardsOf(high), ranking)),
      h("small", null, [chosen && words.coach.yours, best && words.coach.best, house && words.coach.house].filter(Boolean).join(" · "))),
    h("td", null, h("span", { class: "bars", role: "img", "aria-label": words.coach.shares(share(win).toFixed(1), share(push).toFixed(1), share(lose).toFixed(1)) },
      [["good", win], ["push", push], ["bad", lose]].map(([name, part]) => h("i", { class: `bar-${name}`, style: { width: `${share(Number(part))}%` } })))),
    h("td", { class: "amount" }, `${Number(ev) >= 0 ? "+" : "−"}${Math.abs(Number(ev) * 100).toFixed(2)} %`));
}
