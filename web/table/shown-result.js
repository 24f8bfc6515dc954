// The result of a round on the felt. It stays until the viewer dismisses it or the next round opens, or as long as the viewer holds it.

import { isViewerSeat } from "./model.js";
import { clearedView, withSeatsLeft } from "./scene.js";

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

  /** Whether the view shows the result of its round. The result of a player who has stood up stays when the table rests. @param {View | null} view */
  isShown(view) {
    if (this.held) return true;
    if (!view?.round || view.round.round === this.#dismissed) return false;
    return view.phase === "between" || (view.phase === "waiting" && this.#seatsLeft(view).length > 0);
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
    if (!sitting?.hand || !this.isShown(view) || this.held) return;
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
