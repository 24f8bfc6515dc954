import assert from "node:assert/strict";
import { test } from "node:test";
import { isSameAction } from "../table/click-series.js";
import { alt, goButton } from "../table/rail-parts.js";

/** Clicks a button, and returns whether its default action was prevented. */
function click({ props }, detail) {
  let prevented = false;
  props.onclick({ detail, preventDefault: () => { prevented = true; } });
  return prevented;
}

test("the second click of a double click acts only if the button still does the same", () => {
  const acted = [];
  const button = (label, text = "") => goButton(label, text, () => acted.push(label));
  assert.equal(click(button("Sit down", "at seat 1"), 1), false);
  assert.equal(click(button("Next hand"), 2), true);
  assert.equal(click(button("Next hand"), 3), true);
  assert.equal(click(button("Next hand"), 1), false);
  assert.deepEqual(acted, ["Sit down", "Next hand"]);

  acted.length = 0;
  const second = (label) => alt(label, "", () => acted.push(label));
  for (const [label, detail] of [["Turn all", 1], ["House way", 2], ["House way", 1], ["Undo", 1], ["Undo", 2], ["Undo", 3]]) click(second(label), detail);
  assert.deepEqual(acted, ["Turn all", "House way", "Undo", "Undo", "Undo"]);
});

test("keys and screen readers act on every button", () => {
  const acted = [];
  click(goButton("Deal", "", () => acted.push("deal")), 1);
  click(goButton("Set hand", "", null, { keyAction: () => acted.push("turn all") }), 0);
  click(goButton("Set hand", "", () => acted.push("set")), 0);
  assert.deepEqual(acted, ["deal", "turn all", "set"]);
});

test("a card that a click turns does not move with the second click", () => {
  const event = (detail) => ({ detail, preventDefault() {} });
  assert.ok(isSameAction(event(1), "turn"));
  assert.ok(!isSameAction(event(2), "move"));
  assert.ok(isSameAction(event(1), "move"));
  assert.ok(isSameAction(event(2), "move"));
});
