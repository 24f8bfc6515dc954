// A round that is over, shown again event by event and its settlement step by step, with the same reducer and the same felt; and its deal checked.

import { h } from "../dom.js";
import { faultWords } from "../fault.js";
import { Piece, define } from "../piece.js";
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

class Replay extends Piece {
  /** @type {Record<string, string>} */
  params = {};
  /** The first is before all events. @type {import("../table/frames.js").Frame[]} */
  frames = [];
  /** @type {import("../protocol").RoundRecord | null} */
  record = null;
  /** @type {import("../protocol").TableRules | null} */
  rules = null;
  /** Who was there, also where they have left since. @type {import("../table/people.js").People} */
  people = {};
  /** @type {import("../fair/check.js").Checked[]} */
  checked = [];
  at = 0;
  playing = false;
  fault = "";

  begin() {
    this.#load();
    this.every(STEP_MS, () => this.playing && this.#go(this.at + 1));
    this.on(settings, "change", () => this.update());
    this.on(document, "keydown", (event) => this.#key(event));
  }

  async #load() {
    const { table, round } = this.params;
    try {
      /** @type {import("../protocol").PastRound} */
      const found = await ask(`${tablePath(table)}/rounds/${round}`, { signal: this.gone });
      this.record = found.record;
      this.people = found.people;
      this.frames = framesOf(found.start, found.events.map(({ event }) => event));
      const { view: last } = this.frames[this.frames.length - 1];
      if (last.round) this.checked = await checkRound(table, last.round, last.seats, last.facts);
      this.rules = await tableRules(table).catch(() => null);
    } catch (error) {
      if (this.gone.aborted) return;
      this.fault = faultWords(error);
    }
    this.update();
  }

  /** The last place. */
  get #end() {
    return Math.max(0, this.frames.length - 1);
  }

  /** @param {number} at */
  #go(at) {
    this.at = Math.max(0, Math.min(at, this.#end));
    if (this.at === this.#end) this.playing = false;
    this.update();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!settings.value.keys || event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest("input, button, a, summary, dialog")) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) this.#go(this.at + step);
    else if (event.key === " ") this.#play();
    else return;
    event.preventDefault();
  }

  #play() {
    if (!this.playing && this.at === this.#end) this.at = 0;
    this.playing = !this.playing;
    this.update();
  }

  /** A name, or what the table calls somebody the server knows no more. @param {string} player */
  #name(player) {
    return nameOf(this.people, player) ?? player;
  }

  view() {
    const frame = this.frames[this.at];
    const { table, round } = this.params;
    const { record } = this;
    if (this.fault) return h("div", { class: "page notice" }, h("h1", null, this.fault), h("a", { class: "button", href: "/" }, words.app.home));
    if (!frame || !record) return h("p", { class: "loading", role: "status" }, words.app.loading);
    const { view, event, progress, step } = frame;
    // Whose round it was sees it from their seats.
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
        h("p", { class: "lead", role: "status" }, step ? this.#stepWords(own, step, progress.over) : event ? words.happened(event, (seat) => this.#seat(view, seat), (wager) => words.wagerAt(wager, view), term) : words.replay.before),
        h("div", { class: "scrub" },
          h("button", { class: "button", "aria-label": words.replay.back1, disabled: this.at === 0, onclick: () => this.#go(this.at - 1) }, "◂"),
          h("button", { class: "button primary", onclick: () => this.#play() }, this.playing ? words.replay.pause : words.replay.play),
          h("button", { class: "button", "aria-label": words.replay.next, disabled: this.at === this.#end, onclick: () => this.#go(this.at + 1) }, "▸"),
          h("input", { type: "range", min: 0, max: this.#end, ".value": String(this.at), "aria-label": words.replay.place, "aria-valuetext": words.replay.step(this.at, this.#end),
            oninput: (/** @type {any} */ input) => this.#go(Number(input.target.value)) }),
          h("span", { class: "small amount" }, words.replay.step(this.at, this.#end)))),
      h("aside", { class: "side", "aria-label": words.side.title }, h("div", { class: "side-panel" },
        h("section", { class: "side-text" }, h("h2", null, words.fair.title), h("p", { class: "small" }, words.replay.checkWhy),
          steps(this.checked)),
        settlement(own, { nameAt: (seat) => this.#seat(view, seat) }, progress),
        h("dl", { class: "small record" }, h("dt", null, words.replay.rules), h("dd", { class: "hex" }, record.rules), h("dt", null, words.replay.version), h("dd", null, record.version)))));
  }

  /** @param {View} view @param {import("../protocol").StepView} step @param {boolean} over */
  #stepWords(view, { part, who }, over) {
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
