// <pg-sign-in>: the form that signs in to an account with a passkey, a password or a recovery code.

import { h } from "../dom.js";
import { define } from "../component.js";
import { session } from "../api.js";
import { money } from "../money.js";
import { words } from "../words.js";
import { AccountSection, onSubmit, valueOf } from "./section.js";
import { proposedWay, secretField, signIn, wayChoice } from "./sign-in.js";

class SignInForm extends AccountSection {
  way = proposedWay();

  /** @param {HTMLFormElement} form */
  #signIn(form) {
    return this.attempt(async () => {
      const me = await signIn(this.way, valueOf(form, "name"), valueOf(form, "password") || valueOf(form, "code"));
      session.replace(me);
      return words.account.signIn.done(me.name);
    });
  }

  view() {
    const { signIn: say } = words.account;
    const { me } = session;
    return this.panel("sign-in", say.title,
      me && h("p", { class: "account-warning", key: "guest" }, say.guestStays(me.name, money(session.balance() ?? 0))),
      h("form", { class: "stack", key: "form", onsubmit: onSubmit((form) => this.#signIn(form)) },
        wayChoice("sign-in-way", this.way, (way) => { this.way = way; this.fault = { field: "", text: "" }; this.update(); }),
        this.field("name", say.name, { type: "text", maxlength: 24, autocomplete: this.way === "passkey" ? "username webauthn" : "username", autocapitalize: "off", spellcheck: "false", required: true }),
        secretField(this.way, (name, label, props) => this.field(name, label, props)),
        this.outcome(),
        h("div", { class: "row", key: "act" }, h("button", { class: "button", disabled: this.busy }, say.go[this.way]))));
  }
}

define("pg-sign-in", SignInForm);
