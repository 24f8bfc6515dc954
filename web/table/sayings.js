// What is said aloud of what happens: your turn at once, results politely, nothing of every tick.

import { money } from "../money.js";
import { words } from "../words.js";
import { ownSeat, shapesOf } from "./model.js";
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
  const own = ownSeat(view);
  switch (event.event) {
    case "sat": return polite(event.seat === view.you ? say.youSat(event.seat) : say.sat(event.seat));
    case "stood": return polite(say.stood(event.seat));
    case "bank_offered": return event.seat === view.you ? now(say.bankYours) : polite(say.bankOffered(event.seat));
    case "bank_taken": return polite(say.bankTaken(event.seat));
    case "wagers_opened": return own && !own.out ? now(say.wagersOpen(view.round?.round ?? 0)) : polite(say.wagersOpen(view.round?.round ?? 0));
    case "dealt": {
      const cards = sorted(cardsOf(own?.hand?.cards)).map((card) => cardName(card));
      return cards.length > 0 ? now(say.dealt(cards.join(", "))) : polite(say.dealtOthers);
    }
    case "hand_set": return event.seat === view.you && event.by === "clock" ? now(say.clockSet) : null;
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
  const banker = shapes ? say.bankerHas(lowWords(shapes.low), highWords(shapes.high)) : "";
  const net = before.you === null ? undefined : round?.net_cents?.[before.you];
  return [say.settled(round?.round ?? 0), banker, net === undefined ? "" : say.net(net, money(Math.abs(net)))].filter(Boolean).join(" ");
}

/** @param {string} text @returns {Saying} */
const polite = (text) => ({ text, how: "polite" });
/** @param {string} text @returns {Saying} */
const now = (text) => ({ text, how: "assertive" });
