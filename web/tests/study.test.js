import assert from "node:assert/strict";
import { test } from "node:test";
import { csvText } from "../study/csv.js";
import { addressOf } from "../study/address.js";
import { deal } from "../study/deal.js";
import { duplicates, readCards } from "../study/paste.js";
import { decimal, difference, finePercent, oneIn, percent, ratio, share, spaced } from "../study/numbers.js";

test("rounds decimals half away from zero", () => {
  assert.equal(decimal("0.081592608633"), "0.0816");
  assert.equal(decimal("-0.00005", { decimals: 4 }), "−0.0001");
  assert.equal(decimal("-0.00001", { decimals: 2 }), "0.00");
  assert.equal(decimal("3.817087722300", { decimals: 2 }), "3.82");
  assert.equal(decimal("0.916433596614", { decimals: 4, sign: true }), "+0.9164");
  assert.equal(decimal("12345.5", { decimals: 0 }), "12,346");
  assert.equal(decimal("9.995", { decimals: 2 }), "10.00");
});

test("formats percentages", () => {
  assert.equal(percent("0.081592608633"), "8.16\u202f%");
  assert.equal(percent("-0.025", { decimals: 1 }), "−2.5\u202f%");
  assert.equal(percent("1.000000000000"), "100.00\u202f%");
  assert.equal(finePercent("0.000000077850"), "0.00000779\u202f%");
  assert.equal(finePercent("0.191944289682"), "19.19\u202f%");
  assert.equal(finePercent("0"), "0.00\u202f%");
  assert.equal(share(49104313, 53524680), "91.74\u202f%");
});

test("computes exact ratios and differences", () => {
  assert.equal(ratio(1n, 3n), "0.333333333333");
  assert.equal(ratio(-2n, 3n), "-0.666666666667");
  assert.equal(difference("3270121/3568312", "8256247/53524680"), "0.762182380166");
  assert.equal(difference("1/2", "1/2"), "0.000000000000");
  assert.equal(oneIn("3/38535770"), "12,845,257");
  assert.equal(oneIn("7396721/38535770"), "5.2");
  assert.equal(oneIn("0/1"), null);
  assert.equal(spaced("-1/2"), "−1\u2009/\u200b\u20092");
});

test("quotes CSV fields", () => {
  assert.equal(csvText([["a", "b, c"], ['say "x"', null], [1, undefined]]), 'a,"b, c"\r\n"say ""x""",\r\n1,\r\n');
  // A text that a spreadsheet would execute; numbers and fractions stay.
  assert.equal(csvText([["=1+1", "@x", "-12.5", "-1/7", "+$5"]]), "'=1+1,'@x,-12.5,-1/7,'+$5\r\n");
});

test("leaves empty values out of the address", () => {
  assert.equal(addressOf("/lab", { cards: "As Kd", book: "ez", none: "" }), "/lab?cards=As+Kd&book=ez");
  assert.equal(addressOf("/lab", { cards: null }), "/lab");
});

test("parses common notations of cards", () => {
  const all = ["As", "Kd", "Tc", "9h", "2s", "2d", "Jk"];
  for (const text of ["As Kd Tc 9h 2s 2d Jk", "aS, kD, 10c, 9H, 2s, 2d, joker", "A♠ K♦ 10♣ 9♥ 2♠ 2♦ JK", "AsKdTc9h2s2dJk", "A♠️K♦️10♣️ 9♥️ 2♠️ 2♦️ x"]) {
    assert.deepEqual(readCards(text), { cards: all, wrong: [] }, text);
  }
  assert.deepEqual(readCards("As Zz 1d Kd"), { cards: ["As", "Kd"], wrong: ["Zz", "1d"] });
  assert.deepEqual(duplicates(["As", "Kd", "As", "As"]), ["As"]);
});

test("deals seven different cards", () => {
  for (let round = 0; round < 200; round++) assert.equal(new Set(deal()).size, 7);
  assert.deepEqual(deal(() => 0), ["8c", "7c", "6c", "5c", "4c", "3c", "2c"]);
});
