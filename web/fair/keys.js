// Public keys of the house.

import { ask } from "../api.js";

/** @type {Map<string, string>} */
const known = new Map();

/**
 * Returns the public key with an id: null if the house lists none, undefined if the list could not be loaded. A key is cached and never replaced.
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
