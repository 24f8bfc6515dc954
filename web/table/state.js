// State of a table that the viewer plays at or watches, and the commands of the viewer.

import { ApiError, ask, session, tablePath, tableRules } from "../api.js";
import { errorText } from "../fault.js";
import { announce } from "../announce.js";
import { checkRound } from "../fair/check.js";
import { LiveTable } from "../live/socket.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { actingSeat, canSit, freeSeats, isViewerSeat, ownSeat, viewerSeats } from "./model.js";
import { announcementOf } from "./announcements.js";
import { FaceDownCards } from "./face-down-cards.js";
import { OwnBytes } from "./own-bytes.js";
import { OwnChips } from "./own-chips.js";
import { OwnHand } from "./own-hand.js";
import { nameOf } from "./people.js";
import { rankingOf } from "./ranking.js";
import { reduce } from "./reduce.js";
import { bottomSeat } from "./scene.js";
import { SettlementPlayback } from "./settlement-playback.js";
import { ShownResult } from "./shown-result.js";
import { total } from "./stakes.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").SeenEvent} SeenEvent
 * @typedef {import("../protocol").Command} Command
 */

/** Delay between an event that changes the balance and the request for it. */
const BALANCE_DELAY_MS = 250;
/** Codes of refusals because of a limit that the player has set. */
const LIMIT_CODES = ["loss_limit", "time_limit"];

export class TableState extends EventTarget {
  /** The view of the table; `you` is the acting seat of the viewer. @type {View | null} */
  view = null;
  /** @type {import("./people.js").People} */
  people = {};
  /** The rules of the table; `null` until loaded. @type {import("../protocol").TableRulesAnswer | null} */
  rules = null;
  /** Error message of the last command. The page shows it as an alert, which screen readers announce. */
  fault = "";
  /** Whether the last command was refused because of a limit that the player has set. */
  limited = false;
  /** Check of the last finished round's deal. @type {{ round: number, steps: import("../fair/check.js").StepResult[] } | null} */
  checked = null;
  /** Last message of the house. */
  notice = "";
  /** Whether the store was rolled back to an earlier state. Cleared when the next round opens. */
  rolledBack = false;
  /** Reason why there is no table. @type {"" | "no_such_table" | "failed"} */
  missing = "";

  chips = new OwnChips(this);
  hand = new OwnHand(this);
  /** The viewer's cards that lie face down. */
  faceDown = new FaceDownCards({ now: () => this.now(), changed: () => this.changed(), isOn: () => settings.value.squeeze && !settings.value.text });
  /** The bytes that the viewer's seats add to the deal. */
  bytes = new OwnBytes({ view: () => this.view, send: (command) => this.live.send(command), alarmed: () => this.changed() });
  /** The step-by-step display of the settlement. */
  playback = new SettlementPlayback({ now: () => this.now(), step: () => this.changed(), verdict: () => this.#onVerdict() });

  #result = new ShownResult();
  /** Seat that a watcher looks at; `null` for the first taken seat. @type {number | null} */
  #watched = null;
  /** Text of the settlement, announced with the verdict. */
  #verdict = "";

  /** Seats that the viewer is about to take. @type {Set<number>} */
  #sitting = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #balanceTimer;
  #onSession = () => this.chips.balanceChanged();

  /** @param {string} table */
  constructor(table) {
    super();
    this.table = table;
    this.live = new LiveTable(table, {
      onSnapshot: (view) => this.#onSnapshot(view),
      onEvent: (event) => this.#onEvent(event),
      onRollback: () => this.#onRollback(),
      onMissing: () => this.#onMissing(),
      onLink: () => this.#onLink(),
    });
    session.addEventListener("change", this.#onSession);
    // A failed WebSocket does not give a reason, so ask for the table over HTTP as well.
    ask(tablePath(table)).catch((error) => {
      if (error instanceof ApiError && error.status === 404) {
        this.live.close();
        this.#onMissing();
      }
    });
  }

  /** The server's clock. */
  now = () => this.live.now();

  close() {
    this.live.close();
    this.chips.stop();
    this.faceDown.stop();
    this.playback.showAll();
    clearTimeout(this.#balanceTimer);
    session.removeEventListener("change", this.#onSession);
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  get own() {
    return this.view ? ownSeat(this.view) : null;
  }

  /** The viewer's balance in the table's currency, in cents; `null` without a session. */
  get balance() {
    return session.balance(this.view?.currency);
  }

  /** The view to show: a result, or the current state. */
  get shown() {
    return this.#result.viewOf(this.view);
  }

  /** Whether the result of a round is shown. */
  get showsResult() {
    return this.#result.isShown(this.view);
  }

  /** Whether the viewer keeps a result on the screen while the table goes on. */
  get held() {
    return this.#result.held !== null;
  }

  /** Seat for a viewer who has stood up during the shown result: the same seat, or a free one. `null` if there is none. */
  get seatAgain() {
    const { view, shown } = this;
    if (!view || this.held || !this.showsResult || view.you !== null || shown?.you == null || !canSit(view)) return null;
    const free = freeSeats(view);
    return free.includes(shown.you) ? shown.you : free[0] ?? null;
  }

  /** Number of the seat at the bottom of the felt. */
  get bottom() {
    return this.shown ? bottomSeat(this.shown, this.#watched) : 1;
  }

  /** Moves a seat to the bottom of the felt, for a watcher. @param {number} seat */
  watch(seat) {
    this.#watched = seat;
    this.changed();
  }

  /** Keeps the result on the screen, or releases it. */
  hold() {
    const { shown } = this;
    if (this.held) this.#result.release();
    else if (shown && this.showsResult && !this.playback.revealing) this.#result.hold(shown);
    this.changed();
  }

  /** Dismisses the result. In the pause between rounds, the wagers of the round are repeated in the next one. */
  next() {
    const { view, shown } = this;
    this.#result.release();
    if (view && this.showsResult && view.round?.round === shown?.round?.round) {
      this.#result.dismiss(view);
      // A table that rests has no next round.
      if (view.phase === "between") {
        if (this.own) this.chips.repeatNext();
        this.#askForNextRound(view);
      }
    }
    this.changed();
  }

  /** Takes a seat again if the viewer has stood up during the result; dismisses the result if not. */
  sitAgainOrNext() {
    const seat = this.seatAgain;
    if (seat !== null) this.sit(seat);
    else this.next();
  }

  /** Asks for the next round for all seats of the viewer. Without a connection, the command would reach the server in a later round. @param {View} view */
  #askForNextRound(view) {
    if (this.live.link !== "live") return;
    const seats = viewerSeats(view);
    const commands = seats.length > 1 ? seats.map((seat) => ({ do: "next_round", seat })) : seats.map(() => ({ do: "next_round" }));
    // After a refusal, the next round begins with the clock.
    for (const command of commands) this.bytes.send(/** @type {Command} */ (command)).catch(() => {});
  }

  /** Requests more practice chips. */
  async moreChips() {
    this.fault = "";
    try {
      await session.chips();
    } catch (error) {
      this.fault = errorText(error);
    }
    this.changed();
  }

  /** The ranking of hands at this table. */
  get ranking() {
    return rankingOf(this.rules);
  }

  /** The book of this table, with its paytables. */
  get book() {
    return this.rules?.book ?? null;
  }

  /** Returns the name of a player. @param {string} player */
  name(player) {
    return nameOf(this.people, player) ?? (player === session.me?.player ? session.me.name : words.table.unknownPlayer);
  }

  /** Returns the name of the player at a seat. @param {number} seat */
  nameAt(seat) {
    const sitting = this.shown?.seats.find((one) => one.seat === seat);
    return sitting ? this.name(sitting.player) : words.table.seat(seat);
  }

  /** @param {View} view */
  #onSnapshot(view) {
    const sameRound = this.view?.round?.round === view.round?.round;
    this.#setView(view);
    this.faceDown.update(view);
    this.playback.showAll();
    if (view.round?.voided) this.#verdict = "";
    if (!sameRound) this.#newRound();
    if (view.phase === "wagers") this.chips.sync(this.own?.wagers ?? {});
    if (view.phase === "waiting") this.chips.cancelRepeat();
    this.#loadPeople();
    this.#loadRules();
    if (view.phase === "between") this.#play();
    else this.#refreshBalance();
    this.bytes.restart();
    if (view.phase === "between") this.#check();
    this.changed();
  }

  /** Sets the view and chooses the acting seat of the viewer. @param {View} view */
  #setView(view) {
    const before = this.view?.you ?? null;
    const you = actingSeat(view, before);
    this.view = { ...view, you };
    if (you !== before) this.#resetDrafts();
  }

  /** Makes another seat of the viewer the acting seat, and shows its result after the round. @param {number} seat */
  actFor(seat) {
    const { view, shown } = this;
    if (!view || !shown || !isViewerSeat(shown, seat) || seat === shown.you) return;
    if (this.showsResult) {
      this.#result.choose(seat);
      if (settings.value.coach) this.hand.loadWorth(shown.seats.find((one) => one.seat === seat)?.hand?.cards);
    }
    // The viewer may have stood up from a seat of the result.
    if (isViewerSeat(view, seat) && seat !== view.you) {
      this.chips.flush();
      this.view = { ...view, you: seat };
      this.#resetDrafts();
    }
    this.changed();
  }

  /** Resets chips and hand to those of the acting seat. */
  #resetDrafts() {
    this.chips.newRound();
    this.hand.newRound();
    this.chips.sync(this.own?.wagers ?? {});
  }

  /** @param {SeenEvent} event */
  #onEvent(event) {
    if (!this.view) return;
    const before = this.view;
    if (event.event === "stood") this.#result.leave(before, event.seat);
    this.#setView(reduce(before, event));
    this.faceDown.update(this.view);
    switch (event.event) {
      case "sat":
        this.#loadPeople();
        break;
      case "rested":
        this.chips.cancelRepeat();
        break;
      case "round_opened":
        this.rolledBack = false;
        this.#newRound();
        this.#loadRules();
        break;
      case "wagered":
      case "cleared":
        if (event.seat === this.view.you) this.chips.sync(this.own?.wagers ?? {});
        if (isViewerSeat(this.view, event.seat)) {
          // The draft is checked against the balance at once, so it must not wait for the server's answer.
          session.adjustBalance(this.view.currency, wageredAt(before, event.seat) - wageredAt(this.view, event.seat));
          this.#refreshBalance();
        }
        break;
      case "wagers_opened":
        this.chips.open();
        break;
      case "wagers_closed":
        this.chips.close();
        break;
      case "dealt":
        this.faceDown.deal(this.view);
        this.chips.close();
        this.#refreshBalance();
        break;
      case "settled":
        this.chips.store(before);
        this.#verdict = announcementOf(event, before, this)?.text ?? "";
        this.#play();
        if (settings.value.coach) this.hand.loadWorth();
        this.#check();
        break;
      case "round_voided":
        this.playback.showAll();
        this.#forgetResult();
        this.#refreshBalance();
        this.#check();
        break;
      case "round_abandoned":
        this.chips.close();
        this.#refreshBalance();
        this.#check();
        break;
      case "bank_taken":
      case "bank_given_back":
        this.#refreshBalance();
        break;
      case "noticed":
        this.notice = event.text;
        break;
    }
    this.bytes.update();
    // The settlement is announced with the verdict.
    const announcement = event.event === "settled" ? null : announcementOf(event, before, this);
    if (announcement) announce(announcement.text, announcement.how);
    this.changed();
  }

  #onMissing() {
    this.missing = "no_such_table";
    this.changed();
  }

  /** The store was rolled back and earlier events may be lost. Drops draft wagers and face-down cards; the next snapshot replaces the view. */
  #onRollback() {
    this.rolledBack = true;
    this.faceDown.stop();
    this.#forgetResult();
    this.#newRound();
    announce(words.table.rolledBack, "assertive");
    this.changed();
  }

  #onLink() {
    const { link } = this.live;
    if (link !== this.#lastLink && (link === "lost" || this.#lastLink === "lost")) {
      announce(link === "lost" ? words.link.lostSay : words.link.back, "assertive");
    }
    this.#lastLink = link;
    this.changed();
  }
  /** @type {import("../live/socket.js").LinkState} */
  #lastLink = "joining";

  /** Warning about the deal; empty if there is none. */
  get alarm() {
    const { fair } = words;
    if (this.bytes.alarm) return fair.alarms[this.bytes.alarm];
    return this.checked?.round === this.view?.round?.round && this.checked?.steps.some(({ right }) => right === false) ? fair.alarms.check : "";
  }

  /** Checks the deal of the finished round. */
  async #check() {
    const { view } = this;
    if (!view?.round) return;
    const { round } = view.round;
    const steps = await checkRound(this.table, view.round, view.seats, view.facts);
    if (this.view?.round?.round !== round) return;
    this.checked = { round, steps };
    this.changed();
  }

  #newRound() {
    // A round that opens during the reveal ends it.
    if (this.#verdict || this.playback.revealing) this.#onVerdict();
    this.chips.newRound();
    this.hand.newRound();
    this.#result.endRound();
    this.fault = "";
    this.playback.showAll();
  }

  /** Drops the result and the announcement of the verdict. */
  #forgetResult() {
    this.#result.forget();
    this.#verdict = "";
  }

  /** Loads the rules of the table, unless they are loaded. */
  async #loadRules() {
    if (this.rules) return;
    try {
      this.rules = await tableRules(this.table);
      this.changed();
    } catch {
      // The next round retries.
    }
  }

  async #loadPeople() {
    try {
      // Players who have stood up stay: the result shows their names.
      this.people = { ...this.people, ...(await ask(`${tablePath(this.table)}/people`)).people };
      this.changed();
    } catch {
      // Names stay unknown until the next player sits down.
    }
  }

  /** Starts the reveal of the settled round. */
  #play() {
    if (this.view) this.playback.begin(this.view, bottomSeat(this.view, this.#watched));
  }

  /** The viewer's result is shown. */
  #onVerdict() {
    announce(this.#verdict);
    this.#verdict = "";
    this.#refreshBalance();
  }

  /** Loads the viewer's balance after a short delay. */
  #refreshBalance() {
    clearTimeout(this.#balanceTimer);
    // If the page has lost track of its session, `begin` returns the existing one.
    const load = () => (this.view?.player && !session.me ? session.begin() : session.load());
    this.#balanceTimer = setTimeout(() => load().catch(() => {}), BALANCE_DELAY_MS);
  }

  /** Adds the acting seat to a command, if the viewer has several seats. @param {Command} command @returns {Command} */
  #withSeat(command) {
    const { view } = this;
    return command.do === "sit" || !view || view.you === null || viewerSeats(view).length < 2 ? command : /** @type {Command} */ ({ ...command, seat: view.you });
  }

  /** Sends a command. Returns whether the server accepted it; shows the error of a refusal. @param {Command} command */
  async send(command) {
    this.fault = "";
    this.limited = false;
    try {
      await this.bytes.send(this.#withSeat(command));
      return true;
    } catch (error) {
      this.limited = error instanceof ApiError && LIMIT_CODES.includes(error.code);
      const text = errorText(error, this.view?.facts.terms.banker);
      this.fault = this.limited ? words.account.limits.refused(text) : text;
      this.changed();
      return false;
    }
  }

  /** Takes a seat, with a new guest session if there is none. Has no effect while an attempt for the seat is pending. @param {number} seat */
  async sit(seat) {
    if (this.#sitting.has(seat)) return;
    this.#sitting.add(seat);
    await this.#takeSeat(seat);
    this.#sitting.delete(seat);
  }

  /** @param {number} seat */
  async #takeSeat(seat) {
    this.fault = "";
    try {
      await session.begin();
    } catch (error) {
      this.fault = errorText(error);
      return this.changed();
    }
    if (this.view?.player !== session.me?.player) this.live.restart();
    await this.send({ do: "sit", seat });
  }
}

/** Returns the sum of a seat's wagers, in cents. @param {View} view @param {number} seat */
function wageredAt(view, seat) {
  return total(view.seats.find((one) => one.seat === seat)?.wagers ?? {});
}
