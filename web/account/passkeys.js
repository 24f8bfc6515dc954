// <pg-account-passkeys>: the passkeys of an account, with forms to add and remove them.

import "../shell/confirm.js";
import { h } from "../dom.js";
import { define } from "../component.js";
import { announce } from "../announce.js";
import { ask } from "../api.js";
import { createPasskey, passkeysSupported } from "../webauthn.js";
import { words } from "../words.js";
import { AccountSection, onSubmit, valueOf } from "./section.js";

/** @typedef {import("../protocol").PasskeyEntry} Passkey */

class AccountPasskeys extends AccountSection {
  /** @param {HTMLFormElement} form */
  async #add(form) {
    const label = valueOf(form, "label").trim();
    const added = await this.attempt(async () => {
      const { ceremony, options } = await ask("/api/account/passkeys/options", { body: {} });
      const credential = await createPasskey(options);
      this.changed(await ask("/api/account/passkeys", { body: { ceremony, credential, ...(label ? { label } : {}) } }));
      return words.account.passkeys.added;
    });
    if (added) form.reset();
  }

  /** Removes a passkey. The question shows a refusal. @param {Passkey} passkey */
  async #remove({ id }) {
    this.changed(await ask(`/api/account/passkeys/${encodeURIComponent(id)}`, { method: "DELETE" }));
    announce(words.account.passkeys.removed);
  }

  view() {
    const { passkeys: say, create } = words.account;
    const passkeys = this.account?.passkeys ?? [];
    return this.panel("passkeys", say.title,
      passkeys.length === 0 ? h("p", { key: "none" }, say.none) : h("ul", { class: "account-list", key: "list" }, passkeys.map((passkey) => {
        const label = passkey.label || say.unnamed;
        return h("li", { key: passkey.id },
          h("div", null, h("b", null, label), h("small", null, `${say.since(passkey.since)}, ${say.used(passkey.used_at)}`)),
          h("pg-confirm", { ".question": { label: say.remove(label), question: say.removeAsk(label), yes: say.removeYes, no: say.removeNo, act: () => this.#remove(passkey) } }));
      })),
      passkeysSupported() ? h("form", { class: "stack", key: "form", onsubmit: onSubmit((form) => this.#add(form)) },
        this.field("label", say.label, { type: "text", maxlength: 40, autocomplete: "off", placeholder: say.labelHint }),
        this.outcome(),
        h("div", { class: "row", key: "act" }, h("button", { class: "button", disabled: this.busy }, say.add)))
        : h("p", { class: "small", key: "unsupported" }, create.noPasskeys));
  }
}

define("pg-account-passkeys", AccountPasskeys);
