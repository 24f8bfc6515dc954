// <pg-operator-sign-in>: the sign-in of operators, with password and authenticator or with a passkey.

import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { announce } from "../announce.js";
import { ask } from "../api.js";
import { isPasskeyCancelled, passkeysSupported, usePasskey } from "../webauthn.js";
import { words } from "../words.js";
import { field, refusal, submits, typed } from "./section.js";
import { operator } from "./session.js";

class OperatorSignIn extends Component {
  name = "";
  password = "";
  code = "";
  busy = false;
  fault = "";

  /** Runs the requests of a sign-in. @param {() => Promise<unknown>} requests */
  async #attempt(requests) {
    if (this.busy) return;
    this.busy = true;
    this.fault = "";
    this.update();
    try {
      await requests();
      const me = await operator.load();
      if (me) announce(words.console.signIn.done(me.name));
    } catch (error) {
      this.fault = isPasskeyCancelled(error) ? words.console.signIn.cancelled : refusal(error);
      // A code is valid once.
      this.code = "";
    }
    this.busy = false;
    this.update();
  }

  #withPassword() {
    const { name, password, code } = this;
    return this.#attempt(() => ask("/api/operator/session", { body: { name: name.trim(), password, code: code.replaceAll(" ", "") } }));
  }

  #withPasskey() {
    const name = this.name.trim();
    if (!name) {
      this.fault = words.console.signIn.noName;
      this.update();
      /** @type {HTMLElement | null} */ (this.querySelector("[name=name]"))?.focus();
      return;
    }
    this.#attempt(async () => {
      const { ceremony, options } = await ask("/api/operator/session/passkey/options", { body: { name } });
      await ask("/api/operator/session/passkey", { body: { ceremony, credential: await usePasskey(options) } });
    });
  }

  view() {
    const { signIn: say } = words.console;
    const supported = passkeysSupported();
    return h("div", { class: "page console-door" },
      h("header", { class: "head" }, h("h1", null, say.title), h("p", null, say.lead)),
      operator.lost && h("p", { class: "panel", key: "lost", role: "status" }, words.console.lost),
      this.fault !== "" && h("p", { class: "fault panel", key: "fault", role: "alert" }, this.fault),
      h("form", { class: "panel stack", key: "form", "aria-busy": String(this.busy), onsubmit: submits(() => this.#withPassword()) },
        field(say.name, { name: "name", required: true, autocomplete: "username", autocapitalize: "none", spellcheck: "false", ".value": this.name, oninput: typed((value) => { this.name = value; }) }),
        h("fieldset", { class: "stack", key: "password" }, h("legend", null, say.withPassword),
          field(say.password, { name: "password", type: "password", required: true, autocomplete: "current-password", ".value": this.password, oninput: typed((value) => { this.password = value; }) }),
          field(say.code, { name: "code", required: true, autocomplete: "one-time-code", ".value": this.code, oninput: typed((value) => { this.code = value; }) }, say.codeWhy),
          h("button", { class: "button primary", disabled: this.busy }, say.go)),
        h("fieldset", { class: "stack", key: "passkey" }, h("legend", null, say.withPasskey),
          h("p", { class: "small" }, supported ? say.passkeyWhy : say.noPasskeys),
          h("button", { type: "button", class: "button", disabled: this.busy || !supported, onclick: () => this.#withPasskey() }, say.passkey))),
      h("p", { key: "enrol" }, say.enrolWhy, " ", h("a", { href: "/console/enrol" }, say.enrol)));
  }
}

define("pg-operator-sign-in", OperatorSignIn);
