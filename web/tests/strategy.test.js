import assert from "node:assert/strict";
import { test } from "node:test";
import { lineParts } from "../strategy/line.js";
import { PAPERS, largest, paperFor } from "../strategy/paper.js";

test("a line has a condition and an instruction", () => {
  assert.deepEqual(lineParts("Two pairs, aces: keep both pairs in the high hand."), { when: "Two pairs, aces", then: "keep both pairs in the high hand." });
  assert.deepEqual(lineParts("Set it so."), { when: "", then: "Set it so." });
});

test("the type is as large as the paper allows, and never too small to read", () => {
  const [a6, a4] = PAPERS;
  assert.deepEqual([a6.min, a4.min], [6.5, 9]);
  assert.equal(largest(a6, (points) => points <= 7.3), 7.25);
  assert.equal(largest(a6, () => true), a6.max);
  assert.equal(largest(a6, (points) => points <= 6.5), 6.5);
  assert.equal(largest(a6, (points) => points < 6.5), null);
});

test("a card that does not fit on the chosen paper is printed on a larger one", () => {
  const type = { points: 9, dense: false };
  assert.equal(paperFor("a6", { a6: type, a4: type }), "a6");
  assert.equal(paperFor("a4", { a6: type, a4: type }), "a4");
  assert.equal(paperFor("a6", { a6: null, a4: type }), "a4");
  assert.equal(paperFor("a6", { a6: null, a4: null }), "a4");
});
