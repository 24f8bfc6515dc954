// A table: the felt or its words, what one can do now, and the side.

import "../table/clock.js";
import { h } from "../dom.js";
import { Piece, define } from "../piece.js";
import { session } from "../api.js";
import { go } from "../router.js";
import { short } from "../money.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { shortTitle } from "../study/book-title.js";
import { dock } from "../table/dock.js";
import { felt } from "../table/felt.js";
import { help, pointedAt, pressed } from "../table/keys.js";
import { freeSeats, maySit } from "../table/model.js";
import { bestPayout } from "../table/paytables.js";
import { side } from "../table/side.js";
import { TableState } from "../table/state.js";
import { text } from "../table/text.js";

/** @typedef {import("../table/view-types.js").View} View */

class TableView extends Piece {
  /** @type {Record<string, string>} */
  params = {};
  /** @type {URLSearchParams} */
  query = new URLSearchParams();
  /** @type {import("../table/side.js").Tab} */
  tab = "settlement";
  /** @type {TableState | null} */
  state = null;
  /** Whether one was in the dock when its contents went. */
  #inDock = false;

  begin() {
    const state = new TableState(this.params.table);
    this.state = state;
    this.gone.addEventListener("abort", () => state.close());
    this.on(state, "change", () => this.#changed(state));
    this.on(session, "change", () => this.update());
    this.on(settings, "change", () => this.update());
    this.on(document, "focusin", ({ target }) => { this.#inDock = target.closest?.(".dock") !== null; });
    this.on(document, "pointerdown", pointedAt);
    this.on(document, "keydown", (event) => pressed(event, state, { show: (tab) => this.#show(tab), help: () => this.#help() }));
  }

  /** What was pressed may be gone with its part of the round; who was there stays there. */
  shown() {
    if (this.#inDock && document.activeElement === document.body) {
      /** @type {HTMLElement | null} */ (this.querySelector(".dock"))?.focus({ preventScroll: true });
    }
  }

  /** @param {TableState} state */
  #changed(state) {
    // Who has just opened a table sits down at it.
    if (state.view && this.query.has("sit")) {
      this.query = new URLSearchParams();
      history.replaceState(null, "", location.pathname);
      const [seat] = freeSeats(state.view).slice(Math.floor(state.view.facts.seats / 2) - 1);
      if (state.view.you === null && seat) state.sit(seat);
    }
    this.update();
  }

  /** @param {import("../table/side.js").Tab} tab */
  #show(tab) {
    this.tab = tab;
    this.update();
    queueMicrotask(() => queueMicrotask(() => {
      const panel = this.querySelector(".side");
      if (panel && panel.getBoundingClientRect().top > innerHeight - 80) panel.scrollIntoView({ behavior: settings.still() ? "auto" : "smooth" });
    }));
  }

  #help() {
    /** @type {HTMLDialogElement | null} */ (this.querySelector("#keys-help"))?.showModal();
  }

  view() {
    const { state } = this;
    if (!state) return null;
    if (state.missing) return h("div", { class: "page notice" }, h("h1", null, words.table.missing), h("a", { class: "button", href: "/" }, words.app.home));
    const { view } = state;
    if (!view) return [this.#link(state), h("p", { class: "loading", role: "status" }, words.table.joining)];
    const shown = {
      name: (/** @type {string} */ player) => state.name(player), bot: (/** @type {string} */ player) => state.people[player]?.bot ?? false,
      ranking: state.ranking, progress: state.reveal.progress, draft: view.phase === "wagers" ? state.chips.draft : null,
      sit: maySit(view) ? (/** @type {number} */ seat) => { state.sit(seat); } : null,
      best: bestPayout(view, state.book),
    };
    return h("div", { class: ["table", { "in-text": settings.value.text }] },
      h("h1", { class: "unseen" }, state.book?.title ?? words.titles.table),
      this.#status(state, view),
      h("div", { class: "room" }, settings.value.text ? text(view, shown) : felt(view, shown)),
      dock(state),
      side(state, view, this.tab, (tab) => { this.tab = tab; this.update(); }),
      help());
  }

  /** @param {TableState} state @param {View} view */
  #status(state, view) {
    const base = view.facts.wagers[0];
    return h("div", { class: "status" },
      h("ul", { class: "status-tags" },
        h("li", { class: "tag book" }, state.book ? shortTitle(state.book.title) : view.book),
        h("li", { class: "tag amount" }, words.lobby.limits(short(base.min_cents), short(base.max_cents))),
        h("li", { class: "tag" }, view.round ? words.status(view.round.round, view.phase, view.facts.terms.banker) : words.phase("waiting", view.facts.terms.banker)),
        h("li", { class: "tag on practice-tag" }, words.app.practice),
        view.paused && h("li", { class: "tag on" }, words.lobby.paused),
        view.closing && h("li", { class: "tag on" }, words.lobby.closing)),
      state.notice && h("p", { class: "house-notice" }, words.say.notice(state.notice)),
      state.wentBack && h("p", { class: "house-notice" }, words.table.wentBack),
      this.#link(state),
      h("div", { class: "status-acts" },
        h("button", { class: "button slim plain", "aria-pressed": settings.value.text ? "true" : "false", onclick: () => settings.change({ text: !settings.value.text }) }, words.table.asText),
        h("button", { class: "button slim plain for-keys", onclick: () => this.#help() }, words.table.keys, h("kbd", { "aria-hidden": "true" }, "?")),
        state.own && !state.own.out && h("button", { class: "button slim plain", onclick: () => state.give({ do: "sit_out" }) }, words.table.sitOut),
        state.own ? h("button", { class: "button slim plain", disabled: state.own.leaving, onclick: () => state.give({ do: "stand" }) }, words.table.stand)
          : h("button", { class: "button slim plain", onclick: () => go("/") }, words.table.leave)));
  }

  /** @param {TableState} state */
  #link(state) {
    const { live } = state;
    if (live.link === "live") return h("p", { class: "link small amount", title: words.link.lagWhy }, live.pending > 0 ? words.link.sending : live.lag === null ? words.link.live : words.link.lag(live.lag));
    const wait = live.retryAt === null ? 0 : Math.max(0, Math.ceil((live.retryAt - Date.now()) / 1000));
    return h("div", { class: ["link", "banner", live.link], role: "status" },
      h("p", null, words.link[live.link]),
      live.link === "lost" && h("button", { class: "button slim", onclick: () => live.connect() }, words.link.now(wait)),
      live.link === "ended" && h("button", { class: "button slim", onclick: () => location.reload() }, words.app.again));
  }
}

define("pg-table", TableView);
