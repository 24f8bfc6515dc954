import assert from "node:assert/strict";
import { test } from "node:test";
import { cents, money, onChip, short, signed } from "../money.js";

test("formats amounts", () => {
  assert.equal(money(0), "$0.00");
  assert.equal(money(5), "$0.05");
  assert.equal(money(123456789), "$1,234,567.89");
  assert.equal(money(-2375), "−$23.75");
  assert.equal(signed(2375), "+$23.75");
  assert.equal(signed(0), "$0.00");
  assert.equal(short(50000), "$500");
  assert.equal(short(50050), "$500.50");
});

test("formats amounts for chips", () => {
  assert.deepEqual([100, 2500, 150, 100000, 123400, 1000000].map(onChip), ["1", "25", "1.50", "1k", "1.2k", "10k"]);
});

test("parses amounts", () => {
  assert.equal(cents("5"), 500);
  assert.equal(cents(" $1,250.5 "), 125050);
  assert.equal(cents("0.05"), 5);
  for (const text of ["", "-5", "1,2", "5.001", "five", "1e3", "99999999999999999"]) assert.equal(cents(text), null, text);
});
