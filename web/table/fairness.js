// The fair-deal panel: the commitment, the secret, the seats' bytes, and the check of the deal.

import "../fair/receipts.js";
import { tablePath } from "../api.js";
import { h } from "../dom.js";
import { seenRounds } from "../fair/seen.js";
import { steps } from "../fair/steps.js";
import { seatsOf } from "../fair/verify.js";
import { words } from "../words.js";
import { isViewerSeat } from "./model.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").RoundView} RoundView
 * @typedef {import("../fair/check.js").StepResult} StepResult
 */

/** @param {View} view @param {{ nameAt(seat: number): string }} people @param {StepResult[]} checked */
export function fairness(view, people, checked) {
  const { round } = view;
  if (!round) return null;
  const { fair: say } = words;
  return h("details", { class: "commitment" }, h("summary", null, say.title),
    h("dl", { class: "small" }, h("dt", null, say.commitment), h("dd", { class: "hex" }, round.commitment),
      h("dt", null, say.secret), h("dd", { class: "hex" }, round.secret ?? (round.voided ? say.never : say.later)),
      h("dt", null, say.seats), h("dd", null, seats(view, round, people))),
    checked.length > 0 && h("div", null, h("h3", { class: "line-part" }, say.checked), steps(checked)),
    round.protocol === 2 && h("div", { class: "row" },
      h("a", { class: "button slim", href: `${tablePath(view.table)}/rounds/${round.round}/receipt`, download: say.receipt.name(view.table, round.round) }, say.receipt.save)),
    h("pg-receipts"));
}

/** The seats that add bytes to the deal, with their state. @param {View} view @param {RoundView} round @param {{ nameAt(seat: number): string }} people */
function seats(view, round, people) {
  const { fair: say } = words;
  const old = round.protocol !== 2;
  const adding = seatsOf(old ? round.bytes : round.commitments);
  return [
    old && h("p", { key: "old" }, say.old),
    adding.length === 0 && !old && h("p", { key: "none" }, say.none),
    h("ul", { key: "seats" }, adding.map((seat) => h("li", { key: seat }, isViewerSeat(view, seat) ? words.table.yourSeat(seat) : people.nameAt(seat), ": ",
      say.seat[old ? "added" : state(round, seat)], isElsewhere(view, round, seat) && `, ${say.elsewhere}`))),
  ];
}

/** @param {RoundView} round @param {number} seat */
const state = (round, seat) => (round.bytes[seat] !== undefined ? "revealed" : round.silent.includes(seat) ? "silent" : "committed");

/** Whether another window committed for a seat of the viewer. @param {View} view @param {RoundView} round @param {number} seat */
function isElsewhere(view, round, seat) {
  return round.protocol === 2 && isViewerSeat(view, seat) && seenRounds.of(view.table, round.round)?.seats[seat]?.commitment !== round.commitments[seat];
}
