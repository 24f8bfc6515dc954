// <pg-report>: asks the server for the game report of a book or of an edited paytable, then links to the document.

import { h } from "../dom.js";
import { ask } from "../api.js";
import { addressOf } from "./address.js";
import { Component, define } from "../component.js";
import { errorText } from "../fault.js";
import { faultNote, waiting } from "./notes.js";
import { LatestQuestion } from "../designer/latest.js";
import { words } from "../words.js";

/** @typedef {{ book: string, wager?: string, paytable?: string, rows?: string, payout_max_cents?: string }} ReportQuestion */

class Report extends Component {
  /** @type {ReportQuestion} */
  #question = { book: "" };
  /** @type {"idle" | "busy" | "ready"} */
  #state = "idle";
  #fault = "";
  /** @type {import("../protocol").PreparationProgress | null} */
  #progress = null;
  /** The answer is `null` once the document is there. @type {LatestQuestion<string, null>} */
  #latest = new LatestQuestion((address, signal) => ask(address, { signal }), {
    answered: () => { this.#state = "ready"; this.update(); },
    failed: (error) => { this.#state = "idle"; this.#fault = errorText(error); this.update(); },
    preparing: (progress) => { this.#progress = progress; this.update(); },
  }, 0);

  /** The report to make. A changed question discards the earlier report. @param {ReportQuestion} question */
  set question(question) {
    if (JSON.stringify(question) === JSON.stringify(this.#question)) return;
    this.#question = question;
    this.#latest.end();
    this.#state = "idle";
    this.#fault = "";
    this.update();
  }

  begin() {
    this.signal.addEventListener("abort", () => this.#latest.end());
  }

  get #address() {
    return addressOf("/api/report", { ...this.#question });
  }

  #make = () => {
    this.#state = "busy";
    this.#fault = "";
    this.#progress = null;
    this.#latest.ask(this.#address);
    this.update();
  };

  view() {
    const { report: say, designer } = words;
    if (this.#state === "busy") return waiting(this.#progress ? designer.preparing(this.#progress) : say.making);
    if (this.#state === "ready") {
      return h("p", { class: "report-links" }, say.ready, " ",
        h("a", { class: "button slim", href: this.#address, target: "_blank", rel: "noopener" }, say.open), " ",
        h("a", { class: "button slim", href: this.#address, download: `paigow-report-${this.#question.book}.html` }, say.download));
    }
    return [h("button", { type: "button", class: "button slim", title: say.why, onclick: this.#make }, say.make), faultNote(this.#fault, this.#make)];
  }
}

define("pg-report", Report);

/** The button for the report of a question. @param {ReportQuestion} question */
export const reportButton = (question) => h("pg-report", { key: "report", ".question": question });
