// Checks a receipt offline: the signature of the house and all evidence in the payload.

import { checkDeal, displayed, isDealt, sameList } from "./check.js";
import { ownerCount } from "./packets.js";
import { RECEIPT, receiptMessage, verifies } from "./signed.js";

/**
 * @typedef {import("./check.js").StepResult} StepResult
 * @typedef {import("../protocol").Receipt} Receipt
 * @typedef {"open" | "settled" | "voided" | "abandoned"} Outcome
 *
 * The signed content of a receipt.
 * @typedef {object} Payload
 * @property {string} table
 * @property {number} round
 * @property {string} book
 * @property {string} rules
 * @property {number} protocol version of the derivation; always 2
 * @property {{ at: number, commitment: string, key: string | null, public_key: string | null, signature: string | null }} opened
 * @property {{ commitments: Record<string, string>, signature: string } | null} closed
 * @property {Record<string, string>} revealed
 * @property {number[]} silent
 * @property {string | null} secret
 * @property {Outcome} outcome
 * @property {{ seats: number, dealer_hand_dealt: boolean } & import("../protocol").DealingFacts} dealing
 * @property {number[]} playing
 * @property {number | null} banker
 * @property {number | null} pile
 * @property {number | null} dice
 * @property {string | null} cards
 * @property {Record<string, string>} hands
 * @property {string | null} dealer
 * @property {unknown[]} settlement
 * @property {Record<string, number>} net_cents
 *
 * @typedef {{ receipt: Receipt, payload: Payload }} ParsedReceipt
 */

/** A file is not a receipt. */
export class InvalidReceipt extends Error {}

/** @type {Outcome[]} */
const OUTCOMES = ["open", "settled", "voided", "abandoned"];
/** A deck has seven packets. */
const OWNERS_MAX = 7;

/** Parses a receipt. @param {string} text @returns {ParsedReceipt} @throws {InvalidReceipt} */
export function readReceipt(text) {
  try {
    /** @type {Receipt} */
    const receipt = JSON.parse(text);
    /** @type {Payload} */
    const payload = JSON.parse(receipt.payload);
    if (receipt.receipt === RECEIPT && isWellFormed(payload)) return { receipt, payload };
  } catch {
    // Invalid JSON or a missing field: the same error as below.
  }
  throw new InvalidReceipt();
}

/** Whether a payload matches its outcome. An open round shows nothing of its deal except the dice. @param {Payload} payload */
function isWellFormed(payload) {
  const evidence = evidenceOf(payload);
  const { seats } = evidence.rulesOfDealing;
  return typeof payload.table === "string" && Number.isSafeInteger(payload.round) && payload.protocol === 2 && OUTCOMES.includes(payload.outcome)
    && Number.isInteger(seats) && seats > 0 && ownerCount(evidence.rulesOfDealing) <= OWNERS_MAX && (evidence.over || (evidence.secret === null && !isDealt(evidence)));
}

/**
 * Checks a receipt step by step.
 * @param {ParsedReceipt} parsed
 * @param {{ seen?: import("./seen.js").SeenRound | null, publicKey?: (key: string) => Promise<string | null | undefined> }} [known] the round as this page first saw it, and the keys of the house
 * @returns {Promise<StepResult[]>}
 */
export async function checkReceipt({ receipt, payload }, { seen = null, publicKey = async () => undefined } = {}) {
  const signed = await verifies(receipt.public_key, receipt.signature, receiptMessage(receipt.payload)).catch(() => false);
  /** @type {StepResult[]} */
  const first = [{ step: "receipt", right: signed }, { step: "keys", right: await areKeysListed(receipt, payload, publicKey) }];
  return displayed([...first, ...await checkDeal(evidenceOf(payload), seen)]);
}

/** Whether the house lists the keys of a receipt; `null` if the list could not be loaded. @param {Receipt} receipt @param {Payload} payload @param {(key: string) => Promise<string | null | undefined>} publicKey */
async function areKeysListed(receipt, { opened }, publicKey) {
  const keys = [receipt, opened].flatMap(({ key, public_key: own }) => (key ? [{ key, own }] : []));
  const found = await Promise.all(keys.map(async ({ key, own }) => ({ own, house: await publicKey(key) })));
  if (found.some(({ house }) => house === undefined)) return null;
  return found.every(({ own, house }) => own === house);
}

/** @param {Payload} payload @returns {import("./check.js").Evidence} */
function evidenceOf(payload) {
  const { seats, dealer_hand_dealt: dealerHand, ...dealing } = payload.dealing;
  const over = payload.outcome !== "open";
  const settled = payload.outcome === "settled" || payload.settlement.length > 0 || Object.keys(payload.net_cents).length > 0;
  // After the deal, a receipt must show the cards and the hand of every seat that played.
  const dealt = over && (settled || payload.dice !== null);
  const playing = dealt ? payload.playing.map((seat) => [seat, null]) : [];
  return {
    protocol: 2, table: payload.table, round: payload.round, rules: payload.rules, over, settled,
    commitment: payload.opened.commitment, openedAt: payload.opened.at, publicKey: payload.opened.public_key, openedSignature: payload.opened.signature,
    commitments: payload.closed?.commitments ?? {}, closedSignature: payload.closed?.signature ?? null, bytes: payload.revealed, silent: payload.silent,
    secret: payload.secret, rulesOfDealing: { seats, dealerHand, dealing },
    playing: payload.playing, certain: true, banker: payload.banker, pile: payload.pile, dice: payload.dice, cards: dealt ? payload.cards ?? "" : payload.cards,
    hands: { ...Object.fromEntries(playing), ...payload.hands }, dealer: payload.dealer,
  };
}

/**
 * Whether two receipts contradict each other: the same round with different commitments, secrets or lists of commitments, or the same rules with
 * different dealing. If the house signed both, they prove its fault.
 * @param {Payload} one @param {Payload} other
 */
export function contradict(one, other) {
  /** @param {Record<string, unknown>} a @param {Record<string, unknown>} b */
  const differ = (a, b) => Object.keys({ ...a, ...b }).some((key) => a[key] !== b[key]);
  if (one.rules === other.rules && differ(one.dealing, other.dealing)) return true;
  if (one.table !== other.table || one.round !== other.round) return false;
  if (one.secret !== null && other.secret !== null && one.secret !== other.secret) return true;
  if (one.opened.commitment !== other.opened.commitment) return true;
  return one.closed !== null && other.closed !== null && !sameList(one.closed.commitments, other.closed.commitments);
}
