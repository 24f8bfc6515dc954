// The reveal of a settled round: its moments, in milliseconds after the settlement.

import { START } from "./model.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {typeof STAGES[number]} Stage
 * @typedef {object} Moment a state of the reveal
 * @property {number} at milliseconds after the settlement
 * @property {Stage} stage
 * @property {number | null} seat the seat being settled, if the seat at the bottom banks
 * @property {number[]} settled other seats whose hands and results are open
 */

/** Stages in order. With `seats`, a banker's hand is compared with one seat after the other. */
export const STAGES = /** @type {const} */ (["down", "seats", "high", "high-verdict", "low", "low-verdict", "verdict", "others", "over"]);

/** Pause before the first card turns. */
const BEFORE = 300;
/** The high hand: five cards, 70 ms apart. */
export const TURN_MS = 360;
export const APART_MS = 70;
const HIGH = TURN_MS + 4 * APART_MS;
const PAUSE = 450;
const LOW = TURN_MS + APART_MS;
const PILL = 280;
const OWN_CHIPS = 420;
/** Time for each seat against a banker at the bottom. */
const EACH = 900;
/** Interval between two other seats, and their maximum total. */
const OTHER = 120;
const OTHERS_MAX = 1200;
const OTHER_TURN = 300;
/** Part of the time between rounds that the reveal may take. */
const SHARE_MAX = 0.6;

/** The end of a reveal: all hands and results are open. @type {Moment} */
export const REVEALED = { at: 0, stage: "over", seat: null, settled: [] };

/** The moment of a replay: the seats whose lines are settled so far. @param {View} view @param {number} bottom @param {import("./model.js").Progress} progress @returns {Moment} */
export function replayMoment(view, bottom, progress) {
  if (progress.over) return REVEALED;
  const settled = (view.round?.lines ?? []).slice(0, progress.lines).flatMap(({ who }) => Number(/^seat-(\d+)$/.exec(who)?.[1] ?? NaN) || []);
  return { ...REVEALED, stage: settled.includes(bottom) ? "others" : "low-verdict", settled };
}

/** Whether a moment has reached a stage. @param {Moment} moment @param {Stage} stage */
export const reached = (moment, stage) => STAGES.indexOf(moment.stage) >= STAGES.indexOf(stage);

/** Whether the hand and the result of another seat are open. @param {Moment} moment @param {number} seat */
export const isSettled = (moment, seat) => moment.stage === "over" || moment.settled.includes(seat);

/** Progress of the settlement on the felt. @param {Moment} moment @param {import("./model.js").Progress} progress of the server's steps */
export const shownProgress = (moment, progress) => (reached(moment, "verdict") ? progress : START);

/** Returns the other seats with a hand, in the order of the settlement. @param {View} view @param {number} bottom */
export function settledSeats(view, bottom) {
  const playing = view.seats.filter(({ hand, seat }) => hand && seat !== bottom).map(({ seat }) => seat);
  const order = (view.round?.lines ?? []).flatMap(({ who }) => Number(/^seat-(\d+)$/.exec(who)?.[1] ?? NaN) || []);
  const place = (/** @type {number} */ seat) => (order.includes(seat) ? order.indexOf(seat) : order.length);
  return playing.sort((one, other) => place(one) - place(other));
}

/**
 * Returns the moments of a reveal.
 * @param {View} view of the settled round @param {number} bottom the seat at the bottom @param {number} between milliseconds until the next round
 * @returns {Moment[]}
 */
export function timeline(view, bottom, between) {
  const others = settledSeats(view, bottom);
  /** @type {Moment[]} */
  const moments = [];
  let at = 0;
  const add = (/** @type {Stage} */ stage, /** @type {number} */ length, /** @type {Partial<Moment>} */ more = {}) => {
    moments.push({ at, stage, seat: null, settled: [], ...more });
    at += length;
  };
  add("down", BEFORE);
  if (view.round?.bank?.seat === bottom) {
    others.forEach((seat, index) => add("seats", EACH, { seat, settled: others.slice(0, index) }));
    add("verdict", OWN_CHIPS, { seat: others.at(-1) ?? null, settled: others });
  } else {
    add("high", HIGH);
    add("high-verdict", PAUSE);
    add("low", LOW);
    add("low-verdict", PILL);
    add("verdict", OWN_CHIPS);
    const apart = Math.min(OTHER, (OTHERS_MAX - OTHER_TURN) / Math.max(1, others.length));
    others.forEach((_, index) => add("others", apart, { settled: others.slice(0, index + 1) }));
    at += OTHER_TURN;
  }
  moments.push({ ...REVEALED, at });
  const scale = Math.min(1, (between * SHARE_MAX) / at);
  return moments.map((moment) => ({ ...moment, at: Math.round(moment.at * scale) }));
}
