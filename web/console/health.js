// <pg-console-health>: readiness checks of the server process, and a few of its metrics.

import { h } from "../dom.js";
import { define } from "../component.js";
import { ApiError, ask } from "../api.js";
import { words } from "../words.js";
import { thousands } from "../study/numbers.js";
import { table } from "../study/table.js";
import { metric, metricsOf, SHOWN } from "./metrics.js";
import { ConsoleSection } from "./section.js";

/** @typedef {{ name: string, ok: boolean, code?: string, detail?: string }} Check */

/** Health checks are limited by address, so the interval is long. */
const POLL_MS = 10_000;

class ConsoleHealth extends ConsoleSection {
  ready = false;
  /** @type {Check[]} */
  checks = [];
  /** @type {{ version: string, commit: string, damaged: string[] } | null} */
  program = null;
  /** @type {Map<string, number>} */
  metrics = new Map();

  begin() {
    this.reload();
    this.poll(POLL_MS);
  }

  async load() {
    try {
      const { version, commit, checks, damaged_tables: damaged } = await ask("/readyz", { signal: this.signal });
      [this.ready, this.checks, this.program] = [true, checks, { version, commit, damaged }];
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 503)) throw error;
      // A process that is not ready answers with the failed checks only.
      [this.ready, this.checks] = [false, error.faults.map(({ at, code, message }) => ({ name: at ?? code, ok: false, code, detail: message }))];
    }
    const response = await fetch("/metrics", { signal: this.signal });
    if (response.ok) this.metrics = metricsOf(await response.text());
  }

  view() {
    const { health: say } = words.console;
    return h("div", { class: "console-content" },
      this.loading(),
      this.loaded && [
        h("p", { class: ["panel", this.ready ? "good" : "bad"], role: "status", key: "ready" }, h("b", null, this.ready ? `✓ ${say.ready}` : `✗ ${say.notReady}`)),
        h("section", { class: "panel stack", key: "checks", "aria-labelledby": "health-checks" },
          h("h2", { id: "health-checks" }, say.checks),
          table({ caption: say.checks, rows: this.checks, key: ({ name }) => name, class: "narrow", columns: [
            { title: say.check, head: true, cell: ({ name }) => h("code", null, name) },
            { title: say.result, cell: ({ ok, code, detail }) => h("span", null, h("span", { class: ok ? "good" : "bad" }, ok ? `✓ ${say.ok}` : `✗ ${say.failed}`), (detail || code) && h("small", { class: "console-line" }, detail || code)) },
          ] }),
          this.program && h("p", { class: "small" }, `${say.version} ${this.program.version}. ${say.commit} ${this.program.commit.slice(0, 12)}.`),
          this.program && this.program.damaged.length > 0 && h("p", { class: "bad" }, `${say.damaged}: ${this.program.damaged.join(", ")}`)),
        this.#metrics(),
      ]);
  }

  #metrics() {
    const { health: say } = words.console;
    const known = SHOWN.flatMap((name) => {
      const value = metric(this.metrics, name);
      return value === null ? [] : [h("div", { class: "tile", key: name }, h("dt", null, say.shown[name]), h("dd", null, thousands(value)))];
    });
    return h("section", { class: "panel stack", key: "metrics", "aria-labelledby": "health-metrics" },
      h("h2", { id: "health-metrics" }, say.metrics), h("dl", { class: "tiles" }, known),
      h("p", null, h("a", { href: "/metrics", target: "_blank", rel: "noopener" }, say.all)));
  }
}

define("pg-console-health", ConsoleHealth);
