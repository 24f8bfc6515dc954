// What follows from a view.

import { cardsOf } from "../cards/card-text.js";
import { highHand, lowHand } from "../cards/evaluate.js";
import { short } from "../money.js";
import { words } from "../words.js";
import { BASE } from "./reduce.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").SeatView} SeatView
 * @typedef {import("./view-types.js").RoundView} RoundView
 * @typedef {import("./view-types.js").HandView} HandView
 * @typedef {import("./view-types.js").Line} Line
 * @typedef {import("../cards/evaluate.js").Ranking} Ranking
 */

/** The viewer's seat that acts now. @param {View} view @returns {SeatView | null} */
export function ownSeat(view) {
  return view.seats.find((seat) => seat.seat === view.you) ?? null;
}

/** Seats nobody sits at. @param {View} view */
export function freeSeats(view) {
  const all = Array.from({ length: view.facts.seats }, (_, place) => place + 1);
  return all.filter((seat) => !view.seats.some((sitting) => sitting.seat === seat));
}

/** All seats of the viewer. @param {View} view */
export const yoursOf = (view) => view.yours ?? [];

/** Whether a seat is one of the viewer's. @param {View} view @param {number | null} seat */
export const isYours = (view, seat) => seat !== null && yoursOf(view).includes(seat);

/** Whether the viewer may sit down at one more seat. @param {View} view */
export const maySit = (view) => !view.closing && !view.closed && yoursOf(view).length < view.facts.hands_per_player;

/** Whether the seat that acts for the viewer banks. @param {View} view */
export const banks = (view) => view.you !== null && view.round?.bank?.seat === view.you;

/** What a bank covers of the wagers against it, in words. @param {NonNullable<RoundView["bank"]>} bank */
export function coverWords({ covers_cents: covers, action_cents: action, reserve_cents: reserve, left_cents: left }) {
  const { felt: say } = words;
  const base = action > 0 ? say.coversOf(short(Math.min(covers, action)), short(action), short(left)) : say.coversShort(short(covers));
  return reserve ? `${base}, ${say.reserved(short(reserve))}` : base;
}

/** Whether a seat has something to do before the clock runs out. @param {View} view @param {SeatView} seat */
function isTurnOf(view, seat) {
  if (seat.out) return false;
  if (view.phase === "offering") return view.offered === seat.seat;
  // The other seats of a player who banks place no wagers.
  if (view.phase === "wagers") return !seat.ready && !(isYours(view, view.round?.bank?.seat ?? null) && view.round?.bank?.seat !== seat.seat);
  return view.phase === "settings" && seat.hand !== null && !seat.hand.set;
}

/** Whether the viewer has something to do before the clock runs out. @param {View} view */
export const isYourTurn = (view) => view.seats.some((seat) => isYours(view, seat.seat) && isTurnOf(view, seat));

/** The seat that acts for the viewer: the chosen one while it has something to do, else another that has. @param {View} view @param {number | null} chosen */
export function actingSeat(view, chosen) {
  const own = view.seats.filter((seat) => isYours(view, seat.seat));
  const kept = own.find((seat) => seat.seat === chosen) ?? own[0];
  const waiting = own.find((seat) => isTurnOf(view, seat));
  return (kept && !isTurnOf(view, kept) && waiting ? waiting : kept)?.seat ?? null;
}

/** How long the part of the round that goes on may take. @param {View} view */
export function clockOf({ phase, facts }) {
  const clocks = { waiting: 0, offering: facts.clocks.bank, wagers: facts.clocks.wagers, revealing: 0, settings: facts.clocks.settings, between: facts.clocks.between };
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

/**
 * How far a settlement has come: how many lines are done, the step done last, and whether all of it is.
 * @typedef {{ lines: number, step: import("../protocol").StepView | null, over: boolean }} Progress
 */

/** @type {Progress} */
export const OVER = { lines: Infinity, step: null, over: true };

/** How many steps are done at a time. @param {RoundView | null} round @param {number} now by the server's clock */
export function stepsDone(round, now) {
  const since = now - (round?.settled_at ?? 0);
  return (round?.steps ?? []).filter(({ offset_ms: offset }) => offset <= since).length;
}

/** How far a settlement has come after some of its steps. @param {RoundView | null} round @param {number} done @returns {Progress} */
export function progressOf(round, done) {
  const steps = round?.steps ?? [];
  if (done >= steps.length) return OVER;
  const step = steps[done - 1] ?? null;
  return { lines: step ? step.first_line + step.lines : 0, step, over: false };
}

/** What a seat has won or lost so far; nothing before its round is settled. @param {View} view @param {number} seat @param {Progress} progress @returns {number | undefined} */
export function netOf(view, seat, { step, over }) {
  return over ? view.round?.net_cents?.[seat] : step?.net_cents[seat];
}

/** What marks that a seat earns envy bonuses, while it lies: until all wagers are reconciled. @param {View} view @param {SeatView} seat @param {Progress} progress @returns {string | null} */
export function envyButton(view, seat, { step, over }) {
  if (view.round?.lines && over) return null;
  const lies = (/** @type {string} */ wager) => (step ? step.buttons.some((button) => button.seat === seat.seat && button.wager === wager) : seat.wagers[wager]?.button);
  return view.facts.wagers.find(({ wager }) => lies(wager))?.envy_button ?? null;
}

/** The seat that gets the first hand: where the dice fell, or the bank. Nothing where it is the dealer. @param {View} view @returns {number | null} */
export function actionSeat({ round, facts }) {
  return round?.dice && round.dice <= facts.seats ? round.dice : null;
}
