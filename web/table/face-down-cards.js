// The viewer's cards that lie face down after the deal, until the viewer turns them.

import { announce } from "../announce.js";
import { cardsOf, sameCards, sorted } from "../cards/card-text.js";
import { cardName } from "../cards/names.js";
import { words } from "../words.js";
import { hasHandToSet, OWN_TIME_MS, viewerSeats } from "./model.js";

/** @typedef {import("./view-types.js").View} View */

/** Longest time that cards stay face down at a table with a running clock. */
const DOWN_MAX_MS = 12_000;
/** Part of the setting clock that a player has left when the cards turn without a command. */
const LEFT_MIN = 1 / 3;

/** Returns the time at which cards turn without a command; `null` if they stay face down until the deadline. @param {Pick<View, "until"> & { facts: { clocks: { settings: number } } }} view @param {number} now by the server's clock */
export function turnTime({ until, facts }, now) {
  const clock = facts.clocks.settings;
  return until === null || clock >= OWN_TIME_MS ? null : Math.min(now + DOWN_MAX_MS, until - clock * LEFT_MIN);
}

export class FaceDownCards {
  /** Cards face down by seat, in the order of the hand. @type {Map<number, Set<string>>} */
  #down = new Map();
  /** Cards of each seat with cards face down, in the order of the hand. @type {Map<number, string[]>} */
  #hands = new Map();
  /** Number of the round that the cards belong to. @type {number | undefined} */
  #round;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {{ now: () => number, changed: () => void, isOn: () => boolean }} table `isOn`: whether cards are dealt face down */
  constructor(table) {
    this.table = table;
  }

  /** Puts the viewer's cards face down after a deal. @param {View} view */
  deal(view) {
    this.stop();
    if (!this.table.isOn()) return;
    this.#round = view.round?.round;
    for (const { seat, hand } of view.seats) {
      const cards = sorted(cardsOf(hand?.cards));
      if (!viewerSeats(view).includes(seat) || cards.length === 0) continue;
      this.#hands.set(seat, cards);
      this.#down.set(seat, new Set(cards));
    }
    const now = this.table.now();
    const at = turnTime(view, now);
    if (this.#down.size > 0 && at !== null) this.#timer = setTimeout(() => this.showAll("assertive"), Math.max(0, at - now));
  }

  /** Drops the cards of hands that are set, of hands with other cards, and of other rounds. @param {View} view */
  update(view) {
    const isDealt = (/** @type {import("./view-types.js").SeatView} */ seat) => hasHandToSet(view, seat) && sameCards(cardsOf(seat.hand?.cards), this.#hands.get(seat.seat) ?? []);
    const open = view.round?.round === this.#round ? view.seats.filter(isDealt).map(({ seat }) => seat) : [];
    for (const seat of [...this.#down.keys()]) if (!open.includes(seat)) this.#drop(seat);
    if (this.#down.size === 0) this.stop();
  }

  /** Forgets all cards. */
  stop() {
    clearTimeout(this.#timer);
    this.#down.clear();
    this.#hands.clear();
  }

  /** Whether a card lies face down. @param {number} seat @param {string} card */
  has(seat, card) {
    return this.#down.get(seat)?.has(card) ?? false;
  }

  /** Returns the number of cards face down. @param {number | undefined} seat */
  count(seat) {
    return seat === undefined ? 0 : this.#down.get(seat)?.size ?? 0;
  }

  /** Turns a card. @param {number} seat @param {string} card */
  turn(seat, card) {
    const down = this.#down.get(seat);
    if (!down?.delete(card)) return;
    const name = cardName(card);
    announce(down.size > 0 ? name : words.say.lastTurned(name));
    if (down.size === 0) this.#drop(seat);
    this.table.changed();
  }

  /** Turns the next card. @param {number} seat */
  turnNext(seat) {
    const [card] = this.#down.get(seat) ?? [];
    if (card) this.turn(seat, card);
  }

  /** Turns all cards of a seat. @param {number} seat @param {"polite" | "assertive"} [how] urgency of the announcement */
  turnAll(seat, how) {
    const cards = this.#hands.get(seat);
    if (!cards) return;
    this.#drop(seat);
    announce(words.say.dealt(cards.map((card) => cardName(card)).join(", ")), how);
    this.table.changed();
  }

  /** Turns all cards of all seats. @param {"polite" | "assertive"} [how] */
  showAll(how) {
    for (const seat of [...this.#down.keys()]) this.turnAll(seat, how);
  }

  /** Turns all cards if they may no longer lie face down: the player has changed the settings. */
  settingsChanged() {
    if (!this.table.isOn()) this.showAll();
  }

  /** @param {number} seat */
  #drop(seat) {
    this.#down.delete(seat);
    this.#hands.delete(seat);
    if (this.#down.size === 0) clearTimeout(this.#timer);
  }
}
