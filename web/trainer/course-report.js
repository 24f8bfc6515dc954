// The report of a course with a strategy card: what the learner's mistakes cost, and when each rule is repeated.

import { h } from "../dom.js";
import { words } from "../words.js";
import { fineHundredfold, finePercent, ratio, share } from "../study/numbers.js";
import { csvButton, section, table } from "../study/table.js";
import { mistakeCost } from "./course-cost.js";
import { learnedLines, progressOf } from "./course-progress.js";
import { BOXES, untilDue } from "./leitner.js";

/**
 * @typedef {import("./course-progress.js").CardEntry} CardEntry
 * @typedef {import("./course-progress.js").CourseProgress} CourseProgress
 */

/** @param {CardEntry} card @param {CourseProgress} progress @param {number} at the time, in milliseconds */
export function courseReport(card, progress, at) {
  const { course: say } = words;
  const lines = learnedLines(card, progress).map((number) => /** @type {import("./course-progress.js").LineProgress} */ (progressOf(card, progress, number)));
  const asked = lines.reduce((sum, line) => sum + line.asked, 0);
  const right = lines.reduce((sum, line) => sum + line.right, 0);
  const cost = mistakeCost(card, progress);
  const tile = (/** @type {string} */ title, /** @type {import("../dom.js").Child[]} */ ...body) => h("div", { class: "tile", key: title }, h("dt", null, title), h("dd", null, body));
  const perHundred = (/** @type {string} */ value) => [asked ? fineHundredfold(value) : "–", h("small", null, say.perHundred)];
  return section("course-report", say.report, null,
    h("dl", { class: "tiles" },
      tile(say.handsSet, progress.hands),
      tile(say.rightShare, asked ? share(right, asked, 0) : "–"),
      tile(say.againstCard, perHundred(cost.card)),
      tile(say.againstBest, perHundred(cost.best)),
      tile(say.cardItself, fineHundredfold(card.cost), h("small", null, say.perHundred))),
    h("p", { class: "small" }, asked ? say.meaning(finePercent(cost.covered)) : say.noAnswers),
    rulesTable(card, progress, at),
    h("p", { class: "small" }, repetition()));
}

/** The sentence on when a rule is repeated. */
function repetition() {
  const { course: say } = words;
  const [first, ...others] = BOXES.map(say.wait);
  return say.repetition(first, others);
}

/** @param {CardEntry} card @param {CourseProgress} progress @param {number} at */
function rulesTable(card, progress, at) {
  const { course: say } = words;
  const rows = card.lines.map((line, index) => ({ ...line, number: index + 1, item: progressOf(card, progress, index + 1) }));
  const next = (/** @type {typeof rows[number]} */ { item }) => (item ? dueText(untilDue(item, { hand: progress.hands, at })) : say.nextTimes.notLearned);
  /** @type {import("../study/table.js").Column<typeof rows[number]>[]} */
  const columns = [
    { title: say.rule, head: true, cell: ({ number, says }) => h("span", { class: "course-row" }, h("b", null, number), h("span", null, says)), csv: ({ number, says }) => `${number}. ${says}` },
    { title: say.dealt, number: true, cell: ({ hands }) => finePercent(ratio(BigInt(hands), BigInt(card.hands))), csv: ({ hands }) => hands },
    { title: say.answers, number: true, cell: ({ item }) => (item?.asked ? `${item.right} / ${item.asked}` : "–"), csv: ({ item }) => item?.right ?? "" },
    { title: say.handsSet, csv: ({ item }) => item?.asked ?? "" },
    { title: say.next, class: "course-next", cell: next, csv: next },
  ];
  return [h("div", { class: "study-head" }, h("h3", null, say.rules), csvButton("card-progress", columns, rows)),
    table({ caption: say.rules, columns, rows, key: ({ number }) => number, rowClass: ({ item }) => ({ unlearned: !item }) })];
}

/** @param {{ hands: number } | { days: number }} until */
function dueText(until) {
  const { course: { nextTimes: say } } = words;
  if ("hands" in until) return until.hands > 0 ? say.hands(until.hands) : say.now;
  return until.days > 0 ? say.days(Math.ceil(until.days)) : say.now;
}
