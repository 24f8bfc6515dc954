// <pg-create-account>: the form that makes a guest an account, with a passkey or a password.

import { h } from "../dom.js";
import { define } from "../component.js";
import { ask, session } from "../api.js";
import { createPasskey, passkeysSupported } from "../webauthn.js";
import { words } from "../words.js";
import { AccountSection, onSubmit, valueOf } from "./section.js";

class CreateAccount extends AccountSection {
  /** @type {"passkey" | "password"} */
  way = passkeysSupported() ? "passkey" : "password";
  /** Called with the new account and its recovery codes. @type {(made: import("../protocol").NewAccount) => void} */
  made = () => {};

  /** @param {HTMLFormElement} form */
  #create(form) {
    const name = valueOf(form, "name");
    return this.attempt(async () => {
      // A person without a session becomes a guest first: an account keeps the player id of its guest.
      await session.begin();
      this.made(this.way === "passkey" ? await this.#withPasskey(name) : await ask("/api/account", { body: { name, password: valueOf(form, "password") } }));
      return words.account.create.made(name);
    });
  }

  /** @param {string} name @returns {Promise<import("../protocol").NewAccount>} */
  async #withPasskey(name) {
    const { ceremony, options } = await ask("/api/account/passkeys/options", { body: { name } });
    return ask("/api/account/passkeys", { body: { ceremony, credential: await createPasskey(options) } });
  }

  view() {
    const { create: say } = words.account;
    const passkey = this.way === "passkey";
    const choice = (/** @type {"passkey" | "password"} */ way, /** @type {string} */ label) => h("label", { key: way },
      h("input", { type: "radio", name: "create-way", value: way, disabled: way === "passkey" && !passkeysSupported(), ".checked": this.way === way, onchange: () => { this.way = way; this.update(); } }), label);
    return this.panel("create", say.title,
      h("form", { class: "stack", key: "form", onsubmit: onSubmit((form) => this.#create(form)) },
        this.field("name", say.name, { type: "text", maxlength: 24, autocomplete: "username", autocapitalize: "off", spellcheck: "false", required: true, ".defaultValue": "", why: say.nameWhy }),
        h("fieldset", { class: "choices", key: "ways" }, h("legend", null, say.how), choice("passkey", say.passkey), choice("password", say.usePassword)),
        (passkey || !passkeysSupported()) && h("p", { class: "small", key: "why" }, passkey ? say.passkeyWhy : say.noPasskeys),
        !passkey && this.field("password", say.password, { type: "password", autocomplete: "new-password", minlength: 1, required: true, why: say.passwordWhy }),
        this.outcome(),
        h("div", { class: "row", key: "act" }, h("button", { class: "button primary", disabled: this.busy }, passkey ? say.withPasskey : say.withPassword))));
  }
}

define("pg-create-account", CreateAccount);
