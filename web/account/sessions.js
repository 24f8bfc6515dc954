// <pg-account-sessions>: the sessions of an account, each with a button that ends it.

import { h } from "../dom.js";
import { define } from "../component.js";
import { ask, session } from "../api.js";
import { words } from "../words.js";
import { AccountSection } from "./section.js";

/** @typedef {import("../protocol").OwnSession} OwnSession */

class AccountSessions extends AccountSection {
  /** @type {OwnSession[] | null} */
  sessions = null;

  begin() {
    this.on(session, "change", () => session.me && this.#load());
    this.#load();
  }

  async #load() {
    try {
      this.sessions = (await ask("/api/account/sessions", { signal: this.signal })).sessions;
      this.update();
    } catch {
      // The list of before stays. The next change loads it again.
    }
  }

  /** @param {OwnSession} one */
  #end(one) {
    return this.attempt(async () => {
      await ask(`/api/account/sessions/${encodeURIComponent(one.id)}`, { method: "DELETE" });
      if (one.current) session.replace(null);
      else this.sessions = this.sessions?.filter(({ id }) => id !== one.id) ?? null;
      return words.account.sessions.ended;
    });
  }

  view() {
    const { sessions: say } = words.account;
    return this.panel("sessions", say.title,
      h("p", { class: "small", key: "why" }, say.why),
      this.outcome(),
      h("ul", { class: "account-list", key: "list" }, this.sessions?.map((one) => h("li", { key: one.id },
        h("div", null, h("b", null, one.client || say.unknown), one.current && h("span", { class: "tag on" }, say.current), h("small", null, `${say.since(one.since)}, ${say.seen(one.seen)}`)),
        h("button", { type: "button", class: "button slim", disabled: this.busy, onclick: () => this.#end(one) }, say.end, h("span", { class: "unseen" }, `: ${say.endOf(one.client || say.unknown)}`))))));
  }
}

define("pg-account-sessions", AccountSessions);
