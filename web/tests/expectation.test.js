import assert from "node:assert/strict";
import { test } from "node:test";
import { fraction, plus, round, times } from "../study/fractions.js";
import { wagerResults, withWager, worthOfHand, worthOfSide } from "../table/expectation.js";
import { changesOf } from "../table/ranking.js";

test("fractions are exact and round half away from zero", () => {
  assert.deepEqual(plus(fraction("1/3"), fraction("-1/6")), [1n, 6n]);
  assert.deepEqual(plus(fraction("1/3"), fraction("-1/3")), [0n, 1n]);
  assert.deepEqual(times(fraction("-7/50"), 25n), [-7n, 2n]);
  assert.deepEqual([round([7n, 2n]), round([-7n, 2n]), round([10n, 3n]), round(fraction("5"))], [4, -4, 3, 5]);
});

const odds = { at_stake: { edge_exact: "2/25" }, envy_return_exact: "1/100", envy_from_cents: 500 };

test("expectation of a side wager: edge and envy bonuses", () => {
  assert.deepEqual(worthOfSide(odds, 100, 6), [-8n, 1n], "too small for an envy bonus");
  assert.deepEqual(worthOfSide(odds, 500, 1), [-40n, 1n], "no other players");
  assert.deepEqual(worthOfSide(odds, 1_000, 6), [-55n, 1n], "five others, each 5 cents at any stake");
  assert.deepEqual(worthOfSide({ ...odds, envy_from_cents: null }, 1_000, 6), [-80n, 1n]);
  assert.equal(worthOfSide({ ...odds, at_stake: null }, 1_000, 6), null);
});

test("expectation of a hand ignores the order of the low hand", () => {
  const settings = [{ low: "As Kd", ev_exact: "1/10" }, { low: "2s 2d", ev_exact: "-3/20" }];
  assert.deepEqual(worthOfHand(settings, "2d 2s", 1_000), { worth: [-150n, 1n], best: [100n, 1n] });
  assert.equal(worthOfHand(settings, "As 2d", 1_000), null, "a foul has no value");
});

const line = (wager, outcome, stake_cents, net_cents, who = "seat-2") => ({ who, wager, outcome, stake_cents, net_cents });
const record = {
  outcome: "settled",
  seats: [{ seat: 2, player: "me", wagers: { "pai-gow": { cents: 2_500 }, fortune: { cents: 500 }, "red-black": { cents: 300 } } }],
  lines: [
    line("pai-gow", "collection", 0, -100), line("pai-gow", "win", 2_500, 2_500), line("pai-gow", "commission", 0, -125), line("fortune", "lose", 500, -500), line("fortune", "envy", 0, 1_000),
    line("fortune", "win", 500, 2_000, "seat-3"), line("red-black", "no_action", 300, 0),
  ],
};

test("the result of a wager sums its lines and skips wagers without action", () => {
  assert.deepEqual(wagerResults(record, 2), [{ wager: "pai-gow", cents: 2_500, net: 2_375 }, { wager: "fortune", cents: 500, net: 500 }]);
  assert.deepEqual(wagerResults(record, 3), []);
  assert.deepEqual(wagerResults({ ...record, outcome: "voided" }, 2), []);
  const play = { bank: { seat: 3 } };
  const banked = (against) => ({ ...record, play, lines: record.lines.map((line) => ({ ...line, against })) });
  assert.deepEqual(wagerResults(banked("banker"), 2), [], "against a banking player");
  assert.deepEqual(wagerResults(banked("house"), 2).length, 2, "against the house while a seat banks");
  assert.deepEqual(wagerResults({ ...record, lines: [line("fortune", "envy", 500, 1_000)] }, 2), [], "an envy bonus alone is no wager");
  const partly = { ...record, lines: [line("pai-gow", "win", 1_000, 1_000)] };
  assert.deepEqual(wagerResults(partly, 2), [], "partly covered");
});

test("sums wagers by kind, base wager first", () => {
  const [base, side] = wagerResults(record, 2);
  const once = withWager(withWager([], side, [-40n, 1n], null), base, [1n, 3n], [2n, 3n]);
  const twice = withWager(once, side, [-40n, 1n], null);
  assert.deepEqual(twice, [
    { wager: "pai-gow", rounds: 1, staked: 2_500, net: 2_375, expected: [1n, 3n], best: [2n, 3n] },
    { wager: "fortune", rounds: 2, staked: 1_000, net: 1_000, expected: [-80n, 1n], best: null },
  ]);
});

test("requests include the overrides of the table", () => {
  const rules = (joker) => ({ book: { ranking: { joker: "semi_wild", wheel: "lowest" } }, ranking: { joker, wheel: "lowest" } });
  const at = (changes = {}) => ({ facts: { changes } });
  assert.deepEqual(changesOf(rules("semi_wild"), at()), {});
  assert.deepEqual(changesOf(rules("fully_wild"), at()), { changes: { "ranking.joker": "fully_wild" } }, "as a posted paytable requires");
  assert.deepEqual(changesOf(rules("semi_wild"), at({ "ranking.wheel": "lowest" })), { changes: { "ranking.wheel": "lowest" } });
});
