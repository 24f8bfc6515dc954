import assert from "node:assert/strict";
import { test } from "node:test";
import { houseWayChoice, houseWayChoices } from "../rules/house-way-choice.js";

const rules = (title, way, kind) => ({ title, house_way: { title: way }, values: [{ value: "base_game.copies", kind: "fixed" }, { value: "house_way.way", kind }] });
const [option, assumed, fixed] = [rules("EZ Pai Gow", "Foxwoods", "option"), rules("Washington: Fortune", "Foxwoods", "assumed"), rules("South Beach Casino: Fortune", "South Beach Casino", "fixed")];

test("a house way that the book does not prescribe is chosen for practice", () => {
  for (const book of [option, assumed]) assert.match(houseWayChoice(book), /^The book prescribes no house way\. The house way of Foxwoods is a published one, chosen here for practice\.$/);
  assert.match(houseWayChoice(fixed), /prescribes this house way/);
});

test("books with the same house way share a sentence", () => {
  assert.equal(houseWayChoices([option, assumed, fixed]),
    "EZ Pai Gow and Washington prescribe no house way. Their tables use the house way of Foxwoods, a published one chosen for practice. South Beach Casino prescribes its own house way.");
  assert.equal(houseWayChoices([option]), "EZ Pai Gow prescribes no house way. Its tables use the house way of Foxwoods, a published one chosen for practice.");
  assert.equal(houseWayChoices([]), "");
});
