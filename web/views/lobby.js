// <pg-lobby>: the front page, all tables, and the form to open a table.

import "../lobby/open-table.js";
import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";
import { ApiError, ask, newId, rules, session, tablePath } from "../api.js";
import { go } from "../router.js";
import { words } from "../words.js";
import { front } from "../lobby/front.js";
import { playInOwnTime } from "../lobby/own-table.js";
import { friendlyTable, seatedAt } from "../lobby/play-now.js";
import { isOpenedBy } from "../study/table-name.js";
import { plaque } from "../lobby/plaque.js";
import { houseWayChoices } from "../rules/house-way-choice.js";

/** @typedef {import("../protocol").LobbyTable} LobbyTable */

const REFRESH_MS = 4000;
/** Number of tables on a page, and the server's limit for one request. */
const PAGE = 60;
const PAGE_MAX = 500;

class Lobby extends Component {
  /** @type {LobbyTable[] | null} */
  tables = null;
  /** Rules of the books of the house's tables. @type {import("../protocol").RulesAnswer[]} */
  books = [];
  /** Number of tables to show, and whether there are more. */
  limit = PAGE;
  more = false;
  /** Error message of the last request for tables. */
  fault = "";
  /** Error message of the last attempt to sit down. */
  refused = "";
  /** The table of a pending attempt to sit down or to play alone. */
  sitting = "";

  begin() {
    this.#load();
    this.every(REFRESH_MS, () => document.visibilityState === "visible" && this.#load());
    this.on(session, "change", () => this.update());
  }

  async #load() {
    try {
      const page = await ask(`/api/tables?limit=${this.limit}`, { signal: this.signal });
      // The player's own tables are always shown, even beyond the page.
      const own = page.next && session.me ? (await ask("/api/tables?mine=true", { signal: this.signal })).tables : [];
      const names = new Set(page.tables.map((/** @type {LobbyTable} */ table) => table.table));
      this.tables = [...page.tables, ...own.filter((/** @type {LobbyTable} */ table) => !names.has(table.table))];
      this.more = Boolean(page.next);
      this.fault = "";
      this.#loadBooks(this.tables);
    } catch (error) {
      if (this.signal.aborted) return;
      this.fault = errorText(error);
    }
    this.update();
  }

  /** Loads the rules of the books of the house's tables. Without them, the lobby says nothing about house ways. @param {LobbyTable[]} tables */
  async #loadBooks(tables) {
    const ids = [...new Set(tables.filter((table) => !table.opened_by_player).map(({ book }) => book))];
    this.books = await Promise.all(ids.map((id) => rules(id))).catch(() => []);
    this.update();
  }

  #showMore() {
    this.limit = Math.min(this.limit + PAGE, PAGE_MAX);
    this.#load();
  }

  /** Goes back to the player's seat, or to a table in the player's own time. Shows the list if no table suits. */
  async #play() {
    if (!this.tables) await this.#load();
    const tables = /** @type {LobbyTable[]} */ (this.tables ?? []);
    const seat = seatedAt(tables, session.me?.player);
    if (seat) return go(`/table/${encodeURIComponent(seat.table)}`);
    const table = friendlyTable(tables);
    if (table) return this.#try(table, () => playInOwnTime(table));
    this.querySelector("#tables-open")?.scrollIntoView();
  }

  /** Takes a seat at a table. @param {LobbyTable} table */
  async #sit(table) {
    const free = Array.from({ length: table.seats }, (_, index) => index + 1).filter((seat) => !table.taken[seat]);
    if (free.length === 0) return;
    await this.#try(table, async () => {
      await session.begin();
      await this.#takeSeat(table, free);
      go(`/table/${encodeURIComponent(table.table)}`);
    });
  }

  /** Runs a request for a table and shows its refusal. Has no effect while another one is pending. @param {LobbyTable} table @param {() => Promise<void>} request */
  async #try(table, request) {
    if (this.sitting) return;
    this.sitting = table.table;
    this.refused = "";
    this.update();
    try {
      await request();
    } catch (error) {
      // Offline is no refusal: the reload below shows whether it persists.
      if (error instanceof ApiError && error.code !== "offline") this.refused = errorText(error);
      this.#load();
    }
    this.sitting = "";
    this.update();
  }

  /** Takes the first seat that is still free. Other players may take seats in the meantime. @param {LobbyTable} table @param {number[]} free @returns {Promise<void>} */
  async #takeSeat(table, [seat, ...others]) {
    try {
      await ask(`${tablePath(table.table)}/commands`, { body: { id: newId(), command: { do: "sit", seat } } });
    } catch (error) {
      if (others.length === 0 || !(error instanceof ApiError && error.code === "seat_taken")) throw error;
      await this.#takeSeat(table, others);
    }
  }

  view() {
    const { tables } = this;
    const me = session.me?.player;
    const mine = tables?.filter((table) => me && (Object.values(table.taken).includes(me) || isOpenedBy(table.table, me))) ?? [];
    const others = tables?.filter((table) => !mine.includes(table)) ?? [];
    const guests = others.filter((table) => table.opened_by_player);
    const house = others.filter((table) => !guests.includes(table));
    /** @param {LobbyTable} table */
    const show = (table) => plaque(table, { me, busy: this.sitting === table.table, sit: () => this.#sit(table), playAlone: () => this.#try(table, () => playInOwnTime(table)) });
    return h("div", { class: "page lobby" },
      front({ tables, fault: this.fault, more: this.more, seated: Boolean(seatedAt(tables ?? [], me)), busy: this.sitting !== "", play: () => this.#play() }),
      this.fault && h("p", { class: "fault panel", role: "alert", key: "fault" }, this.fault),
      this.refused && h("p", { class: "fault panel", role: "alert", key: "refused" }, this.refused),
      !tables && !this.fault && h("p", { class: "loading", role: "status" }, words.app.loading),
      mine.length > 0 && section("mine", words.lobby.mine, "", mine.map(show)),
      house.length > 0 && section("open", words.lobby.open, houseWayChoices(this.books), house.map(show)),
      h("pg-open-table", { key: "open-table" }),
      guests.length > 0 && section("guests", words.lobby.guests, "", guests.map(show)),
      this.more && this.limit < PAGE_MAX && h("p", { key: "more" }, h("button", { class: "button", onclick: () => this.#showMore() }, words.lobby.more)));
  }
}

/** @param {string} id @param {string} title @param {string} note @param {import("../dom.js").Child[]} tables */
function section(id, title, note, tables) {
  return h("section", { key: id, class: "stack", "aria-labelledby": `tables-${id}` }, h("h2", { id: `tables-${id}` }, title), h("ul", { class: "plaques" }, tables), note && h("p", { class: "small" }, note));
}

define("pg-lobby", Lobby);
