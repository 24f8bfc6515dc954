// <pg-invite>: the dialog of the player or operator who invites to a table: makes links, withdraws them, and removes invited players.

import "../shell/share-button.js";
import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";
import { announce } from "../announce.js";
import { ask, tablePath } from "../api.js";
import { words } from "../words.js";

/**
 * @typedef {import("../protocol").InvitationEntry} Invitation
 * @typedef {import("../protocol").Member} Member
 */

export class InviteDialog extends Component {
  /** Id of the table. */
  table = "";
  /** @type {Invitation[]} */
  invitations = [];
  /** @type {Member[]} */
  members = [];
  /** The link that was made last; the server shows its secret once. @type {import("../protocol").NewInvitation | null} */
  made = null;
  fault = "";
  busy = false;
  /** Who may sit. */
  why = words.account.invite.why;
  /** Sends a request below the path of the table. @type {(path: string, options?: Parameters<typeof ask>[1]) => Promise<any>} */
  send = (path, options) => ask(`${tablePath(this.table)}/${path}`, options);

  open() {
    this.made = null;
    this.#try(() => this.#load());
    this.querySelector("dialog")?.showModal();
  }

  async #load() {
    ({ invitations: this.invitations, members: this.members } = await this.send("invitations"));
  }

  /** Runs a request and shows its refusal. @param {() => Promise<void>} request */
  async #try(request) {
    if (this.busy) return;
    this.busy = true;
    this.fault = "";
    this.update();
    try {
      await request();
    } catch (error) {
      this.fault = errorText(error);
    }
    this.busy = false;
    this.update();
  }

  /** @param {any} event */
  #make(event) {
    event.preventDefault();
    const hours = Number(new FormData(event.currentTarget).get("hours"));
    return this.#try(async () => {
      this.made = await this.send("invitations", { body: { hours } });
      if (this.made) announce(words.account.invite.made(this.made.until));
      await this.#load();
    });
  }

  /** @param {Invitation} invitation */
  #withdraw({ id }) {
    return this.#try(async () => {
      await this.send(`invitations/${encodeURIComponent(id)}`, { method: "DELETE" });
      if (this.made?.id === id) this.made = null;
      announce(words.account.invite.withdrawn);
      await this.#load();
    });
  }

  /** @param {Member} member */
  #remove({ player, name }) {
    return this.#try(async () => {
      await this.send(`members/${encodeURIComponent(player)}`, { method: "DELETE" });
      announce(words.account.invite.removed(name));
      await this.#load();
    });
  }

  view() {
    const { invite: say } = words.account;
    return h("dialog", { class: "sheet", "aria-labelledby": "invite-title" }, h("div", { class: "stack" },
      h("div", { class: "sheet-head", key: "head" }, h("h2", { id: "invite-title" }, say.title),
        h("form", { method: "dialog" }, h("button", { class: "icon", "aria-label": words.app.close }, "×"))),
      h("p", { key: "why" }, this.why),
      h("form", { class: "invite-form", key: "make", onsubmit: (/** @type {Event} */ event) => this.#make(event) },
        h("label", { class: "field" }, say.hours, h("select", { name: "hours", ".defaultValue": "24" }, Object.entries(say.durations).map(([hours, text]) => h("option", { value: hours, selected: hours === "24", key: hours }, text)))),
        h("button", { class: "button primary", disabled: this.busy }, say.make)),
      this.fault && h("p", { class: "fault", role: "alert", key: "fault" }, this.fault),
      this.made && this.#link(this.made),
      h("h3", { key: "links-title" }, say.links),
      this.invitations.length === 0 ? h("p", { class: "small", key: "no-links" }, say.noLinks) : h("ul", { class: "account-list", key: "links" }, this.invitations.map((one) => h("li", { key: one.id },
        h("div", null, h("b", null, say.until(one.until)), h("small", null, say.accepted(one.accepted))),
        h("button", { type: "button", class: "button slim", disabled: this.busy, "aria-label": say.withdrawOf(one.until), onclick: () => this.#withdraw(one) }, say.withdraw)))),
      h("h3", { key: "members-title" }, say.members),
      this.members.length === 0 ? h("p", { class: "small", key: "no-members" }, say.noMembers) : h("ul", { class: "account-list", key: "members" }, this.members.map((one) => h("li", { key: one.player },
        h("b", null, one.name),
        h("button", { type: "button", class: "button slim", disabled: this.busy, "aria-label": say.removeOf(one.name), onclick: () => this.#remove(one) }, say.remove))))));
  }

  /** @param {import("../protocol").NewInvitation} made */
  #link({ path, until }) {
    const { invite: say } = words.account;
    return h("div", { class: "confirm invite-made", key: "made" },
      h("p", null, say.made(until)),
      h("label", { class: "field" }, say.link, h("input", { readonly: true, ".value": location.origin + path, onfocus: (/** @type {any} */ event) => event.currentTarget.select() })),
      h("pg-share", { key: path, ".label": say.share, ".path": path }));
  }
}

define("pg-invite", InviteDialog);
