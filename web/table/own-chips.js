// The chips of the acting seat: a draft of its wagers, and the commands that place it.

import { money } from "../money.js";
import { words } from "../words.js";
import { isBanking, ownSeat } from "./model.js";
import { BASE } from "./reduce.js";
import * as stakes from "./stakes.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./view-types.js").View} View
 */

/** Delay between a change of the draft and the command. Changes while a command is under way are sent with the next one. */
const PLACE_DELAY_MS = 60;

export class OwnChips {
  /** Wagers as chosen by the player; sent after a short delay. @type {stakes.Stakes} */
  draft = {};
  /** Value of the chosen chip, in cents. */
  chip = 500;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Whether the draft was changed and the server has not answered yet. */
  #edited = false;
  /** Whether a command is under way. */
  #sending = false;
  /** The wagers of the command under way that marks the seat as ready. @type {stakes.Stakes | null} */
  #confirming = null;
  /** Whether the previous wagers are repeated when wagers open. */
  #repeats = false;
  /** Earlier drafts of the round, for `undo`. @type {stakes.Stakes[]} */
  #earlier = [];

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
    this.#place(false, true);
  }

  newRound() {
    this.stop();
    this.draft = {};
    this.#edited = false;
    this.#confirming = null;
    this.#earlier = [];
  }

  /** Repeats the wagers of this round in the next one. */
  repeatNext() {
    this.#repeats = this.previous() !== null;
  }

  /** Cancels the repetition: the table rests, and no round follows this one. */
  cancelRepeat() {
    this.#repeats = false;
  }

  /** Starts the draft of a round when wagers open: with the wagers to repeat, if there are any. */
  open() {
    const repeats = this.#repeats;
    this.#repeats = false;
    const wagers = this.previous();
    const funds = this.state.balance ?? 0;
    if (repeats && wagers && this.state.own && !this.state.own.out && !(this.state.view && isBanking(this.state.view)) && stakes.total(wagers) <= funds) this.setDraft(wagers);
  }

  /** Ends the draft when wagers close. It returns to the wagers on the table, with a notice about changes that the server does not have. */
  close() {
    this.stop();
    const placed = this.state.own?.wagers ?? {};
    if (this.#edited && !stakes.same(this.draft, placed)) this.state.fault = lateText(this.draft, placed);
    this.#edited = false;
    this.draft = { ...placed };
  }

  /** Whether the server does not have the amount of a wager yet. @param {string} wager */
  isOnWay(wager) {
    return (this.draft[wager]?.cents ?? 0) !== (this.state.own?.wagers[wager]?.cents ?? 0) || (this.draft[wager]?.color ?? null) !== (this.state.own?.wagers[wager]?.color ?? null);
  }

  /** Balance plus the wagers already placed, in cents; without a known balance, no limit. */
  get available() {
    return (this.state.balance ?? Infinity) + stakes.total(this.state.own?.wagers ?? {});
  }

  /** Replaces the draft by the wagers on the table, unless it has unsent changes. Another window may have placed them. @param {stakes.Stakes} wagers */
  sync(wagers) {
    if (!this.#edited) this.draft = { ...wagers };
  }

  /** Rule violations of the draft. The limit is the balance plus the wagers already placed; without a known balance the server decides. */
  get faults() {
    const { view } = this.state;
    const found = stakes.faults(this.draft, view?.facts.wagers ?? [], this.available);
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
    if (!stakes.same(draft, this.draft)) this.#earlier.push(this.draft);
    this.#change(draft);
  }

  /** @param {stakes.Stakes} draft */
  #change(draft) {
    this.draft = draft;
    this.#edited = true;
    this.state.fault = "";
    this.#schedule();
    this.state.changed();
  }

  #schedule() {
    this.stop();
    this.#timer = setTimeout(() => this.#place(false), PLACE_DELAY_MS);
  }

  /** Schedules the command for a draft that the balance may not have covered before. */
  balanceChanged() {
    if (this.#edited && !this.#sending) this.#schedule();
  }

  /** Takes back the last change, or one chip of the last wager if this window has made no change. */
  undo() {
    const earlier = this.#earlier.pop();
    const last = Object.keys(this.draft).at(-1);
    if (earlier) this.#change(earlier);
    else if (last) this.take(last);
  }

  /** Takes one chip from a wager. @param {string} wager */
  take(wager) {
    const stake = this.draft[wager];
    if (!stake) return;
    const top = stakes.CHIPS.findLast((value) => value <= stake.cents) ?? stake.cents;
    this.setDraft(stake.cents > top ? { ...this.draft, [wager]: { ...stake, cents: stake.cents - top } } : stakes.without(this.draft, wager));
  }

  /** Adds a chip to a wager on a color, or moves the wager to the color. @param {string} wager @param {"red" | "black"} color */
  addColor(wager, color) {
    const stake = this.draft[wager];
    if (stake && stake.color !== color) return this.setDraft({ ...this.draft, [wager]: { ...stake, color } });
    const facts = this.state.view?.facts.wagers.find((one) => one.wager === wager);
    if (!facts) return;
    const draft = stakes.add(this.draft, facts, this.chip);
    this.setDraft({ ...draft, [wager]: { ...draft[wager], color } });
  }

  /** Places the draft and marks the seat as ready. */
  async confirm() {
    if (this.#confirming && stakes.same(this.#confirming, this.draft)) return;
    const confirming = this.draft;
    this.#confirming = confirming;
    this.stop();
    await this.#place(true);
    if (this.#confirming === confirming) this.#confirming = null;
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

  /** @param {boolean} ready @param {boolean} [atOnce] whether not to wait for a command under way */
  async #place(ready, atOnce = false) {
    const { view, own } = this.state;
    if (!view || !own || view.phase !== "wagers" || this.faults.length > 0) return;
    // One command at a time: the draft is sent again after the answer.
    if (this.#sending && !ready && !atOnce) return;
    const placed = this.draft;
    if (ready || !stakes.same(placed, own.wagers)) {
      this.#sending = true;
      await this.state.send({ do: "wagers", wagers: stakes.asCommand(placed), ready });
      this.#sending = false;
    }
    if (this.draft !== placed) {
      await this.#place(false);
      return;
    }
    // After a refusal, the draft returns to the wagers on the table.
    this.#edited = false;
    this.sync(this.state.own?.wagers ?? {});
    this.state.changed();
  }
}

/** Returns the notice about changes that the server did not get before wagers closed. @param {stakes.Stakes} draft @param {stakes.Stakes} placed */
function lateText(draft, placed) {
  const rises = [...new Set([...Object.keys(draft), ...Object.keys(placed)])].map((wager) => (draft[wager]?.cents ?? 0) - (placed[wager]?.cents ?? 0));
  const added = rises.reduce((sum, rise) => sum + Math.max(rise, 0), 0);
  const removed = rises.reduce((sum, rise) => sum + Math.max(-rise, 0), 0);
  const { late, lateBack, lateColor } = words.board;
  return [added > 0 && late(money(added)), removed > 0 && lateBack(money(removed))].filter(Boolean).join(" ") || lateColor;
}

/** Returns the storage key of the wagers of a book. @param {string | undefined} book */
const storageKey = (book) => `paigow.stakes.${book}`;
