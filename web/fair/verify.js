// Derives a deal from the secret of the house and the bytes of the seats. The specification is `docs/fairness.md`; module `fair` of the
// paigow-table crate does the same. `golden/deals.golden` has examples for both.

import { DECK } from "../cards/card-text.js";
import { be32, be64, be8, fixed, fromHex, hmac, join, lengthPrefixed, sha256, text, toHex } from "./bytes.js";

/**
 * The inputs of a deal.
 * @typedef {object} FairDeal
 * @property {1 | 2} protocol the version of the derivation
 * @property {string} secret 64 hexadecimal digits, shown when the round is over
 * @property {string} table
 * @property {number | bigint} round
 * @property {string} [rules] digest of the table's rules; version 2
 * @property {Record<string, string>} [commitments] commitments of seats when wagers were closed; version 2
 * @property {Record<string, string>} bytes revealed (version 2) or added (version 1), by seat
 * @typedef {import("./bytes.js").Bytes} Bytes
 */

const WORD_RANGE = 2 ** 32;

/** Returns the commitment of the house to a secret, as published when the round opens. @param {Omit<FairDeal, "bytes">} deal @returns {Promise<string>} */
export async function commitment({ protocol, secret, table, round, rules = "" }) {
  const middle = protocol === 1 ? [] : [text(rules)];
  return toHex(await sha256(join(text(`paigow commitment ${protocol}`), text(table), be64(round), ...middle, fixed(secret))));
}

/** Returns the commitment of a seat to its bytes. @param {{ table: string, round: number | bigint, seat: number, bytes: string }} own @returns {Promise<string>} */
export async function seatCommitment({ table, round, seat, bytes }) {
  return toHex(await sha256(join(text("paigow seat 2"), text(table), be64(round), be8(seat), fixed(bytes))));
}

/** Returns all 53 cards in the order of the shuffle. @param {FairDeal} deal @returns {Promise<string[]>} */
export async function shuffle(deal) {
  const next = wordStream(await keyOf("shuffle", deal));
  const cards = [...DECK];
  for (let last = cards.length - 1; last > 0; last--) {
    const other = await uniformBelow(last + 1, next);
    [cards[last], cards[other]] = [cards[other], cards[last]];
  }
  return cards;
}

/** Returns the value of the dice, from 1 to the number of packet owners. @param {FairDeal} deal @param {number} owners */
export async function dice(deal, owners) {
  return (await uniformBelow(owners, wordStream(await keyOf("dice", deal)))) + 1;
}

/** Returns a uniform number below `count`. Words at or above the largest multiple of `count` are rejected. @param {number} count @param {() => Promise<number>} next */
async function uniformBelow(count, next) {
  const limit = WORD_RANGE - (WORD_RANGE % count);
  for (;;) {
    const word = await next();
    if (word < limit) return word % count;
  }
}

/** Returns the key for the shuffle or the dice. @param {"shuffle" | "dice"} purpose @param {FairDeal} deal */
async function keyOf(purpose, deal) {
  const { protocol, secret, table, round, bytes } = deal;
  if (protocol === 2) return hmac(await dealKey(deal), text(`paigow ${purpose} 2`));
  const added = seatsOf(bytes).map((seat) => join(be8(seat), lengthPrefixed(fromHex(bytes[seat]))));
  return hmac(fixed(secret), join(text(`paigow ${purpose} 1`), text(table), be64(round), ...added));
}

/** Returns the deal key of version 2, from the secret of the house and all seats that committed. @param {FairDeal} deal */
async function dealKey({ secret, table, round, rules = "", commitments = {}, bytes }) {
  const seats = seatsOf(commitments);
  const added = seats.map((seat) => {
    const shown = bytes[seat] === undefined ? [be8(0)] : [be8(1), fixed(bytes[seat])];
    return join(be8(seat), fixed(commitments[seat]), ...shown);
  });
  const beacon = text("");
  return hmac(fixed(secret), join(text("paigow deal 2"), text(table), be64(round), text(rules), beacon, be8(seats.length), ...added));
}

/** Returns the seats of a map in ascending order. @param {Record<string, unknown>} bySeat */
export const seatsOf = (bySeat) => Object.keys(bySeat).map(Number).sort((one, other) => one - other);

/** Returns a generator of 32-bit words from a key. @param {Bytes} key @returns {() => Promise<number>} */
function wordStream(key) {
  let block = 0;
  /** @type {number[]} */
  let buffer = [];
  return async () => {
    if (buffer.length === 0) {
      const view = new DataView((await hmac(key, be32(block++))).buffer);
      buffer = Array.from({ length: 8 }, (_, index) => view.getUint32(4 * index));
    }
    return /** @type {number} */ (buffer.shift());
  };
}
