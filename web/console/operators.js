// <pg-console-operators>: the operators of the house: roles, enrolment codes, disabling and resets.

import "../shell/confirm.js";
import "./shown-once.js";
import { h } from "../dom.js";
import { define } from "../component.js";
import { words } from "../words.js";
import { table } from "../study/table.js";
import { choice, ConsoleSection, field, scrolling, submits, time, typed } from "./section.js";
import { operator } from "./session.js";

/**
 * @typedef {import("./types.js").OperatorEntry} OperatorEntry
 * @typedef {import("./types.js").Role} Role
 */

const ROLES = /** @type {const} */ (["viewer", "floor", "cashier", "admin"]);

class ConsoleOperators extends ConsoleSection {
  /** @type {OperatorEntry[]} */
  operators = [];
  name = "";
  /** @type {Role} */
  role = "viewer";
  /** The enrolment code that is shown. @type {{ name: string, code: string, until: number } | null} */
  code = null;

  async load() {
    ({ operators: this.operators } = await this.ask("operators"));
  }

  async #add() {
    const name = this.name.trim();
    const added = await this.attempt(() => this.ask("operators", { body: { name, role: this.role } }).then((answer) => this.#showCode(name, answer)), () => words.console.operators.codeMade(name));
    if (added) this.name = "";
    this.update();
  }

  /** @param {string} name */
  #reset(name) {
    return this.attempt(() => this.ask(`operators/${encodeURIComponent(name)}/enrolment`, { body: {} }).then((answer) => this.#showCode(name, answer)), () => words.console.operators.codeMade(name));
  }

  /** @param {string} name @param {{ code: string, until: number }} answer */
  #showCode(name, { code, until }) {
    this.code = { name, code, until };
  }

  /** @param {string} name @param {{ role?: Role, disabled?: boolean }} change */
  #change(name, change) {
    return this.attempt(() => this.ask(`operators/${encodeURIComponent(name)}`, { method: "PATCH", body: change }), () => words.console.operators.changed(name));
  }

  view() {
    const { operators: say } = words.console;
    return h("div", { class: "console-content" },
      this.outcome(),
      this.loading(),
      this.code && h("section", { class: "panel stack", key: `code ${this.code.code}`, "aria-labelledby": "operator-code" },
        h("h2", { id: "operator-code" }, say.code),
        h("p", null, say.codeFor(this.code.name, time(this.code.until)), " ", h("a", { href: "/console/enrol" }, `${location.origin}/console/enrol`), "."),
        h("pg-shown-once", { ".secrets": [this.code.code] })),
      this.operators.length > 0 && h("div", { class: "panel", key: "list" }, scrolling(say.list, table({ caption: say.list, rows: this.operators, key: ({ name }) => name, columns: this.#columns() }))),
      !this.#may && operator.me && h("p", { class: "small", key: "read" }, words.console.mayOnlyRead(words.console.roles[operator.me.role])),
      this.#may && h("form", { class: "panel stack", key: "add", onsubmit: submits(() => this.#add()) },
        h("h2", null, say.add),
        h("div", { class: "fields" },
          field(say.name, { name: "name", required: true, spellcheck: "false", autocapitalize: "none", ".value": this.name, oninput: typed((value) => { this.name = value; }) }),
          choice(say.role, { name: "role", ".value": this.role, onchange: typed((value) => { this.role = /** @type {Role} */ (value); this.update(); }) }, roleOptions()),
          h("div", null, h("button", { class: "button primary", disabled: this.busy }, say.addGo))),
        h("p", { class: "small" }, `${words.console.roles[this.role]}: ${words.console.roleWhy[this.role]}.`)));
  }

  get #may() {
    return operator.may("administer");
  }

  /** @returns {import("../study/table.js").Column<OperatorEntry>[]} */
  #columns() {
    const { operators: say } = words.console;
    return [
      { title: say.name, head: true, cell: ({ name, since }) => h("span", null, name, name === operator.me?.name && [" ", h("span", { class: "tag" }, say.you)], h("small", { class: "console-line" }, say.since(time(since)))) },
      { title: say.role, cell: ({ name, role }) => !this.#may ? words.console.roles[role] : h("span", { class: "field" }, h("select", { "aria-label": say.roleOf(name), ".value": role, onchange: typed((value) => { this.#change(name, { role: /** @type {Role} */ (value) }); }) }, ROLES.map((one) => h("option", { value: one, key: one }, words.console.roles[one])))) },
      { title: say.credentials, cell: ({ enrolled, passkeys, password }) => (enrolled ? [password && say.password, passkeys > 0 && say.passkeys(passkeys)].filter(Boolean).join(", ") : say.notEnrolled) },
      { title: say.state, cell: ({ disabled }) => h("span", { class: ["tag", disabled ? "bad" : ""] }, disabled ? say.disabled : say.active) },
      ...(this.#may ? [this.#acts()] : []),
    ];
  }

  /** @returns {import("../study/table.js").Column<OperatorEntry>} */
  #acts() {
    const { operators: say } = words.console;
    return { title: say.acts, cell: ({ name, disabled }) => h("div", { class: "row" },
        disabled ? h("button", { key: "enable", type: "button", class: "button slim", disabled: this.busy, onclick: () => this.#change(name, { disabled: false }) }, say.enable, h("span", { class: "unseen" }, say.ofOperator(name)))
          : h("pg-confirm", { key: "disable", ".question": { label: say.disable, question: say.disableAsk(name), yes: say.disableYes, no: say.keep, act: () => this.#change(name, { disabled: true }) } }),
        h("pg-confirm", { key: "reset", ".question": { label: say.reset, question: say.resetAsk(name), yes: say.resetYes, no: say.keep, act: () => this.#reset(name) } })) };
  }
}

/** @returns {[string, string][]} */
const roleOptions = () => ROLES.map((role) => [role, words.console.roles[role]]);

define("pg-console-operators", ConsoleOperators);
