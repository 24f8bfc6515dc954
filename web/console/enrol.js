// <pg-operator-enrol>: the enrolment of an operator with a code: credentials first, then the recovery codes.

import "./shown-once.js";
import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { announce } from "../announce.js";
import { ask } from "../api.js";
import { go } from "../router.js";
import { createPasskey, isPasskeyCancelled, passkeysSupported } from "../webauthn.js";
import { words } from "../words.js";
import { field, refusal, submits, typed } from "./section.js";
import { operator } from "./session.js";

/** @typedef {{ ceremony: string, totp: { secret: string, uri: string } | null, options: import("../webauthn.js").PasskeyOptions | null }} Enrolment */

class OperatorEnrolment extends Component {
  name = "";
  code = "";
  /** @type {"password" | "passkey"} */
  method = "password";
  password = "";
  repeat = "";
  /** Code of the authenticator. */
  totp = "";
  /** The begun enrolment with an authenticator. @type {Enrolment | null} */
  begun = null;
  /** @type {{ name: string, role: import("./types.js").Role, recovery_codes: string[] } | null} */
  enrolled = null;
  busy = false;
  fault = "";
  #focus = "";

  /** @param {() => Promise<void>} requests */
  async #attempt(requests) {
    if (this.busy) return;
    this.busy = true;
    this.fault = "";
    this.update();
    try {
      await requests();
    } catch (error) {
      this.fault = isPasskeyCancelled(error) ? words.console.enrol.cancelled : refusal(error);
    }
    this.busy = false;
    this.update();
  }

  #begin() {
    const name = this.name.trim();
    const code = this.code.trim();
    if (this.method === "password" && this.password !== this.repeat) {
      this.fault = words.console.enrol.differ;
      return this.update();
    }
    this.#attempt(async () => {
      const begun = /** @type {Enrolment} */ (await ask("/api/operator/enrolment/options", { body: { name, code, ...(this.method === "password" ? { password: this.password } : {}) } }));
      if (begun.options) return this.#finish({ ceremony: begun.ceremony, credential: await createPasskey(begun.options) });
      this.begun = begun;
      this.#focus = "[name=totp]";
    });
  }

  /** @param {{ ceremony: string, code?: string, credential?: unknown }} body */
  async #finish(body) {
    this.enrolled = await ask("/api/operator/enrolment", { body });
    this.begun = null;
    this.password = this.repeat = "";
    if (this.enrolled) announce(words.console.enrol.done(this.enrolled.name, words.console.roles[this.enrolled.role]));
    this.#focus = "h1";
  }

  async #enter() {
    await operator.load().catch(() => {});
    go("/console");
  }

  updated() {
    if (!this.#focus) return;
    /** @type {HTMLElement | null} */ (this.querySelector(this.#focus))?.focus();
    this.#focus = "";
  }

  view() {
    const { enrol: say } = words.console;
    return h("div", { class: "page console-door" },
      h("header", { class: "head", key: "head" }, h("h1", { tabindex: -1 }, this.enrolled ? say.done(this.enrolled.name, words.console.roles[this.enrolled.role]) : say.title), !this.enrolled && h("p", null, say.lead)),
      this.fault !== "" && h("p", { class: "fault panel", key: "fault", role: "alert" }, this.fault),
      this.enrolled ? this.#codes(this.enrolled.recovery_codes) : this.begun?.totp ? this.#authenticator(this.begun.ceremony, this.begun.totp) : this.#credentials(),
      !this.enrolled && h("p", { key: "sign-in" }, h("a", { href: "/console" }, say.toSignIn)));
  }

  #credentials() {
    const { enrol: say, signIn } = words.console;
    const supported = passkeysSupported();
    return h("form", { class: "panel stack", key: "credentials", "aria-busy": String(this.busy), onsubmit: submits(() => this.#begin()) },
      field(say.name, { name: "name", required: true, autocomplete: "username", autocapitalize: "none", spellcheck: "false", ".value": this.name, oninput: typed((value) => { this.name = value; }) }),
      field(say.code, { name: "code", required: true, spellcheck: "false", ".value": this.code, oninput: typed((value) => { this.code = value; }) }),
      h("fieldset", { class: "choices", key: "method" }, h("legend", null, say.method),
        /** @type {const} */ (["password", "passkey"]).map((method) => h("label", { key: method },
          h("input", { type: "radio", name: "method", value: method, disabled: method === "passkey" && !supported, ".checked": this.method === method, onchange: () => { this.method = method; this.update(); } }), say.methods[method]))),
      !supported && h("p", { class: "small", key: "no-passkeys" }, signIn.noPasskeys),
      this.method === "password" && [
        field(say.password, { name: "password", type: "password", required: true, autocomplete: "new-password", ".value": this.password, oninput: typed((value) => { this.password = value; }) }, say.passwordWhy),
        field(say.repeat, { name: "repeat", type: "password", required: true, autocomplete: "new-password", ".value": this.repeat, oninput: typed((value) => { this.repeat = value; }) })],
      h("div", { key: "next" }, h("button", { class: "button primary", disabled: this.busy }, say.next)));
  }

  /** @param {string} ceremony @param {{ secret: string, uri: string }} totp */
  #authenticator(ceremony, { secret, uri }) {
    const { enrol: say } = words.console;
    return h("form", { class: "panel stack", key: "authenticator", "aria-busy": String(this.busy), onsubmit: submits(() => this.#attempt(() => this.#finish({ ceremony, code: this.totp.replaceAll(" ", "") }))) },
      h("h2", null, say.authenticator),
      h("p", null, say.secret, ": ", h("code", { class: "secret" }, secret.replace(/(.{4})(?=.)/g, "$1 "))),
      h("p", null, h("a", { href: uri, target: "_self" }, say.uri)),
      field(say.codeNow, { name: "totp", required: true, inputmode: "numeric", autocomplete: "one-time-code", ".value": this.totp, oninput: typed((value) => { this.totp = value; }) }),
      h("div", { class: "row" },
        h("button", { class: "button primary", disabled: this.busy }, say.finish),
        h("button", { type: "button", class: "button", onclick: () => { this.begun = null; this.totp = this.fault = ""; this.#focus = "[name=name]"; this.update(); } }, say.back)));
  }

  /** @param {string[]} codes */
  #codes(codes) {
    const { enrol: say } = words.console;
    return h("section", { class: "panel stack", key: "codes", "aria-labelledby": "codes-title" },
      h("h2", { id: "codes-title" }, say.codes), h("p", null, codes.length > 0 ? say.codesWhy : say.noCodes),
      codes.length > 0 && h("pg-shown-once", { ".secrets": codes, ".copy": say.codesCopy, ".print": say.codesPrint }),
      h("div", { class: "no-print" }, h("button", { type: "button", class: "button primary", onclick: () => this.#enter() }, codes.length > 0 ? say.toConsole : say.enter)));
  }
}

define("pg-operator-enrol", OperatorEnrolment);
