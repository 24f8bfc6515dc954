// A settlement line by line, in the document's order, each with its reason and its rule.

import { h } from "../dom.js";
import { money, signed } from "../money.js";
import { words } from "../words.js";
import { kindTag } from "../study/said.js";
import { fairness } from "./fairness.js";
import { isYours, yoursOf } from "./model.js";
import { tone } from "./spot.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").Line} Line
 */

/**
 * @param {View} view @param {{ nameAt(seat: number): string }} people @param {import("./model.js").Progress} progress
 * @param {import("../fair/check.js").Checked[]} [checked] the deal, checked here
 */
export function settlement(view, people, progress, checked = []) {
  const { round } = view;
  const lines = round?.lines;
  if (!lines) return h("div", { class: "side-text" }, h("p", { class: "small" }, round?.voided ? words.result.voided(round.voided) : words.settlement.none), fairness(view, people, checked));
  return h("div", null,
    h("ol", { class: "lines" }, lines.slice(0, progress.lines).map((line, place) => item(line, place, view, people))),
    fairness(view, people, checked));
}

/** @param {Line} line @param {number} place @param {View} view @param {{ nameAt(seat: number): string }} people */
function item(line, place, view, people) {
  const seat = /^seat-(\d+)$/.exec(line.who)?.[1];
  const mine = seat !== undefined && isYours(view, Number(seat));
  const you = yoursOf(view).length > 1 ? words.table.yourSeat(Number(seat)) : words.table.you;
  const who = seat === undefined ? words.party(line.who, view.facts.terms.banker) : mine ? you : people.nameAt(Number(seat));
  const step = view.round?.steps?.findIndex(({ first_line: first }) => first === place) ?? -1;
  const part = step >= 0 && view.round?.steps?.[step].part;
  return h("li", { key: place, class: ["line", { mine }] },
    part && part !== view.round?.steps?.[step - 1]?.part && h("h3", { class: "line-part" }, words.settlement.parts[part]),
    h("p", { class: "line-head" },
      h("span", null, h("b", null, who), " · ", words.line(line.wager, line.outcome, view), line.stake_cents > 0 && h("small", { class: "amount" }, " ", money(line.stake_cents))),
      h("b", { class: ["amount", tone(line.net_cents)] }, line.net_cents !== 0 ? signed(line.net_cents) : line.outcome === "no_action" ? words.settlement.back : words.settlement.push)),
    h("p", { class: "small" }, line.because, line.fee_cents > 0 && ` ${words.settlement.fee(money(line.fee_cents))}`, " ", source(line)));
}

/** Where the rule of a line is written; what is assumed says so, with the reason. @param {Line} line */
function source({ cite, assumed }) {
  if (!assumed) return h("cite", null, cite);
  const [fixed, ...reasons] = ` ${cite}`.split(/(?:^|;)? assumed: /);
  return [fixed.trim() && h("cite", null, fixed.trim()), " ", reasons.map((reason, place) => h("span", { key: place, class: "assumed-why" }, kindTag("assumed"), " ", reason))];
}
