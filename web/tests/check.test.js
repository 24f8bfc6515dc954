import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checkRound } from "../fair/check.js";
import { words } from "../words/en.js";
import { FACTS, newKey, playRound, withoutWebCrypto } from "./house.js";

const rights = (checked) => checked.map(({ step, right }) => `${step} ${right}`);
const failed = (checked) => checked.filter(({ right }) => right === false).map(({ step }) => step);
const HOLDS = ["opening true", "first true", "closing true", "list true", "commitment true", "reveals true", "own true", "dice true", "hands true"];

/** Checks a round with changes applied to it. */
function check({ table, key, play, seats, seen }, { facts = FACTS, round = {}, seated = seats, known = seen, keys = { [key.key]: key.public_key }, at = table } = {}) {
  return checkRound(at, { ...play, ...round }, seated, facts, { seen: known, publicKey: async (id) => keys[id] ?? null });
}

/** Changes one hexadecimal digit of a text. */
const flipped = (text, index = 0) => `${text.slice(0, index)}${text[index] === "0" ? "1" : "0"}${text.slice(index + 1)}`;

/** Swaps the hands of two packet owners. */
function swapped({ play, seats }, one, other) {
  const handOf = (owner) => (owner === "dealer" ? play.dealer : seats.find(({ seat }) => seat === owner).hand);
  const hands = { [one]: handOf(other), [other]: handOf(one) };
  return { round: { dealer: hands.dealer ?? play.dealer }, seated: seats.map((seat) => ({ ...seat, hand: hands[seat.seat] ?? seat.hand })) };
}

test("version 2 round passes every step", async () => {
  for (let round = 1; round <= 12; round++) assert.deepEqual(rights(await check(playRound({ round }))), HOLDS, `round ${round}`);
});

test("detects the dealer's hand swapped with a player's", async () => {
  const dealt = playRound();
  assert.deepEqual(failed(await check(dealt, swapped(dealt, "dealer", 2))), ["hands"]);
});

test("detects swapped hands of two players", async () => {
  const dealt = playRound();
  assert.deepEqual(failed(await check(dealt, swapped(dealt, 3, 5))), ["hands"]);
});

test("detects a discarded packet, a missing hand and an extra hand", async () => {
  const dealt = playRound();
  const withHand = (cards) => dealt.seats.map((seat) => (seat.seat === 3 ? { ...seat, hand: cards && { ...seat.hand, cards } } : seat));
  const used = new Set([...dealt.seats.map(({ hand }) => hand.cards), dealt.play.dealer.cards]);
  const discarded = Array.from({ length: 7 }, (_, index) => dealt.cards.slice(7 * index, 7 * index + 7).join(" ")).find((cards) => !used.has(cards));
  assert.deepEqual(failed(await check(dealt, { seated: withHand(discarded) })), ["hands"]);
  assert.deepEqual(failed(await check(dealt, { seated: withHand(null) })), ["hands"]);
  const fourth = { ...dealt.seats[0], seat: 4, wagers: {}, hand: { ...dealt.seats[0].hand, cards: discarded } };
  assert.deepEqual(failed(await check(dealt, { seated: [...dealt.seats, fourth] })), ["hands"]);
  assert.deepEqual(failed(await check(dealt, { round: { dealer: null } })), ["hands"]);
});

test("detects a changed byte in each field", async () => {
  const dealt = playRound();
  const { play } = dealt;
  const fails = async (round, steps, rest = {}) => assert.deepEqual(failed(await check(dealt, { round, ...rest })), steps, JSON.stringify(round));
  assert.ok(failed(await check(dealt, { round: { secret: flipped(play.secret) } })).includes("commitment"));
  await fails({ commitment: flipped(play.commitment) }, ["opening", "first", "closing", "commitment"]);
  await fails({ opened_at: play.opened_at + 1 }, ["opening"]);
  await fails({ opened_at: null }, ["opening"]);
  await fails({ key: "ffffffffffffffff" }, ["opening", "closing"]);
  await fails({ key: null }, ["opening", "closing"]);
  await fails({ signature: flipped(play.signature) }, ["opening"]);
  await fails({ signature: null }, ["opening"]);
  await fails({ closed_signature: flipped(play.closed_signature) }, ["closing"]);
  await fails({ closed_signature: null }, ["closing"]);
  await fails({ dice: (play.dice % 7) + 1 }, ["dice", "hands"]);
  await fails({ silent: [5] }, ["reveals"]);
  await fails({ bytes: { ...play.bytes, 3: play.bytes[2] } }, ["reveals"]);
  for (const seat of [2, 5]) {
    const other = failed(await check(dealt, { round: { commitments: { ...play.commitments, [seat]: flipped(play.commitments[seat]) } } }));
    for (const step of ["closing", "list", "reveals", "hands", ...(seat === 2 ? ["own"] : [])]) assert.ok(other.includes(step), `${seat} ${step}`);
    const revealed = failed(await check(dealt, { round: { bytes: { ...play.bytes, [seat]: flipped(play.bytes[seat], 63) } } }));
    for (const step of ["reveals", "hands", ...(seat === 2 ? ["own"] : [])]) assert.ok(revealed.includes(step), `${seat} ${step}`);
  }
  for (const rest of [{ facts: { ...FACTS, rules: flipped(FACTS.rules) } }, { at: "fair-2" }, { round: { round: 8 } }]) {
    const found = failed(await check(dealt, rest));
    for (const step of ["opening", "commitment"]) assert.ok(found.includes(step), `${JSON.stringify(rest)} ${step}`);
  }
});

test("rejects invalid hexadecimal digits", async () => {
  const dealt = playRound();
  for (const secret of ["zz".repeat(32), dealt.play.secret.toUpperCase(), `${dealt.play.secret}00`]) {
    assert.ok(failed(await check(dealt, { round: { secret } })).includes("commitment"), secret);
  }
});

test("detects the commitment of another round or a second commitment", async () => {
  const dealt = playRound();
  const other = playRound({ key: dealt.key, round: 8 });
  assert.deepEqual(failed(await check(dealt, { round: { commitment: other.play.commitment } })), ["opening", "first", "closing", "commitment"]);
  // A second deal of the same round, fully signed by the house. Only a page that saw the first commitment detects it.
  const second = { ...other, play: { ...other.play }, seen: { ...other.seen, commitment: dealt.play.commitment } };
  assert.deepEqual(failed(await check(second)), ["first"]);
});

test("detects a list of commitments changed after wagers closed", async () => {
  const dealt = playRound();
  const closed = { ...dealt.seen.closed, 5: flipped(dealt.seen.closed[5]) };
  assert.deepEqual(failed(await check(dealt, { known: { ...dealt.seen, closed } })), ["list"]);
  assert.deepEqual(failed(await check(dealt, { known: { ...dealt.seen, closed: { 2: dealt.seen.closed[2] } } })), ["list"]);
});

test("detects signatures of another key and swapped signatures", async () => {
  const dealt = playRound();
  const { play, key } = dealt;
  assert.deepEqual(failed(await check(dealt, { keys: { [key.key]: newKey("x").public_key } })), ["opening", "closing"]);
  assert.deepEqual(failed(await check(dealt, { round: { signature: play.closed_signature, closed_signature: play.signature } })), ["opening", "closing"]);
  assert.deepEqual(failed(await check(dealt, { round: { signature: playRound({ key, round: 8 }).play.signature } })), ["opening"]);
});

test("detects missing or changed own bytes", async () => {
  const dealt = playRound();
  const { seen, play } = dealt;
  const known = (own) => ({ ...seen, seats: { 2: { ...seen.seats[2], ...own } } });
  assert.deepEqual(failed(await check(dealt, { known: known({ bytes: flipped(seen.seats[2].bytes) }) })), ["own"]);
  assert.deepEqual(failed(await check(dealt, { known: known({ commitment: flipped(seen.seats[2].commitment) }) })), ["own"]);
  const without = { commitments: { 5: play.commitments[5] }, bytes: { 5: play.bytes[5] } };
  assert.ok(failed(await check(dealt, { round: without })).includes("own"));
  // The house accepted or listed the commitment, so it must be in the deal if the seat plays.
  assert.ok(failed(await check(dealt, { round: without, known: known({ listed: false }) })).includes("own"), "accepted");
  assert.ok(failed(await check(dealt, { round: without, known: known({ accepted: false }) })).includes("own"), "listed");
  const idle = { ...without, net_cents: { 3: -500, 5: 500 } };
  assert.ok(rights(await check(dealt, { round: idle, seated: dealt.seats.filter(({ seat }) => seat !== 2) })).includes("own null"), "a seat without a wager loses its commitment");
  // A commitment that never reached the table is not part of the deal. A page without bytes has nothing to compare.
  assert.ok(rights(await check(dealt, { round: without, known: known({ accepted: false, listed: false }) })).includes("own null"));
  assert.ok(rights(await check(dealt, { known: { ...seen, seats: {} } })).includes("own null"));
});

test("reports a silent seat to its own page", async () => {
  const dealt = playRound({ silent: [2] });
  assert.deepEqual(rights(await check(dealt)), HOLDS.map((step) => (step === "own true" ? "silent null" : step)));
  const known = { ...dealt.seen, seats: { 2: { ...dealt.seen.seats[2], shown: true } } };
  assert.deepEqual(failed(await check(dealt, { known })), ["silent"]);
  assert.deepEqual(failed(await check(dealt, { round: { silent: [] } })), ["reveals"]);
  assert.deepEqual(rights(await check(playRound({ silent: [5] }))), HOLDS);
  assert.deepEqual(rights(await check(playRound({ silent: [2, 5] }))).filter((step) => step.endsWith("true")).length, 8);
});

test("steps without data are reported as not checked", async () => {
  const dealt = playRound();
  const stranger = await checkRound(dealt.table, dealt.play, dealt.seats, FACTS, { seen: null, publicKey: async () => undefined });
  assert.deepEqual(rights(stranger), ["opening null", "first null", "closing null", "list null", "commitment true", "reveals true", "own null", "dice true", "hands true"]);
});

test("includes a seat that left after the settlement", async () => {
  const dealt = playRound();
  assert.deepEqual(rights(await check(dealt, { seated: dealt.seats.filter(({ seat }) => seat !== 3) })), HOLDS);
  // This matters if only active seats get a packet. In a void round, the seats that left are unknown.
  const facts = { ...FACTS, dealing: { ...FACTS.dealing, spots: "active" } };
  const active = Array.from({ length: 40 }, (_, round) => playRound({ round, active: true })).find(({ play }) => play.dice === 5);
  const seated = active.seats.filter(({ seat }) => seat !== 5);
  assert.deepEqual(rights(await check(active, { facts })), HOLDS);
  assert.deepEqual(rights(await check(active, { facts, seated })), HOLDS);
  assert.deepEqual(failed(await check(active, { facts, ...swapped(active, 2, 3) })), ["hands"]);
  const voided = { voided: { code: "exposed_card" }, net_cents: null };
  assert.deepEqual(rights(await check(active, { facts, seated, round: voided })), HOLDS.map((step) => (step === "hands true" ? "hands null" : step)));
});

test("checks only finished rounds and reports a missing secret", async () => {
  const dealt = playRound();
  assert.deepEqual(await check(dealt, { round: { secret: null } }), []);
  const voided = { secret: null, voided: { code: "machine_fault" } };
  assert.deepEqual(rights(await check(dealt, { round: voided })), ["opening true", "first true", "closing true", "list true", "secret false", "reveals true", "own true"]);
  const revealing = { voided: { code: "machine_fault" }, dice: null, dealer: null, net_cents: null, lines: undefined, bytes: { 2: dealt.play.bytes[2] } };
  const seated = dealt.seats.map((seat) => ({ ...seat, hand: null }));
  assert.deepEqual(failed(await check(dealt, { round: revealing, seated })), []);
  const early = { ...revealing, closed_signature: null, commitments: {}, bytes: {} };
  assert.deepEqual(rights(await check(dealt, { round: early, seated })), ["opening true", "first true", "commitment true"]);
});

test("detects a deal without dice", async () => {
  const dealt = playRound();
  const none = { dice: null, dealer: null, net_cents: null, lines: undefined };
  const seated = dealt.seats.map((seat) => ({ ...seat, hand: null }));
  assert.deepEqual(failed(await check(dealt, { round: none, seated })), [], "an abandoned round");
  assert.deepEqual(failed(await check(dealt, { round: { dice: null } })), ["dice"]);
  assert.deepEqual(failed(await check(dealt, { round: { ...none, dealer: dealt.play.dealer }, seated })), ["dice"]);
  assert.deepEqual(failed(await check(dealt, { round: { ...none, net_cents: dealt.play.net_cents }, seated })), ["dice"]);
  assert.deepEqual(failed(await check(dealt, { round: none })), ["dice"], "hands");
  assert.deepEqual(failed(await check(dealt, { round: { ...none, closed_signature: null } })), ["closing", "dice"]);
});

test("never checks a version 2 round as version 1", async () => {
  const { view, facts } = settled();
  const { round, seats } = view;
  const seen = { table: view.table, round: round.round, protocol: 2, commitment: round.commitment, closed: null, seats: {} };
  const found = failed(await checkRound(view.table, round, seats, facts, { seen }));
  for (const step of ["opening", "closing", "commitment"]) assert.ok(found.includes(step), step);
});

test("without WebCrypto reports the reason and compares the rest", async () => {
  const dealt = playRound();
  await withoutWebCrypto(async () => {
    assert.deepEqual(rights(await check(dealt)), ["browser null", "first true", "list true", "own true"]);
    const other = { ...dealt.seen, commitment: flipped(dealt.seen.commitment) };
    assert.deepEqual(failed(await check(dealt, { known: other })), ["first"]);
    assert.deepEqual(await check(dealt, { round: { secret: null } }), [], "the round is not over");
  });
  assert.match(words.fair.steps.browser[2], /https or localhost/);
});

/** A settled round of version 1. The feed cannot be recorded again: new rounds use version 2. */
function settled() {
  const { start, events } = JSON.parse(readFileSync(new URL("feeds/version-1.json", import.meta.url), "utf8"));
  const { view } = events.findLast(({ event, view: seen }) => event.event === "settled" && seen);
  return { view, facts: start.facts };
}

test("version 1 round passes and changes are detected", async () => {
  const { view, facts } = settled();
  const { round, seats } = view;
  const check1 = async (changed = {}, seated = seats, seen = null) => checkRound(view.table, { ...round, ...changed }, seated, facts, { seen });
  assert.deepEqual(rights(await check1()), ["first null", "commitment true", "dice true", "hands true"]);
  assert.ok(failed(await check1({ secret: "00".repeat(32) })).includes("commitment"));
  assert.deepEqual(failed(await check1({ dice: (round.dice % facts.seats) + 1 })), ["dice", "hands"]);
  assert.deepEqual(failed(await check1({ pile: round.pile + 1 })), ["hands"]);
  assert.deepEqual(failed(await check1({}, swapped({ play: round, seats }, 2, 4).seated)), ["hands"]);
  assert.deepEqual(failed(await check1({}, seats, { commitment: flipped(round.commitment), seats: {} })), ["first"]);
});
