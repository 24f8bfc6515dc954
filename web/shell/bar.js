// <pg-bar>: the bar at the top, with the menu, the player's chips, the account and the settings.

import "./settings.js";
import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { session } from "../api.js";
import { money } from "../money.js";
import { words } from "../words.js";

/** Pages of the menu: path and name. */
export const PAGES = /** @type {const} */ ([["/", "lobby"], ["/lab", "lab"], ["/odds", "odds"], ["/trainer", "trainer"], ["/puzzle", "puzzle"], ["/history", "history"], ["/rules", "rules"], ["/designer", "designer"], ["/figures", "figures"]]);
/** The page at the end of the bar. */
export const HOW_TO_PLAY = /** @type {const} */ (["/how-to-play", "howToPlay"]);
/** Path of the account page. */
export const ACCOUNT = "/account";

class Bar extends Component {
  #here = "";
  /** The entry that the menu was scrolled to. */
  #scrolledTo = "";

  /** Path of the current menu entry. */
  get here() {
    return this.#here;
  }

  set here(here) {
    this.#here = here;
    this.update();
  }

  begin() {
    this.on(session, "change", () => this.update());
  }

  view() {
    return h("header", { class: "bar" },
      h("a", { class: "brand", href: "/" }, words.app.name),
      h("nav", { "aria-label": words.app.nav }, h("ul", null, PAGES.map(([path, name]) =>
        h("li", null, h("a", { href: path, "aria-current": this.#here === path ? "page" : null }, words.nav[name]))))),
      h("div", { class: "who" },
        h("a", { class: "how", href: HOW_TO_PLAY[0], title: words.nav.howToPlay, "aria-current": this.#here === HOW_TO_PLAY[0] ? "page" : null }, question(), h("span", null, words.nav.howToPlay)),
        session.me && h("span", { class: "balance", title: words.app.practiceWhy },
          h("b", { class: "amount" }, money(session.balance() ?? 0)), " ", h("small", null, words.app.practice)),
        this.#account(),
        h("button", { class: "icon", "aria-label": words.app.settings, title: words.app.settings, onclick: () => this.#openSettings() }, gear())),
      h("pg-settings"));
  }

  /** The link to the account: an offer for a guest, the name of an account. */
  #account() {
    const { link: say } = words.account;
    const { me } = session;
    const label = !me ? say.none : me.account ? me.name : say.guest;
    return h("a", { class: "how account-link", key: "account", href: ACCOUNT, title: label, "aria-current": this.#here === ACCOUNT ? "page" : null }, person(), h("span", null, label));
  }

  /** Scrolls the menu to the current entry, where the menu is wider than the window. */
  updated() {
    if (this.#scrolledTo === this.#here) return;
    this.#scrolledTo = this.#here;
    /** @type {HTMLElement | null} */
    const current = this.querySelector("nav [aria-current]");
    const list = current?.closest("ul");
    if (current && list) list.scrollLeft = current.offsetLeft - list.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
  }

  #openSettings() {
    /** @type {import("./settings.js").SettingsDialog | null} */ (this.querySelector("pg-settings"))?.open();
  }
}

function question() {
  return h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "stroke" }, h("circle", { cx: 12, cy: 12, r: 9 }), h("path", { d: "M9.5 9.6a2.6 2.6 0 1 1 3.7 2.4c-.8.4-1.2.9-1.2 1.8M12 16.8v.1" }));
}

function person() {
  return h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "stroke" }, h("circle", { cx: 12, cy: 8.5, r: 3.7 }), h("path", { d: "M4.5 20c.8-4 3.8-6 7.5-6s6.7 2 7.5 6" }));
}

function gear() {
  return h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "stroke" },
    h("path", { d: "M4 7h10M18 7h2M4 17h2M10 17h10" }), h("circle", { cx: 16, cy: 7, r: 2.2 }), h("circle", { cx: 8, cy: 17, r: 2.2 }));
}

define("pg-bar", Bar);
