// <pg-console-tables>: all open tables, live, with the acts of an operator.

import "./open-house-table.js";
import "../table/invite.js";
import { h } from "../dom.js";
import { define } from "../component.js";
import { tablePath } from "../api.js";
import { words } from "../words.js";
import { CommandIds } from "./command-ids.js";
import { ConsoleSection, field, submits, typed } from "./section.js";
import { operator } from "./session.js";
import { tablePanel } from "./table-panel.js";
import { tableMatches } from "./table-search.js";

/** @typedef {import("./types.js").ConsoleTable} ConsoleTable */

const POLL_MS = 2000;
/** Tables that are shown at first. */
const SHOWN = 48;

class ConsoleTables extends ConsoleSection {
  /** @type {ConsoleTable[]} */
  tables = [];
  find = "";
  shown = SHOWN;
  notice = "";
  /** The open form and its table. @type {{ table: string, form: import("./table-panel.js").TableForm } | null} */
  form = null;
  /** The server's clock minus that of the browser, in ms. */
  #ahead = 0;
  #ids = new CommandIds();
  #focus = "";

  begin() {
    this.reload();
    this.poll(POLL_MS);
    // Countdowns.
    this.every(1000, () => this.update());
  }

  async load() {
    const { now, tables } = /** @type {import("./types.js").ConsoleTables} */ (await this.ask("tables"));
    this.#ahead = now - Date.now();
    this.tables = tables;
  }

  /** Executes a command at a table. @param {ConsoleTable} table @param {import("../protocol").Command} command */
  #send({ table }, command) {
    const request = { table, command };
    return this.attempt(async () => {
      const answer = await this.ask(`${tablePath(table).replace("/api/", "")}/commands`, { body: { id: this.#ids.idFor(request), command } });
      this.#ids.done(request);
      return answer;
    }, () => words.console.tables.done[/** @type {keyof typeof words.console.tables.done} */ (command.do)](table));
  }

  /** Opens or closes the form of a table, and moves the focus with it. @param {ConsoleTable} table @param {import("./table-panel.js").TableForm | null} form */
  #setForm({ table }, form) {
    const was = this.form;
    this.form = form && { table, form };
    const panel = `[data-table="${CSS.escape(table)}"]`;
    if (form && was?.form.what !== form.what) this.#focus = `${panel} form :is(select, input)`;
    if (!form && was) this.#focus = `${panel} .console-acts [data-opens="${was.form.what}"]`;
    this.update();
  }

  async #noticeAll() {
    const request = { text: this.notice.trim() };
    const sent = await this.attempt(async () => {
      const answer = /** @type {import("../protocol").NoticeResult} */ (await this.ask("notices", { body: { id: this.#ids.idFor(request), ...request } }));
      this.#ids.done(request);
      return answer;
    }, ({ told, refused }) => words.console.tables.told(told, Object.keys(refused).length));
    if (sent) this.notice = "";
    this.update();
  }

  /** Opens the dialog of the invitations to a table. @param {ConsoleTable} table */
  #invite({ table }) {
    const dialog = /** @type {import("../table/invite.js").InviteDialog | null} */ (this.querySelector("pg-invite"));
    if (!dialog) return;
    dialog.table = table;
    dialog.open();
  }

  /** Sends a request about the table of the dialog. @type {import("../table/invite.js").InviteDialog["send"]} */
  #sendInvitation = (path, options) => {
    const { table } = /** @type {import("../table/invite.js").InviteDialog} */ (this.querySelector("pg-invite"));
    return this.ask(`${tablePath(table).replace("/api/", "")}/${path}`, /** @type {any} */ (options));
  };

  /** Moves to the form that opens a table. */
  #toForm() {
    /** @type {HTMLElement | null} */
    const first = this.querySelector("pg-open-house-table input");
    first?.closest("section")?.scrollIntoView();
    first?.focus({ preventScroll: true });
  }

  updated() {
    if (!this.#focus) return;
    /** @type {HTMLElement | null} */ (this.querySelector(this.#focus))?.focus();
    this.#focus = "";
  }

  view() {
    const { tables: say } = words.console;
    const may = operator.may("tables");
    const found = this.tables.filter((table) => tableMatches(table, this.find));
    const now = Date.now() + this.#ahead;
    return h("div", { class: "console-content" },
      !may && operator.me && h("p", { class: "small", key: "read" }, words.console.mayOnlyRead(words.console.roles[operator.me.role])),
      this.outcome(),
      this.loading(),
      this.loaded && [
        h("div", { class: "fields console-find", key: "find", role: "search" },
          field(say.find, { name: "find", type: "search", ".value": this.find, oninput: typed((value) => { this.find = value; this.shown = SHOWN; this.update(); }) }),
          h("p", { class: "small", role: "status" }, say.shown(found.length, this.tables.length), this.fault !== "" && ` ${say.stale}`),
          may && h("div", null, h("button", { type: "button", class: "button", onclick: () => this.#toForm() }, say.open))),
        found.length === 0 && h("p", { class: "panel", key: "none" }, say.noMatch),
        h("ul", { class: "console-tables", key: "tables" }, found.slice(0, this.shown).map((table) => tablePanel(table, {
          now, may, busy: this.busy, form: this.form?.table === table.table ? this.form.form : null,
          setForm: (form) => this.#setForm(table, form), send: (command) => this.#send(table, command), invite: () => this.#invite(table),
        }))),
        found.length > this.shown && h("div", { key: "more" }, h("button", { type: "button", class: "button", onclick: () => { this.shown += SHOWN; this.update(); } }, say.showMore)),
      ],
      may && h("form", { class: "panel stack", key: "notice", onsubmit: submits(() => this.#noticeAll()) },
        h("h2", null, say.noticeAll),
        field(say.noticeText, { name: "notice", required: true, maxlength: 500, ".value": this.notice, oninput: typed((value) => { this.notice = value; }) }),
        h("div", null, h("button", { class: "button", disabled: this.busy }, say.noticeAllYes))),
      may && h("pg-invite", { key: "invite", ".why": say.inviteWhy, ".send": this.#sendInvitation }),
      may && h("pg-open-house-table", { key: "open", ".opened": this.#opened }));
  }

  #opened = () => this.reload();
}

define("pg-console-tables", ConsoleTables);
