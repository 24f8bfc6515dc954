import assert from "node:assert/strict";
import { test } from "node:test";
import { figureName, filterFigures } from "../figures/names.js";
import { matchesFilter } from "../rules/find.js";

test("names figures by their ids", () => {
  assert.equal(figureName("EZ-6/return/flush/table-4"), "Return · Flush · table 4");
  assert.equal(figureName("SD-7/table-1/no-envy"), "Table 1 · edge without envy");
  assert.equal(figureName("WA-6/hit-frequency/table-01"), "Hit frequency · table 1");
  assert.equal(figureName("EZ-6/edge/1-player/table-2"), "Edge · 1 player · table 2");
  assert.equal(figureName("EZ-8/5-cards/return-with-stake"), "5 cards · return, the wager included");
});

test("filters figures by document, status and words", () => {
  const figure = (id, source, status) => ({ id, source, status, place: "step 4", note: null, published: "1%" });
  const all = [figure("EZ-6/return/flush/table-4", "EZ", "matches"), figure("EZ-6/edge/1-player/table-2", "EZ", "misprint"), figure("SD-7/table-1/no-envy", "SD", "matches")];
  assert.equal(filterFigures(all, { source: "", status: "", find: "" }).length, 3);
  assert.deepEqual(filterFigures(all, { source: "EZ", status: "misprint", find: "" }), [all[1]]);
  assert.deepEqual(filterFigures(all, { source: "", status: "", find: "FLUSH table" }), [all[0]]);
  assert.deepEqual(filterFigures(all, { source: "SD", status: "misprint", find: "" }), []);
});

test("filters rules by words and by kind", () => {
  const filter = (find, assumed = false) => ({ find, assumed });
  const cited = { cite: "SD-2", assumed: false };
  assert.equal(matchesFilter(["joker", "The joker is an ace."], cited, filter("ACE joker")), true);
  assert.equal(matchesFilter(["joker", "The joker is an ace."], cited, filter("sd-2")), true);
  assert.equal(matchesFilter(["joker", "The joker is an ace."], cited, filter("king")), false);
  assert.equal(matchesFilter(["joker", "The joker is an ace."], cited, filter("", true)), false);
  assert.equal(matchesFilter(["joker", "The joker is an ace."], { cite: "Assumed : it is so", assumed: true }, filter("", true)), true);
  assert.equal(matchesFilter(["joker", "The joker is an ace."], { cite: "assumed: not by the library", assumed: false }, filter("", true)), false);
});
