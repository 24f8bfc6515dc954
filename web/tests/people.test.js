import assert from "node:assert/strict";
import { test } from "node:test";
import { nameOf } from "../table/people.js";

test("removes the bot suffix; unknown players have no name", () => {
  const people = { a: { name: "Ada (bot)", bot: true }, g: { name: "Guest 0460", bot: false } };
  assert.deepEqual([nameOf(people, "a"), nameOf(people, "g"), nameOf(people, "x")], ["Ada", "Guest 0460", undefined]);
});
