// Progress with a strategy card, stored in the browser: the rules learned, their boxes, and the cost of the last answers.

import { storedRecord } from "./stored.js";
import { BOXES, answered, newItem } from "./leitner.js";

/**
 * @typedef {import("../protocol").CardEntry} CardEntry
 * @typedef {import("../protocol").CardEntryLine} CardEntryLine
 * @typedef {{ seed: number, contested?: boolean, dealt?: boolean }} MissedHand parts of the question that draws the hand again; dealt: among the hands of all rules
 * @typedef {{ card: string, best: string }} Cost exact cost of an answer against the card's setting and against the best one; zero for a correct answer
 * @typedef {import("./leitner.js").BoxItem & { streak: number, asked: number, right: number, missed: MissedHand[], costs: { plain: Cost[], contested: Cost[] } }} LineProgress streak: correct answers in a row
 * @typedef {{ hands: number, lines: Record<string, LineProgress> }} CourseProgress number of hands set, and the rules learned
 */

const STORAGE_KEY = "paigow.cards";
/** Number of answers of a rule whose costs are stored, of each kind of hand. */
const COSTS_MAX = 20;
/** Number of missed hands of a rule that are stored. */
const MISSED_MAX = 3;

/** @returns {CourseProgress} */
export const noCourse = () => ({ hands: 0, lines: {} });

/** Returns the key of a line: its meaning, so that the progress survives a release that changes the order of lines. @param {Pick<CardEntryLine, "when" | "set">} line */
export const lineKey = ({ when, set }) => `${when} → ${set.join(" | ")}`;

/** Returns the progress of a line, by its number from 1. @param {CardEntry} card @param {CourseProgress} progress @param {number} number @returns {LineProgress | undefined} */
export const progressOf = (card, progress, number) => progress.lines[lineKey(card.lines[number - 1])];

/** Returns the numbers of the lines learned, in order. @param {CardEntry} card @param {CourseProgress} progress */
export const learnedLines = (card, progress) => card.lines.map((_, index) => index + 1).filter((number) => progressOf(card, progress, number));

/** Returns the progress with more lines learned. @param {CardEntry} card @param {CourseProgress} progress @param {number[]} numbers @param {number} at @returns {CourseProgress} */
export function learn(card, progress, numbers, at) {
  const lines = { ...progress.lines };
  for (const number of numbers) {
    lines[lineKey(card.lines[number - 1])] ??= { ...newItem(progress.hands, at), streak: 0, asked: 0, right: 0, missed: [], costs: { plain: [], contested: [] } };
  }
  return { ...progress, lines };
}

/**
 * Returns the progress after an answer. A hand that is repeated because it was missed does not count for the cost: it was chosen because of the mistake.
 * @param {CardEntry} card @param {CourseProgress} progress
 * @param {{ line: number, contested: boolean, drawn: MissedHand, repeated: boolean, right: boolean, cost: Cost, at: number }} answer
 * @returns {CourseProgress}
 */
export function withCourseAnswer(card, progress, { line, contested, drawn, repeated, right, cost, at }) {
  const hands = progress.hands + 1;
  const learned = learn(card, progress, [line], at);
  // After a change of the card, another rule may decide the hand.
  const others = Object.fromEntries(Object.entries(learned.lines).map(([key, item]) => [key, { ...item, missed: item.missed.filter(({ seed }) => seed !== drawn.seed) }]));
  const key = lineKey(card.lines[line - 1]);
  const before = others[key];
  const kind = contested ? "contested" : "plain";
  /** @type {LineProgress} */
  const after = {
    ...before,
    ...answered(before, right, { hand: hands, at }),
    streak: right ? before.streak + 1 : 0,
    asked: before.asked + 1,
    right: before.right + Number(right),
    missed: right ? before.missed : [...before.missed, drawn].slice(-MISSED_MAX),
    costs: repeated ? before.costs : { ...before.costs, [kind]: [...before.costs[kind], cost].slice(-COSTS_MAX) },
  };
  return { hands, lines: { ...others, [key]: after } };
}

/** @param {string} card @returns {CourseProgress} */
export function loadCourse(card) {
  const stored = storedRecord(STORAGE_KEY)[card];
  if (!stored || !Number.isInteger(stored.hands) || !stored.lines || typeof stored.lines !== "object") return noCourse();
  return { hands: stored.hands, lines: Object.fromEntries(Object.entries(stored.lines).filter(([, item]) => isLineProgress(item)).map(([key, item]) => [key, validItems(item)])) };
}

/** Returns the progress of a line without damaged hands and costs. @param {LineProgress} item @returns {LineProgress} */
const validItems = (item) => ({ ...item, missed: item.missed.filter((hand) => Number.isInteger(hand?.seed)), costs: { plain: item.costs.plain.filter(isCost), contested: item.costs.contested.filter(isCost) } });

/** Whether a stored value is the cost of an answer. @param {any} cost */
const isCost = (cost) => [cost?.card, cost?.best].every((part) => /^-?\d+\/[1-9]\d*$/.test(part));

/** Whether a stored value is the progress of a line. @param {any} item */
const isLineProgress = (item) => BOXES[item?.box] !== undefined && [item.hand, item.at, item.streak, item.asked, item.right].every(Number.isFinite)
  && [item.missed, item.costs?.plain, item.costs?.contested].every(Array.isArray);

/** Stores the progress. Returns whether the browser stored it. @param {string} card @param {CourseProgress} progress */
export function saveCourse(card, progress) {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...storedRecord(STORAGE_KEY), [card]: progress }));
    return true;
  } catch {
    return false;
  }
}
