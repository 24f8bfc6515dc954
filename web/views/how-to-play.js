// <pg-how-to-play>: the rules of the game in one minute. The text is `pages/how-to-play.html`.

import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { staticText } from "../static.js";
import { words } from "../words.js";

class HowToPlay extends Component {
  #text = "";
  #failed = false;

  begin() {
    this.#load();
  }

  async #load() {
    this.#failed = false;
    try {
      this.#text = await staticText("/how-to-play");
    } catch {
      this.#failed = true;
    }
    this.update();
  }

  view() {
    if (this.#failed) return h("div", { class: "notice page" }, h("h1", null, words.app.failed), h("button", { class: "button", onclick: () => this.#load() }, words.app.again));
    if (!this.#text) return h("p", { class: "loading", role: "status" }, words.app.loading);
    return h("div", { key: "text", own: true, ".innerHTML": this.#text });
  }
}

define("pg-how-to-play", HowToPlay);
