import assert from "node:assert/strict";
import { test } from "node:test";
import { REVEALED, STAGES, isSettled, reached, replayMoment, settledSeats, timeline } from "../table/reveal.js";
import { clearedView, bottomSeat } from "../table/scene.js";
import { othersFrom } from "../table/seats.js";
import { comparisonOf, headline, reversed } from "../table/verdict.js";

const hand = { cards: "As", low: null, high: null, foul: false, set: true, by: "player" };
const line = (seat, outcome, high, low, net) => ({ who: `seat-${seat}`, wager: "pai-gow", stake_cents: 500, outcome, net_cents: net, fee_cents: 0, against: "house", reason: { code: "compared", high, low }, because: "", cite: "", assumed: false });
const seats = [1, 2, 3, 4].map((seat) => ({ seat, player: `p${seat}`, out: false, leaving: false, ready: false, wagers: {}, hand: seat === 4 ? null : hand }));
const lines = [line(3, "win", "higher", "higher", 500), line(1, "push", "copy", "higher", 0), line(2, "lose", "lower", "copy", -500)];
const round = { round: 1, lines, net_cents: { 1: 0, 2: -500, 3: 500 }, bank: null, settled_at: 1000 };
const view = { phase: "between", you: 2, seats, round, facts: { seats: 6, terms: { banker: "banker" }, wagers: [] } };

test("the dealer's high hand turns first, then the low hand, the viewer's result and the other seats", () => {
  const moments = timeline(view, 2, 60_000);
  assert.deepEqual(moments.map(({ stage }) => stage), ["down", "high", "high-verdict", "low", "low-verdict", "verdict", "others", "others", "over"]);
  assert.ok(moments.every(({ at }, index) => index === 0 || at > moments[index - 1].at));
  assert.ok(moments[moments.length - 1].at <= 3500, "about three seconds");
  // Other seats follow in the order of the settlement.
  assert.deepEqual(settledSeats(view, 2), [3, 1]);
  assert.deepEqual(moments.filter(({ stage }) => stage === "others").map(({ settled }) => settled), [[3], [3, 1]]);
  assert.deepEqual([isSettled(moments[6], 3), isSettled(moments[6], 1), isSettled(REVEALED, 1)], [true, false, true]);
  assert.ok(STAGES.every((stage) => reached(REVEALED, stage)));
});

test("the reveal leaves time for the result", () => {
  assert.ok(timeline(view, 2, 2000).at(-1).at <= 1200);
});

test("a banker's hand is compared with one seat after the other", () => {
  const moments = timeline({ ...view, round: { ...round, bank: { seat: 2 } } }, 2, 60_000);
  assert.deepEqual(moments.map(({ stage, seat }) => [stage, seat]), [["down", null], ["seats", 3], ["seats", 1], ["verdict", 1], ["over", null]]);
});

test("a replay shows the seats that are settled so far", () => {
  assert.deepEqual([0, 1, 3].map((count) => replayMoment(view, 1, { lines: count, step: null, over: false })).map(({ stage, settled }) => [stage, settled]), [["low-verdict", []], ["low-verdict", [3]], ["others", [3, 1, 2]]]);
  assert.equal(replayMoment(view, 1, { lines: Infinity, step: null, over: true }), REVEALED);
});

test("comparisons and headlines", () => {
  assert.deepEqual(comparisonOf(view, 3), { low: "win", high: "win", copiesWin: false });
  assert.deepEqual(comparisonOf(view, 1), { low: "win", high: "copy", copiesWin: false });
  assert.deepEqual(reversed(comparisonOf(view, 1)), { low: "lose", high: "copy", copiesWin: true });
  assert.deepEqual([3, 1, 2].map((seat) => headline(view, seat, "")), [["You win $5.00", "Both hands beat the dealer"], ["Push", "One hand each"], ["You lose $5.00", "The dealer wins both hands"]]);
});

test("the viewer sits at the bottom, the other seats follow to the left", () => {
  assert.equal(bottomSeat(view, null), 2);
  assert.equal(bottomSeat({ ...view, you: null }, 5), 5);
  assert.equal(bottomSeat({ ...view, you: null }, null), 1);
  assert.deepEqual(othersFrom(6, 2), [3, 4, 5, 6, 1]);
  const cleared = clearedView(view);
  assert.deepEqual([cleared.phase, cleared.seats[0].hand, cleared.round.net_cents], ["waiting", null, null]);
});
