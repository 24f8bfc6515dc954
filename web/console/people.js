// <pg-console-people>: search for people.

import { h } from "../dom.js";
import { define } from "../component.js";
import { words } from "../words.js";
import { addressOf, replaceQuery } from "../study/address.js";
import { table } from "../study/table.js";
import { ConsoleSection, field, submits, timeTag, typed } from "./section.js";

/** @typedef {import("./types.js").ConsolePerson} ConsolePerson */

const PAGE = 50;

/** Returns the kind of a person. @param {ConsolePerson} person */
export const kindOf = ({ bot, account }) => words.console.people.kinds[bot ? "bot" : account ? "account" : "guest"];

class ConsolePeople extends ConsoleSection {
  text = "";
  /** @type {ConsolePerson[]} */
  people = [];
  /** @type {string | null} */
  next = null;

  queryChanged() {
    this.text = this.query.get("part") ?? "";
  }

  async load() {
    const { people, next } = await this.#page(undefined);
    this.people = people;
    this.next = next;
  }

  /** @param {string | undefined} after @returns {Promise<{ people: ConsolePerson[], next: string | null }>} */
  #page(after) {
    return this.ask(addressOf("people", { part: this.text.trim(), after, limit: PAGE }));
  }

  #more() {
    return this.loadMore(async () => {
      const { people, next } = await this.#page(this.next ?? undefined);
      this.people = [...this.people, ...people];
      this.next = next;
    });
  }

  #search() {
    replaceQuery("/console/people", { part: this.text.trim() });
    this.reload();
  }

  view() {
    const { people: say } = words.console;
    return h("div", { class: "console-content" },
      h("form", { class: "panel fields", role: "search", key: "search", onsubmit: submits(() => this.#search()) },
        field(say.find, { name: "part", type: "search", ".value": this.text, oninput: typed((value) => { this.text = value; }) }),
        h("div", null, h("button", { class: "button primary" }, say.search))),
      this.loading(),
      this.loaded && h("p", { class: "small", role: "status", key: "found" }, this.people.length === 0 ? say.noMatch : say.found(this.people.length, this.next !== null)),
      this.people.length > 0 && h("div", { class: "panel", key: "list" }, table({
        caption: say.list, rows: this.people, key: ({ player }) => player, columns: [
          { title: say.name, head: true, cell: ({ player, name }) => h("a", { href: `/console/people/${encodeURIComponent(player)}` }, name) },
          { title: say.player, cell: ({ player }) => h("code", null, player) },
          { title: say.kind, cell: (person) => kindOf(person) },
          { title: say.since, cell: ({ since }) => timeTag(since) },
        ],
      })),
      this.next !== null && h("div", { key: "more" }, h("button", { type: "button", class: "button", onclick: () => this.#more() }, words.console.more)));
  }
}

define("pg-console-people", ConsolePeople);
