import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checkRound } from "../fair/check.js";

/** The last round of a feed, after it was settled. */
function settled() {
  const { start, events } = JSON.parse(readFileSync(new URL("feeds/banking.json", import.meta.url), "utf8"));
  const { view } = events.findLast(({ event, view: seen }) => event.event === "settled" && seen);
  return { view, facts: start.facts };
}

const rights = (checked) => checked.map(({ step, right }) => `${step} ${right}`);

test("a round as it was dealt stands every check", async () => {
  const { view, facts } = settled();
  assert.deepEqual(rights(await checkRound(view.table, view.round, view.seats, facts)), ["commitment true", "dice true", "hands true"]);
});

test("a changed secret, throw or card is found", async () => {
  const { view, facts } = settled();
  const check = async (round, seats = view.seats) => rights(await checkRound(view.table, { ...view.round, ...round }, seats, facts));
  assert.equal((await check({ secret: "00".repeat(32) }))[0], "commitment false");
  assert.equal((await check({ dice: (view.round.dice % facts.seats) + 1 }))[1], "dice false");
  const other = structuredClone(view.seats);
  const hand = other.find((seat) => seat.hand).hand;
  const cards = hand.cards.split(" ");
  const swapped = ["2c", "2d", "2h", "2s"].find((card) => !cards.includes(card));
  hand.cards = [swapped, ...cards.slice(1)].join(" ");
  assert.equal((await check({}, other))[2], "hands false");
  assert.deepEqual(await checkRound(view.table, { ...view.round, secret: null }, view.seats, facts), []);
});
