import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays, daysBetween, isDay, longDay, monthsOf } from "../puzzle/days.js";
import { counts, isBest, loadAnswers, parseAnswers, rating, saveAnswer, scoreOf, streaks, withAnswer } from "../puzzle/record.js";
import { analysisOf, indexOfLow, whyBetter } from "../puzzle/solution.js";

const RANKING = { joker: "semi_wild", wheel: "second_highest" };
const answer = (some = {}) => ({ low: "Kd Tc", cost: "0.000000000000", difficulty: 2, own: true, ...some });

test("days are those of the calendar, in UTC", () => {
  assert.ok(isDay("2028-02-29"));
  for (const value of ["2026-02-29", "2026-13-01", "2026-1-1", "today", "", null, 20260101, "2026-11-17T00:00:00Z"]) assert.ok(!isDay(value), String(value));
  assert.equal(addDays("2026-12-31", 1), "2027-01-01");
  assert.equal(addDays("2028-03-01", -1), "2028-02-29");
  assert.equal(daysBetween("2026-01-01", "2026-11-17"), 320);
  assert.equal(longDay("2026-11-17"), "Tuesday, November 17, 2026");
});

test("months are listed latest first, from the first day to today", () => {
  const months = monthsOf("2026-01-30", "2026-03-02");
  assert.deepEqual(months.map(({ month, days }) => [month, days.length]), [["2026-03", 2], ["2026-02", 28], ["2026-01", 2]]);
  assert.deepEqual(months[2].days, ["2026-01-31", "2026-01-30"]);
});

test("a streak counts consecutive days that were answered on the day", () => {
  assert.deepEqual(streaks({}, "2026-11-17"), { current: 0, longest: 0 });
  const days = Object.fromEntries(["2026-10-30", "2026-10-31", "2026-11-01", "2026-11-15", "2026-11-16"].map((day) => [day, answer()]));
  assert.deepEqual(streaks(days, "2026-11-16"), { current: 2, longest: 3 });
  // Today's puzzle is not answered yet.
  assert.deepEqual(streaks(days, "2026-11-17"), { current: 2, longest: 3 });
  assert.deepEqual(streaks(days, "2026-11-18"), { current: 0, longest: 3 });
  // An answer to a past day fills no gap.
  assert.deepEqual(streaks({ ...days, "2026-11-14": answer({ own: false }) }, "2026-11-16"), { current: 2, longest: 3 });
});

test("the rating is Elo against the difficulty of the puzzles", () => {
  assert.equal(rating({}), 1200);
  // A puzzle of difficulty 2 has rating 1200: the expected score is one half.
  assert.equal(rating({ "2026-11-17": answer() }), 1216);
  assert.equal(rating({ "2026-11-17": answer({ cost: "0.0099" }) }), 1200);
  assert.equal(rating({ "2026-11-17": answer({ cost: "0.01" }) }), 1184);
  const hard = rating({ "2026-11-17": answer({ difficulty: 5 }) });
  assert.equal(Math.round(hard), Math.round(1200 + 32 * (1 - 1 / (1 + 10 ** 1.5))));
  assert.equal(rating({ "2026-11-16": answer({ own: false, difficulty: 5 }) }), 1200);
  // In the order of the days, not of the answers.
  const [one, other] = [["2026-11-16", answer()], ["2026-11-17", answer({ difficulty: 5, cost: "0.5" })]];
  assert.equal(rating(Object.fromEntries([one, other])), rating(Object.fromEntries([other, one])));
});

test("answers are scored by their cost", () => {
  assert.deepEqual([scoreOf(answer()), scoreOf(answer({ cost: "0.009999999999" })), scoreOf(answer({ cost: "0.01" }))], [1, 0.5, 0]);
  assert.ok(!isBest(answer({ cost: "0.000000000934" })));
  assert.deepEqual(counts({ a: answer(), b: answer({ cost: "0.2" }) }), { answered: 2, best: 1 });
});

test("the first answer counts", () => {
  const answers = withAnswer({}, "2026-11-17", answer());
  assert.equal(withAnswer(answers, "2026-11-17", answer({ low: "2s 2d" })), answers);
});

test("damaged storage is read without an error", () => {
  for (const text of [null, "", "{", "null", "[]", "7", "\"x\""]) assert.deepEqual(parseAnswers(text), {});
  const stored = {
    "2026-11-17": { ...answer(), more: 1 }, "2026-11-16": null, "2026-11-15": "best", "2026-02-30": answer(), "2026-11-14": answer({ low: 7 }), "2026-11-13": answer({ cost: "-1" }),
    "2026-11-12": answer({ cost: 0 }), "2026-11-11": answer({ difficulty: 6 }), "2026-11-10": answer({ own: "yes" }), "2026-11-09": answer({ low: "Kd Tc 9h" }),
  };
  assert.deepEqual(parseAnswers(JSON.stringify(stored)), { "2026-11-17": answer() });
});

test("answers are stored with those of other tabs", () => {
  /** @type {Record<string, string>} */
  const items = { "paigow.puzzle": "damaged" };
  const storage = { getItem: (/** @type {string} */ key) => items[key] ?? null, setItem: (/** @type {string} */ key, /** @type {string} */ value) => { items[key] = value; } };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  assert.deepEqual(loadAnswers(), {});
  saveAnswer("2026-11-16", answer(), {});
  // This tab does not know the answer yet.
  const both = saveAnswer("2026-11-17", answer({ low: "2s 2d" }), {});
  assert.deepEqual(Object.keys(both), ["2026-11-16", "2026-11-17"]);
  assert.equal(saveAnswer("2026-11-17", answer(), {})["2026-11-17"].low, "2s 2d");
  Object.defineProperty(globalThis, "localStorage", { get: () => { throw new Error("no storage"); }, configurable: true });
  assert.deepEqual(loadAnswers(), {});
  assert.deepEqual(saveAnswer("2026-11-18", answer(), both), { ...both, "2026-11-18": answer() });
  Reflect.deleteProperty(globalThis, "localStorage");
});

test("a solution has the names of the hands", () => {
  const settings = [{ low: "Kd Tc", high: "As Jk 9h 2s 2d", win: 6, push: 3, lose: 1 }];
  const analysis = analysisOf({ settings, dealer_hands: 10 }, RANKING);
  assert.deepEqual([analysis.dealer_hands, analysis.settings[0].low_says, analysis.settings[0].high_says], [10, "king-ten", "aces and twos"]);
  assert.equal(indexOfLow(settings, ["Tc", "Kd"]), 0);
  assert.equal(indexOfLow(settings, ["As", "Kd"]), -1);
});

test("the reason follows from the numbers of wins and losses", () => {
  const of = (/** @type {number} */ win, /** @type {number} */ lose) => ({ win, push: 1000 - win - lose, lose });
  assert.match(whyBetter(of(400, 200), of(300, 250)), /wins more often, 40.00.% instead of 30.00.%, and loses less often, 20.00.% instead of 25.00.%/);
  assert.match(whyBetter(of(400, 200), of(300, 200)), /wins more often.*loses as often/);
  assert.match(whyBetter(of(400, 200), of(400, 300)), /loses less often.*wins as often/);
  assert.match(whyBetter(of(500, 210), of(300, 200)), /wins more often, 50.*outweighs that it also loses more often, 21/);
  assert.match(whyBetter(of(290, 100), of(300, 200)), /loses less often, 10.*outweighs that it also wins less often, 29/);
  assert.equal(whyBetter(of(400, 200), of(400, 200)), "");
  // Shares that differ have different texts.
  const [close, other] = [53_524_680, 53_524_679].map((lose) => ({ win: 1, push: 53_524_680 * 10 - lose, lose }));
  assert.match(whyBetter(other, close), /9\.99999\d*.% instead of 10\.00000\d*.%/);
});
