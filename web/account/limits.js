// <pg-account-limits>: the limits that a person sets, what is used up, and what applies later.

import { h } from "../dom.js";
import { define } from "../component.js";
import { ask } from "../api.js";
import { words } from "../words.js";
import { readLimits, usedUp, wantedLimits } from "./limit-values.js";
import { AccountSection, onSubmit, valueOf } from "./section.js";

class AccountLimits extends AccountSection {
  /** @param {HTMLFormElement} form */
  async #save(form) {
    const { account } = this;
    const { limits, fault } = readLimits({ amount: valueOf(form, "amount"), days: valueOf(form, "days"), minutes: valueOf(form, "minutes") });
    if (fault) return this.refuse(fault);
    if (!account) return;
    await this.attempt(async () => {
      /** @type {import("../protocol").Limits} */
      const now = await ask("/api/account/limits", { method: "PATCH", body: limits });
      this.changed({ ...account, limits: now });
      return now.pending ? words.account.limits.savedLater(now.pending.from) : words.account.limits.saved;
    });
  }

  view() {
    const { limits: say } = words.account;
    const { account } = this;
    if (!account) return null;
    const { limits } = account;
    const wanted = wantedLimits(limits);
    return this.panel("limits", say.title,
      h("p", { class: "small", key: "why" }, say.why),
      h("p", { key: "now" }, say.now(say.lossIs(limits.loss), say.minutesAre(limits.minutes))),
      limits.pending && h("p", { class: "account-warning", key: "pending" }, say.pending(say.lossIs(limits.pending.loss), say.minutesAre(limits.pending.minutes), limits.pending.from)),
      h("ul", { class: "account-used", key: "used" }, usedUp(limits).map(({ key, text, part }) => h("li", { key }, h("span", { id: `used-${key}` }, text), h("meter", { "aria-labelledby": `used-${key}`, min: 0, max: 1, high: 0.8, ".value": part })))),
      h("form", { class: "account-limits", key: "form", onsubmit: onSubmit((form) => this.#save(form)) },
        this.field("amount", say.lossAmount, { type: "text", inputmode: "decimal", autocomplete: "off", placeholder: say.none, ".defaultValue": wanted.loss ? (wanted.loss.cents / 100).toFixed(2) : "" }),
        h("label", { class: "field", key: "days" }, say.period, h("select", { name: "days", ".value": String(wanted.loss?.days ?? 1) }, /** @type {const} */ ([1, 7]).map((days) => h("option", { value: days, key: days }, say.periods[days])))),
        this.field("minutes", say.minutes, { type: "text", inputmode: "numeric", autocomplete: "off", placeholder: say.none, ".defaultValue": wanted.minutes ? String(wanted.minutes) : "" }),
        h("div", { class: "stack wide", key: "act" }, this.outcome(), h("div", { class: "row" }, h("button", { class: "button", disabled: this.busy }, say.save)))));
  }
}

define("pg-account-limits", AccountLimits);
