// A round held against what decided it, step by step.

import { cardsOf, sameCards } from "../cards/card-text.js";
import { commitment, dice, shuffle } from "./verify.js";

/**
 * @typedef {{ step: "commitment" | "dice" | "hands", right: boolean }} Checked
 * @typedef {import("../table/view-types.js").SeatView} SeatView
 * @typedef {import("../table/view-types.js").RoundView} RoundView
 */

/**
 * Whether the secret is the one committed to, the dice fell as it says, and every hand shown is one of the packets of seven it
 * shuffles the cards into.
 * @param {string} table
 * @param {RoundView} round
 * @param {SeatView[]} seats
 * @param {{ seats: number, dealer_hand: boolean }} facts
 * @returns {Promise<Checked[]>}
 */
export async function checkRound(table, round, seats, facts) {
  if (!round.secret) return [];
  const deal = { secret: round.secret, table, round: round.round, bytes: round.bytes };
  /** @type {Checked[]} */
  const checked = [{ step: "commitment", right: (await commitment(deal)) === round.commitment }];
  const hands = [...seats.map((seat) => seat.hand), round.dealer].flatMap((hand) => (hand?.cards ? [cardsOf(hand.cards)] : []));
  if (round.dice === null || hands.length === 0) return checked;
  const places = facts.seats + (facts.dealer_hand ? 1 : 0);
  checked.push({ step: "dice", right: (await dice(deal, places)) === round.dice });
  const cards = await shuffle(deal);
  const packets = Array.from({ length: places }, (_, place) => cards.slice(7 * place, 7 * place + 7));
  checked.push({ step: "hands", right: hands.every((hand) => packets.some((packet) => sameCards(packet, hand))) });
  return checked;
}
