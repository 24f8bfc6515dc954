// <pg-rules-panel>: the rules of a table in plain language, each with its citation.

import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";
import { bankerTerm, tableRules } from "../api.js";
import { words } from "../words.js";
import { houseWayChoice } from "../rules/house-way-choice.js";
import { addressOf } from "../study/address.js";
import { citation, departuresNote } from "../study/notes.js";

class RulesPanel extends Component {
  table = "";
  /** @type {import("../protocol").RulesAnswer | null} */
  answer = null;
  fault = "";

  begin() {
    tableRules(this.table).then(({ rules }) => { this.answer = rules; }, (error) => { this.fault = errorText(error); }).finally(() => this.update());
  }

  view() {
    const { answer } = this;
    if (this.fault) return h("p", { class: "small" }, this.fault);
    if (!answer) return h("p", { class: "loading" }, words.app.loading);
    const say = words.banker(bankerTerm(answer));
    return h("div", { class: "side-text" },
      h("h2", null, answer.title),
      h("p", { class: "small" }, words.rules.kindTotal(answer.kinds)),
      h("p", null, h("b", null, words.rules.houseWay(answer.house_way.title)), ". ", houseWayChoice(answer), " ", h("a", { href: `/house-ways/${answer.house_way.id}` }, words.rules.readWay)),
      answer.house_way.changed && h("p", null, h("a", { href: addressOf("/designer", { way: answer.house_way.id, book: answer.book }) }, words.rules.editCopy)),
      departuresNote(answer.departures),
      h("dl", { class: "sentences" }, answer.rules.map((rule, index) => h("div", { key: index },
        h("dt", null, rule.about), h("dd", null, rule.says, " ", citation({ ...rule, allowed: rule.allowed && say.inTerms(rule.allowed) }))))),
      h("a", { href: `/rules/${answer.book}` }, words.side.allRules));
  }
}

define("pg-rules-panel", RulesPanel);
