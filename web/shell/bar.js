// <pg-bar>: the bar at the top, with the menu, the player's chips and the settings.

import "./settings.js";
import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { session } from "../api.js";
import { money } from "../money.js";
import { words } from "../words.js";

/** Pages of the menu: path and name. */
export const PAGES = /** @type {const} */ ([["/", "lobby"], ["/lab", "lab"], ["/odds", "odds"], ["/trainer", "trainer"], ["/rules", "rules"], ["/figures", "figures"]]);

class Bar extends Component {
  #here = "";

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
        session.me && h("span", { class: "balance", title: words.app.practiceWhy },
          h("b", { class: "amount" }, money(session.balance() ?? 0)), " ", h("small", null, words.app.practice)),
        h("button", { class: "icon", "aria-label": words.app.settings, title: words.app.settings, onclick: () => this.#openSettings() }, gear())),
      h("pg-settings"));
  }

  #openSettings() {
    /** @type {import("./settings.js").SettingsDialog | null} */ (this.querySelector("pg-settings"))?.open();
  }
}

function gear() {
  return h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "stroke" },
    h("path", { d: "M4 7h10M18 7h2M4 17h2M10 17h10" }), h("circle", { cx: 16, cy: 7, r: 2.2 }), h("circle", { cx: 8, cy: 17, r: 2.2 }));
}

define("pg-bar", Bar);
