// <pg-table>: a table with its bar, the board and the drawer.

import "../shell/share-button.js";
import "../shell/sound-toggle.js";
import "../table/clock.js";
import "../table/guide-card.js";
import "../table/invite.js";
import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { ask, session, tablePath } from "../api.js";
import { go } from "../router.js";
import { short } from "../money.js";
import { settings } from "../settings.js";
import { sound } from "../sound.js";
import { words } from "../words.js";
import { isOpenedBy, tableName } from "../study/table-name.js";
import { board } from "../table/board.js";
import { dragCards } from "../table/drag.js";
import { drawer } from "../table/drawer.js";
import { Guide } from "../table/guide.js";
import { handleKey, handlePointer, help } from "../table/keys.js";
import { canSit, freeSeats } from "../table/model.js";
import { Motion } from "../table/motion.js";
import { rail } from "../table/rail.js";
import { bankSheet } from "../table/rail-bank.js";
import { sceneOf } from "../table/scene.js";
import { lookSheet } from "../table/seats.js";
import { squeezeCards } from "../table/squeeze.js";
import { TableState } from "../table/state.js";
import { tool, topBar } from "../table/top-bar.js";
import { colorSheet } from "../table/wager-spots.js";

/** @typedef {import("../table/view-types.js").View} View */

/** Windows of this width show the drawer beside the board. */
const WIDE = matchMedia("(min-width: 1440px)");

class TableView extends Component {
  /** @type {Record<string, string>} */
  params = {};
  /** @type {URLSearchParams} */
  query = new URLSearchParams();
  /** Tab of the drawer; `null` until the viewer chooses one. @type {import("../table/drawer.js").Tab | null} */
  #chosen = null;
  /** Whether the drawer is open; `null` until the viewer decides. @type {boolean | null} */
  #drawer = null;
  /** Seat whose hand is shown in a dialog. @type {number | null} */
  #looked = null;
  /** Whether the viewer opened the table for invited players only; `null` until the page has asked. @type {boolean | null} */
  #inviteOnly = null;
  /** @type {TableState | null} */
  state = null;
  #motion = new Motion(this);
  #guide = new Guide();
  /** Whether the last focused element is in the rail. */
  #inRail = false;
  /** Element to focus if the render removes the focused one: the same card, or the tool of the drawer. */
  #refocus = "";

  get #open() {
    return this.#drawer ?? WIDE.matches;
  }

  /** Tab of the drawer. Until the viewer chooses one: the round after a result, the paytables before. */
  get #tab() {
    return this.#chosen ?? (this.state?.showsResult ? "round" : "paytables");
  }

  begin() {
    const state = new TableState(this.params.table);
    this.state = state;
    this.signal.addEventListener("abort", () => state.close());
    this.on(state, "change", () => this.#onChange(state));
    this.on(session, "change", () => this.update());
    this.on(settings, "change", () => {
      state.faceDown.settingsChanged();
      this.update();
    });
    this.on(WIDE, "change", () => this.update());
    this.on(document, "focusin", ({ target }) => { this.#inRail = target.closest?.(".rail, .own") !== null; });
    this.on(document, "pointerdown", handlePointer);
    this.on(document, "keydown", (event) => handleKey(event, state, {
      show: (tab) => this.#toggleTab(tab), help: () => this.#openHelp(), sound: () => sound.toggle(), faster: () => this.#faster(state),
      close: () => {
        if (!this.#open || WIDE.matches) return false;
        this.#setDrawer(false);
        return true;
      },
    }));
    squeezeCards(this, { cardAt: (key) => state.hand.cards[key - 1], turn: (card) => state.faceDown.turn(state.bottom, card) });
    dragCards(this, (card, box, other) => state.hand.move(card, box, other));
  }

  /** Keeps the focus on a card that moves, and in the rail when the phase changes and the focused control is removed. */
  updated() {
    if (document.activeElement === document.body) {
      const next = (this.#refocus && this.querySelector(this.#refocus)) || (this.#inRail && this.querySelector(".rail"));
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    }
    if (this.state) this.#motion.after(this.state);
  }

  /** @param {TableState} state */
  #onChange(state) {
    // A player who has just opened the table sits down automatically.
    if (state.view && this.query.has("sit")) {
      this.query = new URLSearchParams();
      history.replaceState(null, "", location.pathname);
      const free = freeSeats(state.view);
      const seat = free[Math.min(Math.max(0, Math.floor(state.view.facts.seats / 2) - 1), free.length - 1)];
      if (state.view.you === null && seat) state.sit(seat);
    }
    if (state.view?.player && this.#inviteOnly === null && isOpenedBy(state.view.table, state.view.player)) this.#loadAccess(state.view.table);
    this.#guide.update(state);
    this.update();
  }

  /** Finds out whether the viewer's table is for invited players only. The server refuses the list of invitations of other tables. @param {string} table */
  async #loadAccess(table) {
    this.#inviteOnly = false;
    this.#inviteOnly = await ask(`${tablePath(table)}/invitations`, { signal: this.signal }).then(() => true, () => false);
    this.update();
  }

  /** @param {boolean} open */
  #setDrawer(open) {
    this.#drawer = open;
    this.update();
  }

  /** Shows a tab of the drawer; closes the drawer if it shows the tab already. @param {import("../table/drawer.js").Tab} tab */
  #toggleTab(tab) {
    const shown = this.#open && this.#tab === tab;
    this.#chosen = tab;
    this.#setDrawer(!shown);
  }

  /** Ends running motion, or skips to the next step of the reveal. @param {TableState} state */
  #faster(state) {
    this.#motion.finish();
    if (state.showsResult && !state.held) state.playback.skip();
  }

  #openHelp() {
    this.#showDialog("#keys-help");
  }

  /** Opens the invitations. */
  #invite() {
    /** @type {import("../table/invite.js").InviteDialog | null} */ (this.querySelector("pg-invite"))?.open();
  }

  /** @param {number} seat */
  #look(seat) {
    this.#looked = seat;
    this.update();
    queueMicrotask(() => queueMicrotask(() => this.#showDialog("#look")));
  }

  /** @param {string} selector */
  #showDialog(selector) {
    /** @type {HTMLDialogElement | null} */ (this.querySelector(selector))?.showModal();
  }

  view() {
    const { state } = this;
    if (!state) return null;
    this.#motion.before();
    this.#refocus = refocus(document.activeElement);
    if (state.missing) return h("div", { class: "page notice" }, h("h1", null, words.table.missing), h("a", { class: "button", href: "/" }, words.app.home));
    const view = state.shown;
    if (!view) return [this.#link(state), h("p", { class: "loading", role: "status" }, words.table.joining)];
    const sit = canSit(state.view ?? view) ? (/** @type {number} */ seat) => { state.sit(seat); } : null;
    const scene = { ...sceneOf(state, view, { sit, look: (seat) => this.#look(seat) }), state };
    const showCoach = () => {
      this.#chosen = "coach";
      this.#setDrawer(true);
    };
    const guide = settings.value.text ? null : this.#guide.step;
    return h("div", { class: ["table", { "drawer-open": this.#open, "in-text": settings.value.text }], "data-phase": view.phase, "data-guide": guide },
      h("h1", { class: "unseen" }, state.book?.title ?? words.titles.table),
      this.#bar(state, view),
      board(scene, rail(scene, showCoach), { asText: settings.value.text, notices: this.#notices(state), guide: this.#guide.active && this.#guideCard(guide), onfelt: () => this.#faster(state) }),
      this.#open && drawer(state, view, this.#tab, { choose: (tab) => { this.#chosen = tab; this.update(); }, close: () => this.#setDrawer(false) }),
      lookSheet(scene, this.#looked, () => { this.#looked = null; }),
      colorSheet(scene),
      bankSheet(scene),
      this.#inviteOnly && h("pg-invite", { key: "invite", ".table": view.table }),
      help());
  }

  /** @param {TableState} state @param {View} view */
  #bar(state, view) {
    const base = view.facts.wagers[0];
    const { own } = state;
    return topBar(
      h("b", null, tableName({ table: view.table, book: view.book, title: state.book?.title, name: view.facts.name }, view.player)),
      [words.board.about(words.lobby.limits(short(base.min_cents), short(base.max_cents)), view.round?.round ?? 0), view.paused && ` · ${words.lobby.paused}`, view.closing && ` · ${words.lobby.closing}`],
      [
        this.#link(state),
        tool("text", words.table.asText, () => settings.change({ text: !settings.value.text }), { class: "for-text", "aria-pressed": settings.value.text ? "true" : "false" }),
        h("pg-sound-toggle", { key: "sound" }),
        tool("keys", words.table.keys, () => this.#openHelp(), { class: "for-keys" }),
        tool("panel", words.board.panel, () => this.#setDrawer(!this.#open), { "aria-expanded": this.#open ? "true" : "false" }),
      ],
      [
        this.#inviteOnly ? h("button", { key: "invite", class: "button slim plain bar-act", onclick: () => this.#invite() }, words.share.invite)
          : h("pg-share", { key: "share", class: "bar-act", ".label": words.share.invite, ".look": "button slim plain" }),
        own && !own.out && h("button", { key: "out", class: "button slim plain bar-act", onclick: () => state.send({ do: "sit_out" }) }, words.table.sitOut),
        own ? h("button", { key: "stand", class: "button slim plain bar-act", disabled: own.leaving, onclick: () => state.send({ do: "stand" }) }, words.table.stand)
          : h("button", { key: "leave", class: "button slim plain bar-act", onclick: () => go("/") }, words.table.leave),
      ]);
  }

  /** The card of the guide. It exists before its first step, so that screen readers announce the step. @param {import("../table/guide.js").Step | null} step */
  #guideCard(step) {
    return h("pg-guide", { key: "guide", role: "group", "aria-label": words.guide.label, ".step": step, ".end": () => this.#endGuide() });
  }

  /** Ends the guide. The focus goes back to the rail. */
  #endGuide() {
    this.#guide.end();
    this.#inRail = true;
    this.update();
  }

  /** @param {TableState} state */
  #notices(state) {
    return [
      state.alarm && h("p", { class: "fault alarm", role: "alert", key: "alarm" }, state.alarm),
      state.fault && h("p", { class: "fault", role: "alert", key: "fault" }, state.fault, state.limited && h("a", { href: "/account?part=limits" }, words.account.limits.link)),
      state.live.link !== "live" && this.#banner(state),
      state.rolledBack && h("p", { key: "rolled-back" }, words.table.rolledBack),
      state.notice && h("p", { key: "notice", class: "house-notice" }, words.say.notice(state.notice), " ",
        h("button", { class: "icon", "aria-label": words.board.dismiss, onclick: () => { state.notice = ""; state.changed(); } }, "×")),
    ];
  }

  /** @param {TableState} state */
  #link(state) {
    const { live } = state;
    if (live.link !== "live") return h("p", { class: ["link", live.link], key: "link" }, state.view ? h("i", { "aria-hidden": "true" }) : this.#banner(state));
    return h("p", { class: "link amount", key: "link", title: words.link.lagWhy }, h("i", { "aria-hidden": "true" }), live.pending > 0 ? words.link.sending : live.lag === null ? words.link.live : words.link.lag(live.lag));
  }

  /** The state of a connection that is not live. @param {TableState} state */
  #banner({ live }) {
    if (live.link === "live") return null;
    const wait = live.retryAt === null ? 0 : Math.max(0, Math.ceil((live.retryAt - Date.now()) / 1000));
    return h("div", { class: ["banner", live.link], role: "status", key: "banner" },
      h("p", null, words.link[live.link]),
      live.link === "lost" && h("button", { class: "button slim", onclick: () => live.connect() }, words.link.now(wait)),
      live.link === "ended" && h("button", { class: "button slim", onclick: () => location.reload() }, words.app.again));
  }
}

/** Returns the selector of the element to focus if a render removes the focused one; empty if there is none. @param {Element | null} focused */
function refocus(focused) {
  const card = focused?.closest(".own-card")?.getAttribute("data-card");
  return card ? `button.own-card[data-card="${card}"]` : focused?.closest(".drawer") ? ".table:not(.drawer-open) .table-bar [aria-expanded]" : "";
}

define("pg-table", TableView);
