// <pg-account>: the account of the player. A guest makes an account or signs in; a signed-in player manages the account.

import "../account/chips.js";
import "../account/codes.js";
import "../account/create.js";
import "../account/deletion.js";
import "../account/limits.js";
import "../account/name.js";
import "../account/passkeys.js";
import "../account/password.js";
import "../account/recovery.js";
import "../account/sessions.js";
import "../account/sign-in-form.js";
import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";
import { announce } from "../announce.js";
import { ApiError, ask, session } from "../api.js";
import { faultNote } from "../study/notes.js";
import { words } from "../words.js";

/** @typedef {import("../protocol").Account} Account */

class AccountView extends Component {
  query = new URLSearchParams();
  /** The account or guest of the session; `null` without a session or until loaded. @type {Account | null} */
  account = null;
  loaded = false;
  fault = "";
  /** Recovery codes of a new account, until the person has stored them. @type {string[]} */
  codes = [];
  /** Player of the last request. */
  #player = "";
  #loads = 0;
  /** Whether the focus was in this view before the render. */
  #focused = false;

  begin() {
    this.on(session, "change", () => this.#sessionChanged());
    this.#load();
  }

  #sessionChanged() {
    if ((session.me?.player ?? "") !== this.#player) this.#load();
    else this.update();
  }

  async #load() {
    const load = ++this.#loads;
    this.fault = "";
    try {
      const me = session.me ?? await session.load();
      if (load !== this.#loads) return;
      this.#player = me?.player ?? "";
      const account = me ? await ask("/api/account", { signal: this.signal }) : null;
      if (load !== this.#loads) return;
      this.account = account;
      this.loaded = true;
    } catch (error) {
      if (this.signal.aborted || load !== this.#loads) return;
      this.fault = errorText(error);
      // The session ended meanwhile.
      if (error instanceof ApiError && error.code === "no_session") [this.fault, this.account, this.loaded] = ["", null, true];
    }
    this.update();
  }

  /** Moves the focus to the page if its control has disappeared, as after a sign-in. Shows the part that the address names, once it is loaded. */
  updated() {
    if (this.#focused && document.activeElement === document.body) document.getElementById("main")?.focus();
    const part = this.loaded && this.query.get("part");
    if (!part) return;
    this.query = new URLSearchParams();
    // The parts render after this view.
    queueMicrotask(() => {
      const target = this.querySelector(`#account-${CSS.escape(part)}`);
      target?.scrollIntoView();
      /** @type {HTMLElement | null | undefined} */ (target?.querySelector("input"))?.focus();
    });
  }

  /** @param {Account} account */
  #changed(account) {
    this.account = account;
    this.update();
  }

  /** @param {import("../protocol").NewAccount} made */
  #made({ account, recovery_codes: codes }) {
    // A pending request has the state of before.
    this.#loads += 1;
    this.#player = account.player;
    this.account = account;
    this.codes = codes;
    this.update();
    session.load().catch(() => {});
  }

  async #signOut() {
    try {
      await session.end();
      announce(words.account.own.signedOut);
    } catch (error) {
      this.fault = errorText(error);
      this.update();
    }
  }

  view() {
    const { account: say } = words;
    const { account } = this;
    const isAccount = account?.account ?? false;
    this.#focused = this.contains(document.activeElement);
    return h("div", { class: "page account" },
      isAccount && account
        ? h("header", { class: "head account-head", key: "own" }, h("div", null, h("h1", null, say.own.title(account.name)), h("p", null, say.own.lead(account.since))),
          h("button", { type: "button", class: "button", onclick: () => this.#signOut() }, say.own.signOut))
        : h("header", { class: "head", key: "guest" }, h("h1", null, account || !this.loaded ? say.guest.title : say.guest.titleNone), h("p", null, account ? say.guest.lead(account.name) : say.guest.leadNone)),
      faultNote(this.fault, () => this.#load()),
      !this.loaded && !this.fault && h("p", { class: "loading", role: "status", key: "loading" }, words.app.loading),
      this.codes.length > 0 && h("pg-recovery-codes", { key: "codes", ".name": account?.name ?? "", ".codes": this.codes, ".stored": () => this.#stored() }),
      this.loaded && (isAccount ? this.#own() : this.#guest()));
  }

  /** The codes are stored. The focus moves to the page, because their part disappears. */
  #stored() {
    this.codes = [];
    this.update();
    document.getElementById("main")?.focus();
  }

  #guest() {
    const { guest: say } = words.account;
    const part = { ".account": this.account, ".changed": (/** @type {Account} */ account) => this.#changed(account) };
    return h("div", { class: "account-parts", key: "guest" },
      h("dl", { class: "account-gives", key: "gives" }, say.gives.map(([title, text]) => h("div", { key: title }, h("dt", null, title), h("dd", null, text)))),
      h("div", { class: "account-forms", key: "forms" },
        h("pg-create-account", { ...part, key: "create", ".made": (/** @type {import("../protocol").NewAccount} */ made) => this.#made(made) }),
        h("pg-sign-in", { ...part, key: "sign-in" })),
      this.account && h("pg-account-chips", { ...part, key: "chips" }),
      this.account && h("pg-account-limits", { ...part, key: "limits" }),
      this.account && h("pg-account-data", { ...part, key: "data" }));
  }

  #own() {
    const part = { ".account": this.account, ".changed": (/** @type {Account} */ account) => this.#changed(account) };
    return h("div", { class: "account-parts", key: "own" },
      h("pg-account-chips", { ...part, key: "chips" }),
      h("pg-account-limits", { ...part, key: "limits" }),
      h("div", { class: "account-forms", key: "forms" },
        h("pg-account-name", { ...part, key: "name" }),
        h("pg-account-password", { ...part, key: "password" }),
        h("pg-account-passkeys", { ...part, key: "passkeys" }),
        h("pg-account-recovery", { ...part, key: "recovery" })),
      h("pg-account-sessions", { ...part, key: "sessions" }),
      h("pg-account-data", { ...part, key: "data" }));
  }
}

define("pg-account", AccountView);
