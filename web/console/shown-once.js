// <pg-shown-once>: secrets that the server shows only once, with buttons to copy and print them.

import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { announce } from "../announce.js";
import { words } from "../words.js";

class ShownOnce extends Component {
  /** @type {string[]} */
  secrets = [];
  copy = words.console.copy;
  /** Text of the button that prints; empty: no button. */
  print = "";
  note = "";

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.secrets.join("\n"));
      this.note = words.console.copied;
    } catch {
      this.note = words.console.copyFailed;
    }
    announce(this.note);
    this.update();
  }

  view() {
    return h("div", { class: "stack" },
      this.secrets.length === 1 ? h("p", null, h("code", { class: "secret" }, this.secrets[0]))
        : h("ul", { class: "secrets" }, this.secrets.map((secret) => h("li", { key: secret }, h("code", { class: "secret" }, secret)))),
      h("div", { class: "row no-print" },
        h("button", { type: "button", class: "button", onclick: () => this.#copy() }, this.copy),
        this.print !== "" && h("button", { type: "button", class: "button", onclick: () => window.print() }, this.print),
        this.note !== "" && h("span", { class: "small" }, this.note)));
  }
}

define("pg-shown-once", ShownOnce);
