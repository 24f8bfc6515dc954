// What one had before and after each round, from the server's journal of one's money: added up, never guessed.

import { ask } from "./api.js";

/**
 * @typedef {import("./protocol").Movement} Movement
 * @typedef {{ before: number, after: number }} Balance in cents
 * @typedef {{ cents: Record<string, number>, rounds: Map<string, Balance>, place: number }} Followed what there is by currency, by round, and up to where
 */

const PAGE = 500;

/** What a round goes by. @param {string} table @param {number} round */
const keyOf = (table, round) => `${table} ${round}`;

/** @returns {Followed} */
export const nothing = () => ({ cents: {}, rounds: new Map(), place: 0 });

/**
 * Follows money on. A round is from the first movement that belongs to it to the last; what moves elsewhere meanwhile is counted as it comes.
 * @param {Followed} followed it is changed @param {Movement[]} transfers in their order @param {string} player
 */
export function follow(followed, transfers, player) {
  const mine = `player:${player}`;
  for (const { place, from, to, currency, cents, table, round } of transfers) {
    const before = followed.cents[currency] ?? 0;
    const after = before + (to === mine ? cents : 0) - (from === mine ? cents : 0);
    followed.cents[currency] = after;
    followed.place = place;
    if (table === null || round === null) continue;
    const known = followed.rounds.get(keyOf(table, round));
    followed.rounds.set(keyOf(table, round), { before: known?.before ?? before, after });
  }
}

/** The journal of whoever the session is, read on from where it was left. */
class Journal {
  #player = "";
  #followed = nothing();
  /** Readers wait for each other: nothing is counted twice. @type {Promise<void>} */
  #reading = Promise.resolve();

  /** Reads what is new. @param {string} player */
  read(player) {
    this.#reading = this.#reading.catch(() => {}).then(() => this.#read(player));
    return this.#reading;
  }

  /** @param {string} player */
  async #read(player) {
    if (player !== this.#player) {
      this.#player = player;
      this.#followed = nothing();
    }
    for (let more = true; more;) {
      const { transfers } = /** @type {import("./protocol").Journal} */ (await ask(`/api/session/journal?after=${this.#followed.place}&limit=${PAGE}`));
      follow(this.#followed, transfers, player);
      more = transfers.length === PAGE;
    }
  }

  /** What one had before and after a round one had money in. @param {string} table @param {number} round @returns {Balance | null} */
  of(table, round) {
    return this.#followed.rounds.get(keyOf(table, round)) ?? null;
  }
}

export const journal = new Journal();
