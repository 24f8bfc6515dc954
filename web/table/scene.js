// The scene that the board shows: a view with the seat at the bottom, the moment of the reveal, and the names of the players.

import { words } from "../words.js";
import { isViewerSeat, ownSeat } from "./model.js";
import { REVEALED, isSettled, reached, settledSeats } from "./reveal.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").SeatView} SeatView
 * @typedef {import("./view-types.js").HandView} HandView
 * @typedef {import("./reveal.js").Moment} Moment
 * @typedef {object} Scene
 * @property {View} view
 * @property {SeatView | null} own the acting seat of the viewer
 * @property {number} bottom number of the seat at the bottom
 * @property {Moment} moment
 * @property {import("./model.js").Progress} progress progress of the settlement, for seats and texts
 * @property {import("../cards/evaluate.js").Ranking} ranking
 * @property {(player: string) => string} name
 * @property {(player: string) => boolean} bot
 * @property {import("../protocol").BookSummary | null} book
 * @property {import("./state.js").TableState | null} state `null` in a replay
 * @property {((seat: number) => void) | null} sit takes a free seat
 * @property {(seat: number) => void} look shows the hand of a seat
 * @property {{ title: string, text: string, mood?: string }} [call] the call line of a replay, which asks nothing of the viewer
 *
 * @typedef {object} TopHand the hand in the top band
 * @property {"dealer" | "banker" | "seat" | "none"} kind
 * @property {number | null} seat
 * @property {HandView | null} hand
 * @property {boolean} highOpen
 * @property {boolean} lowOpen
 */

/** Returns the seat at the bottom: the viewer's acting seat; for a watcher the chosen seat, or the first taken seat. @param {View} view @param {number | null} watched */
export function bottomSeat(view, watched) {
  if (view.you !== null) return view.you;
  return (watched !== null && watched <= view.facts.seats ? watched : null) ?? view.seats[0]?.seat ?? 1;
}

/** Returns the view without the result of the round, as it looks before the next one. @param {View} view @returns {View} */
export function clearedView(view) {
  const seats = view.seats.map((seat) => ({ ...seat, wagers: {}, hand: null, ready: false }));
  const round = view.round && { ...view.round, bank: null, dice: null, dealer: null, lines: undefined, net_cents: null };
  return { ...view, phase: "waiting", seats, round };
}

/** Returns a seat of the view. @param {View} view @param {number} seat */
export const seatOf = (view, seat) => view.seats.find((one) => one.seat === seat) ?? null;

/** Returns the wagers of a seat as the board shows them: none after a round without a settlement, whose wagers are returned. @param {View} view @param {number} seat @returns {SeatView["wagers"]} */
export function wagersOf(view, seat) {
  const returned = view.round?.voided || (isOpen(view) && !view.round?.lines);
  return returned ? {} : seatOf(view, seat)?.wagers ?? {};
}

/** Returns the name of the player at the bottom, or the number of a free seat: `Seat 3`. @param {Scene} scene */
export function bottomName({ view, bottom, name }) {
  const sitting = seatOf(view, bottom);
  return sitting ? name(sitting.player) : words.table.seat(bottom);
}

/** Whether the seat at the bottom banks. @param {Scene} scene */
export const bottomBanks = ({ view, bottom }) => view.round?.bank?.seat === bottom;

/** Whether the round is settled or void and its hands are open. @param {View} view */
export const isOpen = (view) => view.phase === "between";

/** Returns the hand in the top band. @param {Scene} scene @returns {TopHand} */
export function topHand(scene) {
  const { view, moment } = scene;
  const { round } = view;
  const open = isOpen(view);
  if (bottomBanks(scene)) {
    const seat = moment.seat ?? (open && moment.stage === "over" ? settledSeats(view, scene.bottom).at(-1) ?? null : null);
    const shows = open && seat !== null;
    return { kind: "seat", seat: shows ? seat : null, hand: shows ? seatOf(view, seat)?.hand ?? null : null, highOpen: true, lowOpen: true };
  }
  const seat = round?.bank?.seat ?? null;
  const hand = seat !== null ? seatOf(view, seat)?.hand ?? null : round?.dealer ?? null;
  const kind = seat !== null ? "banker" : view.facts.dealer_hand ? "dealer" : "none";
  return { kind, seat, hand, highOpen: open && reached(moment, "high"), lowOpen: open && reached(moment, "low") };
}

/** Whether the cards of a seat are shown face up, if the view has them. @param {Scene} scene @param {number} seat */
export function isFaceUp({ view, bottom, moment, state }, seat) {
  // A replay has every card.
  if (!state) return true;
  if (!isOpen(view)) return isViewerSeat(view, seat) && state.faceDown.count(seat) === 0;
  return isViewerSeat(view, seat) || isSettled(moment, seat) || (seat === bottom && (reached(moment, "verdict") || moment.stage === "seats"));
}

/** Returns a hand as others see it: face down. @param {HandView} hand @returns {HandView} */
export const concealed = (hand) => ({ ...hand, cards: null, low: null, high: null, foul: null });

/** Returns the scene of a table's state. @param {import("./state.js").TableState} state @param {View} view the shown view @param {Pick<Scene, "sit" | "look">} actions @returns {Scene} */
export function sceneOf(state, view, actions) {
  const moment = state.held ? REVEALED : state.playback.moment;
  return {
    view, own: ownSeat(view), bottom: state.bottom, moment, progress: state.held ? { lines: Infinity, step: null, over: true } : feltProgress(moment),
    ranking: state.ranking, name: (player) => state.name(player), bot: (player) => state.people[player]?.bot ?? false, book: state.book, state, ...actions,
  };
}

/** Progress of the settlement as the felt shows it: nothing before the verdict, everything after the reveal. @param {Moment} moment @returns {import("./model.js").Progress} */
const feltProgress = (moment) => (moment.stage === "over" ? { lines: Infinity, step: null, over: true } : { lines: reached(moment, "verdict") ? Infinity : 0, step: null, over: false });
