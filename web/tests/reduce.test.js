import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { reduce } from "../table/reduce.js";

/** Loads a recorded feed: the events seen by a seat and, after many of them, the server's view without the constant facts. */
const feed = (name) => JSON.parse(readFileSync(new URL(`feeds/${name}.json`, import.meta.url), "utf8"));

for (const name of ["banking", "side-wagers"]) {
  test(`reducer matches the server's views: ${name}`, () => {
    const { start, events } = feed(name);
    let view = start;
    let compared = 0;
    for (const { event, view: server } of events) {
      const before = structuredClone(view);
      const after = reduce(view, event);
      assert.deepEqual(view, before, `${event.event} changed the view before it`);
      view = after;
      if (!server) continue;
      compared += 1;
      assert.deepEqual(view, { ...server, facts: start.facts }, `after ${event.event}`);
    }
    assert.ok(compared >= 10, `${compared} views compared`);
  });
}

const seat = (number, rest = {}) => ({ seat: number, player: `p${number}`, out: false, leaving: false, ready: false, wagers: {}, hand: null, ...rest });
const round = { round: 1, protocol: 2, commitment: "c", opened_at: null, key: null, signature: null, commitments: {}, closed_signature: null, silent: [], secret: null, passed: [], bank: null, pile: null, bytes: {}, dice: null, dealer: null, net_cents: null };
const table = { table: "t", facts: { dealer_hand: true }, phase: "wagers", until: 5, offered: null, paused: false, closing: false, closed: false, player: "p1", you: 1, yours: [1], seats: [seat(1), seat(4)], round };

test("applies rare events", () => {
  assert.equal(reduce(table, { event: "paused", by: "clock" }).paused, true);
  assert.equal(reduce({ ...table, paused: true }, { event: "resumed", by: "clock" }).paused, false);
  assert.equal(reduce(table, { event: "closing", by: "clock" }).closing, true);
  const closed = reduce(table, { event: "closed" });
  assert.deepEqual([closed.closed, closed.phase, closed.until], [true, "waiting", null]);
  assert.equal(reduce(table, { event: "leaving", seat: 4 }).seats[1].leaving, true);
  assert.deepEqual(reduce(table, { event: "noticed", text: "x", by: "clock" }), table);
  const back = reduce({ ...table, seats: [seat(1, { ready: true })], round: { ...round, bank: { seat: 4, covers_cents: 1 }, pile: 2 } }, { event: "bank_given_back", seat: 4 });
  assert.deepEqual([back.round.bank, back.round.pile, back.seats[0].ready], [null, null, false]);
});

test("clears requests for the next round", () => {
  const asked = { ...table, phase: "between", seats: [seat(1, { next: true }), seat(4)] };
  for (const event of [{ event: "rested" }, { event: "round_voided", reason: "x", secret: null, until: 9, last_bank: null }]) {
    assert.deepEqual(reduce(asked, event).seats, [seat(1), seat(4)], event.event);
  }
  assert.equal(reduce({ ...table, phase: "between" }, { event: "ready", seat: 4 }).seats[1].next, true);
});

test("applies commitments, reveals and silent seats", () => {
  const opened = { event: "round_opened", round: 2, commitment: "d", protocol: 2, opened_at: 7, key: "k", signature: "s" };
  let view = reduce(table, opened);
  assert.deepEqual(view.round, { ...round, round: 2, commitment: "d", opened_at: 7, key: "k", signature: "s" });
  view = reduce(view, { event: "committed", seat: 1, commitment: "c1" });
  view = reduce(view, { event: "committed", seat: 4, commitment: "c4" });
  assert.deepEqual(view.round.commitments, { 1: "c1", 4: "c4" });
  // A seat given up before wagers close loses its commitment. A seat that leaves later does not.
  for (const phase of ["wagers", "offering"]) assert.deepEqual(reduce({ ...view, phase }, { event: "stood", seat: 4 }).round.commitments, { 1: "c1" });
  assert.deepEqual(reduce({ ...view, phase: "between" }, { event: "stood", seat: 4 }).round.commitments, { 1: "c1", 4: "c4" });
  const closed = reduce(view, { event: "wagers_closed", commitments: { 4: "c4" }, signature: "t", until: 9 });
  assert.deepEqual([closed.phase, closed.until, closed.round.commitments, closed.round.closed_signature], ["revealing", 9, { 4: "c4" }, "t"]);
  assert.deepEqual(closed.seats, view.seats);
  const revealed = reduce(closed, { event: "revealed", seat: 4, bytes: "b" });
  assert.deepEqual(revealed.round.bytes, { 4: "b" });
  assert.equal(revealed.phase, "revealing");
  const dealt = { event: "dealt", dice: 1, until: 11, seats: [4] };
  assert.deepEqual(reduce(revealed, dealt).round.silent, []);
  assert.deepEqual(reduce(closed, { ...dealt, silent: [4] }).round.silent, [4]);
  assert.equal(reduce(revealed, dealt).phase, "settings");
});

test("version 1 round opens without a signature", () => {
  const view = reduce(table, { event: "round_opened", round: 2, commitment: "d", protocol: 1 });
  assert.deepEqual(view.round, { ...round, round: 2, protocol: 1, commitment: "d" });
});

test("void round shows its hands and its secret", () => {
  const hand = { cards: "x", low: null, high: null, foul: null, set: false, by: null };
  const reason = { code: "exposed_card" };
  const settled = { ...table, round: { ...round, lines: [], net_cents: { 4: 500 } }, last_bank: { player: "p4", seat: 4, rounds: 2 } };
  const event = { event: "round_voided", secret: "s", reason, by: "clock", until: 9, hands: { 4: hand }, dealer: hand, last_bank: null };
  const view = reduce(settled, event);
  assert.deepEqual([view.round.voided, view.round.net_cents, view.round.lines, view.last_bank], [reason, null, undefined, null]);
  assert.deepEqual([view.phase, view.until, view.round.secret], ["between", 9, "s"]);
  assert.deepEqual(view.seats.map((one) => one.hand), [null, hand]);
  assert.deepEqual(view.round.dealer, hand);
  // A house that has lost its key cannot show the secret.
  assert.equal(reduce(settled, { ...event, secret: null }).round.secret, null);
});

test("sorts seats and tracks the viewer's seats", () => {
  const empty = { ...table, you: null, yours: [] };
  assert.deepEqual(reduce(empty, { event: "sat", seat: 2, player: "p9" }).seats.map((one) => one.seat), [1, 2, 4]);
  assert.equal(reduce(empty, { event: "sat", seat: 2, player: "p1" }).you, 2);
  assert.equal(reduce(table, { event: "stood", seat: 1 }).you, null);
  const both = reduce(reduce(empty, { event: "sat", seat: 5, player: "p1" }), { event: "sat", seat: 2, player: "p1" });
  assert.deepEqual([both.yours, both.you], [[2, 5], 2]);
  assert.deepEqual(reduce(both, { event: "stood", seat: 2 }).yours, [5]);
});
