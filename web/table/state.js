// A table one sits at or watches: what is seen of it, what one is about to do, and the doing of it.

import { Refused, ask, best, books, houseWay, session, tablePath } from "../api.js";
import { announce } from "../announce.js";
import { cardsOf, sameCards, sorted } from "../cards/card-text.js";
import { toHex } from "../fair/verify.js";
import { LiveTable } from "../live/socket.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { banks, ownSeat } from "./model.js";
import { reduce } from "./reduce.js";
import { rankingOf } from "./ranking.js";
import { sayingOf } from "./sayings.js";
import * as stakes from "./stakes.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").SeenEvent} SeenEvent
 * @typedef {{ high: string, low: string, clause: string, says: string, cite: string }} HouseWay
 * @typedef {{ high: string, low: string, win: number, push: number, lose: number, ev: string, best: boolean, house_way: boolean }} Worth
 */

/** Chips go to the table when nobody has touched them for so long. */
const SETTLE_CHIPS_MS = 700;
const REVEAL_MS = 900;
const LINES_MS = 4500;
const LINE_MS = 420;

export class TableState extends EventTarget {
  /** @type {View | null} */
  view = null;
  /** @type {Record<string, { name: string, bot: boolean }>} */
  people = {};
  /** The book, with its paytables. @type {any} */
  book = null;
  /** Chips as one has put them; they go to the table by themselves. @type {stakes.Stakes} */
  draft = {};
  chip = 500;
  /** The cards one wants in front. @type {string[]} */
  front = [];
  /** How the house would set it. @type {HouseWay | null} */
  house = null;
  /** What every setting is worth, for the coach. @type {{ cards: string, settings: Worth[] } | null} */
  worth = null;
  /** How many lines of the settlement are shown. */
  stage = Infinity;
  /** What was refused last. */
  fault = "";
  /** What the house has said last. */
  notice = "";
  /** Whether a foul was confirmed once. */
  sure = false;
  /** Why there is no table. @type {"" | "no_such_table" | "failed"} */
  missing = "";

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #chips;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #lines;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #purse;
  #bytes = 0;

  /** @param {string} table */
  constructor(table) {
    super();
    this.table = table;
    this.live = new LiveTable(table, {
      onSnapshot: (view) => this.#snapshot(view),
      onEvent: (event) => this.#event(event),
      onLink: () => this.#link(),
    });
    // A socket does not say why there is none.
    ask(tablePath(table)).catch((error) => {
      if (error instanceof Refused && error.status === 404) {
        this.missing = "no_such_table";
        this.live.close();
        this.changed();
      }
    });
  }

  /** The server's clock. */
  now = () => this.live.now();

  close() {
    this.live.close();
    clearTimeout(this.#chips);
    clearTimeout(this.#lines);
    clearTimeout(this.#purse);
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  get own() {
    return this.view ? ownSeat(this.view) : null;
  }

  /** How hands rank at this table. */
  get ranking() {
    return rankingOf(this.book, this.view);
  }

  /** What somebody is called. @param {string} player */
  name(player) {
    // What the server calls a bot says so; the felt has its own mark for that.
    return this.people[player]?.name.replace(/ \(bot\)$/, "") ?? (player === session.me?.player ? session.me.name : words.table.somebody);
  }

  /** The name at a seat. @param {number} seat */
  nameAt(seat) {
    const sitting = this.view?.seats.find((one) => one.seat === seat);
    return sitting ? this.name(sitting.player) : words.table.seat(seat);
  }

  /** @param {View} view */
  #snapshot(view) {
    const same = this.view?.round?.round === view.round?.round;
    this.view = view;
    this.stage = Infinity;
    if (!same) this.#newRound();
    if (view.phase === "wagers" && stakes.total(this.draft) === 0) this.draft = { ...(this.own?.wagers ?? {}) };
    this.#who();
    books().then((all) => {
      this.book = all.find((/** @type {any} */ book) => book.id === view.book);
      this.changed();
    }, () => {});
    this.#countPurse();
    this.changed();
  }

  /** @param {SeenEvent} event */
  #event(event) {
    if (!this.view) return;
    const before = this.view;
    this.view = reduce(before, event);
    switch (event.event) {
      case "sat":
        this.#who();
        break;
      case "round_opened":
        this.#newRound();
        break;
      case "wagered":
      case "cleared":
        if (event.seat === this.view.you) this.#countPurse();
        break;
      case "dealt":
        clearTimeout(this.#chips);
        this.#countPurse();
        break;
      case "settled":
        this.#keepStakes(before);
        this.#showLines(event.settlement.length);
        if (settings.value.coach) this.judge();
        break;
      case "round_voided":
      case "round_abandoned":
      case "bank_taken":
      case "bank_given_back":
        this.#countPurse();
        break;
      case "noticed":
        this.notice = event.text;
        break;
    }
    const saying = sayingOf(event, before, this);
    if (saying) announce(saying.text, saying.how);
    this.changed();
  }

  #link() {
    const { link } = this.live;
    if (link !== this.#linked && (link === "lost" || this.#linked === "lost")) {
      announce(link === "lost" ? words.link.lostSay : words.link.back, "assertive");
    }
    this.#linked = link;
    this.changed();
  }
  /** @type {import("../live/socket.js").Link} */
  #linked = "joining";

  #newRound() {
    this.draft = {};
    this.front = [];
    this.house = null;
    this.worth = null;
    this.sure = false;
    this.fault = "";
    this.stage = Infinity;
    clearTimeout(this.#lines);
  }

  /** @param {number} count */
  #showLines(count) {
    clearTimeout(this.#lines);
    if (settings.still()) {
      this.stage = Infinity;
      this.#countPurse();
      return;
    }
    this.stage = 0;
    const step = Math.min(LINE_MS, LINES_MS / Math.max(count, 1));
    const next = () => {
      this.stage += 1;
      if (this.stage >= count) {
        this.stage = Infinity;
        this.#countPurse();
      } else {
        this.#lines = setTimeout(next, step);
      }
      this.changed();
    };
    this.#lines = setTimeout(next, REVEAL_MS);
  }

  async #who() {
    try {
      this.people = (await ask(`${tablePath(this.table)}/people`)).people;
      this.changed();
    } catch {
      // Then they are called somebody until somebody sits down again.
    }
  }

  /** Looks what one has by now, soon. */
  #countPurse() {
    clearTimeout(this.#purse);
    // A session the page has forgotten is still there: beginning one gives it back.
    const look = () => (this.view?.player && !session.me ? session.begin() : session.look());
    this.#purse = setTimeout(() => look().catch(() => {}), 250);
  }

  /** Gives a command. What is refused is shown. @param {Record<string, unknown>} command */
  async give(command) {
    this.fault = "";
    try {
      await this.live.give(command);
      return true;
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
      announce(this.fault, "assertive");
      this.changed();
      return false;
    }
  }

  /** Sits down, as a new guest if need be. @param {number} seat */
  async sit(seat) {
    this.fault = "";
    try {
      await session.begin();
    } catch (error) {
      this.fault = error instanceof Refused && error.code !== "offline" ? error.message : words.app.offline;
      return this.changed();
    }
    if (this.view?.player !== session.me?.player) this.live.restart();
    await this.give({ do: "sit", seat });
  }

  /** Puts a chip on a wager. @param {string} wager @param {number} [cents] */
  add(wager, cents = this.chip) {
    const facts = this.view?.facts.wagers.find((one) => one.wager === wager);
    if (facts) this.stake(stakes.add(this.draft, facts, cents));
  }

  /** Has these chips on the table, soon. @param {stakes.Stakes} draft */
  stake(draft) {
    this.draft = draft;
    this.fault = "";
    clearTimeout(this.#chips);
    this.#chips = setTimeout(() => this.#place(false), SETTLE_CHIPS_MS);
    this.changed();
  }

  /** The chips are as they should be. */
  ready() {
    clearTimeout(this.#chips);
    return this.#place(true);
  }

  /** @param {boolean} ready */
  async #place(ready) {
    const { view, own } = this;
    if (!view || !own || view.phase !== "wagers" || banks(view)) return;
    if (stakes.faults(this.draft, view.facts.wagers).length > 0) return;
    if (!ready && stakes.same(this.draft, own.wagers)) return;
    this.#addBytes();
    await this.give({ do: "wagers", wagers: stakes.asCommand(this.draft), ready });
  }

  /** Adds bytes of our own to the deal, once a round, so that nobody could have chosen it. */
  #addBytes() {
    const round = this.view?.round;
    if (!round || this.#bytes === round.round) return;
    this.#bytes = round.round;
    this.live.give({ do: "add_bytes", bytes: toHex(crypto.getRandomValues(new Uint8Array(16))) }).catch(() => {});
  }

  /** The chips of the round before. */
  repeat() {
    const kept = this.lastStakes();
    if (kept) this.stake(kept);
  }

  double() {
    if (this.view) this.stake(stakes.doubled(this.draft, this.view.facts.wagers));
  }

  /** @returns {stakes.Stakes | null} */
  lastStakes() {
    try {
      const kept = JSON.parse(localStorage.getItem(`paigow.stakes.${this.view?.book}`) ?? "null");
      const known = Object.entries(kept ?? {}).filter(([wager]) => this.view?.facts.wagers.some((facts) => facts.wager === wager));
      return known.length > 0 ? Object.fromEntries(known) : null;
    } catch {
      return null;
    }
  }

  /** @param {View} view */
  #keepStakes(view) {
    const own = ownSeat(view);
    if (!own || Object.keys(own.wagers).length === 0) return;
    try {
      localStorage.setItem(`paigow.stakes.${view.book}`, JSON.stringify(own.wagers));
    } catch {
      // Then there is nothing to repeat.
    }
  }

  /** One's own cards, from the highest down. */
  get cards() {
    return sorted(cardsOf(this.own?.hand?.cards));
  }

  /** Puts a card in front or back again. @param {string} card */
  toggle(card) {
    if (this.front.includes(card)) this.front = this.front.filter((other) => other !== card);
    else this.front = [...this.front, card].slice(-2);
    this.sure = false;
    this.fault = "";
    this.changed();
  }

  clearFront() {
    this.front = [];
    this.sure = false;
    this.changed();
  }

  /** What a question about one's own hand says of the table. */
  #question() {
    const { joker } = this.ranking;
    const changes = this.book && this.book.ranking.joker !== joker ? { "ranking.joker": joker } : undefined;
    const cards = this.own?.hand?.cards ?? "";
    return { cards, book: this.view?.book ?? "", ...(changes ? { changes } : {}) };
  }

  /** Sets the hand as the house would, to be looked at. */
  async askHouseWay() {
    const { own } = this;
    if (!own?.hand?.cards || own.hand.set) return;
    try {
      const question = this.#question();
      const answer = await houseWay(question);
      if (this.own?.hand?.cards !== question.cards) return;
      this.house = answer;
      this.front = cardsOf(answer.low);
      this.sure = false;
      announce(`${words.set.houseSays} ${answer.says}`);
    } catch {
      // Nobody to ask: the table sets it.
      await this.give({ do: "house_way" });
    }
    this.changed();
  }

  /** Whether the cards in front are those the house would put there. */
  isHouseWay() {
    return this.house !== null && sameCards(this.front, cardsOf(this.house.low));
  }

  /** Sets the hand. @param {boolean} legal as far as we know */
  async confirm(legal) {
    if (this.front.length !== 2 || !this.own?.hand || this.own.hand.set) return;
    if (!legal && !this.sure) {
      this.sure = true;
      announce(words.set.foulSure, "assertive");
      return this.changed();
    }
    await this.give(this.isHouseWay() ? { do: "house_way" } : { do: "set", front: this.front.join(" ") });
  }

  /** Looks what every setting of one's hand is worth. */
  async judge() {
    const cards = this.own?.hand?.cards;
    if (!cards) return;
    try {
      const answer = await best(this.#question());
      if (this.own?.hand?.cards === cards) this.worth = { cards, settings: answer.settings };
    } catch {
      this.worth = null;
    }
    this.changed();
  }
}
