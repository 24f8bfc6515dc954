import assert from "node:assert/strict";
import { test } from "node:test";
import { packetsOf } from "../fair/packets.js";

// The same cases as the dealing tests of the rules crate (EZ-10, CA-5): the packet owners in the order of the packets.
const EZ = { seats: 6, dealerHand: true, dealing: { first: "dice", order: "counter_clockwise", spots: "every", dealer_hand: "in_order", action_pile: false } };
const CALIFORNIA = { seats: 7, dealerHand: false, dealing: { first: "dice", order: "counter_clockwise", spots: "every", dealer_hand: "none", action_pile: true } };
const withDealing = (rules, dealing) => ({ ...rules, dealing: { ...rules.dealing, ...dealing } });

/** Returns the owners of the packets in order, with a dash for a discarded packet. */
function dealt(rules, playing, dice, { pile = null, banker = null } = {}) {
  const packets = packetsOf(rules, { dice, pile, playing, banker });
  if (!packets) return null;
  const owners = Array.from({ length: 7 }, () => "-");
  for (const [owner, packet] of packets) owners[packet] = owner === "dealer" ? "D" : String(owner);
  return owners.join(" ");
}

const ALL = [1, 2, 3, 4, 5, 6];

test("dice choose the first packet, dealing is counter-clockwise (EZ-10)", () => {
  const expected = ["1 D 6 5 4 3 2", "2 1 D 6 5 4 3", "3 2 1 D 6 5 4", "4 3 2 1 D 6 5", "5 4 3 2 1 D 6", "6 5 4 3 2 1 D", "D 6 5 4 3 2 1"];
  expected.forEach((text, index) => assert.equal(dealt(EZ, ALL, index + 1), text));
});

test("dealer is dealt second or last if the rules require it", () => {
  const second = withDealing(EZ, { dealer_hand: "after_first_seat" });
  assert.equal(dealt(second, ALL, 1), "1 D 6 5 4 3 2");
  assert.equal(dealt(second, ALL, 6), "6 D 5 4 3 2 1");
  assert.equal(dealt(second, ALL, 7), "D 6 5 4 3 2 1");
  assert.equal(dealt(withDealing(second, { spots: "active" }), [3, 5], 6), "5 D 3 - - - -");
  const last = withDealing(EZ, { dealer_hand: "last" });
  assert.equal(dealt(last, ALL, 3), "3 2 1 6 5 4 D");
  assert.equal(dealt(last, ALL, 7), "D 6 5 4 3 2 1");
});

test("every spot gets a packet; packets without a wager are discarded", () => {
  assert.equal(dealt(EZ, [3, 5], 3), "3 - - D - 5 -");
  assert.equal(dealt(EZ, [3, 5], 4), "- 3 - - D - 5");
  assert.equal(dealt(EZ, [3, 5], 7), "D - 5 - 3 - -");
  assert.equal(dealt(EZ, [2], 1), "- D - - - - 2");
});

test("only spots with a wager get a packet if the rules require it (EZ-10, step 8b)", () => {
  const active = withDealing(EZ, { spots: "active" });
  assert.equal(dealt(active, ALL, 3), "3 2 1 D 6 5 4");
  const expected = { 1: "5 3 D - - - -", 3: "3 D 5 - - - -", 4: "3 D 5 - - - -", 6: "5 3 D - - - -", 7: "D 5 3 - - - -" };
  for (const [dice, text] of Object.entries(expected)) assert.equal(dealt(active, [3, 5], Number(dice)), text, dice);
  assert.equal(dealt(active, [2], 1), "2 D - - - - -");
});

test("clockwise dealing", () => {
  const clockwise = withDealing(EZ, { order: "clockwise" });
  assert.equal(dealt(clockwise, ALL, 3), "3 4 5 6 D 1 2");
  assert.equal(dealt(clockwise, ALL, 7), "D 1 2 3 4 5 6");
});

test("first packet goes to the banker", () => {
  const banker = withDealing(EZ, { first: "banker" });
  assert.equal(dealt(banker, ALL, 3), "D 6 5 4 3 2 1");
  assert.equal(dealt(banker, [1, 2, 4], 1, { banker: 4 }), "4 - 2 1 D - -");
});

test("action pile goes to the seat chosen by the dice (CA-5)", () => {
  const all = [1, 2, 3, 4, 5, 6, 7];
  const expected = [[5, null, "5 4 3 2 1 7 6"], [5, 1, "5 4 3 2 1 7 6"], [5, 3, "7 6 5 4 3 2 1"], [5, 7, "4 3 2 1 7 6 5"], [1, 1, "1 7 6 5 4 3 2"], [2, 2, "3 2 1 7 6 5 4"]];
  for (const [dice, pile, text] of expected) assert.equal(dealt(CALIFORNIA, all, dice, { pile, banker: 2 }), text, `${dice} ${pile}`);
  assert.equal(dealt(CALIFORNIA, [2, 7], 5, { pile: 3, banker: 2 }), "7 - - - - 2 -");
  assert.equal(dealt(withDealing(CALIFORNIA, { spots: "active" }), [1, 2, 7], 5, { pile: 3, banker: 2 }), "1 7 2 - - - -");
});

test("invalid dice and piles return null", () => {
  for (const dice of [0, 8, 255, 1.5]) assert.equal(dealt(EZ, [1], dice), null, String(dice));
  assert.equal(dealt(CALIFORNIA, [1], 8), null);
  assert.equal(dealt(EZ, [], 1), null);
  assert.equal(dealt(EZ, [1], 1, { pile: 1 }), null);
  for (const pile of [0, 8]) assert.equal(dealt(CALIFORNIA, [1, 2], 5, { pile }), null, String(pile));
  assert.equal(dealt(withDealing(CALIFORNIA, { spots: "active" }), [1, 2, 7], 5, { pile: 4 }), null);
});
