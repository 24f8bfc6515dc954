// A table one sits at or watches: what is seen of it, and the doing of what one asks for.

import { Refused, ask, session, tablePath, tableRules } from "../api.js";
import { faultWords } from "../fault.js";
import { announce } from "../announce.js";
import { journal } from "../journal.js";
import { checkRound } from "../fair/check.js";
import { LiveTable } from "../live/socket.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { actingSeat, isYours, ownSeat, yoursOf } from "./model.js";
import { OwnBytes } from "./own-bytes.js";
import { OwnChips } from "./own-chips.js";
import { OwnHand } from "./own-hand.js";
import { nameOf } from "./people.js";
import { rankingOf } from "./ranking.js";
import { reduce } from "./reduce.js";
import { Reveal } from "./reveal.js";
import { sayingOf } from "./sayings.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").SeenEvent} SeenEvent
 * @typedef {import("../protocol").Command} Command
 */

/** What one has is looked at so long after it has changed. */
const PURSE_MS = 250;

export class TableState extends EventTarget {
  /** The table; `you` is the seat that acts for the viewer. @type {View | null} */
  view = null;
  /** @type {import("./people.js").People} */
  people = {};
  /** What is played by here. @type {import("../protocol").TableRules | null} */
  rules = null;
  /** What one had before and after the round that is settled. @type {import("../journal.js").Balance | null} */
  balance = null;
  /** What was refused last. */
  fault = "";
  /** The deal of the last round that is over, checked here. @type {{ round: number, steps: import("../fair/check.js").Checked[] } | null} */
  checked = null;
  /** What the house has said last. */
  notice = "";
  /** Whether the store went back to an earlier state, until the next round opens. */
  wentBack = false;
  /** Why there is no table. @type {"" | "no_such_table" | "failed"} */
  missing = "";

  chips = new OwnChips(this);
  hand = new OwnHand(this);
  /** The bytes that the viewer's seats add to the deal. */
  bytes = new OwnBytes({ view: () => this.view, give: (command) => this.live.give(command), alarmed: () => this.#alarmed() });
  /** The settlement, shown step by step. */
  reveal = new Reveal({ now: () => this.now(), step: () => this.changed(), done: () => this.#settled() });

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #purse;

  /** @param {string} table */
  constructor(table) {
    super();
    this.table = table;
    this.live = new LiveTable(table, {
      onSnapshot: (view) => this.#snapshot(view),
      onEvent: (event) => this.#event(event),
      onWentBack: () => this.#goBack(),
      onMissing: () => this.#miss(),
      onLink: () => this.#link(),
    });
    // A socket does not say why there is none.
    ask(tablePath(table)).catch((error) => {
      if (error instanceof Refused && error.status === 404) {
        this.live.close();
        this.#miss();
      }
    });
  }

  /** The server's clock. */
  now = () => this.live.now();

  close() {
    this.live.close();
    this.chips.stop();
    this.reveal.all();
    clearTimeout(this.#purse);
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  get own() {
    return this.view ? ownSeat(this.view) : null;
  }

  /** What one has of what is played for here, in cents; null where that is not known. */
  get purse() {
    return session.purse(this.view?.currency);
  }

  /** How hands rank at this table. */
  get ranking() {
    return rankingOf(this.rules);
  }

  /** The book as it is at this table, with its paytables. */
  get book() {
    return this.rules?.book ?? null;
  }

  /** What somebody is called. @param {string} player */
  name(player) {
    return nameOf(this.people, player) ?? (player === session.me?.player ? session.me.name : words.table.somebody);
  }

  /** The name at a seat. @param {number} seat */
  nameAt(seat) {
    const sitting = this.view?.seats.find((one) => one.seat === seat);
    return sitting ? this.name(sitting.player) : words.table.seat(seat);
  }

  /** @param {View} view */
  #snapshot(view) {
    const same = this.view?.round?.round === view.round?.round;
    this.#see(view);
    this.reveal.all();
    if (!same) this.#newRound();
    if (view.phase === "wagers") this.chips.take(this.own?.wagers ?? {});
    this.#who();
    this.#learnRules();
    if (view.phase === "between") this.reveal.begin(view.round);
    else this.#countPurse();
    this.bytes.restart();
    if (view.phase === "between") this.#check();
    this.changed();
  }

  /** Takes a view with the seat that acts for the viewer. @param {View} view */
  #see(view) {
    const before = this.view?.you ?? null;
    const you = actingSeat(view, before);
    this.view = { ...view, you };
    if (you !== before) this.#acts();
  }

  /** Has another seat of the viewer act. @param {number} seat */
  actFor(seat) {
    if (!this.view || !isYours(this.view, seat) || seat === this.view.you) return;
    this.chips.flush();
    this.view = { ...this.view, you: seat };
    this.#acts();
    this.changed();
  }

  /** The chips and the hand are those of the seat that acts. */
  #acts() {
    this.chips.newRound();
    this.hand.newRound();
    this.chips.take(this.own?.wagers ?? {});
  }

  /** @param {SeenEvent} event */
  #event(event) {
    if (!this.view) return;
    const before = this.view;
    this.#see(reduce(before, event));
    switch (event.event) {
      case "sat":
        this.#who();
        break;
      case "round_opened":
        this.wentBack = false;
        this.#newRound();
        this.#learnRules();
        break;
      case "wagered":
      case "cleared":
        if (event.seat === this.view.you) this.chips.take(this.own?.wagers ?? {});
        if (isYours(this.view, event.seat)) this.#countPurse();
        break;
      case "wagers_closed":
        this.chips.stop();
        break;
      case "dealt":
        this.chips.stop();
        this.#countPurse();
        break;
      case "settled":
        this.chips.keep(before);
        this.reveal.begin(this.view.round);
        if (settings.value.coach) this.hand.judge();
        this.#check();
        break;
      case "round_voided":
        this.reveal.all();
        this.balance = null;
        this.#countPurse();
        this.#check();
        break;
      case "round_abandoned":
        this.#countPurse();
        this.#check();
        break;
      case "bank_taken":
      case "bank_given_back":
        this.#countPurse();
        break;
      case "noticed":
        this.notice = event.text;
        break;
    }
    this.bytes.follow();
    const saying = sayingOf(event, before, this);
    if (saying) announce(saying.text, saying.how);
    this.changed();
  }

  #miss() {
    this.missing = "no_such_table";
    this.changed();
  }

  /** Earlier events may be lost: drops unsent wagers; the snapshot that follows replaces the view. */
  #goBack() {
    this.wentBack = true;
    this.#newRound();
    announce(words.table.wentBack, "assertive");
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

  /** Why the viewer should not trust the deal; nothing where there is no reason. */
  get alarm() {
    const { fair } = words;
    if (this.bytes.alarm) return fair.alarms[this.bytes.alarm];
    return this.checked?.round === this.view?.round?.round && this.checked?.steps.some(({ right }) => right === false) ? fair.alarms.check : "";
  }

  #alarmed() {
    announce(this.alarm, "assertive");
    this.changed();
  }

  /** Checks the deal of the round that is over. */
  async #check() {
    const { view } = this;
    if (!view?.round) return;
    const { round } = view.round;
    const steps = await checkRound(this.table, view.round, view.seats, view.facts);
    if (this.view?.round?.round !== round) return;
    this.checked = { round, steps };
    if (steps.some(({ right }) => right === false)) this.#alarmed();
    else this.changed();
  }

  #newRound() {
    this.chips.newRound();
    this.hand.newRound();
    this.balance = null;
    this.fault = "";
    this.reveal.all();
  }

  /** Looks what is played by here, until it is known. */
  async #learnRules() {
    if (this.rules) return;
    try {
      this.rules = await tableRules(this.table);
      this.changed();
    } catch {
      // The next round asks again.
    }
  }

  async #who() {
    try {
      this.people = (await ask(`${tablePath(this.table)}/people`)).people;
      this.changed();
    } catch {
      // Then they are called somebody until somebody sits down again.
    }
  }

  /** Everything of the settlement is shown: looks what one has, and what one had. */
  async #settled() {
    this.#countPurse();
    const { view } = this;
    const round = view?.round?.round;
    if (!view?.player || !this.own || round === undefined) return;
    // Without the journal nothing is said of it.
    await journal.read(view.player).catch(() => {});
    if (this.view?.round?.round !== round) return;
    this.balance = journal.of(this.table, round);
    this.changed();
  }

  /** Looks what one has by now, soon. */
  #countPurse() {
    clearTimeout(this.#purse);
    // A session the page has forgotten is still there: beginning one gives it back.
    const look = () => (this.view?.player && !session.me ? session.begin() : session.look());
    this.#purse = setTimeout(() => look().catch(() => {}), PURSE_MS);
  }

  /** A command with the seat it is for, where the viewer has several. @param {Command} command @returns {Command} */
  at(command) {
    const { view } = this;
    return command.do === "sit" || !view || view.you === null || yoursOf(view).length < 2 ? command : /** @type {Command} */ ({ ...command, seat: view.you });
  }

  /** Gives a command. What is refused is shown. @param {Command} command */
  async give(command) {
    this.fault = "";
    try {
      await this.bytes.give(this.at(command));
      return true;
    } catch (error) {
      this.fault = faultWords(error, this.view?.facts.terms.banker);
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
      this.fault = faultWords(error);
      return this.changed();
    }
    if (this.view?.player !== session.me?.player) this.live.restart();
    await this.give({ do: "sit", seat });
  }
}
