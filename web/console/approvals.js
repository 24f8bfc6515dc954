// <pg-console-approvals>: requests that need a second operator.

import { h } from "../dom.js";
import { define } from "../component.js";
import { words } from "../words.js";
import { table } from "../study/table.js";
import { approvalText } from "./approval-text.js";
import { decisionNeeds } from "./sections.js";
import { ConsoleSection, scrolling, time, timeTag } from "./section.js";
import { operator } from "./session.js";

/** @typedef {import("./types.js").Approval} Approval */

const POLL_MS = 5000;

class ConsoleApprovals extends ConsoleSection {
  /** @type {Approval[]} */
  approvals = [];

  begin() {
    this.reload();
    this.poll(POLL_MS);
  }

  async load() {
    ({ approvals: this.approvals } = await this.ask("approvals"));
    operator.setWaiting(this.approvals);
  }

  /** @param {Approval} approval @param {boolean} approve */
  async #decide({ id }, approve) {
    const { approvals: say } = words.console;
    await this.attempt(() => this.ask(`approvals/${encodeURIComponent(id)}`, { body: { approve } }),
      ({ outcome }) => (approve ? say.approved(outcome ? say.outcome(outcome) : "") : say.declined));
    // The buttons of a decided request are gone.
    /** @type {HTMLElement | null} */ (this.querySelector(".console-content"))?.focus();
  }

  view() {
    const { approvals: say } = words.console;
    return h("div", { class: "console-content", tabindex: -1 },
      this.outcome(),
      this.loading(),
      this.loaded && this.approvals.length === 0 && h("p", { class: "panel", key: "none", role: "status" }, say.none),
      this.approvals.length > 0 && h("div", { class: "panel", key: "list" }, scrolling(say.list, table({
        caption: say.list, rows: this.approvals, key: ({ id }) => id, columns: [
          { title: say.request, head: true, cell: (approval) => approvalText(approval) },
          { title: say.asked, cell: ({ by, at }) => h("span", null, by, h("small", { class: "console-line" }, timeTag(at))) },
          { title: say.until, cell: ({ until }) => h("small", null, timeTag(until)) },
          { title: say.state, cell: state },
          { title: say.act, cell: (approval) => this.#acts(approval) },
        ],
      }))));
  }

  /** @param {Approval} approval */
  #acts(approval) {
    const { approvals: say } = words.console;
    if (approval.state !== "waiting") return words.console.none;
    if (approval.by === operator.me?.name) return say.own;
    if (!operator.may(decisionNeeds(approval.what))) return words.console.none;
    const of = h("span", { class: "unseen" }, say.ofRequest(approvalText(approval)));
    return h("div", { class: "row" },
      h("button", { type: "button", class: "button slim primary", disabled: this.busy, onclick: () => this.#decide(approval, true) }, say.approve, of),
      h("button", { type: "button", class: "button slim", disabled: this.busy, onclick: () => this.#decide(approval, false) }, say.decline, of));
  }
}

/** @param {Approval} approval */
function state({ state: is, decided_by: by, decided_at: at, outcome }) {
  const { approvals: say } = words.console;
  return h("div", null, h("span", { class: ["tag", is === "waiting" && "on"] }, say.states[is]),
    by && h("small", { class: "console-line" }, say.decided(by, at === null ? "" : time(at))),
    outcome && h("small", { class: "console-line" }, say.outcome(outcome)));
}

define("pg-console-approvals", ConsoleApprovals);
