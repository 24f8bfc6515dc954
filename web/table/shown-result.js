// The result of a round on the felt. It stays until the viewer dismisses it or the next round opens, or as long as the viewer holds it.

import { isViewerSeat, viewerSeats } from "./model.js";
import { clearedView } from "./scene.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").SeatView} SeatView
 */

export class ShownResult {
  /** A view of a result that the viewer keeps on the screen while the table goes on. @type {View | null} */
  held = null;
  /** Number of the round whose result the viewer has dismissed. @type {number | null} */
  #dismissed = null;
  /** Number of the last round in which a player stood up during the result. */
  #round = 0;
  /** Seats of that round whose players have stood up, with their hands and wagers. @type {SeatView[]} */
  #left = [];
  /** Seat of the viewer whose result is shown; `null` for the acting seat. @type {number | null} */
  #chosen = null;

  /** Whether a result is shown: a held result, or the result of the view's round. @param {View | null} view */
  isShown(view) {
    return this.held !== null || this.#hasResult(view);
  }

  /** Whether the view has a result that is not dismissed. The result of a viewer who has stood up stays when the table rests. @param {View | null} view */
  #hasResult(view) {
    if (!view?.round || view.round.round === this.#dismissed) return false;
    return view.phase === "between" || (view.phase === "waiting" && this.#seatsLeft(view).some(({ player }) => player === view.player));
  }

  /** Returns the view to show: a held result, a result with the seats that were left, the table without a dismissed result, or the current state. @param {View | null} view */
  viewOf(view) {
    const shown = this.held ?? (view && this.isShown(view) ? withSeatsLeft(view, this.#seatsLeft(view)) : view?.phase === "between" && view.round ? clearedView(view) : view);
    return shown && this.#chosen !== null && isViewerSeat(shown, this.#chosen) ? { ...shown, you: this.#chosen } : shown;
  }

  /** Shows the result of another seat of the viewer. @param {number} seat */
  choose(seat) {
    this.#chosen = seat;
  }

  /** Keeps a seat in the result whose player stands up. @param {View} view before the player stands up @param {number} seat */
  leave(view, seat) {
    const sitting = view.seats.find((one) => one.seat === seat);
    if (!sitting?.hand || !this.#hasResult(view)) return;
    const round = view.round?.round ?? 0;
    if (this.viewOf(view)?.you === seat) this.#chosen = seat;
    this.#left = [...(round === this.#round ? this.#left : []), sitting];
    this.#round = round;
  }

  /** Keeps the result on the screen. @param {View} view the shown view */
  hold(view) {
    this.held = view;
  }

  /** Returns to the current state of the table. */
  release() {
    this.held = null;
    this.#chosen = null;
  }

  /** Dismisses the result of the round. @param {View} view */
  dismiss(view) {
    this.release();
    this.#dismissed = view.round?.round ?? null;
  }

  /** A round opens: it ends the result, unless the viewer holds it. */
  endRound() {
    if (!this.held) this.#chosen = null;
  }

  /** Drops a result that is no longer valid. */
  forget() {
    this.release();
    this.#dismissed = null;
    this.#left = [];
  }

  /** @param {View} view */
  #seatsLeft(view) {
    return view.round?.round === this.#round ? this.#left : [];
  }
}

/**
 * Returns the view of a result with the seats whose players have stood up since. A player who sits down again keeps the hand, and a seat that the viewer
 * takes is the viewer's.
 * @param {View} view @param {SeatView[]} left seats as they were in the round @returns {View}
 */
function withSeatsLeft(view, left) {
  if (left.length === 0) return view;
  const now = (/** @type {SeatView} */ seat) => view.seats.find((one) => one.seat === seat.seat);
  const kept = left.flatMap((seat) => {
    const sitting = now(seat);
    if (sitting?.player === seat.player) return [{ ...sitting, hand: seat.hand, wagers: seat.wagers }];
    return isViewerSeat(view, seat.seat) ? [] : [seat];
  });
  const seats = [...kept, ...view.seats.filter(({ seat }) => !kept.some((one) => one.seat === seat))].sort((one, other) => one.seat - other.seat);
  const yours = [...new Set([...viewerSeats(view), ...kept.filter(({ player }) => player === view.player).map(({ seat }) => seat)])].sort((one, other) => one - other);
  return { ...view, phase: "between", seats, you: view.you ?? yours[0] ?? null, ...(yours.length > 0 ? { yours } : {}) };
}
