import assert from "node:assert/strict";
import { test } from "node:test";
import * as stakes from "../table/stakes.js";

const base = { wager: "pai-gow", title: "Pai Gow", min_cents: 500, max_cents: 2000, color: false };
const color = { wager: "red-black", title: "Red/Black", min_cents: 100, max_cents: 5000, color: true };
const all = [base, color];

test("chips add up to at most the wager maximum", () => {
  const one = stakes.add({}, base, 500);
  assert.deepEqual(one, { "pai-gow": { cents: 500, color: null } });
  assert.equal(stakes.add(one, base, 10_000)["pai-gow"].cents, 2000);
  assert.equal(stakes.add({}, color, 100)["red-black"].color, null);
  assert.equal(stakes.doubled(stakes.add(one, base, 700), all)["pai-gow"].cents, 2000);
  assert.equal(stakes.total(stakes.add(one, color, 100)), 600);
  assert.deepEqual(stakes.without(one, "pai-gow"), {});
});

test("finds rule violations before sending", () => {
  const found = (draft, available = 100_000) => stakes.faults(draft, all, available).map(({ wager, fault }) => `${wager} ${fault}`);
  assert.deepEqual(found({}), []);
  assert.deepEqual(found({ "pai-gow": { cents: 500, color: null } }), []);
  assert.deepEqual(found({ "pai-gow": { cents: 100, color: null } }), ["pai-gow low"]);
  assert.deepEqual(found({ "pai-gow": { cents: 500, color: null } }, 499), ["pai-gow funds"]);
  assert.deepEqual(found({ "red-black": { cents: 9000, color: null } }), ["pai-gow base", "red-black high", "red-black color"]);
});

test("compares stakes and converts them to a command", () => {
  const draft = stakes.add(stakes.add({ "red-black": { cents: 0, color: "red" } }, base, 500), color, 100);
  assert.ok(stakes.same(draft, structuredClone(draft)));
  assert.ok(!stakes.same(draft, stakes.without(draft, "red-black")));
  assert.deepEqual(stakes.asCommand(draft), [{ wager: "red-black", cents: 100, color: "red" }, { wager: "pai-gow", cents: 500 }]);
});
