// The state of a seat in words, and the class of a net result.

import { words } from "../words.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").SeatView} SeatView
 */

/** Returns the CSS class of a net result. @param {number} net */
export const tone = (net) => (net > 0 ? "good" : net < 0 ? "bad" : "push");

/** Returns the status text of a seat. @param {View} view @param {SeatView} seat */
export function seatStatus(view, seat) {
  const { state } = words;
  const say = words.banker(view.facts.terms.banker);
  if (seat.leaving) return state.leaving;
  if (seat.out) return state.out;
  if (view.phase === "offering" && view.offered === seat.seat) return say.isOffered;
  if (view.phase === "wagers") return view.round?.bank?.seat === seat.seat ? say.banks : seat.ready ? state.ready : state.wagering;
  if (view.phase === "revealing") return view.round?.bank?.seat === seat.seat ? say.banks : seat.ready ? state.ready : "";
  if (!seat.hand) return view.phase === "settings" ? state.noHand : "";
  if (!seat.hand.set) return state.setting;
  return seat.hand.by === "player" ? state.set : seat.hand.by === "clock" ? state.clock : state.houseWay;
}
