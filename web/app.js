// The root element: the bar, the view for the current address, and two live regions.

import "./cards/card.js";
import "./shell/bar.js";
import { h } from "./dom.js";
import { Component, define } from "./component.js";
import { followLink, matchRoute } from "./router.js";
import { idle, session } from "./api.js";
import { showCachedFonts, showFonts } from "./fonts.js";
import { isOffline, registerServiceWorker } from "./offline.js";
import { settings } from "./settings.js";
import { takeStaticText } from "./static.js";
import { words } from "./words.js";

/** @typedef {import("./router.js").RouteMatch} RouteMatch */

class App extends Component {
  /** @type {RouteMatch | null} */
  match = null;
  /** @type {"loading" | "shown" | "failed"} */
  state = "loading";
  #visits = 0;

  begin() {
    this.on(window, "popstate", () => this.#navigate());
    this.on(document, "click", followLink);
    for (const event of ["online", "offline"]) this.on(window, event, () => this.update());
    session.load().catch(() => {});
    this.#navigate();
  }

  async #navigate() {
    const visit = ++this.#visits;
    const first = visit === 1;
    this.match = matchRoute(location);
    document.title = this.match ? words.app.titled(words.titles[this.match.route.name]) : words.app.name;
    this.state = this.match ? "loading" : "shown";
    this.update();
    try {
      await this.match?.route.load();
      if (visit === this.#visits) this.state = "shown";
    } catch (error) {
      console.error(error);
      if (visit === this.#visits) this.state = "failed";
    }
    this.update();
    if (first) {
      showFonts(idle());
      idle().then(registerServiceWorker);
    }
    if (first || visit !== this.#visits) return;
    window.scrollTo(0, 0);
    document.getElementById("main")?.focus();
  }

  view() {
    return [
      h("a", { class: "skip", href: "#main", onclick: skip }, words.app.skip),
      h("pg-bar", { key: "bar", ".here": this.match?.route.nav ?? "" }),
      // A table shows the state of its own connection.
      isOffline() && !["table", "replay"].includes(this.match?.route.name ?? "") && h("p", { key: "offline", class: "offline", role: "status" }, words.app.offlineNow),
      h("main", { id: "main", key: "main", tabindex: -1, class: `is-${this.match?.route.name ?? "missing"}` }, this.#content()),
      h("div", { id: "say-polite", key: "polite", class: "unseen", "aria-live": "polite", own: true }),
      h("div", { id: "say-assertive", key: "assertive", class: "unseen", "aria-live": "assertive", own: true }),
    ];
  }

  #content() {
    const { match, state } = this;
    if (!match) return notice(words.app.missing, h("a", { class: "button", href: "/" }, words.app.home));
    if (state === "loading") return h("p", { class: "loading", role: "status" }, words.app.loading);
    if (state === "failed") return notice(words.app.failed, h("button", { class: "button", onclick: () => location.reload() }, words.app.again));
    return h(match.route.tag, { key: location.pathname, ".params": match.params, ".query": match.query, own: true });
  }
}

/** @param {string} text @param {import("./dom.js").Child} action */
function notice(text, action) {
  return h("div", { class: "notice page" }, h("h1", null, text), action);
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

settings.apply();
takeStaticText();
showCachedFonts();
define("pg-app", App);
