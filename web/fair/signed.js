// Verification of the house's signatures.

import { be64, be8, fixed, join, text } from "./bytes.js";
import { seatsOf } from "./verify.js";

/**
 * @typedef {import("./bytes.js").Bytes} Bytes
 * @typedef {boolean | null} Verdict `null`: not checked
 */

/** Label of receipts and of their signatures. */
export const RECEIPT = "paigow receipt 1";

/** Returns the message that the house signs when a round opens. @param {{ table: string, round: number | bigint, rules: string, commitment: string, at: number }} opened */
export const openedMessage = ({ table, round, rules, commitment, at }) =>
  join(text("paigow opened 2"), text(table), be64(round), text(rules), fixed(commitment), be64(at));

/** Returns the message that the house signs when wagers close. @param {{ table: string, round: number | bigint, commitment: string, commitments: Record<string, string> }} closed */
export function closedMessage({ table, round, commitment, commitments }) {
  const seats = seatsOf(commitments);
  return join(text("paigow closed 2"), text(table), be64(round), fixed(commitment), be8(seats.length), ...seats.map((seat) => join(be8(seat), fixed(commitments[seat]))));
}

/** Returns the message that the house signs for a receipt. @param {string} payload */
export const receiptMessage = (payload) => join(text(RECEIPT), new TextEncoder().encode(payload));

/**
 * Whether a signature is valid for a key and a message; `null` if the browser lacks Ed25519 or WebCrypto.
 * @param {string} publicKey @param {string} signature @param {Bytes} message @param {SubtleCrypto | undefined} [subtle] @returns {Promise<Verdict>}
 */
export async function verifies(publicKey, signature, message, subtle = globalThis.crypto.subtle) {
  const [key, signed] = [fixed(publicKey), fixed(signature, 64)];
  if (!subtle) return null;
  try {
    const imported = await subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
    return await subtle.verify({ name: "Ed25519" }, imported, signed, message);
  } catch (error) {
    if (error instanceof Error && error.name === "NotSupportedError") return null;
    return false;
  }
}
