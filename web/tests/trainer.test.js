import assert from "node:assert/strict";
import { test } from "node:test";
import { cardsOf } from "../cards/card-text.js";
import { costText, worthText } from "../lab/settings.js";
import { kindOf } from "../trainer/kinds.js";
import { judge } from "../trainer/judge.js";
import { words } from "../words/en.js";
import { noProgress, total, weakKinds, weakest, withAnswer } from "../trainer/progress.js";

test("classifies hands by kind", () => {
  for (const [cards, kind] of [
    ["Ks Qd Th 9s 7c 5d 3h", "none"], ["Ks Kd Th 9s 7c 5d 3h", "pair"], ["Ks Kd Th Ts 7c 5d 3h", "two_pair"], ["Ks Kd Th Ts 7c 7d 3h", "three_pair"],
    ["Ks Kd Kh Ts 7c 5d 3h", "three"], ["Ks Kd Kh Ts Tc 5d 3h", "full"], ["Ks Kd Kh Ts Tc Td 3h", "full"], ["Ks Kd Kh Kc Tc Td 3h", "four"],
    ["As 2d 3h 4c 5s 9d Jh", "straight"], ["As Kd Qh Jc Ts 4d 2h", "straight"], ["As Ks 8s 7s 3s Td 2h", "straight"], ["As Ks 8s 7s 3s Td Th", "straight_pair"],
    ["Ks Kd 9h 8c 7s 6d 5h", "straight_pair"], ["As Ks 8s 7s 3s Td Jk", "joker"], ["Qs Kd Ah 2c 3s 8d 9h", "none"],
  ]) assert.equal(kindOf(cardsOf(cards)), kind, cards);
});

const setting = (low, ev, best, win = 1) => ({ low, high: "", low_says: "", high_says: "", win, push: 1, lose: 1, ev, ev_exact: ev, best, house_way: false });
const LAB = {
  settings: [setting("Ks Qd", "3/1", true, 9), setting("Kd Qd", "3/1", true, 9), setting("Ts 9d", "1/1", false, 3), setting("Td 9d", "1/1", false, 3), setting("Th 9d", "1/2", false, 2)],
  house_ways: [{ house_way: "here", place: 2 }],
};

test("accepts any setting with the best value", () => {
  assert.equal(judge(LAB, "best", ["Qd", "Kd"]).right, true);
  assert.equal(judge(LAB, "best", ["Ts", "9d"]).right, false);
  assert.equal(judge(LAB, "best", ["As", "9d"]).given, undefined);
});

test("accepts the house way's setting in equivalent suits", () => {
  assert.equal(judge(LAB, "here", ["Ts", "9d"]).right, true);
  assert.equal(judge(LAB, "here", ["9d", "Td"]).right, true);
  assert.equal(judge(LAB, "here", ["9d", "Th"]).right, false);
  assert.equal(judge(LAB, "here", ["Ks", "Qd"]).right, false);
});

test("values and costs are percentages of the wager, as at the table", () => {
  const lab = { settings: [setting("Ks Qd", "0.532300000000", true), setting("Ts 9d", "-0.064400000000", false)] };
  lab.settings[0].ev_exact = "5323/10000";
  lab.settings[1].ev_exact = "-644/10000";
  assert.deepEqual(lab.settings.map(worthText), ["+53.23\u202f%", "\u22126.44\u202f%"]);
  assert.equal(costText(lab, lab.settings[1]), "59.67\u202f%");
  assert.equal(words.study.cost(costText(lab, lab.settings[1])), "Costs 59.67\u202f% of the wager against the best setting.");
  assert.equal(words.study.cost("4.80\u202f%", "$1.20"), "Costs $1.20 against the best setting, 4.80\u202f% of the wager.");
});

test("counts answers, streaks, kinds and clauses", () => {
  const clause = { cite: "1", says: "so" };
  let progress = noProgress();
  for (const right of [true, true, false, true]) progress = withAnswer(progress, { kind: "pair", right, cost: right ? 0 : 0.5, clause });
  progress = withAnswer(progress, { kind: "none", right: true, cost: 0 });
  assert.deepEqual(total(progress), { asked: 5, right: 4, cost: 0.5 });
  assert.deepEqual([progress.streak, progress.longest, progress.last.length], [2, 2, 5]);
  assert.deepEqual(weakest(progress).map(({ kind }) => kind), ["pair", "none"]);
  assert.deepEqual(weakKinds(progress), ["pair"]);
  assert.deepEqual(Object.values(progress.missed), [{ asked: 4, missed: 1, says: "so" }]);
});
