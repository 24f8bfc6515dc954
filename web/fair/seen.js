// Rounds as this page first saw them: the commitment of the house, the list of commitments when wagers closed, and the bytes of the viewer's
// seats. They are stored for the tab, so that the page can still reveal and compare after a reload.

/**
 * The bytes of a seat of the viewer.
 * @typedef {object} OwnSeat
 * @property {string} bytes 32 bytes, in hexadecimal digits
 * @property {string} commitment the seat's commitment to the bytes
 * @property {boolean} accepted whether the server has accepted the commitment
 * @property {boolean} listed whether the table has shown the commitment
 * @property {string} house commitment of the house for which the bytes were drawn
 * @property {boolean} sent whether this page has sent the bytes
 * @property {boolean} shown whether the table has shown the bytes as revealed
 *
 * A round as this page first saw it.
 * @typedef {object} SeenRound
 * @property {string} table
 * @property {number} round
 * @property {number} protocol version of the derivation, as first seen
 * @property {string} commitment commitment of the house, as first seen
 * @property {Record<string, string> | null} closed the commitments of seats when wagers closed
 * @property {Record<string, OwnSeat>} seats
 */

/** Key of the rounds in the storage of the tab. */
const ROUNDS_KEY = "paigow.fair";
/** Key of the commitments made by any window, in the storage of the browser. */
const COMMITMENTS_KEY = "paigow.commitments";
/** Number of rounds stored; older ones are dropped. */
const ROUNDS_MAX = 24;
/** Number of commitments stored; older ones are dropped. */
const COMMITMENTS_MAX = 128;

/** @typedef {Pick<Storage, "getItem" | "setItem">} KeyValueStorage */

export class SeenRounds {
  /** Oldest first; `null` until loaded. @type {SeenRound[] | null} */
  #rounds = null;
  #tab;
  #browser;

  /** If storage throws, rounds are kept in memory. @param {() => KeyValueStorage} [tab] storage of this tab @param {() => KeyValueStorage} [browser] storage of all tabs */
  constructor(tab = () => sessionStorage, browser = () => localStorage) {
    this.#tab = tab;
    this.#browser = browser;
  }

  /** @param {string} table @param {number} round @returns {SeenRound | null} */
  of(table, round) {
    return this.#all.find((seen) => seen.table === table && seen.round === round) ?? null;
  }

  /** Stores the commitment of an open round, unless the round is stored already. @param {string} table @param {{ round: number, protocol: number, commitment: string }} opened @returns {SeenRound} */
  open(table, { round, protocol, commitment }) {
    const known = this.of(table, round);
    if (known) return known;
    /** @type {SeenRound} */
    const seen = { table, round, protocol, commitment, closed: null, seats: {} };
    this.#rounds = [...this.#all, seen].slice(-ROUNDS_MAX);
    this.#write();
    return seen;
  }

  /** Whether this tab has seen a round of version 2 at a table. @param {string} table */
  hasVersion2(table) {
    return this.#all.some((seen) => seen.table === table && seen.protocol === 2);
  }

  /** Stores the list of commitments when wagers close, unless a list is stored already. @param {SeenRound} seen @param {Record<string, string>} commitments */
  close(seen, commitments) {
    if (seen.closed) return;
    seen.closed = { ...commitments };
    this.#write();
  }

  /** Stores new bytes of a seat. @param {SeenRound} seen @param {number} seat @param {Pick<OwnSeat, "bytes" | "commitment" | "house">} own */
  addBytes(seen, seat, own) {
    seen.seats[seat] = { ...own, accepted: false, listed: false, sent: false, shown: false };
    this.#write();
  }

  /** Updates the state of a seat's bytes. @param {SeenRound} seen @param {number} seat @param {Partial<OwnSeat>} own */
  updateBytes(seen, seat, own) {
    const known = seen.seats[seat];
    if (Object.entries(own).every(([name, value]) => known[/** @type {keyof OwnSeat} */ (name)] === value)) return;
    seen.seats[seat] = { ...known, ...own };
    this.#write();
  }

  /** Records that a window of this browser made a commitment. @param {string} commitment */
  addCommitment(commitment) {
    try {
      this.#browser().setItem(COMMITMENTS_KEY, JSON.stringify([...this.#commitments(), commitment].slice(-COMMITMENTS_MAX)));
    } catch {
      // Without storage, other windows cannot recognize this commitment.
    }
  }

  /** Whether a window of this browser made a commitment; `null` if storage is unavailable. @param {string} commitment @returns {boolean | null} */
  hasCommitment(commitment) {
    try {
      return this.#commitments().includes(commitment);
    } catch {
      return null;
    }
  }

  /** @returns {string[]} */
  #commitments() {
    return JSON.parse(this.#browser().getItem(COMMITMENTS_KEY) ?? "[]");
  }

  get #all() {
    this.#rounds ??= this.#read();
    return this.#rounds;
  }

  /** @returns {SeenRound[]} */
  #read() {
    try {
      const stored = JSON.parse(this.#tab().getItem(ROUNDS_KEY) ?? "[]");
      return Array.isArray(stored) ? stored : [];
    } catch {
      return [];
    }
  }

  #write() {
    try {
      this.#tab().setItem(ROUNDS_KEY, JSON.stringify(this.#all));
    } catch {
      // Without storage, the rounds are lost on a reload and the viewer's seats stay silent.
    }
  }
}

export const seenRounds = new SeenRounds();
