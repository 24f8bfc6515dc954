// The page: the bar on top, what is shown at the address, two live regions.

import "./cards/card.js";
import "./shell/bar.js";
import { h } from "./dom.js";
import { Piece, define } from "./piece.js";
import { follow, placeOf } from "./router.js";
import { session } from "./api.js";
import { settings } from "./settings.js";
import { words } from "./words.js";

/** @typedef {import("./router.js").Place} Place */

class App extends Piece {
  /** @type {Place | null} */
  place = null;
  /** @type {"loading" | "shown" | "failed"} */
  state = "loading";
  #visits = 0;

  begin() {
    this.on(window, "popstate", () => this.#arrive());
    this.on(document, "click", follow);
    session.look().catch(() => {});
    this.#arrive();
  }

  async #arrive() {
    const visit = ++this.#visits;
    const first = visit === 1;
    this.place = placeOf(location);
    document.title = this.place ? words.app.titled(words.titles[this.place.route.name]) : words.app.name;
    this.state = this.place ? "loading" : "shown";
    this.update();
    try {
      await this.place?.route.load();
      if (visit === this.#visits) this.state = "shown";
    } catch (error) {
      console.error(error);
      if (visit === this.#visits) this.state = "failed";
    }
    this.update();
    if (first || visit !== this.#visits) return;
    window.scrollTo(0, 0);
    document.getElementById("main")?.focus();
  }

  view() {
    return [
      h("a", { class: "skip", href: "#main", onclick: skip }, words.app.skip),
      h("pg-bar", { key: "bar", ".here": this.place?.route.nav ?? "" }),
      h("main", { id: "main", key: "main", tabindex: -1, class: `is-${this.place?.route.name ?? "missing"}` }, this.#shown()),
      h("div", { id: "say-polite", key: "polite", class: "unseen", "aria-live": "polite", own: true }),
      h("div", { id: "say-assertive", key: "assertive", class: "unseen", "aria-live": "assertive", own: true }),
    ];
  }

  #shown() {
    const { place, state } = this;
    if (!place) return notice(words.app.missing, h("a", { class: "button", href: "/" }, words.app.home));
    if (state === "loading") return h("p", { class: "loading", role: "status" }, words.app.loading);
    if (state === "failed") return notice(words.app.failed, h("button", { class: "button", onclick: () => location.reload() }, words.app.again));
    return h(place.route.tag, { key: location.pathname, ".params": place.params, ".query": place.query, own: true });
  }
}

/** @param {string} text @param {import("./dom.js").Child} act */
function notice(text, act) {
  return h("div", { class: "notice page" }, h("h1", null, text), act);
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

settings.show();
define("pg-app", App);
