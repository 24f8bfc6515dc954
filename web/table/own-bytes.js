// Random bytes that the viewer's seats add to a deal: drawn here, committed to while wagers are open, revealed after they close.

import { toHex } from "../fair/bytes.js";
import { isListSigned, sameList } from "../fair/check.js";
import { publicKey as houseKey } from "../fair/keys.js";
import { seenRounds } from "../fair/seen.js";
import { seatCommitment } from "../fair/verify.js";
import { isViewerSeat, viewerSeats } from "./model.js";
import { BASE } from "./reduce.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").RoundView} RoundView
 * @typedef {import("../protocol").Command} Command
 * @typedef {import("../fair/seen.js").SeenRound} SeenRound
 * @typedef {import("../fair/seen.js").OwnSeat} OwnSeat
 * @typedef {"" | "commitment" | "list" | "own" | "lost" | "version"} Alarm reason of a warning. `commitment`: the commitment of the house changed. `list`: the list of commitments changed or
 *   is not signed. `own`: a seat of the viewer has a commitment that this browser did not make. `lost`: the commitment of a seat is missing from the
 *   list. `version`: the table returned to version 1
 */

/** Number of attempts for a command that is refused. */
const ATTEMPTS_MAX = 3;

export class OwnBytes {
  /** @type {Alarm} */
  alarm = "";

  /** Commands that are pending or done and must not be sent again, by name (`commit 2`, with the commitment). @type {Map<string, "waiting" | "done">} */
  #sent = new Map();
  /** Number of refusals of a command in this round. @type {Map<string, number>} */
  #refused = new Map();
  #round = "";
  #view;
  #sendCommand;
  #alarmed;
  #seen;
  #publicKey;

  /**
   * @param {object} table
   * @param {() => View | null} table.view
   * @param {(command: Command) => Promise<unknown>} table.send rejects with an error that has a `code`
   * @param {() => void} [table.alarmed] called when the viewer must be warned
   * @param {import("../fair/seen.js").SeenRounds} [table.seen]
   * @param {(key: string) => Promise<string | null | undefined>} [table.publicKey] public keys of the house
   */
  constructor({ view, send, alarmed = () => {}, seen = seenRounds, publicKey = houseKey }) {
    this.#view = view;
    this.#sendCommand = send;
    this.#alarmed = alarmed;
    this.#seen = seen;
    this.#publicKey = publicKey;
  }

  /** Handles a new snapshot. The server may have lost commands that were done. */
  restart() {
    for (const [name, state] of this.#sent) if (state === "done") this.#sent.delete(name);
    this.update();
  }

  /** Draws, commits, reveals and warns as the current view requires. */
  update() {
    const view = this.#view();
    const round = view?.round;
    if (!view || !round) return;
    const key = `${view.table} ${round.round}`;
    if (key !== this.#round) {
      this.#round = key;
      this.#refused.clear();
      this.#sent.clear();
      this.alarm = "";
    }
    // A commitment that is first seen together with its secret proves nothing.
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
    for (const seat of viewerSeats(view)) this.#updateSeat(view, round, seen, seat);
  }

  /** @param {View} view @param {RoundView} round @param {SeenRound} seen @param {number} seat */
  #updateSeat(view, round, seen, seat) {
    const listed = round.commitments[seat];
    const open = view.phase === "wagers" || view.phase === "offering";
    const own = seen.seats[seat];
    if (open && !listed && !isUnused(own, round)) return this.#prepare(round, seen, seat);
    if (listed && listed === own?.commitment && own.house === round.commitment) {
      this.#seen.updateBytes(seen, seat, { listed: true, ...(round.bytes[seat] === own.bytes ? { shown: true } : {}) });
      if (view.phase === "revealing" && round.bytes[seat] === undefined) this.#reveal(view, round, seen, seat);
    } else if (listed) {
      // Another window of this browser may have made the commitment. Then that window reveals.
      if (own?.accepted || own?.listed || this.#seen.hasCommitment(listed) === false) this.#warn("own");
    } else if (own && isPlaying(view, seat)) {
      const { commitment } = own;
      if (open) this.#sendOnce(`commit ${seat} ${commitment}`, () => this.#sendCommand({ do: "commit", commitment, seat }), () => this.#accept(seen, seat, commitment));
      else if ((own.accepted || own.listed) && round.closed_signature) this.#warn("lost");
    }
  }

  /** Resets seats that the viewer gave up before wagers closed. They lost their commitment and may commit again. @param {View} view @param {SeenRound} seen */
  #release(view, seen) {
    for (const [seat, { commitment }] of Object.entries(seen.seats)) {
      if (isViewerSeat(view, Number(seat))) continue;
      this.#sent.delete(`commit ${seat} ${commitment}`);
      this.#seen.updateBytes(seen, Number(seat), { accepted: false, listed: false });
    }
  }

  /** @param {SeenRound} seen @param {number} seat @param {string} commitment */
  #accept(seen, seat, commitment) {
    if (seen.seats[seat].commitment === commitment) this.#seen.updateBytes(seen, seat, { accepted: true });
  }

  /**
   * Reveals the bytes of a seat if the list of commitments is signed. An unsigned list is no proof against the house. A browser without Ed25519
   * cannot check the signature and reveals as well.
   * @param {View} view @param {RoundView} round @param {SeenRound} seen @param {number} seat
   */
  #reveal({ table }, round, seen, seat) {
    const { bytes, commitment } = seen.seats[seat];
    const current = this.#round;
    this.#sendOnce(`reveal ${seat} ${commitment}`, async () => {
      const publicKey = round.key ? await this.#publicKey(round.key) : null;
      if (publicKey === undefined) throw new Error("the keys of the house could not be loaded");
      if (await isListSigned({ ...round, table, publicKey, closedSignature: round.closed_signature }) === false) {
        if (current === this.#round) this.#warn("list");
        throw new Error("the list of commitments is not signed");
      }
      this.#seen.updateBytes(seen, seat, { sent: true });
      await this.#sendCommand({ do: "reveal", bytes, seat });
    });
  }

  /** @param {Alarm} alarm */
  #warn(alarm) {
    if (this.alarm) return;
    this.alarm = alarm;
    this.#alarmed();
  }

  /** Draws bytes for a seat. @param {RoundView} round @param {SeenRound} seen @param {number} seat */
  #prepare({ commitment: house, key }, seen, seat) {
    const name = `prepare ${seat} ${house}`;
    if (this.#sent.has(name)) return;
    this.#sent.set(name, "waiting");
    // Load the key now: seats have only three seconds to reveal.
    if (key) this.#publicKey(key);
    const bytes = toHex(crypto.getRandomValues(new Uint8Array(32)));
    seatCommitment({ ...seen, seat, bytes }).then((commitment) => {
      this.#sent.delete(name);
      this.#seen.addCommitment(commitment);
      this.#seen.addBytes(seen, seat, { bytes, commitment, house });
      this.update();
      // Without WebCrypto, the viewer's seats play without adding bytes.
    }, () => {});
  }

  /**
   * Sends a command. The first wagers of a seat in a round carry its commitment.
   * @param {Command} command with its seat, if the viewer has several
   */
  async send(command) {
    const view = this.#view();
    const seat = command.do === "wagers" ? command.seat ?? view?.you ?? null : null;
    if (!view?.round || seat === null || view.round.protocol !== 2 || view.round.commitments[seat]) return this.#sendCommand(command);
    const seen = this.#seen.of(view.table, view.round.round);
    const own = seen?.seats[seat];
    const name = `commit ${seat} ${own?.commitment}`;
    if (!seen || !isUnused(own, view.round) || this.#sent.has(name)) return this.#sendCommand(command);
    this.#sent.set(name, "waiting");
    try {
      const answer = await this.#sendCommand(/** @type {Command} */ ({ ...command, commitment: own.commitment }));
      this.#sent.set(name, "done");
      this.#accept(seen, seat, own.commitment);
      return answer;
    } catch (error) {
      this.#sent.delete(name);
      // Another window of the viewer has committed in the meantime.
      if (/** @type {{ code?: string }} */ (error).code !== "already_committed") throw error;
      return await this.#sendCommand(command);
    }
  }

  /** Sends a command of the page once. After a refusal, later updates retry it up to the limit. @param {string} name @param {() => Promise<unknown>} send @param {() => void} [done] */
  #sendOnce(name, send, done = () => {}) {
    const refused = this.#refused.get(name) ?? 0;
    if (refused >= ATTEMPTS_MAX || this.#sent.has(name)) return;
    this.#sent.set(name, "waiting");
    const round = this.#round;
    send().then(() => {
      done();
      if (round === this.#round) this.#sent.set(name, "done");
    }, () => {
      if (round !== this.#round) return;
      this.#refused.set(name, refused + 1);
      this.#sent.delete(name);
    });
  }
}

/**
 * Whether a seat can commit to its bytes: they were drawn for this commitment of the house, and the page has not sent them.
 * @param {OwnSeat | undefined} own @param {RoundView} round @returns {own is OwnSeat}
 */
function isUnused(own, { commitment }) {
  return own !== undefined && own.house === commitment && !own.sent && !own.shown;
}

/** Whether a seat plays in the round: it has a base wager, or it banks. @param {View} view @param {number} seat */
function isPlaying(view, seat) {
  return view.round?.bank?.seat === seat || view.seats.some((one) => one.seat === seat && one.wagers[BASE] !== undefined);
}
