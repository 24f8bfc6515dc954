import assert from "node:assert/strict";
import { test } from "node:test";
import { framesOf } from "../table/frames.js";
import { OVER, actingSeat, canSit, envyButton, isViewerTurn, netOf, progressOf, stepsDone } from "../table/model.js";

const button = { seat: 2, wager: "fortune" };
const step = (part, first_line, lines, buttons, net) => ({ part, who: "seat-2", first_line, lines, offset_ms: 1000 * (first_line + 1), buttons, unreconciled: [], net_cents: { 2: net }, house_cents: -net });
const steps = [step("base", 0, 1, [button], 2_500), step("bonus", 1, 1, [button], 2_000), step("envy", 2, 1, [], 2_500)];
const seat = (number, rest = {}) => ({ seat: number, player: "p1", out: false, leaving: false, ready: false, wagers: {}, hand: null, ...rest });
const wagers = { "pai-gow": { cents: 2_500, color: null, button: false }, fortune: { cents: 500, color: null, button: true } };
const facts = { seats: 6, hands_per_player: 2, dealer_hand: true, wagers: [{ wager: "pai-gow", envy_button: null }, { wager: "fortune", envy_button: "Envy lammer" }] };
const round = { round: 1, lines: [{}, {}, {}], net_cents: { 2: 2_500 }, settled_at: 10_000, steps, bank: null };
const view = { player: "p1", you: 2, yours: [2], phase: "between", closing: false, closed: false, facts, seats: [seat(2, { wagers })], round };

test("settlement steps follow the server's clock", () => {
  assert.deepEqual([9_000, 10_999, 11_000, 12_500, 13_000, 99_000].map((now) => stepsDone(round, now)), [0, 0, 1, 2, 3, 3]);
  assert.equal(stepsDone(null, 5), 0);
});

test("progress limits lines and net results to the steps done", () => {
  assert.deepEqual([0, 1, 2, 3].map((done) => progressOf(round, done).lines), [0, 1, 2, Infinity]);
  assert.deepEqual([0, 1, 2, 3].map((done) => netOf(view, 2, progressOf(round, done))), [undefined, 2_500, 2_000, 2_500]);
  assert.equal(progressOf({ ...round, steps: undefined }, 0), OVER, "lines without steps are shown at once");
});

test("envy lammer stays until all wagers are reconciled", () => {
  const wagering = { ...view, phase: "wagers", round: { ...round, lines: undefined, steps: undefined } };
  assert.equal(envyButton(wagering, wagering.seats[0], OVER), "Envy lammer");
  assert.deepEqual([0, 1, 2, 3].map((done) => envyButton(view, view.seats[0], progressOf(round, done))), ["Envy lammer", "Envy lammer", "Envy lammer", null]);
  assert.equal(envyButton(wagering, seat(2, { wagers: { fortune: { cents: 100, color: null, button: false } } }), OVER), null);
});

test("replay has a frame for every step", () => {
  const before = { ...view, phase: "settings", round: { ...round, lines: undefined, steps: undefined, net_cents: null } };
  const settled = { event: "settled", secret: "s", settlement: round.lines, settled_at: 10_000, steps, until: 20_000, hands: {}, dealer: null, net_cents: round.net_cents, last_bank: null };
  const frames = framesOf(before, [settled, { event: "leaving", seat: 2 }]);
  assert.deepEqual(frames.map(({ progress }) => progress.lines), [Infinity, 0, 1, 2, Infinity, Infinity]);
  assert.deepEqual(frames.map(({ step: done }) => done?.part ?? null), [null, null, "base", "bonus", "envy", null]);
});

test("acting seat is a seat that must act", () => {
  const hand = (set) => ({ cards: null, low: null, high: null, foul: null, set, by: null });
  const two = { ...view, yours: [2, 4], phase: "settings", seats: [seat(2, { hand: hand(true) }), seat(4, { hand: hand(false) })] };
  assert.equal(actingSeat(two, 2), 4, "seat 2 is set");
  assert.equal(actingSeat({ ...two, seats: [seat(2, { hand: hand(false) }), seat(4, { hand: hand(false) })] }, 4), 4, "the chosen seat stays");
  assert.equal(actingSeat({ ...two, seats: [seat(2, { hand: hand(true) }), seat(4, { hand: hand(true) })] }, 4), 4);
  assert.equal(actingSeat({ ...two, yours: [] }, 4), null);
  assert.equal(isViewerTurn(two), true);
  assert.equal(isViewerTurn({ ...two, phase: "wagers", round: { ...round, bank: { seat: 2 } }, seats: [seat(2, { ready: true }), seat(4)] }), false, "other seats of the banker wait");
  assert.deepEqual([canSit(two), canSit({ ...two, yours: [2] }), canSit({ ...two, yours: [], closing: true })], [false, true, false]);
});
