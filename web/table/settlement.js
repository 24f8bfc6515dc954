// The settlement lines in the order of the document, each with its reason and its rule.

import { h } from "../dom.js";
import { money, signed } from "../money.js";
import { words } from "../words.js";
import { kindTag } from "../study/notes.js";
import { fairness } from "./fairness.js";
import { isViewerSeat, viewerSeats } from "./model.js";
import { tone } from "./seat-status.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").Line} Line
 */

/**
 * @param {View} view @param {{ nameAt(seat: number): string }} people @param {import("./model.js").Progress} progress
 * @param {import("../fair/check.js").StepResult[]} [checked] check of the deal
 */
export function settlement(view, people, progress, checked = []) {
  const { round } = view;
  const lines = round?.lines;
  if (!lines) return h("div", { class: "side-text" }, h("p", { class: "small" }, round?.voided ? words.result.voided(round.voided) : words.settlement.none), fairness(view, people, checked));
  return h("div", null,
    h("ol", { class: "lines" }, lines.slice(0, progress.lines).map((line, index) => item(line, index, view, people))),
    fairness(view, people, checked));
}

/** @param {Line} line @param {number} index @param {View} view @param {{ nameAt(seat: number): string }} people */
function item(line, index, view, people) {
  const seat = /^seat-(\d+)$/.exec(line.who)?.[1];
  const mine = seat !== undefined && isViewerSeat(view, Number(seat));
  const you = viewerSeats(view).length > 1 ? words.table.yourSeat(Number(seat)) : words.table.you;
  const who = seat === undefined ? words.party(line.who, view.facts.terms.banker) : mine ? you : people.nameAt(Number(seat));
  const step = view.round?.steps?.findIndex(({ first_line: first }) => first === index) ?? -1;
  const part = step >= 0 && view.round?.steps?.[step].part;
  return h("li", { key: index, class: ["line", { mine }] },
    part && part !== view.round?.steps?.[step - 1]?.part && h("h3", { class: "line-part" }, words.settlement.parts[part]),
    h("p", { class: "line-head" },
      h("span", null, h("b", null, who), " · ", words.line(line.wager, line.outcome, view), line.stake_cents > 0 && h("small", { class: "amount" }, " ", money(line.stake_cents))),
      h("b", { class: ["amount", tone(line.net_cents)] }, line.net_cents !== 0 ? signed(line.net_cents) : line.outcome === "no_action" ? words.settlement.back : words.settlement.push)),
    h("p", { class: "small" }, line.because, line.fee_cents > 0 && ` ${words.settlement.fee(money(line.fee_cents))}`, " ", source(line)));
}

/** The citation of a line's rule, and the reason of each assumption. @param {Line} line */
function source({ cite, assumed }) {
  if (!assumed) return h("cite", null, cite);
  const [fixed, ...reasons] = ` ${cite}`.split(/(?:^|;)? assumed: /);
  return [fixed.trim() && h("cite", null, fixed.trim()), " ", reasons.map((reason, index) => h("span", { key: index, class: "assumed-why" }, kindTag("assumed"), " ", reason))];
}
