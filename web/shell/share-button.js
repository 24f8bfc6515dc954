// <pg-share>: a button that shares the address of the current view, or another one. If it cannot, it shows the address to copy.

import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { COPIED_MS, share } from "../share.js";
import { words } from "../words.js";

class ShareButton extends Component {
  /** Text and classes of the button. */
  label = words.share.link;
  look = "button";
  /** Path to share; empty: the current view. */
  path = "";
  copied = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  begin() {
    this.signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  get #url() {
    return location.origin + (this.path || location.pathname + location.search);
  }

  async #share() {
    const outcome = await share({ url: this.#url });
    if (outcome === "failed") {
      const dialog = this.querySelector("dialog");
      dialog?.showModal();
      dialog?.querySelector("input")?.select();
    }
    this.copied = outcome === "copied";
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { this.copied = false; this.update(); }, COPIED_MS);
    this.update();
  }

  view() {
    return [
      h("button", { key: "share", type: "button", class: this.look, onclick: () => this.#share() }, this.copied ? words.share.copied : this.label),
      h("dialog", { key: "address", class: "sheet share-address", "aria-label": words.share.address },
        h("form", { method: "dialog" },
          h("label", { class: "field" }, words.share.address, h("input", { readonly: true, ".value": this.#url })),
          h("button", { class: "button" }, words.app.close))),
    ];
  }
}

define("pg-share", ShareButton);
