import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdits, byField, change, changesText, readChanges, requestRows } from "../odds/edits.js";

const ROWS = [{ hand: "four_of_a_kind", pays: 25, envy_cents: 500 }, { hand: "flush", pays: 4, envy_cents: null }, { cards: 7, pays: 50, envy_cents: null }];

test("applies edits to the printed paytable", () => {
  const edits = { pays: { flush: 5, "7_cards": 0 }, envy: { four_of_a_kind: 0, flush: 250 } };
  assert.deepEqual(applyEdits(ROWS, edits), [{ hand: "four_of_a_kind", pays: 25, envy_cents: null }, { hand: "flush", pays: 5, envy_cents: 250 }, { cards: 7, pays: 0, envy_cents: null }]);
  assert.deepEqual(requestRows(ROWS)[2], { hand: undefined, cards: 7, pays: 50, envy_cents: undefined, intended: true });
});

test("a change back to the printed value is removed", () => {
  assert.deepEqual(change({ flush: 5 }, "flush", 4, 4), {});
  assert.deepEqual(change({}, "flush", 6, 4), { flush: 6 });
});

test("changes round-trip through the address", () => {
  const changes = { four_of_a_kind: 30, "7_cards": 100 };
  assert.equal(changesText(changes), "four_of_a_kind-30.7_cards-100");
  assert.deepEqual(readChanges(changesText(changes), ROWS), changes);
  assert.deepEqual(readChanges("nothing-3.flush-x.flush-1e3.flush-7", ROWS), { flush: 7 });
  assert.deepEqual(readChanges(null, ROWS), {});
});

test("assigns faults to fields", () => {
  const fault = (at) => ({ code: "bad", at, message: at ?? "" });
  assert.deepEqual(byField([fault("rows.1.pays"), fault("rows.0.envy_cents"), fault("stake_cents"), fault("payout_max_cents")], ROWS).fields,
    { "pay-flush": "rows.1.pays", "envy-four_of_a_kind": "rows.0.envy_cents", stake: "stake_cents", max: "payout_max_cents" });
  assert.deepEqual(byField([fault("rows"), fault(undefined), fault("rows.9.pays")], ROWS), { fields: {}, others: ["rows", "", "rows.9.pays"] });
});
