import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { mistakeCost } from "../trainer/course-cost.js";
import { nextStep } from "../trainer/course-plan.js";
import { learn, learnedLines, lineKey, loadCourse, noCourse, progressOf, saveCourse, withCourseAnswer } from "../trainer/course-progress.js";
import { BOXES, answered, isDue, newItem, untilDue } from "../trainer/leitner.js";
import { probableMistake } from "../trainer/mistake.js";
import { words } from "../words/en.js";

const DAY = 86_400_000;
/** A fixed time. */
const T = 1_800_000_000_000;

const line = (when, hands, contested) => ({ when, set: ["best"], says: `${when}: set it.`, if_possible: false, hands, contested });
/** A card of four lines: rare and always contested, both kinds, never contested, the last. */
const CARD = { id: "book-player-4", hands: 1000, lines: [line("a", 1, 1), line("b", 199, 100), line("c", 300, 0), line("any hand", 500, 0)] };

const right = (progress, number, some = {}) => withCourseAnswer(CARD, progress, { line: number, contested: false, drawn: { seed: 1 }, repeated: false, right: true, at: T, cost: { card: "0/1", best: "0/1" }, ...some });
const wrong = (progress, number, some = {}) => right(progress, number, { right: false, cost: { card: "1/10", best: "1/5" }, ...some });

test("a rule moves from box to box, and back to the first after a mistake", () => {
  const now = { hand: 10, at: T };
  let item = newItem(10, T);
  assert.ok(isDue(item, now), "a new rule is due at once");
  item = answered(item, true, now);
  assert.deepEqual(item, { box: 1, hand: 10, at: T });
  assert.deepEqual(untilDue(item, { hand: 12, at: T }), { hands: 3 });
  assert.ok(!isDue(item, { hand: 14, at: T + 9 * DAY }) && isDue(item, { hand: 15, at: T }), "the first boxes wait for hands");
  assert.equal(answered(item, true, { hand: 12, at: T }), item, "a correct answer before it is due does not move it");
  item = answered(item, true, { hand: 15, at: T });
  item = answered(item, true, { hand: 27, at: T });
  assert.deepEqual(item, { box: 3, hand: 27, at: T });
  assert.deepEqual(untilDue(item, { hand: 500, at: T + DAY / 2 }), { days: 0.5 });
  assert.ok(!isDue(item, { hand: 500, at: T + DAY - 1 }) && isDue(item, { hand: 27, at: T + DAY }), "the others wait for days");
  assert.deepEqual(answered(item, false, { hand: 28, at: T + 1 }), { box: 0, hand: 28, at: T + 1 });
});

test("a rule that is always answered correctly waits three weeks at last", () => {
  let item = newItem(0, T);
  let now = { hand: 0, at: T };
  for (const wait of BOXES) {
    now = { hand: now.hand + ("hands" in wait ? wait.hands : 1), at: now.at + ("days" in wait ? wait.days * DAY : 60_000) };
    item = answered(item, true, now);
  }
  assert.equal(item.box, BOXES.length - 1);
  assert.deepEqual(untilDue(item, now), { days: 21 });
  assert.equal(answered(item, true, { hand: 99, at: now.at + 21 * DAY }).box, BOXES.length - 1);
});

test("rules are learned in order, each when the last answers were correct", () => {
  let progress = noCourse();
  assert.deepEqual(nextStep(CARD, progress, T), { learn: 1 });
  progress = learn(CARD, progress, [1], T);
  // Every hand of the first rule is contested, so the question need not say so.
  assert.deepEqual(nextStep(CARD, progress, T), { ask: { line: 1 }, why: "new" });
  progress = right(progress, 1);
  assert.deepEqual(nextStep(CARD, progress, T), { ask: { line: 1 }, why: "new" });
  progress = right(progress, 1);
  assert.deepEqual(nextStep(CARD, progress, T), { learn: 2 });
  progress = learn(CARD, progress, [2], T);
  assert.deepEqual(nextStep(CARD, progress, T), { ask: { line: 2, contested: false }, why: "new" });
  progress = right(progress, 2);
  assert.deepEqual(nextStep(CARD, progress, T), { ask: { line: 2, contested: true }, why: "new" }, "hands on which rules meet are mixed in");
  progress = right(progress, 2, { contested: true });
  assert.deepEqual(nextStep(CARD, progress, T), { learn: 3 });
});

test("a missed hand is repeated after two hands, and the next rule waits for it", () => {
  let progress = learn(CARD, noCourse(), [1, 2], T);
  progress = right(right(progress, 2), 2, { contested: true });
  progress = wrong(progress, 1, { drawn: { seed: 77, contested: true }, contested: true });
  assert.equal(nextStep(CARD, progress, T).why, "mixed", "other rules come in between");
  progress = right(progress, 2);
  progress = right(progress, 2);
  assert.deepEqual(nextStep(CARD, progress, T), { ask: { line: 1, seed: 77 }, why: "missed" });
  progress = right(progress, 1, { drawn: { seed: 77 }, contested: true, repeated: true });
  assert.deepEqual(progressOf(CARD, progress, 1).missed, []);
  assert.equal(progressOf(CARD, progress, 1).box, 1);
});

test("a missed hand is drawn again by the question that drew it", () => {
  const all = learn(CARD, noCourse(), [1, 2, 3, 4], T);
  const again = (drawn) => {
    let progress = wrong(all, 2, { drawn });
    for (let hands = 0; hands < 3; hands++) progress = right(progress, 3, { drawn: { seed: 1000 + hands } });
    // The other rules are due too, so only the question for the second one is looked at.
    for (const line of [1, 4]) progress = right(progress, line, { drawn: { seed: 2000 + line } });
    return nextStep(CARD, progress, T);
  };
  assert.deepEqual(again({ seed: 9, contested: true }), { ask: { line: 2, seed: 9, contested: true }, why: "missed" });
  assert.deepEqual(again({ seed: 9, contested: false }), { ask: { line: 2, seed: 9, contested: false }, why: "missed" });
  assert.deepEqual(again({ seed: 9, dealt: true }), { ask: { lines: 4, seed: 9 }, why: "missed" });
  // If another rule decides the hand now, it is no longer missed either.
  const moved = right(wrong(all, 2, { drawn: { seed: 9, dealt: true } }), 3, { drawn: { seed: 9, dealt: true }, repeated: true });
  assert.deepEqual(progressOf(CARD, moved, 2).missed, []);
});

test("damaged progress is left out", () => {
  const storage = { "book-player-4": { hands: 3, lines: { ...right(learn(CARD, noCourse(), [1], T), 1).lines, broken: { box: 99 }, other: null } } };
  globalThis.localStorage = { getItem: () => JSON.stringify(storage), setItem: () => { throw new Error("full"); } };
  assert.deepEqual(learnedLines(CARD, loadCourse("book-player-4")), [1]);
  assert.deepEqual(Object.keys(loadCourse("book-player-4").lines), [lineKey(CARD.lines[0])]);
  assert.deepEqual(loadCourse("other"), noCourse());
  assert.equal(saveCourse("other", noCourse()), false);
  for (const text of ["", "7", "[]", "{"]) {
    globalThis.localStorage = { getItem: () => text };
    assert.deepEqual(loadCourse("book-player-4"), noCourse());
  }
  delete globalThis.localStorage;
});

test("the only rule is repeated at once if it was missed", () => {
  const progress = wrong(learn(CARD, noCourse(), [1], T), 1, { drawn: { seed: 5, contested: true }, contested: true });
  assert.deepEqual(nextStep(CARD, progress, T), { ask: { line: 1, seed: 5 }, why: "missed" });
});

test("after the last rule, hands come as they are dealt, and rules again on another day", () => {
  let progress = learn(CARD, noCourse(), [1, 2, 3, 4], T);
  // Answers until no rule is due for days.
  for (let hands = 0; hands < 200; hands++) {
    const step = nextStep(CARD, progress, T);
    progress = right(progress, step.ask.line ?? 4);
  }
  assert.deepEqual(nextStep(CARD, progress, T), { ask: { lines: 4 }, why: "dealt" });
  const later = nextStep(CARD, progress, T + 2 * DAY);
  assert.equal(later.why, "due");
  assert.ok(later.ask.line);
});

test("progress follows a line to another number", () => {
  const progress = right(learn(CARD, noCourse(), [1, 2], T), 2);
  const moved = { ...CARD, lines: [CARD.lines[1], line("new", 5, 5), CARD.lines[0], CARD.lines[3]] };
  assert.deepEqual(learnedLines(moved, progress), [1, 3]);
  assert.equal(progressOf(moved, progress, 1).asked, 1);
  assert.deepEqual(nextStep(moved, right(right(progress, 1), 1), T), { ask: { line: 1, contested: true }, why: "new" });
  assert.equal(lineKey({ when: "x", set: ["a", "b"] }), "x → a | b");
});

test("mistakes cost their exact value, weighted by how often their rule decides a hand", () => {
  let progress = learn(CARD, noCourse(), [1, 2], T);
  assert.deepEqual(mistakeCost(CARD, progress), { card: "0.000000000000", best: "0.000000000000", covered: "0.000000000000" });
  // The first rule decides one hand in a thousand: ten mistakes in ten hands cost a thousandth of their mean.
  for (let hand = 0; hand < 10; hand++) progress = wrong(progress, 1, { contested: true, drawn: { seed: hand } });
  assert.deepEqual(mistakeCost(CARD, progress), { card: "0.000100000000", best: "0.000200000000", covered: "0.001000000000" });
  // Half of the answers on contested hands of the second rule, and none on the others, which are 99 and 100 of a thousand.
  progress = wrong(right(progress, 2, { contested: true, drawn: { seed: 11 } }), 2, { contested: true, drawn: { seed: 12 } });
  progress = right(progress, 2, { drawn: { seed: 13 } });
  // 1/1000 · 1/10 + 100/1000 · 1/20
  assert.deepEqual(mistakeCost(CARD, progress), { card: "0.005100000000", best: "0.010200000000", covered: "0.200000000000" });
  // A repeated hand does not count: it was chosen because it was missed.
  assert.deepEqual(mistakeCost(CARD, wrong(progress, 2, { contested: true, repeated: true, drawn: { seed: 12 } })), mistakeCost(CARD, progress));
  // Old answers make way: after twenty correct ones, the mistakes no longer count.
  for (let hand = 0; hand < 20; hand++) progress = right(progress, 2, { contested: true, drawn: { seed: 100 + hand } });
  assert.equal(mistakeCost(CARD, progress).card, "0.000100000000");
});

const setting = (low, ev, win) => ({ low, high: "", low_says: "", high_says: "", win, push: 1, lose: 1, ev, ev_exact: ev, best: false, house_way: false });
const SETTINGS = [setting("As Ks", "3/1", 9), setting("As Kd", "3/1", 9), setting("9d 9c", "1/1", 3), setting("Td 8d", "1/2", 2)];
const tried = (number, low, unmet = [], some = {}) => ({ line: number, same_pattern: true, unmet, low, low_without_minimum: low, ...some });

test("finds the rule that the learner probably applied", () => {
  const exercise = (...lines) => ({ line: 2, settings: SETTINGS, lines });
  const mistake = (given, ...lines) => probableMistake(exercise(tried(2, "9d 9c"), ...lines), given);
  assert.deepEqual(mistake(SETTINGS[0], tried(5, "As Kd")), { kind: "later", line: 5, unmet: [] }, "suits make no difference");
  assert.deepEqual(mistake(SETTINGS[0], tried(1, "As Ks", ["pair 9-A"])), { kind: "unmet", line: 1, unmet: ["pair 9-A"] });
  assert.deepEqual(mistake(SETTINGS[3], tried(1, null, [], { low_without_minimum: "Td 8d" })), { kind: "minimum", line: 1, unmet: [] });
  assert.equal(mistake(SETTINGS[3], tried(1, null, [], { low_without_minimum: "Td 8d" }), tried(9, "Td 8d")).line, 1);
  assert.equal(mistake(SETTINGS[3], tried(4, null, [], { low_without_minimum: "Td 8d" }), tried(9, "Td 8d")).line, 9);
  // A rule that fits is more likely than one that does not, and fewer unmet conditions are more likely.
  assert.equal(mistake(SETTINGS[0], tried(1, "As Ks", ["x"]), tried(9, "As Ks")).line, 9);
  assert.equal(mistake(SETTINGS[0], tried(1, "As Ks", ["x", "y"]), tried(9, "As Ks", ["x"])).line, 9);
  assert.equal(mistake(SETTINGS[0], tried(3, "As Ks", ["x"], { same_pattern: false })), null, "rules of other hands are not likely");
  assert.equal(mistake(SETTINGS[3], tried(3, "As Ks")), null);
});

test("phrases are explained in the words of a player", () => {
  for (const [phrase, said] of [
    ["pairs sum at most 16", "pairs that add up to 16 or less"], ["pairs sum at least 20", "pairs that add up to 20 or more"],
    ["higher pair 2-J", "the higher pair jacks or lower"], ["pair 9-A", "a pair of nines or higher"], ["pair 6", "a pair of sixes"], ["three A", "three aces"],
    ["four 7-K", "four sevens to kings"], ["a single K or A", "a single king or ace"], ["no single A", "no single ace"], ["second highest single 9-K", "the second highest single card nine to king"],
    ["highest single 2-K", "the highest single card king or lower"], ["a complete hand", "a straight or flush"], ["no complete hand", "no straight or flush"], ["the joker", "the joker"],
    ["third and fourth highest singles sum at most 18", "the third and fourth highest single cards adding up to 18 or less"],
    ["first and second highest singles sum at least 23", "the two highest single cards adding up to 23 or more"],
    ["three of a kind", "three of a kind"], ["some later phrase", "some later phrase"],
  ]) assert.equal(words.phraseWords(phrase), said, phrase);
});

test("every phrase of the cards that ship has words of a player", () => {
  const folder = new URL("../../crates/paigow/rulebooks/cards/", import.meta.url);
  // Phrases that players use as they are.
  const plain = /^(no pair|one pair|two pairs|three pairs|full house|any hand|(three|four|five) of a kind.*|(the|no) joker|(a|no) (straight|flush|straight flush|royal flush))$/;
  let phrases = 0;
  for (const file of readdirSync(folder)) {
    const conditions = [...readFileSync(new URL(file, folder), "utf8").matchAll(/^when\s*= "(.+)"$/gm)].flatMap(([, when]) => when.split(", "));
    for (const phrase of conditions.flatMap((condition) => (plain.test(condition.split(" or ")[0]) ? condition.split(" or ") : [condition]))) {
      phrases += 1;
      assert.ok(plain.test(phrase) || words.phraseWords(phrase) !== phrase, `${file}: ${phrase}`);
    }
  }
  assert.ok(phrases > 200, `${phrases} phrases`);
});

test("damaged hands and costs of the progress are left out", () => {
  const item = { box: 0, hand: 1, at: 1, streak: 0, asked: 2, right: 1, missed: [{ seed: 3 }, { seed: "3" }, null], costs: { plain: [{ card: "1/2", best: "-1/3" }, { card: "1/2" }, {}, null, { card: "x", best: "0/1" }, { card: "1/0", best: "0/1" }], contested: [7] } };
  globalThis.localStorage = { getItem: () => JSON.stringify({ [CARD.id]: { hands: 2, lines: { [lineKey(CARD.lines[0])]: item } } }) };
  const progress = loadCourse(CARD.id);
  delete globalThis.localStorage;
  const [read] = Object.values(progress.lines);
  assert.deepEqual([read.missed, read.costs], [[{ seed: 3 }], { plain: [{ card: "1/2", best: "-1/3" }], contested: [] }]);
  assert.doesNotThrow(() => mistakeCost(CARD, progress));
});
