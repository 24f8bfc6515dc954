// Results of a hand against the dealer or banker: each comparison, and the headline.

import { highHandName, lowHandName } from "../cards/names.js";
import { money } from "../money.js";
import { words } from "../words.js";
import { decidingLine, handRanks } from "./model.js";
import { BASE } from "./reduce.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").HandView} HandView
 * @typedef {import("../cards/evaluate.js").Ranking} Ranking
 * @typedef {import("../cards/evaluate.js").HandRank} HandRank
 * @typedef {"win" | "lose" | "copy"} HandOutcome
 * @typedef {{ low: HandOutcome, high: HandOutcome, copiesWin: boolean }} Comparison copiesWin: whether equal hands win for this side
 */

const RESULTS = /** @type {Record<string, HandOutcome>} */ ({ higher: "win", lower: "lose", copy: "copy" });

/** Returns the comparison of a seat's hands with the dealer's or banker's; `null` if they were not compared. @param {View} view @param {number} seat @returns {Comparison | null} */
export function comparisonOf(view, seat) {
  const line = (view.round?.lines ?? []).find((one) => one.who === `seat-${seat}` && one.wager === BASE && one.reason?.code === "compared");
  if (line?.reason?.code !== "compared") return null;
  const { low, high } = { low: RESULTS[line.reason.low] ?? "copy", high: RESULTS[line.reason.high] ?? "copy" };
  const wins = [low, high].filter((one) => one === "win").length;
  // The outcome says who wins a copy: the line has another outcome than it would have with lost copies.
  return { low, high, copiesWin: line.outcome !== ["lose", "push", "win"][wins] };
}

/** The comparison from the other side. Copies stay copies. @param {Comparison} comparison @returns {Comparison} */
export function reversed({ low, high, copiesWin }) {
  const turn = (/** @type {HandOutcome} */ one) => (one === "copy" ? one : one === "win" ? "lose" : "win");
  return { low: turn(low), high: turn(high), copiesWin: !copiesWin };
}

/** Returns the name of a hand for a comparison: `nines`, `ace-king`. @param {HandRank} rank */
function briefName(rank) {
  if (rank.category === "pair") return words.card.plurals[rank.ranks[0]];
  if (rank.category === "high_card") return rank.ranks.slice(0, 2).map((one) => words.card.ranks[one]).join("-");
  return rank.ranks.length === 2 ? lowHandName(rank) : highHandName(rank);
}

/** Returns the brief names of both hands; `null` unless the hand is open. @param {HandView | null | undefined} hand @param {Ranking} ranking */
export function briefNames(hand, ranking) {
  const ranks = handRanks(hand ?? null, ranking);
  return ranks && { low: briefName(ranks.low), high: briefName(ranks.high) };
}

/** @param {string} text */
export const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : text);

/** Returns the headline of a seat's result, and a sentence for it. @param {View} view @param {number} seat @param {string} who name of another player, or empty for the viewer @returns {[string, string]} */
export function headline(view, seat, who) {
  const { headline: say, outcome } = words.board;
  const { round } = view;
  const net = round?.net_cents?.[seat] ?? 0;
  const amount = money(Math.abs(net));
  const line = decidingLine(round?.lines ?? [], seat, BASE);
  const even = line?.outcome === "push" || !line;
  const title = who ? (net > 0 ? say.theyWin(who, amount) : net < 0 ? say.theyLose(who, amount) : say.theyPush(who)) : net > 0 ? say.win(amount) : net < 0 ? say.lose(amount) : even ? say.push : say.even;
  if (round?.bank?.seat === seat) return [title, outcome.banker(view.seats.filter(({ hand, seat: other }) => hand && other !== seat).length)];
  const against = round?.bank ? view.facts.terms.banker : words.felt.dealer.toLowerCase();
  const compared = comparisonOf(view, seat);
  if (line?.reason?.code === "foul") return [title, outcome.foul];
  if (line?.reason?.code === "dealer_push") return [title, outcome.dealerPush(words.rowName(line.reason.hand, undefined).toLowerCase())];
  if (!compared) return [title, line?.outcome === "no_action" ? outcome.noAction(who) : ""];
  const wins = [compared.low, compared.high].filter((one) => one === "win" || (one === "copy" && compared.copiesWin)).length;
  return [title, wins === 2 ? outcome.both(against) : wins === 0 ? outcome.neither(against) : outcome.one];
}
