// <pg-replay>: replays a finished round event by event and its settlement step by step, and checks its deal.

import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";
import { ask, session, tablePath, tableRules } from "../api.js";
import { checkRound } from "../fair/check.js";
import { steps } from "../fair/steps.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { shortTitle } from "../study/book-title.js";
import { felt } from "../table/felt.js";
import { framesOf } from "../table/frames.js";
import { bestPayout } from "../table/paytables.js";
import { nameOf } from "../table/people.js";
import { rankingOf } from "../table/ranking.js";
import { settlement } from "../table/settlement.js";
import { text } from "../table/text.js";

/** @typedef {import("../table/view-types.js").View} View */

const STEP_MS = 900;

class Replay extends Component {
  /** @type {Record<string, string>} */
  params = {};
  /** The first frame is before all events. @type {import("../table/frames.js").Frame[]} */
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

  begin() {
    this.#load();
    this.every(STEP_MS, () => this.playing && this.#goTo(this.current + 1));
    this.on(settings, "change", () => this.update());
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
    const shown = {
      name: (/** @type {string} */ player) => this.#name(player), bot: (/** @type {string} */ player) => this.people[player]?.bot ?? false, ranking: rankingOf(this.rules), progress, draft: null, sit: null,
      best: bestPayout(view, this.rules?.book ?? null),
    };
    return h("div", { class: "table replay" },
      h("div", { class: "status" },
        h("h1", { class: "replay-title" }, words.replay.title(Number(round))),
        h("ul", { class: "status-tags" }, h("li", { class: "tag" }, this.rules ? shortTitle(this.rules.book.title) : view.book), h("li", { class: "tag" }, words.replay.when(record.opened_at)),
          h("li", { class: "tag" }, words.rounds.outcomes[/** @type {"settled"} */ (record.outcome)])),
        h("div", { class: "status-acts" }, h("a", { class: "button slim plain", href: `/table/${table}` }, words.replay.back))),
      h("div", { class: "room" }, settings.value.text ? text(own, shown) : felt(own, shown)),
      h("section", { class: "dock", "aria-label": words.replay.controls },
        h("p", { class: "lead", role: "status" }, step ? this.#stepText(own, step, progress.over) : event ? words.eventText(event, (seat) => this.#seat(view, seat), (wager) => words.wagerAt(wager, view), term) : words.replay.before),
        h("div", { class: "scrub" },
          h("button", { class: "button", "aria-label": words.replay.back1, disabled: this.current === 0, onclick: () => this.#goTo(this.current - 1) }, "◂"),
          h("button", { class: "button primary", onclick: () => this.#togglePlay() }, this.playing ? words.replay.pause : words.replay.play),
          h("button", { class: "button", "aria-label": words.replay.next, disabled: this.current === this.#last, onclick: () => this.#goTo(this.current + 1) }, "▸"),
          h("input", { type: "range", min: 0, max: this.#last, ".value": String(this.current), "aria-label": words.replay.position, "aria-valuetext": words.replay.step(this.current, this.#last),
            oninput: (/** @type {any} */ input) => this.#goTo(Number(input.target.value)) }),
          h("span", { class: "small amount" }, words.replay.step(this.current, this.#last)))),
      h("aside", { class: "side", "aria-label": words.side.title }, h("div", { class: "side-panel" },
        h("section", { class: "side-text" }, h("h2", null, words.fair.title), h("p", { class: "small" }, words.replay.checkWhy),
          steps(this.checked)),
        settlement(own, { nameAt: (seat) => this.#seat(view, seat) }, progress),
        h("dl", { class: "small record" }, h("dt", null, words.replay.rules), h("dd", { class: "hex" }, record.rules), h("dt", null, words.replay.version), h("dd", null, record.version)))));
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
