// <pg-account-password>: the form that sets or changes the password of an account.

import { h } from "../dom.js";
import { define } from "../component.js";
import { ask } from "../api.js";
import { words } from "../words.js";
import { AccountSection, onSubmit, valueOf } from "./section.js";

class AccountPassword extends AccountSection {
  /** @param {HTMLFormElement} form */
  async #change(form) {
    const { account } = this;
    if (!account) return;
    const current = valueOf(form, "current");
    const changed = await this.attempt(async () => {
      await ask("/api/account/password", { method: "PATCH", body: { ...(current ? { current } : {}), password: valueOf(form, "password") } });
      this.changed({ ...account, password: true });
      return words.account.password.changed;
    }, (error) => (error.code === "wrong_credentials" ? { field: "current", text: words.account.password.wrong } : null));
    if (changed) form.reset();
  }

  view() {
    const { password: say, create } = words.account;
    const has = this.account?.password ?? false;
    return this.panel("password", say.title,
      h("p", { key: "state" }, has ? say.set : say.unset),
      h("form", { class: "stack", key: "form", onsubmit: onSubmit((form) => this.#change(form)) },
        h("input", { key: "username", type: "text", name: "username", class: "unseen", tabindex: -1, "aria-hidden": "true", readonly: true, autocomplete: "username", ".value": this.account?.name ?? "" }),
        has && this.field("current", say.current, { type: "password", autocomplete: "current-password", why: say.currentWhy }),
        this.field("password", say.password, { type: "password", autocomplete: "new-password", required: true, why: create.passwordWhy }),
        this.outcome(),
        h("div", { class: "row", key: "act" }, h("button", { class: "button", disabled: this.busy }, has ? say.change : say.create))));
  }
}

define("pg-account-password", AccountPassword);
