// The chips of the viewer: as they have put them, and on their way to the table.

import { banks, ownSeat } from "./model.js";
import { BASE } from "./reduce.js";
import * as stakes from "./stakes.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./view-types.js").View} View
 */

/** Chips go to the table when nobody has touched them for so long. */
const SETTLE_MS = 700;

export class OwnChips {
  /** As one has put them; they go to the table by themselves. @type {stakes.Stakes} */
  draft = {};
  /** The chip in hand, in cents. */
  chip = 500;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #soon;
  /** Whether they are other than what lies, or may be: touched, and not yet answered. */
  #touched = false;

  /** @param {TableState} state */
  constructor(state) {
    this.state = state;
  }

  /** They are not placed any more. */
  stop() {
    clearTimeout(this.#soon);
  }

  /** Chips that are touched go to the table now. */
  flush() {
    if (!this.#touched) return;
    this.stop();
    this.#place(false);
  }

  newRound() {
    this.stop();
    this.draft = {};
    this.#touched = false;
  }

  /** Takes what lies on the table, unless something else was begun here: it may have been put there elsewhere. @param {stakes.Stakes} wagers */
  take(wagers) {
    if (!this.#touched) this.draft = { ...wagers };
  }

  /** What is wrong with them. One can wager what one has, and what lies; the server knows where the page does not. */
  get faults() {
    const { own, purse, view } = this.state;
    const most = (purse ?? Infinity) + stakes.total(own?.wagers ?? {});
    const found = stakes.faults(this.draft, view?.facts.wagers ?? [], most);
    // A seat that banks has no base wager beside its side wagers.
    return view && banks(view) ? found.filter(({ fault }) => fault !== "base") : found;
  }

  /** @param {number} cents */
  choose(cents) {
    this.chip = cents;
    this.state.changed();
  }

  /** Puts a chip on a wager. @param {string} wager @param {number} [cents] */
  add(wager, cents = this.chip) {
    const facts = this.state.view?.facts.wagers.find((one) => one.wager === wager);
    if (facts) this.stake(stakes.add(this.draft, facts, cents));
  }

  /** Has these chips on the table, soon. @param {stakes.Stakes} draft */
  stake(draft) {
    this.draft = draft;
    this.#touched = true;
    this.state.fault = "";
    this.stop();
    this.#soon = setTimeout(() => this.#place(false), SETTLE_MS);
    this.state.changed();
  }

  /** They are as they should be. */
  ready() {
    this.stop();
    return this.#place(true);
  }

  /** Those of the round before. */
  repeat() {
    const kept = this.last();
    if (kept) this.stake(kept);
  }

  double() {
    if (this.state.view) this.stake(stakes.doubled(this.draft, this.state.view.facts.wagers));
  }

  /** What lay in the round before, as far as it can be wagered here. @returns {stakes.Stakes | null} */
  last() {
    const { view } = this.state;
    try {
      const kept = JSON.parse(localStorage.getItem(placeOf(view?.book)) ?? "null");
      const known = Object.entries(kept ?? {}).filter(([wager]) => view?.facts.wagers.some((facts) => facts.wager === wager))
        .map(([wager, { cents, color }]) => [wager, { cents, color }]);
      return known.length > 0 ? Object.fromEntries(known) : null;
    } catch {
      return null;
    }
  }

  /** Keeps what lay, to be repeated. @param {View} view */
  keep(view) {
    const own = ownSeat(view);
    if (!own?.wagers[BASE]) return;
    try {
      localStorage.setItem(placeOf(view.book), JSON.stringify(own.wagers));
    } catch {
      // Then there is nothing to repeat.
    }
  }

  /** @param {boolean} ready */
  async #place(ready) {
    const { view, own } = this.state;
    if (!view || !own || view.phase !== "wagers") return;
    if (this.faults.length > 0) return;
    const placed = this.draft;
    if (ready || !stakes.same(placed, own.wagers)) {
      await this.state.give({ do: "wagers", wagers: stakes.asCommand(placed), ready });
    }
    // Touched again meanwhile, they are on their way again. What was refused does not lie there.
    if (this.draft !== placed) return;
    this.#touched = false;
    this.take(this.state.own?.wagers ?? {});
    this.state.changed();
  }
}

/** Where the browser keeps the chips of a book. @param {string | undefined} book */
const placeOf = (book) => `paigow.stakes.${book}`;
