// <pg-console>: the operators' console. It shows the sign-in, or the section of the address with the sections that the operator may open.

import "../console/sign-in.js";
import "../console/enrol.js";
import "../console/tables.js";
import "../console/people.js";
import "../console/person.js";
import "../console/chips.js";
import "../console/approvals.js";
import "../console/journal.js";
import "../console/reports.js";
import "../console/rounds.js";
import "../console/log.js";
import "../console/audits.js";
import "../console/operators.js";
import "../console/health.js";
import { h } from "../dom.js";
import { define } from "../component.js";
import { announce } from "../announce.js";
import { errorText } from "../fault.js";
import { words } from "../words.js";
import { sectionOf, sectionsFor } from "../console/sections.js";
import { operator } from "../console/session.js";
import { faultNote } from "../study/notes.js";
import { QueryComponent } from "../study/query-component.js";

/** Interval at which the console counts the requests that wait. */
const COUNT_MS = 30_000;

class Console extends QueryComponent {
  /** @type {{ section?: string, player?: string }} */
  params = {};
  fault = "";
  /** Whether an operator was signed in at the last change; `undefined` before the first. @type {boolean | undefined} */
  #signedIn = operator.me === undefined ? undefined : Boolean(operator.me);

  #scrolled = false;

  queryChanged() {
    this.update();
  }

  begin() {
    document.title = words.app.titled(this.#title);
    this.on(operator, "change", () => this.#operatorChanged());
    this.every(COUNT_MS, () => document.visibilityState === "visible" && this.#count());
    this.#load();
  }

  /** The sign-in and the console replace each other, and with them the element that had the focus. */
  #operatorChanged() {
    const signedIn = Boolean(operator.me);
    if (this.#signedIn !== undefined && this.#signedIn !== signedIn) document.getElementById("main")?.focus();
    if (operator.me !== undefined) this.#signedIn = signedIn;
    this.update();
  }

  get #title() {
    const section = sectionOf(this.#id);
    return section ? words.console.sections[section.id] : words.console.title;
  }

  get #id() {
    return this.params.player ? "people" : this.params.section;
  }

  async #load() {
    this.fault = "";
    try {
      if (!operator.me) await operator.load();
      await this.#count();
    } catch (error) {
      this.fault = errorText(error);
    }
    this.update();
  }

  /** The count is an extra: without it, the console still works. */
  async #count() {
    await operator.countWaiting().catch(() => {});
  }

  async #signOut() {
    try {
      await operator.signOut();
      operator.lost = false;
      announce(words.console.signedOut);
    } catch (error) {
      this.fault = errorText(error);
      this.update();
    }
  }

  /** Scrolls the navigation to the current section, where it is wider than the window. */
  updated() {
    /** @type {HTMLElement | null} */
    const current = this.querySelector(".console-nav [aria-current]");
    const list = current?.closest("ul");
    if (!current || !list || this.#scrolled) return;
    this.#scrolled = true;
    list.scrollLeft = current.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
  }

  view() {
    const { me } = operator;
    if (this.params.section === "enrol") return h("pg-operator-enrol", { key: "enrol" });
    if (me === undefined) return h("div", { class: "page", key: "loading" }, this.fault ? faultNote(this.fault, () => this.#load()) : h("p", { class: "loading", role: "status" }, words.app.loading));
    if (me === null) return h("pg-operator-sign-in", { key: "sign-in" });
    return h("div", { class: "page console", key: "console" }, this.#side(me), h("div", { class: "console-main" }, this.fault !== "" && h("p", { class: "fault panel", role: "alert", key: "fault" }, this.fault), this.#content(me)));
  }

  /** The operator and the navigation. @param {import("../console/types.js").OperatorSession} me */
  #side({ name, role, may }) {
    const { console: say } = words;
    const here = this.#id;
    const entry = (/** @type {string} */ path, /** @type {string} */ title, /** @type {boolean} */ current, /** @type {import("../dom.js").Child} */ extra) =>
      h("li", { key: path }, h("a", { href: path, "aria-current": current ? "page" : null }, title, extra));
    return h("div", { class: "console-side no-print" },
      h("div", { class: "console-who" },
        h("p", null, h("span", { class: "unseen" }, say.signedIn("")), h("b", null, name), " ", h("span", { class: "tag" }, say.roles[role])),
        h("button", { type: "button", class: "button slim plain", onclick: () => this.#signOut() }, say.signOut)),
      h("nav", { class: "console-nav", "aria-label": say.nav }, h("ul", null,
        entry("/console", say.home, here === undefined, null),
        sectionsFor(may).map(({ id }) => entry(`/console/${id}`, say.sections[id], here === id,
          id === "approvals" && operator.waiting > 0 && h("span", { class: "console-count" }, String(operator.waiting), h("span", { class: "unseen" }, ` ${say.approvals.states.waiting}`)))))));
  }

  /** @param {import("../console/types.js").OperatorSession} me */
  #content({ role, may }) {
    const { console: say } = words;
    const id = this.#id;
    if (id === undefined) return this.#home(may);
    const section = sectionOf(id);
    if (!section) return h("div", { class: "notice", key: "missing" }, h("h1", null, say.missing), h("a", { class: "button", href: "/console" }, say.toHome));
    const title = say.sections[section.id];
    const head = h("header", { class: "head", key: "head" }, h("h1", null, title), h("p", null, say.leads[section.id]));
    if (!may.includes(section.needs)) return [head, h("p", { class: "panel", key: "may-not", role: "status" }, say.mayNot(say.roles[role], title))];
    const tag = this.params.player ? "pg-console-person" : `pg-console-${section.id}`;
    return [head, h(tag, { key: tag, ".params": this.params, ".query": this.query })];
  }

  /** @param {readonly import("../console/types.js").Permission[]} may */
  #home(may) {
    const { console: say } = words;
    return [
      h("header", { class: "head", key: "head" }, h("h1", null, say.title), h("p", null, say.lead, " ", say.utc)),
      operator.waiting > 0 && h("p", { class: "panel", key: "waiting" }, say.waiting(operator.waiting), ". ", h("a", { href: "/console/approvals" }, say.approvals.toList)),
      h("ul", { class: "console-home", key: "home" }, sectionsFor(may).map(({ id }) => h("li", { class: "panel way", key: id },
        h("h2", null, h("a", { href: `/console/${id}` }, say.sections[id])), h("p", { class: "small" }, say.leads[id])))),
    ];
  }
}

define("pg-console", Console);
