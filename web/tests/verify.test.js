import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { commitment, dice, shuffle } from "../fair/verify.js";

const golden = readFileSync(new URL("../../golden/deals.golden", import.meta.url), "utf8");

/** The deals of the golden file. */
function deals() {
  return golden.split(/\n\s*\n/).map((part) => part.split("\n").filter((line) => line && !line.startsWith("#")))
    .filter((lines) => lines.length > 0).map((lines) => {
      const deal = { bytes: {} };
      for (const line of lines) {
        const [name, ...rest] = line.trim().split(/\s+/);
        if (name === "seat") deal.bytes[rest[0]] = rest[1] ?? "";
        else deal[name] = rest.join(" ");
      }
      return { ...deal, round: BigInt(deal.round) };
    });
}

test("deals come out as the golden ones", async () => {
  const all = deals();
  assert.ok(all.length >= 5, `${all.length} deals`);
  for (const deal of all) {
    assert.equal(await commitment(deal), deal.commitment, `commitment at ${deal.table}`);
    assert.equal((await shuffle(deal)).join(" "), deal.cards, `cards at ${deal.table}`);
    const thrown = [];
    for (let places = 2; places <= 8; places++) thrown.push(await dice(deal, places));
    assert.equal(thrown.join(" "), deal.dice, `dice at ${deal.table}`);
  }
});

test("another secret is another deal", async () => {
  const [deal] = deals();
  const other = { ...deal, secret: `1${deal.secret.slice(1)}` };
  assert.notEqual(await commitment(other), deal.commitment);
  assert.notEqual((await shuffle(other)).join(" "), deal.cards);
});
