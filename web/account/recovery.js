// <pg-account-recovery>: the number of recovery codes left, and new codes.

import "./codes.js";
import "../shell/confirm.js";
import { h } from "../dom.js";
import { define } from "../component.js";
import { ask } from "../api.js";
import { words } from "../words.js";
import { AccountSection } from "./section.js";

class AccountRecovery extends AccountSection {
  /** New codes, until the person has stored them. @type {string[]} */
  codes = [];

  async #renew() {
    await this.attempt(async () => {
      const { recovery_codes: codes } = await ask("/api/account/recovery-codes", { body: {} });
      this.codes = codes;
      if (this.account) this.changed({ ...this.account, recovery_codes: codes.length });
      return words.account.recovery.renewed;
    });
  }

  view() {
    const { recovery: say } = words.account;
    const { account } = this;
    if (this.codes.length > 0) return h("pg-recovery-codes", { ".name": account?.name ?? "", ".codes": this.codes, ".stored": () => { this.codes = []; this.done = ""; this.update(); } });
    return this.panel("recovery", say.title,
      h("p", { key: "left" }, say.left(account?.recovery_codes ?? 0)),
      this.outcome(),
      h("pg-confirm", { key: "renew", ".question": { label: say.renew, question: say.renewAsk, yes: say.renewYes, no: say.renewNo, act: () => this.#renew() } }));
  }
}

define("pg-account-recovery", AccountRecovery);
