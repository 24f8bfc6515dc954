// The felt: the dealer at the top, and the seats with their wagers and cards.

import { h } from "../dom.js";
import { short } from "../money.js";
import { words } from "../words.js";
import { hand, shortHandNames } from "./hand.js";
import { seatPositions } from "./seat-positions.js";
import { freeSpot, spot } from "./spot.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {object} TableDisplay how a table is displayed
 * @property {(player: string) => string} name
 * @property {(player: string) => boolean} bot
 * @property {import("../cards/evaluate.js").Ranking} ranking
 * @property {import("./model.js").Progress} progress progress of the settlement
 * @property {import("./stakes.js").Stakes | null} draft the viewer's chips before the wager is accepted
 * @property {((seat: number) => void) | null} sit
 * @property {string} best text of the highest payout
 */

/** @param {View} view @param {TableDisplay} shown */
export function felt(view, shown) {
  const positions = seatPositions(view.facts.seats);
  return h("div", { class: ["felt", `seats-${view.facts.seats}`], "data-phase": view.phase },
    h("div", { class: "cloth", "aria-hidden": "true" }),
    h("p", { class: "felt-words", "aria-hidden": "true" },
      h("b", null, words.felt.game),
      h("span", null, words.felt.limits(short(view.facts.wagers[0].min_cents), short(view.facts.wagers[0].max_cents))),
      shown.best && h("span", null, shown.best)),
    dealer(view, shown),
    h("ol", { class: "spots", "aria-label": words.felt.seats }, positions.map((position, index) => {
      const number = index + 1;
      const seat = view.seats.find((sitting) => sitting.seat === number);
      const style = { "--x": position.x.toFixed(2), "--y": position.y.toFixed(2) };
      return seat ? spot(view, seat, style, shown) : freeSpot(number, style, shown);
    })));
}

/** @param {View} view @param {TableDisplay} shown */
function dealer(view, shown) {
  const { round } = view;
  const names = shortHandNames(round?.dealer ?? null, shown.ranking);
  const banks = !round?.bank;
  return h("div", { class: "dealer" },
    dice(view),
    round?.dealer ? h("div", { class: "hand-row" }, hand(round.dealer, shown.ranking)) : h("div", { class: "rack", "aria-hidden": "true" }, [100, 500, 2500, 10000, 50000].map((value) => h("i", { "data-value": value / 100 }))),
    h("p", { class: "plate" }, h("b", null, words.felt.dealer), " ",
      h("small", null, view.facts.dealer_hand ? (banks ? words.felt.dealerBanks : words.felt.dealerPlays) : words.felt.dealerNoHand)),
    names && h("p", { class: "says" }, h("b", null, names[0]), " / ", h("b", null, names[1])));
}

/** The value of the dice. @param {View} view */
function dice(view) {
  const number = view.round?.dice;
  if (!number) return null;
  const first = number > view.facts.seats ? words.felt.dealer : words.table.seat(number);
  return h("p", { class: "dice", title: words.felt.diceWhy(number, first) },
    h("span", { class: "die", "aria-hidden": "true" }, number),
    h("small", null, words.felt.first(first)));
}
