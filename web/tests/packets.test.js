import assert from "node:assert/strict";
import { test } from "node:test";
import { packetsOf } from "../fair/packets.js";

// The cases are those of the rules library's tests of dealing (EZ-10, CA-5): the places in the order of the packets.
const EZ = { seats: 6, dealerHand: true, dealing: { first: "dice", order: "counter_clockwise", spots: "every", dealer_hand: "in_order", action_pile: false } };
const CALIFORNIA = { seats: 7, dealerHand: false, dealing: { first: "dice", order: "counter_clockwise", spots: "every", dealer_hand: "none", action_pile: true } };
const with_ = (rules, dealing) => ({ ...rules, dealing: { ...rules.dealing, ...dealing } });

/** Who has the first packet, the second and so on; a packet that is discarded is a dash. */
function dealt(rules, playing, dice, { pile = null, banker = null } = {}) {
  const packets = packetsOf(rules, { dice, pile, playing, banker });
  if (!packets) return null;
  const places = Array.from({ length: 7 }, () => "-");
  for (const [place, packet] of packets) places[packet] = place === "dealer" ? "D" : String(place);
  return places.join(" ");
}

const ALL = [1, 2, 3, 4, 5, 6];

test("the dice choose the first place, and dealing goes counter-clockwise (EZ-10)", () => {
  const expected = ["1 D 6 5 4 3 2", "2 1 D 6 5 4 3", "3 2 1 D 6 5 4", "4 3 2 1 D 6 5", "5 4 3 2 1 D 6", "6 5 4 3 2 1 D", "D 6 5 4 3 2 1"];
  expected.forEach((text, place) => assert.equal(dealt(EZ, ALL, place + 1), text));
});

test("the dealer is dealt second, or last, where the rules say so", () => {
  const second = with_(EZ, { dealer_hand: "after_first_seat" });
  assert.equal(dealt(second, ALL, 1), "1 D 6 5 4 3 2");
  assert.equal(dealt(second, ALL, 6), "6 D 5 4 3 2 1");
  assert.equal(dealt(second, ALL, 7), "D 6 5 4 3 2 1");
  assert.equal(dealt(with_(second, { spots: "active" }), [3, 5], 6), "5 D 3 - - - -");
  const last = with_(EZ, { dealer_hand: "last" });
  assert.equal(dealt(last, ALL, 3), "3 2 1 6 5 4 D");
  assert.equal(dealt(last, ALL, 7), "D 6 5 4 3 2 1");
});

test("every spot gets a packet, and those without a wager are discarded", () => {
  assert.equal(dealt(EZ, [3, 5], 3), "3 - - D - 5 -");
  assert.equal(dealt(EZ, [3, 5], 4), "- 3 - - D - 5");
  assert.equal(dealt(EZ, [3, 5], 7), "D - 5 - 3 - -");
  assert.equal(dealt(EZ, [2], 1), "- D - - - - 2");
});

test("only spots with a wager get a packet, where the rules say so (EZ-10, step 8b)", () => {
  const active = with_(EZ, { spots: "active" });
  assert.equal(dealt(active, ALL, 3), "3 2 1 D 6 5 4");
  const expected = { 1: "5 3 D - - - -", 3: "3 D 5 - - - -", 4: "3 D 5 - - - -", 6: "5 3 D - - - -", 7: "D 5 3 - - - -" };
  for (const [dice, text] of Object.entries(expected)) assert.equal(dealt(active, [3, 5], Number(dice)), text, dice);
  assert.equal(dealt(active, [2], 1), "2 D - - - - -");
});

test("dealing goes clockwise where the rules say so", () => {
  const clockwise = with_(EZ, { order: "clockwise" });
  assert.equal(dealt(clockwise, ALL, 3), "3 4 5 6 D 1 2");
  assert.equal(dealt(clockwise, ALL, 7), "D 1 2 3 4 5 6");
});

test("the first hand may be the banker's", () => {
  const banker = with_(EZ, { first: "banker" });
  assert.equal(dealt(banker, ALL, 3), "D 6 5 4 3 2 1");
  assert.equal(dealt(banker, [1, 2, 4], 1, { banker: 4 }), "4 - 2 1 D - -");
});

test("the action pile goes to the seat the dice choose (CA-5)", () => {
  const all = [1, 2, 3, 4, 5, 6, 7];
  const expected = [[5, null, "5 4 3 2 1 7 6"], [5, 1, "5 4 3 2 1 7 6"], [5, 3, "7 6 5 4 3 2 1"], [5, 7, "4 3 2 1 7 6 5"], [1, 1, "1 7 6 5 4 3 2"], [2, 2, "3 2 1 7 6 5 4"]];
  for (const [dice, pile, text] of expected) assert.equal(dealt(CALIFORNIA, all, dice, { pile, banker: 2 }), text, `${dice} ${pile}`);
  assert.equal(dealt(CALIFORNIA, [2, 7], 5, { pile: 3, banker: 2 }), "7 - - - - 2 -");
  assert.equal(dealt(with_(CALIFORNIA, { spots: "active" }), [1, 2, 7], 5, { pile: 3, banker: 2 }), "1 7 2 - - - -");
});

test("dice and piles that cannot be give no deal", () => {
  for (const dice of [0, 8, 255, 1.5]) assert.equal(dealt(EZ, [1], dice), null, String(dice));
  assert.equal(dealt(CALIFORNIA, [1], 8), null);
  assert.equal(dealt(EZ, [], 1), null);
  assert.equal(dealt(EZ, [1], 1, { pile: 1 }), null);
  for (const pile of [0, 8]) assert.equal(dealt(CALIFORNIA, [1, 2], 5, { pile }), null, String(pile));
  assert.equal(dealt(with_(CALIFORNIA, { spots: "active" }), [1, 2, 7], 5, { pile: 4 }), null);
});
