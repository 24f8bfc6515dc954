// What follows from a view.

import { cardsOf } from "../cards/card-text.js";
import { highHand, lowHand } from "../cards/evaluate.js";
import { BASE } from "./reduce.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").SeatView} SeatView
 * @typedef {import("./view-types.js").HandView} HandView
 * @typedef {import("./view-types.js").Line} Line
 * @typedef {import("../cards/evaluate.js").Ranking} Ranking
 */

/** One's own seat. @param {View} view @returns {SeatView | null} */
export function ownSeat(view) {
  return view.seats.find((seat) => seat.seat === view.you) ?? null;
}

/** Seats nobody sits at. @param {View} view */
export function freeSeats(view) {
  const all = Array.from({ length: view.facts.seats }, (_, place) => place + 1);
  return all.filter((seat) => !view.seats.some((sitting) => sitting.seat === seat));
}

/** Whether the bank is the viewer's. @param {View} view */
export const banks = (view) => view.you !== null && view.round?.bank?.seat === view.you;

/** Whether the viewer has something to do before the clock runs out. @param {View} view */
export function isYourTurn(view) {
  const own = ownSeat(view);
  if (!own || own.out) return false;
  if (view.phase === "offering") return view.offered === view.you;
  if (view.phase === "wagers") return !own.ready;
  return view.phase === "settings" && own.hand !== null && !own.hand.set;
}

/** How long the part of the round that goes on may take. @param {View} view */
export function clockOf({ phase, facts }) {
  const clocks = { waiting: 0, offering: facts.clocks.bank, wagers: facts.clocks.wagers, settings: facts.clocks.settings, between: facts.clocks.between };
  return clocks[phase];
}

/** Whether hands lie open. @param {View} view */
export const isOver = (view) => view.phase === "between" || view.phase === "waiting";

/** The lines of a seat. @param {Line[]} lines @param {number} seat */
export const linesOf = (lines, seat) => lines.filter((line) => line.who === `seat-${seat}`);

/** The line that decides a wager of a seat. @param {Line[]} lines @param {number} seat @param {string} wager */
export function decides(lines, seat, wager) {
  return lines.find((line) => line.who === `seat-${seat}` && line.wager === wager && !["envy", "collection", "commission"].includes(line.outcome));
}

/** What a hand shows, where it lies open and set. @param {HandView | null} hand @param {Ranking} ranking */
export function shapesOf(hand, ranking) {
  if (!hand?.low || !hand.high) return null;
  return { low: lowHand(cardsOf(hand.low), ranking), high: highHand(cardsOf(hand.high), ranking) };
}

/** The wagers besides the base game. @param {View} view */
export const sideWagers = (view) => view.facts.wagers.filter((facts) => facts.wager !== BASE);

/** Whether a seat's wager earns a share in others' luck. @param {View} view @param {SeatView} seat */
export function hasEnvy(view, seat) {
  return view.facts.wagers.some(({ wager, envy_from_cents: from }) => from !== null && (seat.wagers[wager]?.cents ?? 0) >= from);
}

/** The seat that gets the first hand: where the dice fell, or the bank. Nothing where it is the dealer. @param {View} view @returns {number | null} */
export function actionSeat({ round, facts }) {
  return round?.dice && round.dice <= facts.seats ? round.dice : null;
}
