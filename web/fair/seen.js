// Rounds as this page has seen them: the first commitment, the list of commitments when wagers closed, and the bytes of its own seats.
// They are kept for the tab, so that a page that is loaded again can still reveal and compare.

/**
 * The bytes of a seat of the viewer.
 * @typedef {object} OwnSeat
 * @property {string} bytes 32 bytes, in hexadecimal digits
 * @property {string} commitment to them
 * @property {boolean} accepted whether the server has accepted the commitment
 * @property {boolean} listed whether the table has shown the commitment
 * @property {string} house the commitment of the house that the bytes were drawn for
 * @property {boolean} sent whether this page has sent the bytes
 * @property {boolean} shown whether the table has shown the bytes as revealed
 *
 * @typedef {object} Seen
 * @property {string} table
 * @property {number} round
 * @property {number} protocol version of the derivation, as it was first seen
 * @property {string} commitment the first that was seen
 * @property {Record<string, string> | null} closed the commitments of seats when wagers closed
 * @property {Record<string, OwnSeat>} seats
 */

const PLACE = "paigow.fair";
/** Where all windows of the browser keep which commitments they have made. */
const MADE = "paigow.commitments";
/** As many rounds as are kept, the newest. */
const MOST = 24;
/** As many commitments as are kept, the newest. */
const MADE_MOST = 128;

/** @typedef {Pick<Storage, "getItem" | "setItem">} Kept */

export class SeenRounds {
  /** The oldest first. @type {Seen[] | null} */
  #rounds = null;
  #tab;
  #browser;

  /** Storage may throw: then rounds are kept in memory. @param {() => Kept} [tab] storage of this tab @param {() => Kept} [browser] storage of all tabs */
  constructor(tab = () => sessionStorage, browser = () => localStorage) {
    this.#tab = tab;
    this.#browser = browser;
  }

  /** @param {string} table @param {number} round @returns {Seen | null} */
  of(table, round) {
    return this.#all.find((seen) => seen.table === table && seen.round === round) ?? null;
  }

  /** Keeps the commitment of a round that goes on, unless one is kept. @param {string} table @param {{ round: number, protocol: number, commitment: string }} opened @returns {Seen} */
  open(table, { round, protocol, commitment }) {
    const known = this.of(table, round);
    if (known) return known;
    /** @type {Seen} */
    const seen = { table, round, protocol, commitment, closed: null, seats: {} };
    this.#rounds = [...this.#all, seen].slice(-MOST);
    this.#write();
    return seen;
  }

  /** Whether a round of version 2 was seen at a table. @param {string} table */
  hasVersion2(table) {
    return this.#all.some((seen) => seen.table === table && seen.protocol === 2);
  }

  /** Keeps the list of commitments when wagers closed, unless one is kept. @param {Seen} seen @param {Record<string, string>} commitments */
  close(seen, commitments) {
    if (seen.closed) return;
    seen.closed = { ...commitments };
    this.#write();
  }

  /** Keeps new bytes of a seat. @param {Seen} seen @param {number} seat @param {Pick<OwnSeat, "bytes" | "commitment" | "house">} own */
  draw(seen, seat, own) {
    seen.seats[seat] = { ...own, accepted: false, listed: false, sent: false, shown: false };
    this.#write();
  }

  /** Keeps what became of the bytes of a seat. @param {Seen} seen @param {number} seat @param {Partial<OwnSeat>} own */
  keep(seen, seat, own) {
    const known = seen.seats[seat];
    if (Object.entries(own).every(([name, value]) => known[/** @type {keyof OwnSeat} */ (name)] === value)) return;
    seen.seats[seat] = { ...known, ...own };
    this.#write();
  }

  /** Keeps that this browser has made a commitment. @param {string} commitment */
  make(commitment) {
    try {
      this.#browser().setItem(MADE, JSON.stringify([...this.#made(), commitment].slice(-MADE_MOST)));
    } catch {
      // Then other windows cannot tell it from one that was made elsewhere.
    }
  }

  /** Whether a window of this browser has made a commitment; null where that is not known. @param {string} commitment @returns {boolean | null} */
  isMade(commitment) {
    try {
      return this.#made().includes(commitment);
    } catch {
      return null;
    }
  }

  /** @returns {string[]} */
  #made() {
    return JSON.parse(this.#browser().getItem(MADE) ?? "[]");
  }

  get #all() {
    this.#rounds ??= this.#read();
    return this.#rounds;
  }

  /** @returns {Seen[]} */
  #read() {
    try {
      const kept = JSON.parse(this.#tab().getItem(PLACE) ?? "[]");
      return Array.isArray(kept) ? kept : [];
    } catch {
      return [];
    }
  }

  #write() {
    try {
      this.#tab().setItem(PLACE, JSON.stringify(this.#all));
    } catch {
      // Then a page that is loaded again knows nothing of them: its seats stay silent.
    }
  }
}

export const seenRounds = new SeenRounds();
