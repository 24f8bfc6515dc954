// The plan of a course with a strategy card: the next rule to learn, or the next hand to set.

import { isDue } from "./leitner.js";
import { learnedLines, progressOf } from "./course-progress.js";

/**
 * @typedef {import("./course-progress.js").CardEntry} CardEntry
 * @typedef {import("./course-progress.js").CourseProgress} CourseProgress
 * @typedef {{ line?: number, lines?: number, contested?: boolean, seed?: number }} HandQuestion parts of the question for a hand; with a seed, a hand that was missed
 * @typedef {{ learn: number } | { ask: HandQuestion, why: "due" | "missed" | "new" | "mixed" | "dealt" }} Step the number of a line, from 1
 */

/** Correct answers in a row after which a rule is known well enough for the next one. */
const READY = 2;

/**
 * Returns the next step of a course. Rules are learned in the order of the card, because a rule decides only the hands that the rules before it
 * leave. A rule that is due comes first, then a rule that is not ready. The next rule comes when all are ready.
 * @param {CardEntry} card @param {CourseProgress} progress @param {number} at the time, in milliseconds @returns {Step}
 */
export function nextStep(card, progress, at) {
  const learned = learnedLines(card, progress);
  const next = card.lines.findIndex((_, index) => !learned.includes(index + 1)) + 1;
  if (!learned.length) return { learn: next };
  const of = (/** @type {number} */ line) => /** @type {import("./course-progress.js").LineProgress} */ (progressOf(card, progress, line));
  const now = { hand: progress.hands, at };
  const due = learned.filter((line) => isDue(of(line), now)).sort((one, other) => of(one).box - of(other).box || of(one).hand - of(other).hand || one - other);
  if (due.length) return question(card, progress, due[0], of(due[0]).asked ? "due" : "new");
  // A rule that was just missed waits until it is due.
  const failed = learned.filter((line) => of(line).streak === 0);
  const unready = learned.filter((line) => of(line).streak < READY && !failed.includes(line));
  if (unready.length) return question(card, progress, Math.max(...unready), "new");
  if (!failed.length) return next ? { learn: next } : { ask: { lines: card.lines.length }, why: "dealt" };
  // Until a missed rule is due again, the rules that were asked longest ago.
  const others = learned.filter((line) => !failed.includes(line)).sort((one, other) => of(one).hand - of(other).hand || of(one).asked - of(other).asked);
  return question(card, progress, others[0] ?? failed[0], others.length ? "mixed" : "missed");
}

/** Asks for a hand of a line: the hand that was missed last, or a new one. Every second new hand is one on which rules meet. @param {CardEntry} card @param {CourseProgress} progress @param {number} line @param {"due" | "missed" | "new" | "mixed"} why @returns {Step} */
function question(card, progress, line, why) {
  const { missed = [], asked = 0 } = progressOf(card, progress, line) ?? {};
  const { hands, contested } = card.lines[line - 1];
  // If all hands of a rule are of one kind, the question need not name it.
  const kind = (/** @type {boolean} */ meets) => (contested > 0 && contested < hands ? { contested: meets } : {});
  const hand = missed.at(-1);
  if (hand) return { ask: hand.dealt ? { lines: card.lines.length, seed: hand.seed } : { line, seed: hand.seed, ...kind(hand.contested === true) }, why: "missed" };
  return { ask: { line, ...kind(asked % 2 === 1) }, why };
}
