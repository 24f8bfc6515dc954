// Values derived from a view.

import { cardsOf } from "../cards/card-text.js";
import { highHand, lowHand } from "../cards/evaluate.js";
import { short } from "../money.js";
import { words } from "../words.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").SeatView} SeatView
 * @typedef {import("./view-types.js").RoundView} RoundView
 * @typedef {import("./view-types.js").HandView} HandView
 * @typedef {import("./view-types.js").Line} Line
 * @typedef {import("../cards/evaluate.js").Ranking} Ranking
 */

/** Returns the acting seat of the viewer. @param {View} view @returns {SeatView | null} */
export function ownSeat(view) {
  return view.seats.find((seat) => seat.seat === view.you) ?? null;
}

/** Returns the free seats. @param {View} view */
export function freeSeats(view) {
  const all = Array.from({ length: view.facts.seats }, (_, index) => index + 1);
  return all.filter((seat) => !view.seats.some((sitting) => sitting.seat === seat));
}

/** Returns all seats of the viewer. @param {View} view */
export const viewerSeats = (view) => view.yours ?? [];

/** Whether a seat belongs to the viewer. @param {View} view @param {number | null} seat */
export const isViewerSeat = (view, seat) => seat !== null && viewerSeats(view).includes(seat);

/** Whether the viewer can take another seat. @param {View} view */
export const canSit = (view) => !view.closing && !view.closed && viewerSeats(view).length < view.facts.hands_per_player;

/** Whether the acting seat of the viewer banks. @param {View} view */
export const isBanking = (view) => view.you !== null && view.round?.bank?.seat === view.you;

/** Describes how much of the wagers a bank covers. @param {NonNullable<RoundView["bank"]>} bank */
export function coverText({ covers_cents: covers, action_cents: action, reserve_cents: reserve, left_cents: left }) {
  const { felt: say } = words;
  const base = action > 0 ? say.coversOf(short(Math.min(covers, action)), short(action), short(left)) : say.coversShort(short(covers));
  return reserve ? `${base}, ${say.reserved(short(reserve))}` : base;
}

/** Whether a seat has a hand that it must set. A seat that leaves or sits out still sets the hand of the current round. @param {View} view @param {SeatView} seat */
export const hasHandToSet = (view, seat) => view.phase === "settings" && seat.hand !== null && !seat.hand.set;

/** Whether a seat must act before the deadline. @param {View} view @param {SeatView} seat */
function isTurnOf(view, seat) {
  if (hasHandToSet(view, seat)) return true;
  if (seat.out) return false;
  if (view.phase === "offering") return view.offered === seat.seat;
  // The other seats of a player who banks place no wagers.
  return view.phase === "wagers" && !seat.ready && !(isViewerSeat(view, view.round?.bank?.seat ?? null) && view.round?.bank?.seat !== seat.seat);
}

/** Whether a seat of the viewer must act before the deadline. @param {View} view */
export const isViewerTurn = (view) => view.seats.some((seat) => isViewerSeat(view, seat.seat) && isTurnOf(view, seat));

/** Returns the acting seat of the viewer: the chosen seat, unless only another one must act. @param {View} view @param {number | null} chosen */
export function actingSeat(view, chosen) {
  const own = view.seats.filter((seat) => isViewerSeat(view, seat.seat));
  const preferred = own.find((seat) => seat.seat === chosen) ?? own[0];
  const waiting = own.find((seat) => isTurnOf(view, seat));
  return (preferred && !isTurnOf(view, preferred) && waiting ? waiting : preferred)?.seat ?? null;
}

/** The longest clock that the server allows, for players in their own time. The page shows only its last minute. */
export const OWN_TIME_MS = 3_600_000;

/** Returns the clock of the current phase, in milliseconds; 0 if it has none. @param {View} view */
export function clockOf({ phase, facts }) {
  const clocks = { waiting: 0, offering: facts.clocks.bank, wagers: facts.clocks.wagers, revealing: 0, settings: facts.clocks.settings, between: facts.clocks.between };
  return clocks[phase];
}

/** Returns the settlement lines of a seat. @param {Line[]} lines @param {number} seat */
export const linesOf = (lines, seat) => lines.filter((line) => line.who === `seat-${seat}`);

/** Returns the settlement line that decides a wager. @param {Line[]} lines @param {number} seat @param {string} wager */
export function decidingLine(lines, seat, wager) {
  return lines.find((line) => line.who === `seat-${seat}` && line.wager === wager && !["envy", "collection", "commission"].includes(line.outcome));
}

/** Returns the ranks of both hands; `null` unless the hand is open and set. @param {HandView | null} hand @param {Ranking} ranking */
export function handRanks(hand, ranking) {
  if (!hand?.low || !hand.high) return null;
  return { low: lowHand(cardsOf(hand.low), ranking), high: highHand(cardsOf(hand.high), ranking) };
}

/**
 * Progress of a settlement: the number of lines done, the last step done, and whether all steps are done.
 * @typedef {{ lines: number, step: import("../protocol").StepView | null, over: boolean }} Progress
 */

/** @type {Progress} */
export const OVER = { lines: Infinity, step: null, over: true };

/** Nothing is settled yet. @type {Progress} */
export const START = { lines: 0, step: null, over: false };

/** Returns the number of settlement steps done at a time. @param {RoundView | null} round @param {number} now by the server's clock */
export function stepsDone(round, now) {
  const since = now - (round?.settled_at ?? 0);
  return (round?.steps ?? []).filter(({ offset_ms: offset }) => offset <= since).length;
}

/** Returns the progress of a settlement after a number of steps. @param {RoundView | null} round @param {number} done @returns {Progress} */
export function progressOf(round, done) {
  const steps = round?.steps ?? [];
  if (done >= steps.length) return OVER;
  const step = steps[done - 1] ?? null;
  return { lines: step ? step.first_line + step.lines : 0, step, over: false };
}

/** Returns the net result of a seat so far; undefined before the settlement. @param {View} view @param {number} seat @param {Progress} progress @returns {number | undefined} */
export function netOf(view, seat, { step, over }) {
  return over ? view.round?.net_cents?.[seat] : step?.net_cents[seat];
}

/** Returns the name of a seat's envy button, or `null`. It stays until all wagers are reconciled. @param {View} view @param {SeatView} seat @param {Progress} progress @returns {string | null} */
export function envyButton(view, seat, { step, over }) {
  if (view.round?.lines && over) return null;
  const hasButton = (/** @type {string} */ wager) => (step ? step.buttons.some((button) => button.seat === seat.seat && button.wager === wager) : seat.wagers[wager]?.button);
  return view.facts.wagers.find(({ wager }) => hasButton(wager))?.envy_button ?? null;
}

/** Returns the seat that the dice chose for the first hand, or `null` if it is the dealer. @param {View} view @returns {number | null} */
export function actionSeat({ round, facts }) {
  return round?.dice && round.dice <= facts.seats ? round.dice : null;
}
