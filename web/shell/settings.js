// <pg-settings>: the settings dialog.

import "./confirm.js";
import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";
import { announce } from "../announce.js";
import { session } from "../api.js";
import { money } from "../money.js";
import { settings } from "../settings.js";
import { words } from "../words.js";

const SWITCHES = /** @type {const} */ (["fourColour", "leftHanded", "squeeze", "sound", "keys", "text", "coach"]);

export class SettingsDialog extends Component {
  /** Error message of the last request. */
  fault = "";

  begin() {
    this.on(settings, "change", () => this.update());
    this.on(session, "change", () => this.update());
  }

  open() {
    this.querySelector("dialog")?.showModal();
  }

  view() {
    const { value } = settings;
    return h("dialog", { class: "sheet", "aria-labelledby": "settings-title", onclick: closeOutside },
      h("form", { method: "dialog", class: "stack" },
        h("div", { class: "sheet-head" }, h("h2", { id: "settings-title" }, words.settings.title),
          h("button", { class: "icon", value: "close", "aria-label": words.app.close }, "×")),
        h("fieldset", { class: "choices" }, h("legend", null, words.settings.theme),
          /** @type {const} */ (["auto", "light", "dark"]).map((theme) => h("label", null,
            h("input", { type: "radio", name: "theme", value: theme, ".checked": value.theme === theme, onchange: () => settings.change({ theme }) }),
            words.settings.themes[theme]))),
        this.#switch(words.settings.motion, "", value.motion === "less", (on) => settings.change({ motion: on ? "less" : "auto" })),
        SWITCHES.map((name) => this.#switch(words.settings[name], words.settings[`${name}Why`], value[name], (on) => settings.change({ [name]: on }))),
        session.me && this.#account(session.me),
        h("p", { class: "small" }, h("a", { href: "/console", onclick: () => this.querySelector("dialog")?.close() }, words.settings.operators))));
  }

  /** @param {string} title @param {string} why @param {boolean} on @param {(on: boolean) => void} change */
  #switch(title, why, on, change) {
    return h("label", { class: "switch" },
      h("input", { type: "checkbox", role: "switch", ".checked": on, onchange: (/** @type {any} */ event) => change(event.target.checked) }),
      h("span", null, title, why && h("small", null, why)));
  }

  /** @param {import("../api.js").SessionPlayer} me */
  #account(me) {
    return h("div", { class: "stack" },
      h("label", { class: "field" }, words.app.rename,
        h("input", { name: "name", maxlength: 24, autocomplete: "nickname", ".defaultValue": me.name,
          onchange: (/** @type {any} */ event) => this.#rename(event.target.value) })),
      this.fault && h("p", { class: "fault", role: "alert" }, this.fault),
      h("p", { class: "small" }, words.app.practiceWhy),
      h("div", { class: "row" },
        h("button", { type: "button", class: "button", onclick: () => this.#try(() => session.chips()) }, words.app.newChips),
        me.account ? h("a", { class: "button", key: "account", href: "/account", onclick: (/** @type {any} */ event) => event.currentTarget.closest("dialog").close() }, words.account.link.menu)
          : h("pg-confirm", { key: "forget", ".question": { label: words.forget.button, question: words.forget.ask, yes: words.forget.yes(money(session.balance() ?? 0)), no: words.forget.no, act: () => this.#forget() } })));
  }

  /** @param {string} name */
  #rename(name) {
    return this.#try(() => session.rename(name));
  }

  /** Ends the session. The controls of the account disappear with it, so the focus moves to the button that closes the dialog. */
  async #forget() {
    await session.end();
    announce(words.forget.done);
    /** @type {HTMLElement | null} */ (this.querySelector(".sheet-head button"))?.focus();
  }

  /** Runs a request and shows its error. @param {() => Promise<unknown>} request */
  async #try(request) {
    this.fault = "";
    try {
      await request();
    } catch (error) {
      this.fault = errorText(error);
    }
    this.update();
  }
}

/** Closes the dialog on a click outside of it. @param {any} event */
function closeOutside(event) {
  if (event.target === event.currentTarget) event.currentTarget.close();
}

define("pg-settings", SettingsDialog);
