// <pg-console-log>: the operators' log, newest entry first, each act with its outcome.

import { h } from "../dom.js";
import { define } from "../component.js";
import { words } from "../words.js";
import { waiting } from "../study/notes.js";
import { table } from "../study/table.js";
import { detailFields, isRepeatedRead, withOutcomes } from "./outcomes.js";
import { ConsoleSection, field, scrolling, timeTag, typed } from "./section.js";

/** @typedef {import("./outcomes.js").LogEntry} LogEntry */

const PAGE = 500;
/** Entries that are shown at first. */
const SHOWN = 100;

class ConsoleLog extends ConsoleSection {
  /** @type {import("../protocol").OperatorAct[]} */
  acts = [];
  find = "";
  reads = false;
  shown = SHOWN;

  /** Loads the entries after the last loaded one, page by page: the server lists the oldest first. */
  async load() {
    for (let after = /** @type {number | null} */ (this.acts.at(-1)?.place ?? 0); after !== null;) {
      const { acts, next } = /** @type {import("../protocol").Acts} */ (await this.ask(`acts?after=${after}&limit=${PAGE}`));
      this.acts = [...this.acts, ...acts];
      after = next;
      this.update();
    }
  }

  view() {
    const { log: say } = words.console;
    const part = this.find.trim().toLowerCase();
    const all = withOutcomes(this.acts).reverse();
    const found = all.filter((entry) => (this.reads || !isRepeatedRead(entry)) && JSON.stringify(entry).toLowerCase().includes(part));
    return h("div", { class: "console-content" },
      h("div", { class: "panel fields", role: "search", key: "find" },
        field(say.find, { name: "find", type: "search", ".value": this.find, oninput: typed((value) => { this.find = value; this.shown = SHOWN; this.update(); }) }),
        h("label", { class: "console-check" }, h("input", { type: "checkbox", name: "reads", ".checked": this.reads, onchange: (/** @type {any} */ event) => { this.reads = event.target.checked; this.update(); } }), say.reads),
        h("div", null, h("button", { type: "button", class: "button", onclick: () => this.reload() }, words.console.refresh))),
      this.loaded || this.fault ? this.loading() : h("div", { key: "loading" }, waiting(say.loading(this.acts.length))),
      this.loaded && h("p", { class: "small", role: "status", key: "shown" }, found.length === 0 ? say.none : say.shown(found.length, all.length)),
      found.length > 0 && h("div", { class: "panel", key: "list" }, scrolling(say.list, table({ caption: say.list, rows: found.slice(0, this.shown), key: ({ place }) => place, class: "console-log", columns: columns() }))),
      found.length > this.shown && h("div", { key: "more" }, h("button", { type: "button", class: "button", onclick: () => { this.shown += SHOWN; this.update(); } }, say.showMore)));
  }
}

/** @returns {import("../study/table.js").Column<LogEntry>[]} */
function columns() {
  const { log: say } = words.console;
  return [
    { title: say.place, head: true, cell: ({ place }) => String(place) },
    { title: say.at, cell: ({ at }) => timeTag(at) },
    { title: say.operator, cell: ({ operator }) => operator },
    { title: say.what, class: "console-whole", cell: ({ what }) => h("code", null, what) },
    { title: say.outcome, class: "console-whole", cell: ({ outcome }) => outcomeText(outcome) },
    { title: say.detail, class: "console-detail", cell: ({ detail }) => h("span", null, detailFields(detail).map(([name, text]) => h("span", { key: name, class: "console-line" }, h("span", { class: "small" }, `${name}: `), text))) },
  ];
}

/** @param {string | null} outcome `done`, `waiting` for a second operator, or the code of a refusal */
function outcomeText(outcome) {
  const { log: say } = words.console;
  if (outcome === null) return h("span", { class: "small" }, say.unknown);
  if (outcome === "waiting") return say.waiting;
  return outcome === "done" ? h("span", { class: "good" }, `✓ ${say.done}`) : h("span", { class: "bad" }, `✗ ${outcome}`);
}

define("pg-console-log", ConsoleLog);
