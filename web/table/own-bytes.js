// The bytes that the viewer's seats add to a deal: drawn here, committed to while wagers are open, revealed once they are closed.

import { toHex } from "../fair/bytes.js";
import { isListSigned, sameList } from "../fair/check.js";
import { publicKey as houseKey } from "../fair/keys.js";
import { seenRounds } from "../fair/seen.js";
import { seatCommitment } from "../fair/verify.js";
import { isYours, yoursOf } from "./model.js";
import { BASE } from "./reduce.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").RoundView} RoundView
 * @typedef {import("../protocol").Command} Command
 * @typedef {import("../fair/seen.js").Seen} Seen
 * @typedef {import("../fair/seen.js").OwnSeat} OwnSeat
 * @typedef {"" | "commitment" | "list" | "own" | "lost" | "version"} Alarm why the viewer is warned: the round's commitment has changed; the list of commitments has, or is not
 *   signed; a seat of the viewer has a commitment that this browser did not make; the commitment of a seat is gone; the table went back to version 1
 */

/** How often a command is given that is refused. */
const TRIES = 3;

export class OwnBytes {
  /** @type {Alarm} */
  alarm = "";

  /** Commands by name (`commit 2`, with the commitment) that are not answered yet, or are done: they are not given again. @type {Map<string, "waiting" | "done">} */
  #given = new Map();
  /** How often a command was refused in this round. @type {Map<string, number>} */
  #refused = new Map();
  #round = "";
  #view;
  #give;
  #alarmed;
  #seen;
  #publicKey;

  /**
   * @param {object} table
   * @param {() => View | null} table.view
   * @param {(command: Command) => Promise<unknown>} table.give rejects with an error that has a `code`
   * @param {() => void} [table.alarmed] called when the viewer must be warned
   * @param {import("../fair/seen.js").SeenRounds} [table.seen]
   * @param {(key: string) => Promise<string | null | undefined>} [table.publicKey] the keys of the house
   */
  constructor({ view, give, alarmed = () => {}, seen = seenRounds, publicKey = houseKey }) {
    this.#view = view;
    this.#give = give;
    this.#alarmed = alarmed;
    this.#seen = seen;
    this.#publicKey = publicKey;
  }

  /** The table is shown anew: what was done before may not have been kept. */
  restart() {
    for (const [name, state] of this.#given) if (state === "done") this.#given.delete(name);
    this.follow();
  }

  /** Does what the table as it is now asks for. */
  follow() {
    const view = this.#view();
    const round = view?.round;
    if (!view || !round) return;
    const key = `${view.table} ${round.round}`;
    if (key !== this.#round) {
      this.#round = key;
      this.#refused.clear();
      this.#given.clear();
      this.alarm = "";
    }
    // A commitment that is first seen with its secret proves nothing.
    const seen = round.secret === null ? this.#seen.open(view.table, round) : this.#seen.of(view.table, round.round);
    if (!seen) return;
    if (seen.commitment !== round.commitment) this.#warn("commitment");
    if (round.protocol !== 2) {
      if (round.secret === null && this.#seen.hasVersion2(view.table)) this.#warn("version");
      return;
    }
    if (!seen.closed) this.#release(view, seen);
    if (round.closed_signature && round.secret === null) this.#seen.close(seen, round.commitments);
    if (seen.closed && !sameList(seen.closed, round.commitments)) this.#warn("list");
    for (const seat of yoursOf(view)) this.#followSeat(view, round, seen, seat);
  }

  /** @param {View} view @param {RoundView} round @param {Seen} seen @param {number} seat */
  #followSeat(view, round, seen, seat) {
    const listed = round.commitments[seat];
    const open = view.phase === "wagers" || view.phase === "offering";
    const own = seen.seats[seat];
    if (open && !listed && !isUnused(own, round)) return this.#prepare(round, seen, seat);
    if (listed && listed === own?.commitment && own.house === round.commitment) {
      this.#seen.keep(seen, seat, { listed: true, ...(round.bytes[seat] === own.bytes ? { shown: true } : {}) });
      if (view.phase === "revealing" && round.bytes[seat] === undefined) this.#reveal(view, round, seen, seat);
    } else if (listed) {
      // Another window of this browser may have made it: that window reveals.
      if (own?.accepted || own?.listed || this.#seen.isMade(listed) === false) this.#warn("own");
    } else if (own && plays(view, seat)) {
      const { commitment } = own;
      if (open) this.#send(`commit ${seat} ${commitment}`, () => this.#give({ do: "commit", commitment, seat }), () => this.#accepted(seen, seat, commitment));
      else if ((own.accepted || own.listed) && round.closed_signature) this.#warn("lost");
    }
  }

  /** A seat that is given up before wagers close loses its commitment, which may be made again. @param {View} view @param {Seen} seen */
  #release(view, seen) {
    for (const [seat, { commitment }] of Object.entries(seen.seats)) {
      if (isYours(view, Number(seat))) continue;
      this.#given.delete(`commit ${seat} ${commitment}`);
      this.#seen.keep(seen, Number(seat), { accepted: false, listed: false });
    }
  }

  /** @param {Seen} seen @param {number} seat @param {string} commitment */
  #accepted(seen, seat, commitment) {
    if (seen.seats[seat].commitment === commitment) this.#seen.keep(seen, seat, { accepted: true });
  }

  /**
   * Reveals the bytes of a seat if the list of commitments is signed: an unsigned list is no proof against the house. A browser without Ed25519 reveals as well.
   * @param {View} view @param {RoundView} round @param {Seen} seen @param {number} seat
   */
  #reveal({ table }, round, seen, seat) {
    const { bytes, commitment } = seen.seats[seat];
    const now = this.#round;
    this.#send(`reveal ${seat} ${commitment}`, async () => {
      const publicKey = round.key ? await this.#publicKey(round.key) : null;
      if (publicKey === undefined) throw new Error("the house could not be asked for its keys");
      if (await isListSigned({ ...round, table, publicKey, closedSignature: round.closed_signature }) === false) {
        if (now === this.#round) this.#warn("list");
        throw new Error("the list of commitments is not signed");
      }
      this.#seen.keep(seen, seat, { sent: true });
      await this.#give({ do: "reveal", bytes, seat });
    });
  }

  /** @param {Alarm} alarm */
  #warn(alarm) {
    if (this.alarm) return;
    this.alarm = alarm;
    this.#alarmed();
  }

  /** Draws bytes for a seat. @param {RoundView} round @param {Seen} seen @param {number} seat */
  #prepare({ commitment: house, key }, seen, seat) {
    const name = `prepare ${seat} ${house}`;
    if (this.#given.has(name)) return;
    this.#given.set(name, "waiting");
    // Asks for the key now: seats have three seconds to reveal.
    if (key) this.#publicKey(key);
    const bytes = toHex(crypto.getRandomValues(new Uint8Array(32)));
    seatCommitment({ ...seen, seat, bytes }).then((commitment) => {
      this.#given.delete(name);
      this.#seen.make(commitment);
      this.#seen.draw(seen, seat, { bytes, commitment, house });
      this.follow();
      // A browser without WebCrypto plays on, and its seats add nothing.
    }, () => {});
  }

  /**
   * Gives a command. The first wagers of a seat in a round take its commitment with them.
   * @param {Command} command with its seat, where the viewer has several
   */
  async give(command) {
    const view = this.#view();
    const seat = command.do === "wagers" ? command.seat ?? view?.you ?? null : null;
    if (!view?.round || seat === null || view.round.protocol !== 2 || view.round.commitments[seat]) return this.#give(command);
    const seen = this.#seen.of(view.table, view.round.round);
    const own = seen?.seats[seat];
    const name = `commit ${seat} ${own?.commitment}`;
    if (!seen || !isUnused(own, view.round) || this.#given.has(name)) return this.#give(command);
    this.#given.set(name, "waiting");
    try {
      const answer = await this.#give(/** @type {Command} */ ({ ...command, commitment: own.commitment }));
      this.#given.set(name, "done");
      this.#accepted(seen, seat, own.commitment);
      return answer;
    } catch (error) {
      this.#given.delete(name);
      // Another window of the viewer has committed meanwhile.
      if (/** @type {{ code?: string }} */ (error).code !== "already_committed") throw error;
      return await this.#give(command);
    }
  }

  /** Gives a command by itself, once. What is refused is tried again a few times. @param {string} name @param {() => Promise<unknown>} give @param {() => void} [done] */
  #send(name, give, done = () => {}) {
    const refused = this.#refused.get(name) ?? 0;
    if (refused >= TRIES || this.#given.has(name)) return;
    this.#given.set(name, "waiting");
    const round = this.#round;
    give().then(() => {
      done();
      if (round === this.#round) this.#given.set(name, "done");
    }, () => {
      if (round !== this.#round) return;
      this.#refused.set(name, refused + 1);
      this.#given.delete(name);
    });
  }
}

/**
 * Whether a seat may commit to its bytes: they were drawn for this commitment of the house, and have not left the page.
 * @param {OwnSeat | undefined} own @param {RoundView} round @returns {own is OwnSeat}
 */
function isUnused(own, { commitment }) {
  return own !== undefined && own.house === commitment && !own.sent && !own.shown;
}

/** Whether a seat plays in the round: it has a base wager, or banks. @param {View} view @param {number} seat */
function plays(view, seat) {
  return view.round?.bank?.seat === seat || view.seats.some((one) => one.seat === seat && one.wagers[BASE] !== undefined);
}
