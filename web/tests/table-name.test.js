import assert from "node:assert/strict";
import { test } from "node:test";
import { tableName } from "../study/table-name.js";

const title = "South Dakota: Fortune Pai Gow Poker";
const own = { table: "own-fe59edfb98980c37b1d5-1b768bea", book: "south-dakota", title };

test("a house table has the short title of its book", () => {
  assert.equal(tableName({ table: "south-dakota", book: "south-dakota", title }), "South Dakota");
  assert.equal(tableName({ table: "south-dakota-2", book: "south-dakota", title }), "South Dakota, table 2");
  assert.equal(tableName({ table: "high-limits", book: "south-dakota", title }), "South Dakota, table high limits");
  assert.equal(tableName({ table: "ez", book: "ez" }), "ez");
});

test("the name that a player gave a table comes first", () => {
  assert.equal(tableName({ ...own, name: "Friday night" }), "Friday night");
  assert.match(tableName({ ...own, table: "own-fe59edfb98980c37b1d5-1b768bea1234567" }), /^Guest table [1-9]\d\d, South Dakota$/);
});

test("a table that a player opened has a number, and is the opener's own", () => {
  assert.match(tableName(own, "guest-fe59edfb98980c37b1d5"), /^Your table [1-9]\d\d, South Dakota$/);
  assert.match(tableName(own, "guest-0123456789abcdef0123"), /^Guest table [1-9]\d\d, South Dakota$/);
  const guest = tableName(own);
  assert.match(guest, /^Guest table/);
  assert.equal(guest, tableName(own, null));
  assert.notEqual(guest, tableName({ ...own, table: "own-fe59edfb98980c37b1d5-1b768beb" }));
});
