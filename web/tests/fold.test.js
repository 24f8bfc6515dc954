import assert from "node:assert/strict";
import { test } from "node:test";
import { OpenSections } from "../study/fold.js";
import { words } from "../words/en.js";

test("sections are closed except the first", () => {
  const sections = new OpenSections("first");
  assert.deepEqual(["first", "second"].map((id) => sections.isOpen(id)), [true, false]);
  assert.equal(sections.set("second", true), true);
  assert.equal(sections.set("second", true), false, "no change");
  assert.equal(sections.set("first", false), true);
  assert.deepEqual(["first", "second"].map((id) => sections.isOpen(id)), [false, true]);
});

test("a search opens all sections and restores them afterwards", () => {
  const sections = new OpenSections("first");
  sections.search(true);
  assert.deepEqual(["first", "second"].map((id) => sections.isOpen(id)), [true, true]);
  sections.set("second", false);
  assert.equal(sections.isOpen("second"), false);
  sections.search(true);
  assert.equal(sections.isOpen("second"), true, "another search opens it again");
  sections.search(false);
  assert.deepEqual(["first", "second"].map((id) => sections.isOpen(id)), [true, false]);
});

test("the number of matches is a sentence", () => {
  assert.equal(words.study.found(0, 0), "Nothing found.");
  assert.equal(words.study.found(1, 1), "1 match in 1 section.");
  assert.equal(words.study.found(12, 3), "12 matches in 3 sections.");
});
