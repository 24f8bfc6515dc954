// Announcements of events for screen readers: the viewer's turn is assertive, results are polite.

import { money } from "../money.js";
import { words } from "../words.js";
import { handRanks, isViewerSeat, ownSeat, viewerSeats } from "./model.js";
import { cardName, highHandName, lowHandName } from "../cards/names.js";
import { cardsOf, sorted } from "../cards/card-text.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {{ text: string, how: "polite" | "assertive" }} Announcement
 */

/** @param {import("./view-types.js").SeenEvent} event @param {import("./view-types.js").View} before @param {TableState} state @returns {Announcement | null} */
export function announcementOf(event, before, state) {
  const view = /** @type {import("./view-types.js").View} */ (state.view);
  const { say } = words;
  const bank = words.banker(view.facts.terms.banker);
  const own = ownSeat(view);
  switch (event.event) {
    case "sat": return polite(isViewerSeat(view, event.seat) ? say.youSat(event.seat) : say.sat(event.seat));
    case "stood": return polite(say.stood(event.seat));
    case "sat_out": {
      const asked = typeof event.by === "object" && "player" in event.by;
      return isViewerSeat(view, event.seat) && !asked ? assertive((event.by === "clock" ? say.missed : say.satOut)(event.seat)) : null;
    }
    case "bank_offered": return isViewerSeat(view, event.seat) ? assertive(bank.offeredTo(words.table.you.toLowerCase())) : polite(bank.offeredTo(words.table.seat(event.seat).toLowerCase()));
    case "bank_taken": return polite(bank.taken(words.table.seat(event.seat)));
    case "wagers_opened": return own && !own.out ? assertive(say.wagersOpen(view.round?.round ?? 0)) : polite(say.wagersOpen(view.round?.round ?? 0));
    case "dealt": {
      if (own && state.faceDown.count(own.seat) > 0) return assertive(say.dealtDown);
      const cards = sorted(cardsOf(own?.hand?.cards)).map((card) => cardName(card));
      return cards.length > 0 ? assertive(say.dealt(cards.join(", "))) : polite(say.dealtOthers);
    }
    case "hand_set": return isViewerSeat(view, event.seat) && event.by === "clock" ? assertive(say.clockSet) : null;
    case "settled": return polite(settledText(view, before, state));
    case "round_voided": return assertive(say.voided(event.reason));
    case "round_abandoned": return polite(say.abandoned);
    case "paused": return polite(say.paused);
    case "resumed": return polite(say.resumed);
    case "closing": return polite(say.closing);
    case "noticed": return assertive(say.notice(event.text));
    default: return null;
  }
}

/** @param {import("./view-types.js").View} view @param {import("./view-types.js").View} before @param {TableState} state */
function settledText(view, before, state) {
  const { say } = words;
  const round = view.round;
  const bank = round?.bank ? view.seats.find((seat) => seat.seat === round.bank?.seat)?.hand : round?.dealer;
  const ranks = handRanks(bank ?? null, state.ranking);
  const banker = ranks ? words.banker(round?.bank ? view.facts.terms.banker : words.felt.dealer.toLowerCase()).has(lowHandName(ranks.low), highHandName(ranks.high)) : "";
  const nets = viewerSeats(before).flatMap((seat) => round?.net_cents?.[seat] ?? []);
  const net = nets.length > 0 ? nets.reduce((sum, one) => sum + one, 0) : undefined;
  return [say.settled(round?.round ?? 0), banker, net === undefined ? "" : say.net(net, money(Math.abs(net)))].filter(Boolean).join(" ");
}

/** @param {string} text @returns {Announcement} */
const polite = (text) => ({ text, how: "polite" });
/** @param {string} text @returns {Announcement} */
const assertive = (text) => ({ text, how: "assertive" });
