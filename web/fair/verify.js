// Derives a deal again, in the browser, from what the house and the seats have shown. `docs/fairness.md` is the specification, and the
// paigow-table crate's module `fair` does the same; `golden/deals.golden` has examples for both.

import { DECK } from "../cards/card-text.js";
import { be32, be64, be8, fixed, fromHex, hmac, join, lengthFirst, sha256, text, toHex } from "./bytes.js";

/**
 * What a deal follows from.
 * @typedef {object} FairDeal
 * @property {1 | 2} protocol the version of the derivation
 * @property {string} secret 64 hexadecimal digits, shown when the round is over
 * @property {string} table
 * @property {number | bigint} round
 * @property {string} [rules] digest of the table's rules; version 2
 * @property {Record<string, string>} [commitments] commitments of seats when wagers were closed; version 2
 * @property {Record<string, string>} bytes what seats have revealed (version 2) or added (version 1), by their numbers
 * @typedef {import("./bytes.js").Bytes} Bytes
 */

const WORDS = 2 ** 32;

/** The commitment that the house must have shown when the round opened. @param {Omit<FairDeal, "bytes">} deal @returns {Promise<string>} */
export async function commitment({ protocol, secret, table, round, rules = "" }) {
  const middle = protocol === 1 ? [] : [text(rules)];
  return toHex(await sha256(join(text(`paigow commitment ${protocol}`), text(table), be64(round), ...middle, fixed(secret))));
}

/** The commitment of a seat to its bytes. @param {{ table: string, round: number | bigint, seat: number, bytes: string }} own @returns {Promise<string>} */
export async function seatCommitment({ table, round, seat, bytes }) {
  return toHex(await sha256(join(text("paigow seat 2"), text(table), be64(round), be8(seat), fixed(bytes))));
}

/** All 53 cards in the order they are dealt. @param {FairDeal} deal @returns {Promise<string[]>} */
export async function shuffle(deal) {
  const next = wordsOf(await keyOf("shuffle", deal));
  const cards = [...DECK];
  for (let last = cards.length - 1; last > 0; last--) {
    const other = await below(last + 1, next);
    [cards[last], cards[other]] = [cards[other], cards[last]];
  }
  return cards;
}

/** The place the dice choose, of so many. @param {FairDeal} deal @param {number} places */
export async function dice(deal, places) {
  return (await below(places, wordsOf(await keyOf("dice", deal)))) + 1;
}

/** A number below `count`, all equally likely: words that would make some likelier are passed over. @param {number} count @param {() => Promise<number>} next */
async function below(count, next) {
  const limit = WORDS - (WORDS % count);
  for (;;) {
    const word = await next();
    if (word < limit) return word % count;
  }
}

/** The key that shuffles or throws the dice. @param {"shuffle" | "dice"} what @param {FairDeal} deal */
async function keyOf(what, deal) {
  const { protocol, secret, table, round, bytes } = deal;
  if (protocol === 2) return hmac(await dealKey(deal), text(`paigow ${what} 2`));
  const added = seatsOf(bytes).map((seat) => join(be8(seat), lengthFirst(fromHex(bytes[seat]))));
  return hmac(fixed(secret), join(text(`paigow ${what} 1`), text(table), be64(round), ...added));
}

/** The key of a deal of version 2, from the house's secret and every seat that committed. @param {FairDeal} deal */
async function dealKey({ secret, table, round, rules = "", commitments = {}, bytes }) {
  const seats = seatsOf(commitments);
  const added = seats.map((seat) => {
    const shown = bytes[seat] === undefined ? [be8(0)] : [be8(1), fixed(bytes[seat])];
    return join(be8(seat), fixed(commitments[seat]), ...shown);
  });
  const beacon = text("");
  return hmac(fixed(secret), join(text("paigow deal 2"), text(table), be64(round), text(rules), beacon, be8(seats.length), ...added));
}

/** Seats in ascending order. @param {Record<string, unknown>} by */
export const seatsOf = (by) => Object.keys(by).map(Number).sort((one, other) => one - other);

/** The words that choose, one after the other. @param {Bytes} key @returns {() => Promise<number>} */
function wordsOf(key) {
  let block = 0;
  /** @type {number[]} */
  let ready = [];
  return async () => {
    if (ready.length === 0) {
      const made = new DataView((await hmac(key, be32(block++))).buffer);
      ready = Array.from({ length: 8 }, (_, place) => made.getUint32(4 * place));
    }
    return /** @type {number} */ (ready.shift());
  };
}
