// <pg-join>: an invitation to a table: its name and rules, and the button that accepts it.

import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";
import { ApiError, ask, rules, session, tablePath } from "../api.js";
import { short } from "../money.js";
import { go } from "../router.js";
import { faultNote } from "../study/notes.js";
import { shortTitle } from "../study/book-title.js";
import { words } from "../words.js";

class Join extends Component {
  /** @type {Record<string, string>} */
  params = {};
  /** @type {import("../protocol").InvitedTable | null} */
  invitation = null;
  /** Title of the rule book; its id until loaded. */
  book = "";
  /** @type {import("../protocol").TableFacts | null} */
  facts = null;
  /** Whether the invitation does not exist or has expired. */
  gone = false;
  fault = "";
  busy = false;

  begin() {
    this.on(session, "change", () => this.update());
    this.#load();
  }

  get #path() {
    return `/api/invitations/${encodeURIComponent(this.params.secret)}`;
  }

  async #load() {
    this.fault = "";
    this.update();
    try {
      const invitation = /** @type {import("../protocol").InvitedTable} */ (await ask(this.#path, { signal: this.signal }));
      this.invitation = invitation;
      this.book = invitation.book;
      this.#loadRules(invitation);
    } catch (error) {
      this.#failed(error);
    }
    this.update();
  }

  /** Loads the rules of the table. Without them, the invitation can be accepted too. @param {import("../protocol").InvitedTable} invitation */
  async #loadRules({ book, table }) {
    await Promise.allSettled([
      rules(book).then(({ title }) => { this.book = shortTitle(title); }),
      ask(tablePath(table), { signal: this.signal }).then(({ view }) => { this.facts = view.facts; }),
    ]);
    this.update();
  }

  /** @param {unknown} error */
  #failed(error) {
    if (this.signal.aborted) return;
    this.gone = error instanceof ApiError && error.code === "no_such_invitation";
    this.fault = this.gone ? "" : errorText(error);
  }

  async #join() {
    if (this.busy) return;
    this.busy = true;
    this.fault = "";
    this.update();
    try {
      await session.begin();
      const { table } = await ask(this.#path, { body: {} });
      return go(`/table/${encodeURIComponent(table)}`, { replace: true });
    } catch (error) {
      this.#failed(error);
    }
    this.busy = false;
    this.update();
  }

  view() {
    const { join: say } = words.account;
    if (this.gone) return h("div", { class: "page notice" }, h("h1", null, say.gone), h("p", null, say.goneWhy), h("a", { class: "button", href: "/" }, words.app.home));
    const { invitation } = this;
    return h("div", { class: "page join" },
      h("header", { class: "head", key: "head" }, h("h1", null, say.title), invitation && h("p", null, invitation.name ? say.to(invitation.name) : say.unnamed(this.book))),
      faultNote(this.fault, () => (invitation ? this.#join() : this.#load())),
      !invitation && !this.fault && h("p", { class: "loading", role: "status", key: "loading" }, words.app.loading),
      invitation && this.#panel(invitation));
  }

  /** @param {import("../protocol").InvitedTable} invitation */
  #panel({ book, until }) {
    const { join: say } = words.account;
    const base = this.facts?.wagers[0];
    const sides = this.facts?.wagers.slice(1).map(({ title }) => words.wagerTitle(title)) ?? [];
    const fact = (/** @type {string} */ title, /** @type {import("../dom.js").Child} */ text) => h("div", { key: title }, h("dt", null, title), h("dd", null, text));
    return h("section", { class: "panel stack", key: "panel", "aria-label": say.title },
      h("dl", { class: "join-facts", key: "facts" },
        fact(say.book, h("a", { href: `/rules/${encodeURIComponent(book)}` }, this.book)),
        base && fact(say.wagers, words.lobby.limits(short(base.min_cents), short(base.max_cents))),
        this.facts && fact(words.open.sides, sides.length > 0 ? sides.join(", ") : say.noSides),
        this.facts && Object.keys(this.facts.changes).length > 0 && fact(words.changes.title, Object.entries(this.facts.changes).map(([value, is]) => `${value} = ${is}`).join(", ")),
        fact(say.until, words.account.when(until))),
      h("p", { class: "small", key: "as" }, session.me ? say.as(session.me.name) : say.asGuest),
      h("div", { class: "row", key: "act" }, h("button", { type: "button", class: "button primary", disabled: this.busy, onclick: () => this.#join() }, say.go)));
  }
}

define("pg-join", Join);
