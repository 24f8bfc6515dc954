// A house for tests. It signs and deals rounds of version 2 by `docs/fairness.md`, with Node's cryptography and without the page's code.

import { createHash, createHmac, generateKeyPairSync, sign } from "node:crypto";

const text = (x) => Buffer.concat([Buffer.from([x.length]), Buffer.from(x, "latin1")]);
const u64 = (x) => { const bytes = Buffer.alloc(8); bytes.writeBigUInt64BE(BigInt(x)); return bytes; };
const u32 = (x) => { const bytes = Buffer.alloc(4); bytes.writeUInt32BE(x); return bytes; };
const u8 = (x) => Buffer.from([x]);
const hex = (x) => Buffer.from(x, "hex");
const sha = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest("hex");
const hmac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();
const ascending = (by) => Object.keys(by).map(Number).sort((one, other) => one - other);

/** Generates a signing key. */
export function newKey(id) {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { key: id, privateKey, public_key: hex(publicKey.export({ format: "der", type: "spki" }).toString("hex").slice(-64)).toString("hex") };
}

export const signed = ({ privateKey }, ...parts) => sign(null, Buffer.concat(parts), privateKey).toString("hex");

export const houseCommitment = ({ table, round, rules, secret }) => sha(text("paigow commitment 2"), text(table), u64(round), text(rules), hex(secret));
export const bytesCommitment = ({ table, round, seat, bytes }) => sha(text("paigow seat 2"), text(table), u64(round), u8(seat), hex(bytes));

/** Signs the list of commitments. */
export function signedList(key, { table, round, commitment, commitments }) {
  const seats = ascending(commitments);
  return signed(key, text("paigow closed 2"), text(table), u64(round), hex(commitment), u8(seats.length), ...seats.flatMap((seat) => [u8(seat), hex(commitments[seat])]));
}

/** Runs a function without WebCrypto, as in a browser on plain http. */
export async function withoutWebCrypto(run) {
  Object.defineProperty(globalThis.crypto, "subtle", { value: undefined, configurable: true });
  try {
    await run();
  } finally {
    delete globalThis.crypto.subtle;
  }
}

/** Derives the cards and the dice of a deal. */
export function derive({ table, round, rules, secret, commitments, bytes }, owners) {
  const seats = ascending(commitments).flatMap((seat) => [u8(seat), hex(commitments[seat]), ...(bytes[seat] ? [u8(1), hex(bytes[seat])] : [u8(0)])]);
  const deal = hmac(hex(secret), text("paigow deal 2"), text(table), u64(round), text(rules), text(""), u8(ascending(commitments).length), ...seats);
  const below = (label) => {
    const key = hmac(deal, text(label));
    const words = [];
    let block = 0;
    return (n) => {
      for (;;) {
        if (words.length === 0) {
          const digest = hmac(key, u32(block++));
          for (let index = 0; index < 8; index++) words.push(digest.readUInt32BE(4 * index));
        }
        const word = words.shift();
        if (word < 2 ** 32 - (2 ** 32 % n)) return word % n;
      }
    };
  };
  const cards = [..."cdhs"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit)).concat("Jk");
  const choose = below("paigow shuffle 2");
  for (let i = 53; i >= 2; i--) {
    const k = choose(i);
    [cards[i - 1], cards[k]] = [cards[k], cards[i - 1]];
  }
  return { cards, dice: below("paigow dice 2")(owners) + 1 };
}

export const FACTS = {
  seats: 6, dealer_hand: true, rules: "ab".repeat(32),
  dealing: { order: "counter_clockwise", spots: "every", first: "dice", dealer_hand: "in_order", action_pile: false },
};

/**
 * Returns a settled round at a table with six seats and a dealer. Seats 2, 3 and 5 play, 2 and 5 have committed, and seats in `silent` did not
 * reveal. Seat 2 is the viewer's. With `active`, only seats that play get a packet; the dice must then choose a seat that plays.
 */
export function playRound({ key = newKey("0011223344556677"), round = 7, silent = [], active = false } = {}) {
  const table = "fair-1";
  const { rules } = FACTS;
  const secret = sha(Buffer.from(`secret ${round}`));
  const commitment = houseCommitment({ table, round, rules, secret });
  const opened_at = 1_790_000_000_123;
  const signature = signed(key, text("paigow opened 2"), text(table), u64(round), text(rules), hex(commitment), u64(opened_at));
  const drawn = { 2: sha(Buffer.from(`two ${round}`)), 5: sha(Buffer.from(`five ${round}`)) };
  const commitments = Object.fromEntries(Object.entries(drawn).map(([seat, bytes]) => [seat, bytesCommitment({ table, round, seat: Number(seat), bytes })]));
  const closed_signature = signedList(key, { table, round, commitment, commitments });
  const bytes = Object.fromEntries(Object.entries(drawn).filter(([seat]) => !silent.includes(Number(seat))));
  const { cards, dice } = derive({ table, round, rules, secret, commitments, bytes }, 7);
  // In counter-clockwise order, the dealer is between seat 1 and seat 6.
  const ring = [7, 6, 5, 4, 3, 2, 1];
  const order = [...ring.slice(ring.indexOf(dice)), ...ring.slice(0, ring.indexOf(dice))].filter((owner) => !active || [2, 3, 5, 7].includes(owner));
  const packet = (owner) => cards.slice(7 * order.indexOf(owner), 7 * order.indexOf(owner) + 7).join(" ");
  const hand = (owner) => ({ cards: packet(owner), low: null, high: null, foul: null, set: true, by: "house_way" });
  const seats = [2, 3, 5].map((seat) => ({ seat, player: `p${seat}`, out: false, leaving: false, ready: true, wagers: { "pai-gow": { cents: 500, color: null } }, hand: hand(seat) }));
  const play = {
    round, protocol: 2, commitment, opened_at, key: key.key, signature, commitments, closed_signature, bytes, secret, passed: [], bank: null, pile: null,
    dice, dealer: hand(7), net_cents: { 2: 500, 3: -500, 5: 0 }, lines: [], silent,
  };
  const own = { bytes: drawn[2], commitment: commitments[2], house: commitment, accepted: true, listed: true, sent: true, shown: !silent.includes(2) };
  const seen = { table, round, protocol: 2, commitment, closed: { ...commitments }, seats: { 2: own } };
  return { table, key, play, seats, cards, seen };
}

/** Returns the receipt payload of a round from `playRound`. */
export function payloadOf({ table, key, play, seats, cards }) {
  return {
    table, round: play.round, book: "ez", rules: FACTS.rules, protocol: 2,
    opened: { at: play.opened_at, commitment: play.commitment, key: key.key, public_key: key.public_key, signature: play.signature },
    closed: { commitments: play.commitments, signature: play.closed_signature }, revealed: play.bytes, silent: play.silent, secret: play.secret, outcome: "settled",
    dealing: { seats: 6, dealer_hand_dealt: true, ...FACTS.dealing }, playing: [2, 3, 5], banker: null, pile: null, dice: play.dice, cards: cards.join(" "),
    hands: Object.fromEntries(seats.map(({ seat, hand }) => [seat, hand.cards])), dealer: play.dealer.cards, settlement: [], net_cents: play.net_cents,
  };
}

/** Signs a payload as a receipt. */
export function receiptOf(payload, key) {
  const written = JSON.stringify(payload);
  return JSON.stringify({ receipt: "paigow receipt 1", payload: written, key: key.key, public_key: key.public_key, signature: signed(key, text("paigow receipt 1"), Buffer.from(written)) });
}
