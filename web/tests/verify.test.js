import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { commitment, dice, seatCommitment, shuffle } from "../fair/verify.js";
import { verifies } from "../fair/signed.js";
import { FACTS, bytesCommitment, derive, houseCommitment, newKey, signed } from "./house.js";

const golden = readFileSync(new URL("../../golden/deals.golden", import.meta.url), "utf8");

/** Returns the deals of the golden file. */
function deals() {
  return golden.split(/\n\s*\n/).map((part) => part.split("\n").filter((line) => line && !line.startsWith("#")))
    .filter((lines) => lines.length > 0).map((lines) => {
      const deal = { bytes: {} };
      for (const line of lines) {
        const [name, ...rest] = line.trim().split(/\s+/);
        if (name === "seat") deal.bytes[rest[0]] = rest[1] ?? "";
        else deal[name] = rest.join(" ");
      }
      return { ...deal, protocol: 1, round: BigInt(deal.round) };
    });
}

test("version 1 deals match the golden file", async () => {
  const all = deals();
  assert.ok(all.length >= 5, `${all.length} deals`);
  for (const deal of all) {
    assert.equal(await commitment(deal), deal.commitment, `commitment at ${deal.table}`);
    assert.equal((await shuffle(deal)).join(" "), deal.cards, `cards at ${deal.table}`);
    const thrown = [];
    for (let owners = 2; owners <= 8; owners++) thrown.push(await dice(deal, owners));
    assert.equal(thrown.join(" "), deal.dice, `dice at ${deal.table}`);
  }
});

test("another secret gives another deal", async () => {
  const [deal] = deals();
  const other = { ...deal, secret: `1${deal.secret.slice(1)}` };
  assert.notEqual(await commitment(other), deal.commitment);
  assert.notEqual((await shuffle(other)).join(" "), deal.cards);
});

test("version 2 deals match an independent implementation", async () => {
  const byte = (value) => value.toString(16).padStart(2, "0").repeat(32);
  for (const [round, seats, silent] of [[1, [], []], [2, [1], []], [3, [1], [1]], [4, [6, 2, 4], [4]], [2 ** 40, [1, 2, 3, 4, 5, 6, 7], []]]) {
    const table = `table.${round}`;
    const own = Object.fromEntries(seats.map((seat) => [seat, byte(16 * seat + 1)]));
    const commitments = Object.fromEntries(seats.map((seat) => [seat, bytesCommitment({ table, round, seat, bytes: own[seat] })]));
    for (const seat of seats) assert.equal(await seatCommitment({ table, round, seat, bytes: own[seat] }), commitments[seat]);
    const bytes = Object.fromEntries(Object.entries(own).filter(([seat]) => !silent.includes(Number(seat))));
    const deal = { protocol: 2, table, round, rules: FACTS.rules, secret: byte(round % 251), commitments, bytes };
    assert.equal(await commitment(deal), houseCommitment(deal));
    for (let owners = 2; owners <= 8; owners++) assert.equal(await dice(deal, owners), derive(deal, owners).dice, `dice of ${owners}`);
    assert.deepEqual(await shuffle(deal), derive(deal, 7).cards);
  }
});

test("every input of a version 2 deal changes the cards", async () => {
  const two = "22".repeat(32);
  const deal = { protocol: 2, table: "t", round: 1, rules: "aa", secret: "11".repeat(32), commitments: { 2: two, 3: two }, bytes: { 2: two } };
  const cards = new Set();
  const others = [{}, { protocol: 1 }, { table: "u" }, { round: 2 }, { rules: "ab" }, { secret: two }, { commitments: { 2: two } }, { commitments: { 2: two, 3: deal.secret } },
    { commitments: { 2: two, 4: two } }, { bytes: {} }, { bytes: { 2: deal.secret } }, { bytes: { 3: two } }];
  for (const other of others) cards.add((await shuffle({ ...deal, ...other })).join(" "));
  assert.equal(cards.size, others.length);
});

test("verifies signatures; returns null without Ed25519", async () => {
  const key = newKey("k");
  const message = Uint8Array.of(1, 2, 3);
  const signature = signed(key, Buffer.from(message));
  assert.equal(await verifies(key.public_key, signature, message), true);
  assert.equal(await verifies(key.public_key, signature, Uint8Array.of(1, 2, 4)), false);
  assert.equal(await verifies(newKey("l").public_key, signature, message), false);
  await assert.rejects(verifies("00", signature, message), RangeError);
  const without = { importKey: async () => { throw new DOMException("no such algorithm", "NotSupportedError"); } };
  assert.equal(await verifies(key.public_key, signature, message, without), null);
});
