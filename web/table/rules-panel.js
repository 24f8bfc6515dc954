// <pg-rules-panel>: the rules of a table in sentences, each with its citation.

import { h } from "../dom.js";
import { Piece, define } from "../piece.js";
import { tableRules } from "../api.js";
import { words } from "../words.js";

class RulesPanel extends Piece {
  table = "";
  /** @type {import("../protocol").Rules | null} */
  answer = null;
  failed = false;

  begin() {
    tableRules(this.table).then(({ rules }) => { this.answer = rules; }, () => { this.failed = true; }).finally(() => this.update());
  }

  view() {
    const { answer } = this;
    if (this.failed) return h("p", { class: "small" }, words.app.offline);
    if (!answer) return h("p", { class: "loading" }, words.app.loading);
    return h("div", { class: "side-text" },
      h("h2", null, answer.title),
      h("dl", { class: "sentences" }, answer.rules.map((rule, place) => h("div", { key: place },
        h("dt", null, rule.about), h("dd", null, rule.says, " ", h("cite", { class: "small" }, rule.cite))))),
      h("a", { href: `/rules/${answer.book}` }, words.side.allRules));
  }
}

define("pg-rules-panel", RulesPanel);
