// What is said aloud of what happens: your turn at once, results politely, nothing of every tick.

import { money } from "../money.js";
import { words } from "../words.js";
import { isYours, ownSeat, shapesOf, yoursOf } from "./model.js";
import { highWords, lowWords, cardName } from "../cards/names.js";
import { cardsOf, sorted } from "../cards/card-text.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {{ text: string, how: "polite" | "assertive" }} Saying
 */

/** @param {import("./view-types.js").SeenEvent} event @param {import("./view-types.js").View} before @param {TableState} state @returns {Saying | null} */
export function sayingOf(event, before, state) {
  const view = /** @type {import("./view-types.js").View} */ (state.view);
  const { say } = words;
  const bank = words.banker(view.facts.terms.banker);
  const own = ownSeat(view);
  switch (event.event) {
    case "sat": return polite(isYours(view, event.seat) ? say.youSat(event.seat) : say.sat(event.seat));
    case "stood": return polite(say.stood(event.seat));
    case "bank_offered": return isYours(view, event.seat) ? now(bank.offeredTo(words.table.you.toLowerCase())) : polite(bank.offeredTo(seatWords(event.seat)));
    case "bank_taken": return polite(bank.taken(words.table.seat(event.seat)));
    case "wagers_opened": return own && !own.out ? now(say.wagersOpen(view.round?.round ?? 0)) : polite(say.wagersOpen(view.round?.round ?? 0));
    case "dealt": {
      const cards = sorted(cardsOf(own?.hand?.cards)).map((card) => cardName(card));
      return cards.length > 0 ? now(say.dealt(cards.join(", "))) : polite(say.dealtOthers);
    }
    case "hand_set": return isYours(view, event.seat) && event.by === "clock" ? now(say.clockSet) : null;
    case "settled": return polite(settled(view, before, state));
    case "round_voided": return now(say.voided(event.reason));
    case "round_abandoned": return polite(say.abandoned);
    case "paused": return polite(say.paused);
    case "resumed": return polite(say.resumed);
    case "closing": return polite(say.closing);
    case "noticed": return now(say.notice(event.text));
    default: return null;
  }
}

/** @param {import("./view-types.js").View} view @param {import("./view-types.js").View} before @param {TableState} state */
function settled(view, before, state) {
  const { say } = words;
  const round = view.round;
  const bank = round?.bank ? view.seats.find((seat) => seat.seat === round.bank?.seat)?.hand : round?.dealer;
  const shapes = shapesOf(bank ?? null, state.ranking);
  const banker = shapes ? words.banker(view.facts.terms.banker).has(lowWords(shapes.low), highWords(shapes.high)) : "";
  const nets = yoursOf(before).flatMap((seat) => round?.net_cents?.[seat] ?? []);
  const net = nets.length > 0 ? nets.reduce((sum, one) => sum + one, 0) : undefined;
  return [say.settled(round?.round ?? 0), banker, net === undefined ? "" : say.net(net, money(Math.abs(net)))].filter(Boolean).join(" ");
}

/** @param {number} seat */
const seatWords = (seat) => words.table.seat(seat).toLowerCase();
/** @param {string} text @returns {Saying} */
const polite = (text) => ({ text, how: "polite" });
/** @param {string} text @returns {Saying} */
const now = (text) => ({ text, how: "assertive" });
