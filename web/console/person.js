// <pg-console-person>: a person with balances, seats and sessions, and the acts of an admin.

import "../shell/confirm.js";
import { h } from "../dom.js";
import { define } from "../component.js";
import { money } from "../money.js";
import { words } from "../words.js";
import { table } from "../study/table.js";
import { kindOf } from "./people.js";
import { ConsoleSection, field, submits, timeTag, typed } from "./section.js";
import { operator } from "./session.js";

class ConsolePerson extends ConsoleSection {
  /** @type {import("./types.js").PersonDetail | null} */
  person = null;
  name = "";

  get #path() {
    return `people/${encodeURIComponent(this.params.player ?? "")}`;
  }

  async load() {
    const person = await this.ask(this.#path);
    this.person = person;
    if (!this.loaded) this.name = person.name;
  }

  #rename() {
    return this.attempt(() => this.ask(this.#path, { method: "PATCH", body: { name: this.name.trim() } }), ({ name }) => words.console.people.renamed(name));
  }

  #signOut() {
    return this.attempt(() => this.ask(`${this.#path}/sign-out`, { body: {} }), ({ ended }) => words.console.people.signedOut(ended));
  }

  view() {
    const { people: say } = words.console;
    return h("div", { class: "console-content" },
      h("p", { key: "back" }, h("a", { href: "/console/people" }, `← ${say.back}`)),
      this.outcome(),
      this.loading(),
      this.person && this.#facts(this.person),
      this.person && operator.may("administer") && this.#acts(this.person));
  }

  /** @param {import("./types.js").PersonDetail} person */
  #facts(person) {
    const { people: say } = words.console;
    const { player, name, since, cents, sessions, seats, limits } = person;
    const fact = (/** @type {string} */ title, /** @type {import("../dom.js").Child} */ value) => h("div", { key: title }, h("dt", null, title), h("dd", null, value));
    return [
      h("section", { class: "panel stack", key: "facts", "aria-labelledby": "person-title" },
        h("h2", { id: "person-title" }, name),
        h("dl", { class: "console-facts" },
          fact(say.player, h("code", null, player)), fact(say.kind, kindOf(person)), fact(say.since, timeTag(since)), fact(say.sessions, String(sessions)),
          fact(say.seats, seats.length === 0 ? words.console.none : seats.map(({ table: at, seat }, index) => [index > 0 && ", ", h("a", { href: `/table/${encodeURIComponent(at)}` }, say.seatAt(seat, at))])),
          fact(say.limits, limitsText(limits))),
        h("div", { class: "row" },
          h("a", { class: "button", href: `/console/journal?player=${encodeURIComponent(player)}` }, say.journal),
          operator.may("chips") && h("a", { class: "button", href: `/console/chips?player=${encodeURIComponent(player)}` }, say.chips))),
      h("section", { class: "panel stack", key: "balances", "aria-labelledby": "balances-title" },
        h("h2", { id: "balances-title" }, say.balances),
        table({ caption: say.balances, rows: Object.entries(cents), key: ([currency]) => currency, class: "narrow", columns: [
          { title: say.currency, head: true, cell: ([currency]) => currency },
          { title: say.balance, number: true, cell: ([, amount]) => h("span", { class: "amount" }, money(amount)) },
        ] })),
    ];
  }

  /** @param {import("./types.js").PersonDetail} person */
  #acts({ name, bot }) {
    const { people: say } = words.console;
    return !bot && h("section", { class: "panel stack", key: "acts", "aria-labelledby": "person-acts" },
      h("h2", { id: "person-acts" }, say.acts),
      h("form", { class: "fields", onsubmit: submits(() => this.#rename()) },
        field(say.rename, { name: "name", required: true, maxlength: 24, ".value": this.name, oninput: typed((value) => { this.name = value; }) }),
        h("div", null, h("button", { class: "button", disabled: this.busy }, say.renameGo))),
      h("pg-confirm", { ".question": { label: say.signOut, question: say.signOutAsk(name), yes: say.signOutYes, no: say.signOutNo, act: () => this.#signOut() } }));
  }
}

/** @param {any} limits limits of the account, or null */
function limitsText(limits) {
  const { people: say } = words.console;
  const parts = [limits?.loss && say.lossLimit(money(limits.loss.cents), limits.loss.days), limits?.minutes && say.timeLimit(limits.minutes)].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : words.console.none;
}

define("pg-console-person", ConsolePerson);
