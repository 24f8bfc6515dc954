// <pg-account-name>: the name of an account, and the form to change it.

import { h } from "../dom.js";
import { define } from "../component.js";
import { session } from "../api.js";
import { words } from "../words.js";
import { AccountSection, onSubmit, valueOf } from "./section.js";

class AccountName extends AccountSection {
  /** @param {HTMLFormElement} form */
  #rename(form) {
    return this.attempt(async () => {
      await session.rename(valueOf(form, "name"));
      const name = session.me?.name ?? "";
      if (this.account) this.changed({ ...this.account, name });
      return words.account.name.saved(name);
    });
  }

  view() {
    const { name: say } = words.account;
    return this.panel("name", say.title,
      h("form", { class: "stack", onsubmit: onSubmit((form) => this.#rename(form)) },
        this.field("name", say.label, { type: "text", maxlength: 24, autocomplete: "username", spellcheck: "false", required: true, ".defaultValue": this.account?.name ?? "", why: say.why }),
        this.outcome(),
        h("div", { class: "row", key: "act" }, h("button", { class: "button", disabled: this.busy }, say.save))));
  }
}

define("pg-account-name", AccountName);
