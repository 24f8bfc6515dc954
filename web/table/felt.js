// The felt: the dealer on top, seats round it, and what lies in front of each.

import { h } from "../dom.js";
import { short } from "../money.js";
import { words } from "../words.js";
import { hand, handShort } from "./hand.js";
import { spots } from "./places.js";
import { freeSpot, spot } from "./spot.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {object} Shown how a table is shown
 * @property {(player: string) => string} name
 * @property {(player: string) => boolean} bot
 * @property {import("../cards/evaluate.js").Ranking} ranking
 * @property {import("./model.js").Progress} progress how far the settlement has come
 * @property {import("./stakes.js").Stakes | null} draft one's own chips before they are wagered
 * @property {((seat: number) => void) | null} sit
 * @property {string} best the highest payout there is, in words
 */

/** @param {View} view @param {Shown} shown */
export function felt(view, shown) {
  const places = spots(view.facts.seats);
  return h("div", { class: ["felt", `seats-${view.facts.seats}`], "data-phase": view.phase },
    h("div", { class: "cloth", "aria-hidden": "true" }),
    h("p", { class: "felt-words", "aria-hidden": "true" },
      h("b", null, words.felt.game),
      h("span", null, words.felt.limits(short(view.facts.wagers[0].min_cents), short(view.facts.wagers[0].max_cents))),
      shown.best && h("span", null, shown.best)),
    dealer(view, shown),
    h("ol", { class: "spots", "aria-label": words.felt.seats }, places.map((place, index) => {
      const number = index + 1;
      const seat = view.seats.find((sitting) => sitting.seat === number);
      const style = { "--x": place.x.toFixed(2), "--y": place.y.toFixed(2) };
      return seat ? spot(view, seat, style, shown) : freeSpot(number, style, shown);
    })));
}

/** @param {View} view @param {Shown} shown */
function dealer(view, shown) {
  const { round } = view;
  const both = handShort(round?.dealer ?? null, shown.ranking);
  const banks = !round?.bank;
  return h("div", { class: "dealer" },
    dice(view),
    round?.dealer ? h("div", { class: "hand-row" }, hand(round.dealer, shown.ranking)) : h("div", { class: "rack", "aria-hidden": "true" }, [100, 500, 2500, 10000, 50000].map((value) => h("i", { "data-value": value / 100 }))),
    h("p", { class: "plate" }, h("b", null, words.felt.dealer), " ",
      h("small", null, view.facts.dealer_hand ? (banks ? words.felt.dealerBanks : words.felt.dealerPlays) : words.felt.dealerNoHand)),
    both && h("p", { class: "says" }, h("b", null, both[0]), " / ", h("b", null, both[1])));
}

/** Where the dice fell. @param {View} view */
function dice(view) {
  const number = view.round?.dice;
  if (!number) return null;
  const first = number > view.facts.seats ? words.felt.dealer : words.table.seat(number);
  return h("p", { class: "dice", title: words.felt.diceWhy(number, first) },
    h("span", { class: "die", "aria-hidden": "true" }, number),
    h("small", null, words.felt.first(first)));
}
