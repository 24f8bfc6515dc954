import assert from "node:assert/strict";
import { test } from "node:test";
import { chosen, figureName } from "../figures/names.js";
import { fits } from "../rules/find.js";

test("a figure's id is said in words", () => {
  assert.equal(figureName("EZ-6/return/flush/table-4"), "Return · Flush · table 4");
  assert.equal(figureName("SD-7/table-1/no-envy"), "Table 1 · edge without envy");
  assert.equal(figureName("WA-6/hit-frequency/table-01"), "Hit frequency · table 1");
  assert.equal(figureName("EZ-6/edge/1-player/table-2"), "Edge · 1 player · table 2");
  assert.equal(figureName("EZ-8/5-cards/return-with-stake"), "5 cards · return, the wager included");
});

test("figures are chosen by document, status and words", () => {
  const figure = (id, source, status) => ({ id, source, status, place: "step 4", note: null, published: "1%" });
  const all = [figure("EZ-6/return/flush/table-4", "EZ", "matches"), figure("EZ-6/edge/1-player/table-2", "EZ", "misprint"), figure("SD-7/table-1/no-envy", "SD", "matches")];
  assert.equal(chosen(all, { source: "", status: "", find: "" }).length, 3);
  assert.deepEqual(chosen(all, { source: "EZ", status: "misprint", find: "" }), [all[1]]);
  assert.deepEqual(chosen(all, { source: "", status: "", find: "FLUSH table" }), [all[0]]);
  assert.deepEqual(chosen(all, { source: "SD", status: "misprint", find: "" }), []);
});

test("rules are found by their words, and by being assumed", () => {
  const wish = (find, assumed = false) => ({ find, assumed });
  const cited = { cite: "SD-2", assumed: false };
  assert.equal(fits(["joker", "The joker is an ace."], cited, wish("ACE joker")), true);
  assert.equal(fits(["joker", "The joker is an ace."], cited, wish("sd-2")), true);
  assert.equal(fits(["joker", "The joker is an ace."], cited, wish("king")), false);
  assert.equal(fits(["joker", "The joker is an ace."], cited, wish("", true)), false);
  assert.equal(fits(["joker", "The joker is an ace."], { cite: "Assumed : it is so", assumed: true }, wish("", true)), true);
  assert.equal(fits(["joker", "The joker is an ace."], { cite: "assumed: not by the library", assumed: false }, wish("", true)), false);
});
