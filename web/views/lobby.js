// The lobby: every table, one click to sit, and a table of one's own.

import "../lobby/open-table.js";
import { h } from "../dom.js";
import { faultWords } from "../fault.js";
import { Piece, define } from "../piece.js";
import { Refused, ask, newId, session, tablePath } from "../api.js";
import { go } from "../router.js";
import { words } from "../words.js";
import { plaque } from "../lobby/plaque.js";

/** @typedef {import("../protocol").LobbyTable} LobbyTable */

const LOOK_MS = 4000;
/** Tables on a page, and the most that can be asked for at once. */
const PAGE = 60;
const PAGE_MAX = 500;

class Lobby extends Piece {
  /** @type {LobbyTable[] | null} */
  tables = null;
  /** How many tables are shown, and whether there are more. */
  limit = PAGE;
  more = false;
  /** Why the tables could not be looked at. */
  fault = "";
  /** Why one could not sit down. */
  refused = "";
  /** The table one is about to sit down at. */
  sitting = "";

  begin() {
    this.#look();
    this.every(LOOK_MS, () => document.visibilityState === "visible" && this.#look());
    this.on(session, "change", () => this.update());
  }

  async #look() {
    try {
      const page = await ask(`/api/tables?limit=${this.limit}`, { signal: this.gone });
      // The tables one sits at are shown, however many there are.
      const own = page.next && session.me ? (await ask("/api/tables?mine=true", { signal: this.gone })).tables : [];
      const names = new Set(page.tables.map((/** @type {LobbyTable} */ table) => table.table));
      this.tables = [...page.tables, ...own.filter((/** @type {LobbyTable} */ table) => !names.has(table.table))];
      this.more = Boolean(page.next);
      this.fault = "";
    } catch (error) {
      if (this.gone.aborted) return;
      this.fault = faultWords(error);
    }
    this.update();
  }

  #showMore() {
    this.limit = Math.min(this.limit + PAGE, PAGE_MAX);
    this.#look();
  }

  /** @param {LobbyTable} table */
  async #sit(table) {
    const free = Array.from({ length: table.seats }, (_, place) => place + 1).filter((seat) => !table.taken[seat]);
    if (free.length === 0) return;
    this.sitting = table.table;
    this.refused = "";
    this.update();
    try {
      await session.begin();
      await this.#take(table, free);
      go(`/table/${encodeURIComponent(table.table)}`);
    } catch (error) {
      // What nobody answered is no refusal: the next look says whether it is still so.
      if (error instanceof Refused && error.code !== "offline") this.refused = faultWords(error);
      this.#look();
    }
    this.sitting = "";
    this.update();
  }

  /** Takes the first of the seats that is still free: somebody may have been quicker. @param {LobbyTable} table @param {number[]} free @returns {Promise<void>} */
  async #take(table, [seat, ...others]) {
    try {
      await ask(`${tablePath(table.table)}/commands`, { body: { id: newId(), command: { do: "sit", seat } } });
    } catch (error) {
      if (others.length === 0 || !(error instanceof Refused && error.code === "seat_taken")) throw error;
      await this.#take(table, others);
    }
  }

  view() {
    const { tables } = this;
    const me = session.me?.player;
    const mine = tables?.filter((table) => me && Object.values(table.taken).includes(me)) ?? [];
    const others = tables?.filter((table) => !mine.includes(table)) ?? [];
    const guests = others.filter((table) => table.opened_by_player);
    const house = others.filter((table) => !guests.includes(table));
    const titles = (tables ?? []).map(({ title }) => title).sort();
    const twins = new Set(titles.filter((title, place) => title === titles[place - 1]));
    /** @param {LobbyTable} table */
    const show = (table) => plaque(table, { me, twin: twins.has(table.title), busy: this.sitting === table.table, sit: () => this.#sit(table) });
    return h("div", { class: "page lobby" },
      h("header", { class: "hero" },
        h("div", { class: "head" }, h("h1", null, words.lobby.title), h("p", null, words.lobby.lead),
          h("p", { class: "practice" }, h("strong", null, words.lobby.practice), " ", words.app.practiceWhy)),
        h("div", { class: "fan", "aria-hidden": "true" }, ["As", "Kd", "Jk", "Qs", "Th"].map((card) => h("pg-card", { card, quiet: true })))),
      this.fault && h("p", { class: "fault panel", role: "alert", key: "fault" }, this.fault),
      this.refused && h("p", { class: "fault panel", role: "alert", key: "refused" }, this.refused),
      !tables && !this.fault && h("p", { class: "loading", role: "status" }, words.app.loading),
      mine.length > 0 && section("mine", words.lobby.mine, mine.map(show)),
      house.length > 0 && section("open", words.lobby.open, house.map(show)),
      h("pg-open-table", { key: "open-table" }),
      guests.length > 0 && section("guests", words.lobby.guests, guests.map(show)),
      this.more && this.limit < PAGE_MAX && h("p", { key: "more" }, h("button", { class: "button", onclick: () => this.#showMore() }, words.lobby.more)));
  }
}

/** @param {string} id @param {string} title @param {import("../dom.js").Child[]} tables */
function section(id, title, tables) {
  return h("section", { key: id, "aria-labelledby": `tables-${id}` }, h("h2", { id: `tables-${id}` }, title), h("ul", { class: "plaques" }, tables));
}

define("pg-lobby", Lobby);
