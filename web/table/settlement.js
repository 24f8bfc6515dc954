// A settlement line by line, in the order it is made, each with its reason and its rule.

import { h } from "../dom.js";
import { money, signed } from "../money.js";
import { words } from "../words.js";
import { tone } from "./spot.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").Line} Line
 */

/** @param {View} view @param {{ nameAt(seat: number): string }} people @param {number} stage how many lines are shown */
export function settlement(view, people, stage) {
  const { round } = view;
  const lines = round?.lines;
  if (!lines) return h("div", { class: "side-text" }, h("p", { class: "small" }, words.settlement.none), round && commitment(round));
  return h("div", null,
    h("ol", { class: "lines" }, lines.slice(0, stage).map((line, place) => item(line, place, view, people))),
    round && commitment(round));
}

/** @param {Line} line @param {number} place @param {View} view @param {{ nameAt(seat: number): string }} people */
function item(line, place, view, people) {
  const seat = /^seat-(\d+)$/.exec(line.who)?.[1];
  const mine = seat !== undefined && Number(seat) === view.you;
  const who = seat === undefined ? words.parties[/** @type {"dealer"} */ (line.who)] ?? line.who : mine ? words.table.you : people.nameAt(Number(seat));
  return h("li", { key: place, class: ["line", { mine }] },
    h("p", { class: "line-head" },
      h("span", null, h("b", null, who), " · ", words.line(line.wager, line.outcome, view), line.stake_cents > 0 && h("small", { class: "amount" }, " ", money(line.stake_cents))),
      h("b", { class: ["amount", tone(line.net_cents)] }, line.net_cents === 0 ? words.settlement.push : signed(line.net_cents))),
    h("p", { class: "small" }, line.because, line.fee_cents > 0 && ` ${words.settlement.fee(money(line.fee_cents))}`, " ", h("cite", { class: { unmarked: line.assumed } }, line.cite)));
}

/** @param {import("./view-types.js").RoundView} round */
function commitment(round) {
  return h("details", { class: "commitment" }, h("summary", null, words.fair.title),
    h("dl", { class: "small" }, h("dt", null, words.fair.commitment), h("dd", { class: "hex" }, round.commitment),
      h("dt", null, words.fair.secret), h("dd", { class: "hex" }, round.secret ?? words.fair.later)));
}
