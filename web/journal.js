// The player's balance before and after each round, computed from the server's journal of transfers.

import { ask } from "./api.js";

/**
 * @typedef {import("./protocol").JournalTransfer} JournalTransfer
 * @typedef {{ before: number, after: number }} Balance in cents
 * @typedef {{ cents: Record<string, number>, rounds: Map<string, Balance>, after: number }} JournalState balances by currency and by round, and the sequence number of the last transfer read
 */

const PAGE = 500;

/** Returns the map key of a round. @param {string} table @param {number} round */
const keyOf = (table, round) => `${table} ${round}`;

/** @returns {JournalState} */
export const emptyJournal = () => ({ cents: {}, rounds: new Map(), after: 0 });

/**
 * Applies transfers to a state. A round spans its first to its last transfer; transfers of other tables in between count as well.
 * @param {JournalState} state @param {JournalTransfer[]} transfers in ascending order @param {string} player
 */
export function applyTransfers(state, transfers, player) {
  const mine = `player:${player}`;
  for (const { place: sequence, from, to, currency, cents, table, round } of transfers) {
    const before = state.cents[currency] ?? 0;
    const after = before + (to === mine ? cents : 0) - (from === mine ? cents : 0);
    state.cents[currency] = after;
    state.after = sequence;
    if (table === null || round === null) continue;
    const known = state.rounds.get(keyOf(table, round));
    state.rounds.set(keyOf(table, round), { before: known?.before ?? before, after });
  }
}

/** The journal of the session's player. Each read continues after the last transfer. */
class Journal {
  #player = "";
  #state = emptyJournal();
  /** Reads are serialized, so that no transfer is applied twice. @type {Promise<void>} */
  #reading = Promise.resolve();

  /** Reads new transfers. @param {string} player */
  read(player) {
    this.#reading = this.#reading.catch(() => {}).then(() => this.#read(player));
    return this.#reading;
  }

  /** @param {string} player */
  async #read(player) {
    if (player !== this.#player) {
      this.#player = player;
      this.#state = emptyJournal();
    }
    for (let more = true; more;) {
      const { transfers } = /** @type {import("./protocol").Journal} */ (await ask(`/api/session/journal?after=${this.#state.after}&limit=${PAGE}`));
      applyTransfers(this.#state, transfers, player);
      more = transfers.length === PAGE;
    }
  }

  /** Returns the balance before and after a round, or `null` if no transfer belongs to it. @param {string} table @param {number} round @returns {Balance | null} */
  balanceOf(table, round) {
    return this.#state.rounds.get(keyOf(table, round)) ?? null;
  }
}

export const journal = new Journal();
