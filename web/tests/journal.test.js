import assert from "node:assert/strict";
import { test } from "node:test";
import { follow, nothing } from "../journal.js";

const moved = (place, from, to, cents, table = null, round = null) => ({ place, from, to, cents, currency: "PRACTICE", table, round });
const me = "player:g1";

test("a round's balances are those before its first movement and after its last", () => {
  const followed = nothing();
  follow(followed, [
    moved(3, "issuer", me, 100_000),
    moved(5, me, "escrow:t1", 2_500, "t1", 1),
    moved(6, me, "escrow:t1", 500, "t1", 1),
    moved(9, "escrow:t1", me, 2_500, "t1", 1),
    moved(10, "house:t1", me, 2_375, "t1", 1),
    moved(12, me, "escrow:t1", 1_000, "t1", 2),
  ], "g1");
  assert.deepEqual(followed.rounds.get("t1 1"), { before: 100_000, after: 101_875 });
  assert.deepEqual(followed.rounds.get("t1 2"), { before: 101_875, after: 100_875 });
  assert.deepEqual([followed.cents.PRACTICE, followed.place], [100_875, 12]);
});

test("reading on goes on where it was left, and other tables' money is not a round's", () => {
  const followed = nothing();
  follow(followed, [moved(1, "issuer", me, 10_000), moved(2, me, "escrow:t1", 1_000, "t1", 7)], "g1");
  follow(followed, [moved(4, me, "escrow:t2", 3_000, "t2", 1), moved(6, "escrow:t1", me, 1_000, "t1", 7), moved(7, "escrow:t2", me, 3_000, "t2", 1)], "g1");
  assert.deepEqual(followed.rounds.get("t1 7"), { before: 10_000, after: 7_000 });
  assert.deepEqual(followed.rounds.get("t2 1"), { before: 9_000, after: 10_000 });
});

test("currencies do not mix", () => {
  const followed = nothing();
  follow(followed, [moved(1, "issuer", me, 10_000), { ...moved(2, "issuer", me, 77), currency: "TOKENS" }], "g1");
  assert.deepEqual(followed.cents, { PRACTICE: 10_000, TOKENS: 77 });
});
