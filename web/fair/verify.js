// A deal made again from what decided it, in the browser: whether the table dealt what it was committed to.
// The derivation is that of the paigow-table crate's module `fair`; `golden/deals.golden` has examples for both.

import { DECK } from "../cards/card-text.js";

/**
 * @typedef {object} FairDeal
 * @property {string} secret 64 hexadecimal digits, shown when the round is over
 * @property {string} table
 * @property {number | bigint} round
 * @property {Record<string, string>} bytes what seats have added, by their numbers
 */

const subtle = globalThis.crypto.subtle;
const WORDS = 2 ** 32;

/** What the table must have shown before wagers were made. @param {FairDeal} deal @returns {Promise<string>} */
export async function commitment({ secret, table, round }) {
  const text = join(lengthFirst(ascii("paigow commitment 1")), lengthFirst(ascii(table)), be64(round), fromHex(secret));
  return toHex(new Uint8Array(await subtle.digest("SHA-256", text)));
}

/** All 53 cards in the order they are dealt. @param {FairDeal} deal @returns {Promise<string[]>} */
export async function shuffle(deal) {
  const next = await wordsOf("paigow shuffle 1", deal);
  const cards = [...DECK];
  for (let last = cards.length - 1; last > 0; last--) {
    const other = await below(last + 1, next);
    [cards[last], cards[other]] = [cards[other], cards[last]];
  }
  return cards;
}

/** The place the dice choose, of so many. @param {FairDeal} deal @param {number} places */
export async function dice(deal, places) {
  return (await below(places, await wordsOf("paigow dice 1", deal))) + 1;
}

/** A number below `count`, all equally likely: words that would make some likelier are passed over. @param {number} count @param {() => Promise<number>} next */
async function below(count, next) {
  const limit = WORDS - (WORDS % count);
  for (;;) {
    const word = await next();
    if (word < limit) return word % count;
  }
}

/** The words that choose, one after the other. @param {string} label @param {FairDeal} deal @returns {Promise<() => Promise<number>>} */
async function wordsOf(label, { secret, table, round, bytes }) {
  const seats = Object.keys(bytes).map(Number).sort((one, other) => one - other);
  const added = seats.map((seat) => join(new Uint8Array([seat]), lengthFirst(fromHex(bytes[seat]))));
  const text = join(lengthFirst(ascii(label)), lengthFirst(ascii(table)), be64(round), ...added);
  const key = await hmac(fromHex(secret), text);
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

/** @param {Uint8Array<ArrayBuffer>} key @param {Uint8Array<ArrayBuffer>} text */
async function hmac(key, text) {
  const made = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", made, text));
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
const ascii = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
/** @param {Uint8Array<ArrayBuffer>} bytes */
const lengthFirst = (bytes) => join(new Uint8Array([bytes.length]), bytes);

/** @param {...Uint8Array<ArrayBuffer>} parts */
function join(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** @param {number} value */
function be32(value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** @param {number | bigint} value */
function be64(value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
