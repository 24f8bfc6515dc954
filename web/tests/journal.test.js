import assert from "node:assert/strict";
import { test } from "node:test";
import { applyTransfers, emptyJournal } from "../journal.js";

const transfer = (sequence, from, to, cents, table = null, round = null) => ({ place: sequence, from, to, cents, currency: "PRACTICE", table, round });
const me = "player:g1";

test("a round spans its first to its last transfer", () => {
  const state = emptyJournal();
  applyTransfers(state, [
    transfer(3, "issuer", me, 100_000),
    transfer(5, me, "escrow:t1", 2_500, "t1", 1),
    transfer(6, me, "escrow:t1", 500, "t1", 1),
    transfer(9, "escrow:t1", me, 2_500, "t1", 1),
    transfer(10, "house:t1", me, 2_375, "t1", 1),
    transfer(12, me, "escrow:t1", 1_000, "t1", 2),
  ], "g1");
  assert.deepEqual(state.rounds.get("t1 1"), { before: 100_000, after: 101_875 });
  assert.deepEqual(state.rounds.get("t1 2"), { before: 101_875, after: 100_875 });
  assert.deepEqual([state.cents.PRACTICE, state.after], [100_875, 12]);
});

test("continues across reads and keeps rounds of different tables apart", () => {
  const state = emptyJournal();
  applyTransfers(state, [transfer(1, "issuer", me, 10_000), transfer(2, me, "escrow:t1", 1_000, "t1", 7)], "g1");
  applyTransfers(state, [transfer(4, me, "escrow:t2", 3_000, "t2", 1), transfer(6, "escrow:t1", me, 1_000, "t1", 7), transfer(7, "escrow:t2", me, 3_000, "t2", 1)], "g1");
  assert.deepEqual(state.rounds.get("t1 7"), { before: 10_000, after: 7_000 });
  assert.deepEqual(state.rounds.get("t2 1"), { before: 9_000, after: 10_000 });
});

test("keeps currencies apart", () => {
  const state = emptyJournal();
  applyTransfers(state, [transfer(1, "issuer", me, 10_000), { ...transfer(2, "issuer", me, 77), currency: "TOKENS" }], "g1");
  assert.deepEqual(state.cents, { PRACTICE: 10_000, TOKENS: 77 });
});
