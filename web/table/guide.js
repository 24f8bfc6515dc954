// The guide through the first hand. Its step follows from the state of the table, so a player may skip ahead or go back.

import { settings } from "../settings.js";
import { hasHandToSet, ownSeat } from "./model.js";
import { BASE } from "./reduce.js";

/**
 * @typedef {typeof STEPS[number]} Step
 * @typedef {import("./state.js").TableState} TableState
 */

/** Steps in order. */
export const STEPS = /** @type {const} */ (["wager", "deal", "turn", "choose", "set", "result"]);

/** Returns the step of the viewer's hand; `null` while the viewer waits. @param {TableState} state @returns {Step | null} */
export function stepOf(state) {
  const { view, own, chips, hand, faceDown } = state;
  if (hasResult(state)) return state.held || state.playback.moment.stage === "over" ? "result" : null;
  if (!view || !own) return null;
  if (hasHandToSet(view, own)) {
    if (faceDown.count(own.seat) > 0) return "turn";
    return hand.setting?.legal ? "set" : "choose";
  }
  if (view.phase !== "wagers" || own.ready || own.out || own.leaving) return null;
  return chips.draft[BASE] && chips.faults.length === 0 ? "deal" : "wager";
}

/** Whether the table shows the result of a hand of the viewer. A void round has none. @param {TableState} state */
function hasResult({ shown, showsResult }) {
  return showsResult && Boolean(shown && !shown.round?.voided && ownSeat(shown)?.hand);
}

export class Guide {
  /** @type {Step | null} */
  step = null;
  #ended = settings.value.guided;

  /** Whether the guide may still show a step. */
  get active() {
    return !this.#ended;
  }

  /** Follows the state of the table. The guide ends with the first result, which stays explained until the viewer leaves it. @param {TableState} state */
  update(state) {
    if (this.#ended) return;
    const before = this.step;
    // A table where players bank asks more of a player than one hand.
    this.step = state.view?.facts.banking.seats ? null : stepOf(state);
    if (hasResult(state)) store();
    else if (before === "result") this.end();
  }

  /** Ends the guide for good. */
  end() {
    this.#ended = true;
    this.step = null;
    store();
  }
}

/** Stores that the player has completed a hand or has ended the guide. */
function store() {
  if (!settings.value.guided) settings.change({ guided: true });
}
