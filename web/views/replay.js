// <pg-replay>: replays a finished round event by event and its settlement step by step, and checks its deal.

import "../shell/share-button.js";
import "../table/clock.js";
import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";
import { ask, session, tablePath, tableRules } from "../api.js";
import { checkRound } from "../fair/check.js";
import { steps } from "../fair/steps.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { tableName } from "../study/table-name.js";
import { board } from "../table/board.js";
import { framesOf } from "../table/frames.js";
import { nameOf } from "../table/people.js";
import { rankingOf } from "../table/ranking.js";
import { replayMoment } from "../table/reveal.js";
import { bottomSeat, isOpen } from "../table/scene.js";
import { settlement } from "../table/settlement.js";
import { tool, topBar } from "../table/top-bar.js";

/** @typedef {import("../table/view-types.js").View} View */

const STEP_MS = 900;
/** Windows of this width show the drawer beside the board. */
const WIDE = matchMedia("(min-width: 1440px)");

class Replay extends Component {
  /** @type {Record<string, string>} */
  params = {};
  /** The first frame is the opening of the round. @type {import("../table/frames.js").Frame[]} */
  frames = [];
  /** @type {import("../protocol").RoundRecord | null} */
  record = null;
  /** @type {import("../protocol").TableRulesAnswer | null} */
  rules = null;
  /** Players of the round, including those who have left. @type {import("../table/people.js").People} */
  people = {};
  /** @type {import("../fair/check.js").StepResult[]} */
  checked = [];
  /** Index of the current frame. */
  current = 0;
  playing = false;
  fault = "";
  /** Whether the drawer is open; `null` until the viewer decides. @type {boolean | null} */
  #drawer = null;

  begin() {
    this.#load();
    this.every(STEP_MS, () => this.playing && this.#goTo(this.current + 1));
    this.on(settings, "change", () => this.update());
    this.on(WIDE, "change", () => this.update());
    this.on(document, "keydown", (event) => this.#key(event));
  }

  async #load() {
    const { table, round } = this.params;
    try {
      /** @type {import("../protocol").PastRound} */
      const found = await ask(`${tablePath(table)}/rounds/${round}`, { signal: this.signal });
      this.record = found.record;
      this.people = found.people;
      this.frames = framesOf(found.start, found.events.map(({ event }) => event));
      const { view: last } = this.frames[this.frames.length - 1];
      if (last.round) this.checked = await checkRound(table, last.round, last.seats, last.facts);
      this.rules = await tableRules(table).catch(() => null);
      if (!this.signal.aborted) document.title = words.app.titled(words.replay.titleAt(Number(round), this.#table(found.record)));
    } catch (error) {
      if (this.signal.aborted) return;
      this.fault = errorText(error);
    }
    this.update();
  }

  /** Index of the last frame. */
  get #last() {
    return Math.max(0, this.frames.length - 1);
  }

  /** @param {number} index */
  #goTo(index) {
    this.current = Math.max(0, Math.min(index, this.#last));
    if (this.current === this.#last) this.playing = false;
    this.update();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!settings.value.keys || event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest("input, button, a, summary, dialog")) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) this.#goTo(this.current + step);
    else if (event.key === " ") this.#togglePlay();
    else return;
    event.preventDefault();
  }

  #togglePlay() {
    if (!this.playing && this.current === this.#last) this.current = 0;
    this.playing = !this.playing;
    this.update();
  }

  /** Returns the name of the table. @param {import("../protocol").RoundRecord} record */
  #table(record) {
    return tableName({ ...record, title: this.rules?.book.title }, session.me?.player);
  }

  /** Returns the name of a player, or the id if the server no longer knows the player. @param {string} player */
  #name(player) {
    return nameOf(this.people, player) ?? player;
  }

  view() {
    const frame = this.frames[this.current];
    const { table, round } = this.params;
    const { record } = this;
    if (this.fault) return h("div", { class: "page notice" }, h("h1", null, this.fault), h("a", { class: "button", href: "/" }, words.app.home));
    if (!frame || !record) return h("p", { class: "loading", role: "status" }, words.app.loading);
    const { view, event, progress, step } = frame;
    // A player of the round sees it from their own seats.
    const yours = view.seats.filter((seat) => seat.player === session.me?.player).map(({ seat }) => seat);
    const own = { ...view, yours, you: yours[0] ?? null };
    const term = view.facts.terms.banker;
    /** @type {import("../table/scene.js").Scene} */
    const scene = {
      view: own, own: own.seats.find(({ seat }) => seat === own.you) ?? null, bottom: bottomSeat(own, null), moment: replayMoment(own, bottomSeat(own, null), progress), progress, ranking: rankingOf(this.rules), state: null, book: this.rules?.book ?? null,
      name: (player) => this.#name(player), bot: (player) => this.people[player]?.bot ?? false, sit: null, look: () => {},
      call: isOpen(own) ? undefined : { title: words.status(Number(round), own.phase, term), text: "" },
    };
    const open = this.#drawer ?? WIDE.matches;
    return h("div", { class: ["table", "replay", { "drawer-open": open }], "data-phase": view.phase },
      topBar(h("h1", { class: "replay-title" }, words.replay.title(Number(round))),
        [this.#table(record), " · ", words.replay.when(record.opened_at), " · ", words.rounds.outcomes[/** @type {"settled"} */ (record.outcome)]],
        [tool("panel", words.board.panel, () => this.#setDrawer(!open), { "aria-expanded": String(open) })],
        [h("pg-share", { key: "share", class: "bar-act", ".look": "button slim plain" }), h("a", { key: "back", class: "button slim plain bar-act", href: `/table/${table}` }, words.replay.back)]),
      board(scene, this.#controls(own, { event, progress, step }, term), { asText: settings.value.text }),
      open && h("aside", { class: "drawer", key: "drawer", "aria-label": words.side.title },
        h("div", { class: "drawer-head" }, h("h2", { class: "drawer-title" }, words.fair.title), h("button", { class: "icon drawer-close", "aria-label": words.app.close, onclick: () => this.#setDrawer(false) }, "×")),
        h("div", { class: "side-panel", tabindex: 0 },
          h("section", { class: "side-text" }, h("p", { class: "small" }, words.replay.checkWhy), steps(this.checked)),
          settlement(own, { nameAt: (seat) => this.#seat(view, seat) }, progress),
          h("dl", { class: "small record" }, h("dt", null, words.replay.rules), h("dd", { class: "hex" }, record.rules), h("dt", null, words.replay.version), h("dd", null, record.version)))));
  }

  /** @param {boolean} open */
  #setDrawer(open) {
    this.#drawer = open;
    this.update();
  }

  /** @param {View} view @param {Pick<import("../table/frames.js").Frame, "event" | "progress" | "step">} frame @param {string} term */
  #controls(view, { event, progress, step }, term) {
    return h("section", { class: "rail replay-rail", "aria-label": words.replay.controls },
      h("p", { class: "lead", role: "status" }, step ? this.#stepText(view, step, progress.over) : event ? words.eventText(event, (seat) => this.#seat(view, seat), (wager) => words.wagerAt(wager, view), term) : ""),
      h("div", { class: "scrub" },
        h("button", { class: "button", "aria-label": words.replay.back1, disabled: this.current === 0, onclick: () => this.#goTo(this.current - 1) }, "◂"),
        h("button", { class: "button primary", onclick: () => this.#togglePlay() }, this.playing ? words.replay.pause : words.replay.play),
        h("button", { class: "button", "aria-label": words.replay.next, disabled: this.current === this.#last, onclick: () => this.#goTo(this.current + 1) }, "▸"),
        h("input", { type: "range", min: 0, max: this.#last, ".value": String(this.current), "aria-label": words.replay.position, "aria-valuetext": words.replay.step(this.current + 1, this.frames.length),
          oninput: (/** @type {any} */ input) => this.#goTo(Number(input.target.value)) }),
        h("span", { class: "small amount" }, words.replay.step(this.current + 1, this.frames.length))));
  }

  /** @param {View} view @param {import("../protocol").StepView} step @param {boolean} over */
  #stepText(view, { part, who }, over) {
    const seat = /^seat-(\d+)$/.exec(who)?.[1];
    const name = seat === undefined ? words.party(who, view.facts.terms.banker) : this.#seat(view, Number(seat));
    return [words.settlement.step(words.settlement.parts[part], name), over && words.settlement.reconciled].filter(Boolean).join(" ");
  }

  /** @param {View} view @param {number} seat */
  #seat(view, seat) {
    const sitting = view.seats.find((one) => one.seat === seat);
    return sitting ? this.#name(sitting.player) : words.table.seat(seat);
  }
}

define("pg-replay", Replay);
