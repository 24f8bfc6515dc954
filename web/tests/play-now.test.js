import assert from "node:assert/strict";
import { test } from "node:test";
import { friendlyTable, seatedAt } from "../lobby/play-now.js";
import { playersSeated, tableFacts } from "../lobby/table-facts.js";

const table = (name, more = {}) => ({
  table: name, opened_by_player: false, bots: 4, taken: {}, wagers: {}, terms: { banker: "banker" }, seats_bank: false, commission_basis_points: 500, collection: false,
  paused: false, closing: false, rules_changed: false, ...more,
});

test("Play now prefers a practice table without commission", () => {
  assert.equal(friendlyTable([table("five"), table("free", { commission_basis_points: 0 })])?.table, "free");
  assert.equal(friendlyTable([table("fee", { commission_basis_points: 0, collection: true }), table("free", { commission_basis_points: 0 })])?.table, "free");
  assert.equal(friendlyTable([table("one"), table("two")])?.table, "one");
});

for (const [name, more] of [
  ["where players bank", { seats_bank: true }],
  ["of a player", { opened_by_player: true }],
  ["without bots", { bots: 0 }],
  ["that is paused", { paused: true }],
  ["that closes", { closing: true }],
  ["with changed rules", { rules_changed: true }],
]) {
  test(`Play now never chooses a table ${name}`, () => {
    assert.equal(friendlyTable([table("other", { commission_basis_points: 0, ...more })]), null);
    assert.equal(friendlyTable([table("other", { commission_basis_points: 0, ...more }), table("five")])?.table, "five");
  });
}

test("a player with a seat returns to it", () => {
  const tables = [table("one", { taken: { 1: "bot-1-one" } }), table("two", { taken: { 3: "guest-a" } })];
  assert.equal(seatedAt(tables, "guest-a")?.table, "two");
  assert.equal(seatedAt(tables, "guest-b"), null);
  assert.equal(seatedAt(tables, undefined), null);
});

test("players are counted once, and bots are not counted", () => {
  assert.equal(playersSeated([table("one", { taken: { 1: "bot-1-one", 2: "guest-a" } }), table("two", { taken: { 1: "guest-a", 2: "guest-b" } })]), 2);
});

for (const [expected, more] of [
  ["Commission-free, four side bets", { commission_basis_points: 0, wagers: { a: "1", b: "1", c: "1", d: "1" } }],
  ["5% commission, one side bet", { wagers: { a: "1" } }],
  ["5% commission, no side bets", {}],
  ["2.5% commission, no side bets", { commission_basis_points: 250 }],
  ["5% commission, player banking", { seats_bank: true, wagers: { a: "1" } }],
  ["Collection fee, rotating player/dealer", { commission_basis_points: 0, collection: true, seats_bank: true, terms: { banker: "player/dealer" } }],
]) {
  test(`facts of a table: ${expected}`, () => assert.equal(tableFacts(table("one", more)), expected));
}
