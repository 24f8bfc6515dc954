// <pg-recovery-codes>: the recovery codes of an account, shown once, with copy, download and print.

import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { announce } from "../announce.js";
import { COPIED_MS } from "../share.js";
import { save } from "../study/csv.js";
import { words } from "../words.js";
import { codesText } from "./codes-text.js";

class RecoveryCodes extends Component {
  /** Name of the account. */
  name = "";
  /** @type {string[]} */
  codes = [];
  /** Called when the person has stored the codes. */
  stored = () => {};
  copied = false;
  fault = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  begin() {
    this.signal.addEventListener("abort", () => clearTimeout(this.#timer));
    // The title gets the focus, so that screen readers begin here.
    queueMicrotask(() => queueMicrotask(() => /** @type {HTMLElement | null} */ (this.querySelector("h2"))?.focus()));
  }

  get #text() {
    return codesText(this.name, location.host, this.codes);
  }

  async #copy() {
    this.fault = "";
    try {
      await navigator.clipboard.writeText(this.#text);
      this.copied = true;
      announce(words.account.codes.copiedSay);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => { this.copied = false; this.update(); }, COPIED_MS);
    } catch {
      this.fault = words.account.codes.copyFailed;
    }
    this.update();
  }

  view() {
    const { codes: say } = words.account;
    return h("section", { class: "panel stack account-codes", "aria-labelledby": "codes-title" },
      h("h2", { id: "codes-title", tabindex: -1 }, say.title),
      h("p", null, say.why),
      h("p", { class: "account-codes-of" }, `${this.name}, ${location.host}`),
      h("ol", { class: "codes", "aria-label": say.list }, this.codes.map((code) => h("li", { key: code }, h("code", null, code)))),
      this.fault && h("p", { class: "fault", role: "alert", key: "fault" }, this.fault),
      h("div", { class: "row no-print", key: "act" },
        h("button", { type: "button", class: "button", onclick: () => this.#copy() }, this.copied ? say.copied : say.copy),
        h("button", { type: "button", class: "button", onclick: () => save("paigow-recovery-codes.txt", this.#text, "text/plain") }, say.download),
        h("button", { type: "button", class: "button", onclick: () => window.print() }, say.print),
        h("button", { type: "button", class: "button primary", onclick: () => this.stored() }, say.done)));
  }
}

define("pg-recovery-codes", RecoveryCodes);
