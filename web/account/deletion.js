// <pg-account-data>: the download of a person's data, and the deletion of the account.

import { h } from "../dom.js";
import { define } from "../component.js";
import { ask, session } from "../api.js";
import { words } from "../words.js";
import { AccountSection, onSubmit, valueOf } from "./section.js";

class AccountData extends AccountSection {
  /** Whether the form of the deletion is shown. */
  deleting = false;

  /** @param {HTMLFormElement} form */
  async #delete(form) {
    const { deletion: say } = words.account;
    const name = valueOf(form, "name").trim();
    if (name !== this.account?.name) return this.refuse({ field: "name", text: say.differs });
    await this.attempt(async () => {
      await ask("/api/account/deletion", { body: { name } });
      session.replace(null);
      return say.done;
    });
  }

  view() {
    const { data, deletion: say } = words.account;
    const show = (/** @type {boolean} */ deleting) => { this.deleting = deleting; this.refuse({ field: "", text: "" }); };
    return this.panel("data", data.title,
      h("p", { class: "small", key: "why" }, data.why),
      h("div", { class: "row", key: "download" }, h("a", { class: "button", href: "/api/account/data", download: "" }, data.download)),
      this.account?.account && h("div", { class: "stack account-deletion", key: "deletion" },
        h("h3", null, say.title),
        h("p", { class: "small" }, say.why),
        this.deleting ? h("form", { class: "stack", key: "form", onsubmit: onSubmit((form) => this.#delete(form)) },
          this.field("name", say.confirm(this.account.name), { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", required: true }),
          this.outcome(),
          h("div", { class: "row", key: "act" },
            h("button", { class: "button danger", disabled: this.busy }, say.go),
            h("button", { type: "button", class: "button", onclick: () => show(false) }, say.cancel)))
          : h("div", { class: "row", key: "begin" }, h("button", { type: "button", class: "button danger", onclick: () => show(true) }, say.begin))));
  }
}

define("pg-account-data", AccountData);
