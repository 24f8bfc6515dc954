// <pg-table>: a table with the felt or the text view, the dock and the side panel.

import "../table/clock.js";
import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { session } from "../api.js";
import { go } from "../router.js";
import { short } from "../money.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { shortTitle } from "../study/book-title.js";
import { dock } from "../table/dock.js";
import { felt } from "../table/felt.js";
import { handleKey, handlePointer, help } from "../table/keys.js";
import { canSit, freeSeats } from "../table/model.js";
import { bestPayout } from "../table/paytables.js";
import { side } from "../table/side.js";
import { TableState } from "../table/state.js";
import { text } from "../table/text.js";

/** @typedef {import("../table/view-types.js").View} View */

class TableView extends Component {
  /** @type {Record<string, string>} */
  params = {};
  /** @type {URLSearchParams} */
  query = new URLSearchParams();
  /** @type {import("../table/side.js").Tab} */
  tab = "settlement";
  /** @type {TableState | null} */
  state = null;
  /** Whether the last focused element is in the dock. */
  #inDock = false;

  begin() {
    const state = new TableState(this.params.table);
    this.state = state;
    this.signal.addEventListener("abort", () => state.close());
    this.on(state, "change", () => this.#onChange(state));
    this.on(session, "change", () => this.update());
    this.on(settings, "change", () => this.update());
    this.on(document, "focusin", ({ target }) => { this.#inDock = target.closest?.(".dock") !== null; });
    this.on(document, "pointerdown", handlePointer);
    this.on(document, "keydown", (event) => handleKey(event, state, { show: (tab) => this.#showTab(tab), help: () => this.#openHelp() }));
  }

  /** Keeps the focus in the dock when the phase changes and the focused control is removed. */
  updated() {
    if (this.#inDock && document.activeElement === document.body) {
      /** @type {HTMLElement | null} */ (this.querySelector(".dock"))?.focus({ preventScroll: true });
    }
  }

  /** @param {TableState} state */
  #onChange(state) {
    // A player who has just opened the table sits down automatically.
    if (state.view && this.query.has("sit")) {
      this.query = new URLSearchParams();
      history.replaceState(null, "", location.pathname);
      const [seat] = freeSeats(state.view).slice(Math.floor(state.view.facts.seats / 2) - 1);
      if (state.view.you === null && seat) state.sit(seat);
    }
    this.update();
  }

  /** @param {import("../table/side.js").Tab} tab */
  #showTab(tab) {
    this.tab = tab;
    this.update();
    queueMicrotask(() => queueMicrotask(() => {
      const panel = this.querySelector(".side");
      if (panel && panel.getBoundingClientRect().top > innerHeight - 80) panel.scrollIntoView({ behavior: settings.reducedMotion() ? "auto" : "smooth" });
    }));
  }

  #openHelp() {
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
      ranking: state.ranking, progress: state.playback.progress, draft: view.phase === "wagers" ? state.chips.draft : null,
      sit: canSit(view) ? (/** @type {number} */ seat) => { state.sit(seat); } : null,
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
      state.rolledBack && h("p", { class: "house-notice" }, words.table.rolledBack),
      this.#link(state),
      h("div", { class: "status-acts" },
        h("button", { class: "button slim plain", "aria-pressed": settings.value.text ? "true" : "false", onclick: () => settings.change({ text: !settings.value.text }) }, words.table.asText),
        h("button", { class: "button slim plain for-keys", onclick: () => this.#openHelp() }, words.table.keys, h("kbd", { "aria-hidden": "true" }, "?")),
        state.own && !state.own.out && h("button", { class: "button slim plain", onclick: () => state.send({ do: "sit_out" }) }, words.table.sitOut),
        state.own ? h("button", { class: "button slim plain", disabled: state.own.leaving, onclick: () => state.send({ do: "stand" }) }, words.table.stand)
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
