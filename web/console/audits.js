// <pg-console-audits>: runs audits of all records, and shows findings and the heads of the hash chains.

import { h } from "../dom.js";
import { define } from "../component.js";
import { announce } from "../announce.js";
import { words } from "../words.js";
import { save } from "../study/csv.js";
import { waiting } from "../study/notes.js";
import { thousands } from "../study/numbers.js";
import { table } from "../study/table.js";
import { ConsoleSection, scrolling, time, timeTag } from "./section.js";

/** @typedef {import("./types.js").AuditRun} AuditRun */

const POLL_MS = 2000;

class ConsoleAudits extends ConsoleSection {
  /** @type {import("./types.js").Audits | null} */
  audits = null;

  begin() {
    this.reload();
    // The result of a run comes later.
    this.every(POLL_MS, () => this.audits?.running && document.visibilityState === "visible" && this.reload());
  }

  async load() {
    const was = this.audits?.running;
    this.audits = await this.ask("audits");
    if (was && this.audits && !this.audits.running && this.audits.last) {
      this.result = words.console.audits.finished(this.audits.last.findings.length);
      announce(this.result);
    }
  }

  async #run() {
    await this.attempt(async () => { this.audits = await this.ask("audits", { body: {} }) ?? this.audits; }, () => words.console.audits.started);
  }

  view() {
    const { audits: say } = words.console;
    const { running = false, last = null } = this.audits ?? {};
    return h("div", { class: "console-content" },
      this.outcome(),
      this.loading(),
      this.loaded && h("div", { class: "row", key: "run" },
        h("button", { type: "button", class: "button primary", "aria-disabled": running || this.busy ? "true" : null, onclick: () => { if (!running) this.#run(); } }, say.run), running && waiting(say.running)),
      this.loaded && !last && !running && h("p", { class: "panel", key: "none" }, say.none),
      last && this.#last(last));
  }

  /** @param {AuditRun} last */
  #last({ at, took_ms: took, tables, events, transfers, findings, heads }) {
    const { audits: say } = words.console;
    const tile = (/** @type {string} */ title, /** @type {import("../dom.js").Child} */ value) => h("div", { class: "tile", key: title }, h("dt", null, title), h("dd", null, value));
    return [
      h("section", { class: "panel stack", key: "last", "aria-labelledby": "audit-last" },
        h("h2", { id: "audit-last" }, say.last),
        h("p", null, say.at, " ", timeTag(at), ". ", say.took, " ", say.seconds(took), "."),
        h("dl", { class: "tiles" }, tile(say.tables, thousands(tables)), tile(say.events, thousands(events)), tile(say.transfers, thousands(transfers)), tile(say.findings, thousands(findings.length)))),
      h("section", { class: "panel stack", key: "findings", "aria-labelledby": "audit-findings" },
        h("h2", { id: "audit-findings" }, say.findings),
        findings.length === 0 ? h("p", { class: "good" }, `✓ ${say.clean}`) : scrolling(say.findings, table({ caption: say.findings, rows: findings, columns: [
          { title: say.code, head: true, cell: ({ code }) => h("code", { class: "bad" }, code) },
          { title: say.where, cell: ({ at: where }) => where },
          { title: say.message, cell: ({ message }) => message },
        ] }))),
      heads.length > 0 && h("section", { class: "panel stack", key: "heads", "aria-labelledby": "audit-heads" },
        h("div", { class: "study-head" }, h("h2", { id: "audit-heads" }, say.heads),
          h("button", { type: "button", class: "button slim plain", onclick: () => save(`heads-${time(at).replace(/[ :]/g, "-")}.json`, JSON.stringify(heads, null, 2), "application/json") }, say.download)),
        h("p", { class: "small" }, say.headsWhy),
        scrolling(say.heads, table({ caption: say.heads, rows: heads, columns: [
          { title: say.chain, head: true, cell: (head) => String(head.table ?? head.log ?? head.chain ?? "") },
          { title: say.seq, number: true, cell: (head) => thousands(head.seq ?? head.place ?? head.entries ?? 0) },
          { title: say.hash, cell: (head) => h("code", { class: "console-hash" }, String(head.hash)) },
        ] }))),
    ];
  }
}

define("pg-console-audits", ConsoleAudits);
