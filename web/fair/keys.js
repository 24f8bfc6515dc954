// The public keys the house signs with.

import { ask } from "../api.js";

/** @type {Map<string, string>} */
const known = new Map();

/**
 * The public key with an id: null where the house lists none, undefined where the house could not be asked. A key that is known stays what it was.
 * @param {string} key @returns {Promise<string | null | undefined>}
 */
export async function publicKey(key) {
  if (!known.has(key)) {
    try {
      for (const one of await listed()) if (!known.has(one.key)) known.set(one.key, one.public_key);
    } catch {
      return undefined;
    }
  }
  return known.get(key) ?? null;
}

/** @returns {Promise<import("../protocol").HouseKey[]>} */
const listed = async () => (await ask("/api/keys")).keys;
