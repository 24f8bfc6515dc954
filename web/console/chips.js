// <pg-console-chips>: issues chips to a player or redeems them. Above a limit, a second operator must approve.

import { h } from "../dom.js";
import { define } from "../component.js";
import { ApiError } from "../api.js";
import { cents, money } from "../money.js";
import { words } from "../words.js";
import { CommandIds } from "./command-ids.js";
import { ConsoleSection, field, submits, typed } from "./section.js";
import { operator } from "./session.js";

class ConsoleChips extends ConsoleSection {
  /** @type {"issue" | "redeem"} */
  way = "issue";
  player = "";
  currency = "PRACTICE";
  amount = "";
  loaded = true;
  #ids = new CommandIds();

  queryChanged() {
    this.player = this.query.get("player") ?? "";
  }

  async #send() {
    const { chips: say } = words.console;
    const { way } = this;
    const amount = cents(this.amount);
    const player = this.player.trim();
    const sent = await this.attempt(async () => {
      if (!amount) throw new ApiError({ code: "no_amount", detail: say.noAmount }, 0);
      const request = { player, currency: this.currency.trim(), cents: amount, redeem: way === "redeem" };
      const answer = await this.ask("chips", { body: { id: this.#ids.idFor(request), ...request } });
      this.#ids.done(request);
      return answer;
    }, () => say.done[way](money(amount ?? 0), player));
    if (sent) this.amount = "";
    this.update();
  }

  view() {
    const { chips: say } = words.console;
    const above = operator.me?.approval_above_cents;
    return h("div", { class: "console-content" },
      this.outcome(),
      h("form", { class: "panel stack console-narrow", key: "form", "aria-label": say.form, "aria-busy": String(this.busy), onsubmit: submits(() => this.#send()) },
        h("fieldset", { class: "choices", key: "way" }, h("legend", null, say.way),
          /** @type {const} */ (["issue", "redeem"]).map((way) => h("label", { key: way }, h("input", { type: "radio", name: "way", value: way, ".checked": this.way === way, onchange: () => { this.way = way; this.update(); } }), say.ways[way]))),
        field(say.player, { name: "player", required: true, spellcheck: "false", autocapitalize: "none", ".value": this.player, oninput: typed((value) => { this.player = value; }) }),
        h("p", { key: "find" }, h("a", { href: "/console/people" }, say.find)),
        field(say.currency, { name: "currency", required: true, spellcheck: "false", ".value": this.currency, oninput: typed((value) => { this.currency = value; }) }),
        field(say.amount, { name: "amount", required: true, inputmode: "decimal", ".value": this.amount, oninput: typed((value) => { this.amount = value; }) }),
        above !== undefined && h("p", { class: "small", key: "above" }, say.above(money(above))),
        h("div", { class: "row", key: "go" }, h("button", { class: "button primary", disabled: this.busy }, say.go[this.way])),
        h("p", { class: "small", key: "retry" }, say.retry)));
  }
}

define("pg-console-chips", ConsoleChips);
