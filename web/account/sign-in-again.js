// <pg-sign-in-again>: the dialog that asks for a new sign-in before a change of the account.

import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { session } from "../api.js";
import { fieldFault } from "./faults.js";
import { proposedWay, secretField, signIn, wayChoice } from "./sign-in.js";
import { words } from "../words.js";

/** @typedef {import("../protocol").Account} Account */

class SignInAgain extends Component {
  /** @type {Account | null} */
  account = null;
  /** Called once, with whether the person has signed in. @type {(signedIn: boolean) => void} */
  ended = () => {};
  way = proposedWay();
  fault = "";
  busy = false;

  begin() {
    if (this.way === "passkey" && this.account?.passkeys.length === 0) this.way = this.account.password ? "password" : "recovery";
  }

  updated() {
    const dialog = this.querySelector("dialog");
    if (dialog && !dialog.open) dialog.showModal();
  }

  /** @param {boolean} signedIn */
  #end(signedIn) {
    this.remove();
    this.ended(signedIn);
  }

  /** @param {any} event */
  async #submit(event) {
    event.preventDefault();
    if (this.busy || !this.account) return;
    const form = new FormData(event.currentTarget);
    this.busy = true;
    this.fault = "";
    this.update();
    try {
      session.replace(await signIn(this.way, this.account.name, String(form.get("password") ?? form.get("code") ?? "")));
      return this.#end(true);
    } catch (error) {
      this.fault = fieldFault(error).text;
    }
    this.busy = false;
    this.update();
  }

  view() {
    const { again: say, signIn: ways } = words.account;
    const { account } = this;
    if (!account) return null;
    return h("dialog", { class: "sheet", "aria-labelledby": "again-title", onclose: () => this.isConnected && this.#end(false) },
      h("form", { class: "stack", onsubmit: (/** @type {Event} */ event) => this.#submit(event) },
        h("h2", { id: "again-title" }, say.title),
        h("p", null, say.why),
        h("input", { type: "text", name: "username", class: "unseen", tabindex: -1, "aria-hidden": "true", readonly: true, autocomplete: "username", ".value": account.name }),
        wayChoice("again-way", this.way, (way) => { this.way = way; this.fault = ""; this.update(); }),
        secretField(this.way, (name, label, { why, ...props }) => h("div", { class: "account-field", key: name },
          h("label", { class: "field", for: `again-${name}` }, label), h("input", { name, id: `again-${name}`, ...props, autofocus: true, "aria-describedby": why ? "again-why" : null }), why && h("p", { class: "small", id: "again-why" }, why))),
        this.fault && h("p", { class: "fault", role: "alert", key: "fault" }, this.fault),
        h("div", { class: "row", key: "act" },
          h("button", { class: "button primary", disabled: this.busy }, ways.go[this.way]),
          h("button", { type: "button", class: "button", onclick: () => this.#end(false) }, say.cancel))));
  }
}

define("pg-sign-in-again", SignInAgain);

/** Asks the person of an account to sign in again. Resolves to whether the person has. @param {Account} account @returns {Promise<boolean>} */
export function signInAgain(account) {
  return new Promise((resolve) => {
    const dialog = /** @type {SignInAgain} */ (document.createElement("pg-sign-in-again"));
    dialog.account = account;
    dialog.ended = resolve;
    document.body.append(dialog);
  });
}
