// The bytes that the viewer's seats add to a deal: drawn here, committed to while wagers are open, revealed once they are closed.

import { toHex } from "../fair/bytes.js";
import { sameList } from "../fair/check.js";
import { seenRounds } from "../fair/seen.js";
import { seatCommitment } from "../fair/verify.js";
import { yoursOf } from "./model.js";
import { BASE } from "./reduce.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").RoundView} RoundView
 * @typedef {import("../protocol").Command} Command
 * @typedef {import("../fair/seen.js").Seen} Seen
 * @typedef {"" | "commitment" | "list" | "own" | "lost"} Alarm why the viewer is warned: the round's commitment has changed; the list of commitments has; a seat of
 *   the viewer has a commitment that this browser did not make; the commitment of a seat is gone
 */

/** How often a command is given that is refused. */
const TRIES = 3;

export class OwnBytes {
  /** @type {Alarm} */
  alarm = "";

  /** Commands by name (`commit 2`) that are not answered yet, or are done: they are not given again. @type {Map<string, "waiting" | "done">} */
  #given = new Map();
  /** How often a command was refused in this round. @type {Map<string, number>} */
  #refused = new Map();
  #round = "";
  #view;
  #give;
  #alarmed;
  #seen;

  /**
   * @param {object} table
   * @param {() => View | null} table.view
   * @param {(command: Command) => Promise<unknown>} table.give rejects with an error that has a `code`
   * @param {() => void} [table.alarmed] called when the viewer must be warned
   * @param {import("../fair/seen.js").SeenRounds} [table.seen]
   */
  constructor({ view, give, alarmed = () => {}, seen = seenRounds }) {
    this.#view = view;
    this.#give = give;
    this.#alarmed = alarmed;
    this.#seen = seen;
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
    const seen = round.secret === null ? this.#seen.open(view.table, round.round, round.commitment) : this.#seen.of(view.table, round.round);
    if (!seen) return;
    if (seen.commitment !== round.commitment) this.#warn("commitment");
    if (round.protocol !== 2) return;
    if (round.closed_signature && round.secret === null) this.#seen.close(seen, round.commitments);
    if (seen.closed && !sameList(seen.closed, round.commitments)) this.#warn("list");
    for (const seat of yoursOf(view)) this.#followSeat(view, round, seen, seat);
  }

  /** @param {View} view @param {RoundView} round @param {Seen} seen @param {number} seat */
  #followSeat(view, round, seen, seat) {
    const listed = round.commitments[seat];
    const open = view.phase === "wagers" || view.phase === "offering";
    if (open && !listed && !seen.seats[seat]) return this.#prepare(seen, seat);
    const own = seen.seats[seat];
    if (listed && listed === own?.commitment) {
      this.#seen.keep(seen, seat, { listed: true, ...(round.bytes[seat] === own.bytes ? { shown: true } : {}) });
      if (view.phase === "revealing" && round.bytes[seat] === undefined) this.#send(`reveal ${seat}`, { do: "reveal", bytes: own.bytes, seat });
    } else if (listed) {
      // Another window of this browser may have made it: that window reveals.
      if (own?.accepted || own?.listed || this.#seen.isMade(listed) === false) this.#warn("own");
    } else if (own && plays(view, seat)) {
      if (open) this.#send(`commit ${seat}`, { do: "commit", commitment: own.commitment, seat }, () => this.#seen.keep(seen, seat, { accepted: true }));
      else if (own.listed && round.closed_signature) this.#warn("lost");
    }
  }

  /** @param {Alarm} alarm */
  #warn(alarm) {
    if (this.alarm) return;
    this.alarm = alarm;
    this.#alarmed();
  }

  /** Draws bytes for a seat. @param {Seen} seen @param {number} seat */
  #prepare(seen, seat) {
    const name = `prepare ${seat}`;
    if (this.#given.has(name)) return;
    this.#given.set(name, "waiting");
    const bytes = toHex(crypto.getRandomValues(new Uint8Array(32)));
    seatCommitment({ ...seen, seat, bytes }).then((commitment) => {
      this.#given.delete(name);
      this.#seen.make(commitment);
      this.#seen.keep(seen, seat, { bytes, commitment });
      this.follow();
      // A browser without the digest plays on, and its seats add nothing.
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
    const name = `commit ${seat}`;
    if (!seen || !own || this.#given.has(name)) return this.#give(command);
    this.#given.set(name, "waiting");
    try {
      const answer = await this.#give(/** @type {Command} */ ({ ...command, commitment: own.commitment }));
      this.#given.set(name, "done");
      this.#seen.keep(seen, seat, { accepted: true });
      return answer;
    } catch (error) {
      this.#given.delete(name);
      // Another window of the viewer has committed meanwhile.
      if (/** @type {{ code?: string }} */ (error).code !== "already_committed") throw error;
      return await this.#give(command);
    }
  }

  /** Gives a command by itself, once. What is refused is tried again a few times. @param {string} name @param {Command} command @param {() => void} [done] */
  #send(name, command, done = () => {}) {
    const refused = this.#refused.get(name) ?? 0;
    if (refused >= TRIES || this.#given.has(name)) return;
    this.#given.set(name, "waiting");
    const round = this.#round;
    this.#give(command).then(() => {
      done();
      if (round === this.#round) this.#given.set(name, "done");
    }, () => {
      if (round !== this.#round) return;
      this.#refused.set(name, refused + 1);
      this.#given.delete(name);
    });
  }

  /** A seat was given up: its commitment is gone, and may be made again. @param {number} seat */
  stood(seat) {
    const view = this.#view();
    const seen = view?.round ? this.#seen.of(view.table, view.round.round) : null;
    if (!seen?.seats[seat] || seen.closed) return;
    this.#given.delete(`commit ${seat}`);
    this.#seen.keep(seen, seat, { accepted: false, listed: false });
  }
}

/** Whether a seat plays in the round: it has a base wager, or banks. @param {View} view @param {number} seat */
function plays(view, seat) {
  return view.round?.bank?.seat === seat || view.seats.some((one) => one.seat === seat && one.wagers[BASE] !== undefined);
}
