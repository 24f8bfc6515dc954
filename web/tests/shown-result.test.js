import assert from "node:assert/strict";
import { test } from "node:test";
import { ShownResult } from "../table/shown-result.js";

const hand = (cards) => ({ cards, low: "As Ks", high: "Qh Jd 9c 4h 2d", foul: false, set: true, by: "player" });
const seat = (number, player, cards = `cards of ${player}`) => ({ seat: number, player, out: false, leaving: false, ready: false, wagers: { "pai-gow": { cents: number * 100, color: null } }, hand: cards && hand(cards) });
/** A settled round in which the viewer `me` has seats 1 and 3. */
const settled = { player: "me", phase: "between", you: 1, yours: [1, 3], round: { round: 7, lines: [], net_cents: { 1: 5, 2: -5, 3: 0 } }, seats: [seat(1, "me"), seat(2, "ann"), seat(3, "me")] };
/** The view after players have stood up. */
const without = (view, ...numbers) => {
  const yours = view.yours.filter((number) => !numbers.includes(number));
  return { ...view, seats: view.seats.filter((one) => !numbers.includes(one.seat)), you: yours[0] ?? null, yours };
};
const hands = (view) => view.seats.map((one) => [one.seat, one.player, one.hand?.cards ?? null]);

test("a result is shown until it is dismissed", () => {
  const result = new ShownResult();
  assert.equal(result.isShown(null), false);
  assert.equal(result.isShown({ ...settled, phase: "wagers" }), false);
  assert.equal(result.isShown(settled), true);
  assert.equal(result.viewOf(settled), settled);
  result.dismiss(settled);
  assert.equal(result.isShown(settled), false);
  assert.equal(result.viewOf(settled).phase, "waiting");
  assert.equal(result.isShown({ ...settled, round: { ...settled.round, round: 8 } }), true);
});

test("a held result shows the chosen seat, and the table goes on", () => {
  const result = new ShownResult();
  result.hold(settled);
  const next = { ...settled, phase: "wagers", round: { round: 8 }, seats: [] };
  assert.equal(result.viewOf(next).you, 1);
  result.choose(3);
  result.endRound();
  assert.equal(result.viewOf(next).you, 3);
  assert.equal(result.viewOf(next).round.round, 7);
  result.release();
  assert.equal(result.viewOf(next), next);
});

test("players who stand up keep their hands in the result", () => {
  const result = new ShownResult();
  let view = settled;
  for (const number of [2, 1, 3]) {
    result.leave(view, number);
    view = without(view, number);
  }
  assert.deepEqual(view.seats, []);
  const shown = result.viewOf(view);
  assert.deepEqual(hands(shown), hands(settled));
  assert.deepEqual([shown.you, shown.yours, shown.phase], [1, [1, 3], "between"]);
  result.choose(3);
  assert.equal(result.viewOf(view).you, 3);
  // The table rests, and the result stays. The next round ends it.
  assert.equal(result.isShown({ ...view, phase: "waiting" }), true);
  assert.equal(result.viewOf({ ...view, phase: "waiting" }).phase, "between");
  const next = { ...view, phase: "wagers", round: { round: 8 } };
  result.endRound();
  assert.equal(result.viewOf(next), next);
  assert.equal(result.isShown({ ...next, phase: "waiting" }), false);
});

test("a player who sits down again keeps the hand; the viewer's new seat is the viewer's", () => {
  const result = new ShownResult();
  result.leave(settled, 1);
  result.leave(without(settled, 1), 2);
  const left = without(settled, 1, 2);
  const again = { ...left, seats: [seat(1, "me", null), ...left.seats], yours: [1, 3] };
  assert.deepEqual(hands(result.viewOf(again)), hands(settled));
  const elsewhere = { ...left, seats: [seat(2, "me", null), ...left.seats], yours: [2, 3], you: 2 };
  assert.deepEqual(hands(result.viewOf(elsewhere)), [[1, "me", "cards of me"], [2, "me", null], [3, "me", "cards of me"]]);
  const taken = { ...left, seats: [seat(2, "bob", null), ...left.seats] };
  assert.deepEqual(hands(result.viewOf(taken))[1], [2, "ann", "cards of ann"]);
});

test("a result stays at a table that rests only for a viewer who has left a seat", () => {
  const result = new ShownResult();
  result.leave(settled, 2);
  assert.equal(result.isShown(without(settled, 2)), true);
  assert.equal(result.isShown({ ...without(settled, 2), phase: "waiting" }), false);
  result.leave(without(settled, 2), 3);
  assert.equal(result.isShown({ ...without(settled, 2, 3), phase: "waiting" }), true);
  const watcher = { ...without(settled, 1, 2, 3), player: null, phase: "waiting" };
  assert.equal(result.isShown(watcher), false);
  assert.equal(result.viewOf(watcher), watcher);
});

test("a player who stands up while the result is held keeps it after the release", () => {
  const result = new ShownResult();
  result.hold(settled);
  result.leave(settled, 1);
  const left = without(settled, 1);
  assert.deepEqual(hands(result.viewOf(left)), hands(settled));
  result.release();
  assert.deepEqual(hands(result.viewOf(left)), hands(settled));
  // The held result is older than the result of the table.
  const next = { ...left, round: { ...left.round, round: 8 } };
  result.hold(settled);
  result.leave(next, 3);
  result.release();
  assert.deepEqual(hands(result.viewOf(without(next, 3))), hands(next));
  // A round without a result has nothing to keep.
  const wagers = { ...settled, phase: "wagers", round: { round: 9 } };
  result.hold(settled);
  result.leave(wagers, 1);
  result.release();
  assert.deepEqual(hands(result.viewOf(without(wagers, 1))), hands(without(wagers, 1)));
});

test("a dismissed or void result is not brought back by a player who stands up", () => {
  const result = new ShownResult();
  result.dismiss(settled);
  result.leave(settled, 2);
  assert.equal(result.isShown({ ...without(settled, 2), phase: "waiting" }), false);
  const voided = new ShownResult();
  voided.leave(settled, 1);
  voided.forget();
  assert.deepEqual(hands(voided.viewOf(without(settled, 1))), hands(without(settled, 1)));
});
