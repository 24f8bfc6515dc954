// The chips of the acting seat: a draft of its wagers, and the commands that place it.

import { isBanking, ownSeat } from "./model.js";
import { BASE } from "./reduce.js";
import * as stakes from "./stakes.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./view-types.js").View} View
 */

/** Delay between the last change of the draft and the command. */
const PLACE_DELAY_MS = 700;

export class OwnChips {
  /** Wagers as chosen by the player; sent after a short delay. @type {stakes.Stakes} */
  draft = {};
  /** Value of the chosen chip, in cents. */
  chip = 500;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Whether the draft was changed and the server has not answered yet. */
  #edited = false;

  /** @param {TableState} state */
  constructor(state) {
    this.state = state;
  }

  /** Cancels the scheduled command. */
  stop() {
    clearTimeout(this.#timer);
  }

  /** Sends a changed draft now. */
  flush() {
    if (!this.#edited) return;
    this.stop();
    this.#place(false);
  }

  newRound() {
    this.stop();
    this.draft = {};
    this.#edited = false;
  }

  /** Replaces the draft by the wagers on the table, unless it has unsent changes. Another window may have placed them. @param {stakes.Stakes} wagers */
  sync(wagers) {
    if (!this.#edited) this.draft = { ...wagers };
  }

  /** Rule violations of the draft. The limit is the balance plus the wagers already placed; without a known balance the server decides. */
  get faults() {
    const { own, balance, view } = this.state;
    const available = (balance ?? Infinity) + stakes.total(own?.wagers ?? {});
    const found = stakes.faults(this.draft, view?.facts.wagers ?? [], available);
    // The banker has side wagers without a base wager.
    return view && isBanking(view) ? found.filter(({ fault }) => fault !== "base") : found;
  }

  /** @param {number} cents */
  choose(cents) {
    this.chip = cents;
    this.state.changed();
  }

  /** Adds a chip to a wager. @param {string} wager @param {number} [cents] */
  add(wager, cents = this.chip) {
    const facts = this.state.view?.facts.wagers.find((one) => one.wager === wager);
    if (facts) this.setDraft(stakes.add(this.draft, facts, cents));
  }

  /** Changes the draft and schedules the command. @param {stakes.Stakes} draft */
  setDraft(draft) {
    this.draft = draft;
    this.#edited = true;
    this.state.fault = "";
    this.stop();
    this.#timer = setTimeout(() => this.#place(false), PLACE_DELAY_MS);
    this.state.changed();
  }

  /** Places the draft and marks the seat as ready. */
  confirm() {
    this.stop();
    return this.#place(true);
  }

  /** Chooses the wagers of the previous round. */
  repeat() {
    const wagers = this.previous();
    if (wagers) this.setDraft(wagers);
  }

  double() {
    if (this.state.view) this.setDraft(stakes.doubled(this.draft, this.state.view.facts.wagers));
  }

  /** Returns the stored wagers of the previous round that this table offers, or `null`. @returns {stakes.Stakes | null} */
  previous() {
    const { view } = this.state;
    try {
      const stored = JSON.parse(localStorage.getItem(storageKey(view?.book)) ?? "null");
      const known = Object.entries(stored ?? {}).filter(([wager]) => view?.facts.wagers.some((facts) => facts.wager === wager))
        .map(([wager, { cents, color }]) => [wager, { cents, color }]);
      return known.length > 0 ? Object.fromEntries(known) : null;
    } catch {
      return null;
    }
  }

  /** Stores the wagers of a round for `repeat`. @param {View} view */
  store(view) {
    const own = ownSeat(view);
    if (!own?.wagers[BASE]) return;
    try {
      localStorage.setItem(storageKey(view.book), JSON.stringify(own.wagers));
    } catch {
      // Without storage, `repeat` has no effect.
    }
  }

  /** @param {boolean} ready */
  async #place(ready) {
    const { view, own } = this.state;
    if (!view || !own || view.phase !== "wagers") return;
    if (this.faults.length > 0) return;
    const placed = this.draft;
    if (ready || !stakes.same(placed, own.wagers)) {
      await this.state.send({ do: "wagers", wagers: stakes.asCommand(placed), ready });
    }
    // A draft changed in the meantime has its own command. After a refusal, the draft returns to the wagers on the table.
    if (this.draft !== placed) return;
    this.#edited = false;
    this.sync(this.state.own?.wagers ?? {});
    this.state.changed();
  }
}

/** Returns the storage key of the wagers of a book. @param {string | undefined} book */
const storageKey = (book) => `paigow.stakes.${book}`;
