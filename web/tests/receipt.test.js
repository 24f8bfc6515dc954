import assert from "node:assert/strict";
import { test } from "node:test";
import { InvalidReceipt, checkReceipt, contradict, readReceipt } from "../fair/receipt.js";
import { newKey, payloadOf, playRound, receiptOf, withoutWebCrypto } from "./house.js";

const HOLDS = ["receipt", "keys", "opening", "first", "closing", "list", "commitment", "reveals", "own", "dice", "cards", "hands"];
const rights = (checked) => checked.map(({ step, right }) => `${step} ${right}`);
const failed = (checked) => checked.filter(({ right }) => right === false).map(({ step }) => step);
const lists = (...keys) => async (id) => keys.find(({ key }) => key === id)?.public_key ?? null;
const flipped = (text) => `${text[0] === "0" ? "1" : "0"}${text.slice(1)}`;

/** Changes a payload, signs it and checks the receipt. */
async function check(dealt, change = {}, known = {}) {
  const payload = { ...payloadOf(dealt), ...change };
  return checkReceipt(readReceipt(receiptOf(payload, dealt.key)), { seen: dealt.seen, publicKey: lists(dealt.key), ...known });
}

test("signed receipt passes every step", async () => {
  assert.deepEqual(rights(await check(playRound())), HOLDS.map((step) => `${step} true`));
  const silent = await check(playRound({ silent: [2, 5] }));
  assert.deepEqual(failed(silent), []);
});

test("offline check of an unseen round skips only keys and comparisons", async () => {
  const dealt = playRound();
  const alone = await checkReceipt(readReceipt(receiptOf(payloadOf(dealt), dealt.key)));
  assert.deepEqual(rights(alone), ["receipt true", "keys null", "opening true", "first null", "closing true", "list null", "commitment true", "reveals true", "own null", "dice true", "cards true", "hands true"]);
});

test("detects changes after signing", async () => {
  const dealt = playRound();
  const receipt = JSON.parse(receiptOf(payloadOf(dealt), dealt.key));
  const read = (change) => readReceipt(JSON.stringify({ ...receipt, ...change }));
  const known = { seen: dealt.seen, publicKey: lists(dealt.key) };
  assert.deepEqual(failed(await checkReceipt(read({ payload: receipt.payload.replace('"outcome":"settled"', '"outcome":"voided"') }), known)), ["receipt"]);
  assert.deepEqual(failed(await checkReceipt(read({ signature: flipped(receipt.signature) }), known)), ["receipt"]);
  assert.deepEqual(failed(await checkReceipt(read({ signature: "" }), known)), ["receipt"]);
  assert.deepEqual(failed(await checkReceipt(read({ public_key: newKey("x").public_key }), known)), ["receipt", "keys"]);
  assert.deepEqual(failed(await checkReceipt(read({ key: "ffffffffffffffff" }), known)), ["keys"]);
});

test("detects a key that the house does not list", async () => {
  const dealt = playRound();
  const forged = playRound({ key: newKey(dealt.key.key) });
  assert.deepEqual(failed(await check(forged, {}, { seen: null, publicKey: lists(dealt.key) })), ["keys"]);
  // A receipt may be signed with a newer key than its round. The house lists both.
  const newer = newKey("8899aabbccddeeff");
  const renewed = receiptOf(payloadOf(dealt), newer);
  assert.deepEqual(failed(await checkReceipt(readReceipt(renewed), { publicKey: lists(dealt.key, newer) })), []);
  assert.deepEqual(failed(await checkReceipt(readReceipt(renewed), { publicKey: lists(newer) })), ["keys"]);
});

test("detects a wrong deal signed by the house", async () => {
  const dealt = playRound();
  const payload = payloadOf(dealt);
  const { hands, opened, closed } = payload;
  const fails = async (change, steps) => assert.deepEqual(failed(await check(dealt, change)), steps, JSON.stringify(change));
  await fails({ hands: { ...hands, 2: payload.dealer }, dealer: hands[2] }, ["hands"]);
  await fails({ hands: { ...hands, 3: hands[5], 5: hands[3] } }, ["hands"]);
  await fails({ hands: { 2: hands[2], 3: hands[3] } }, ["hands"]);
  await fails({ cards: payload.cards.split(" ").reverse().join(" ") }, ["cards"]);
  await fails({ cards: null }, ["cards"]);
  await fails({ dice: (payload.dice % 7) + 1 }, ["dice", "hands"]);
  await fails({ opened: { ...opened, at: opened.at + 1 } }, ["opening"]);
  await fails({ opened: { ...opened, signature: closed.signature } }, ["opening"]);
  await fails({ closed: { ...closed, signature: opened.signature } }, ["closing"]);
  await fails({ opened: { ...opened, commitment: flipped(opened.commitment) } }, ["opening", "first", "closing", "commitment"]);
  await fails({ secret: null }, ["secret"]);
  await fails({ silent: [5] }, ["reveals"]);
  await fails({ closed: null }, ["closing", "list", "dice", "cards", "hands"]);
  assert.ok(failed(await check(dealt, { secret: flipped(payload.secret) })).includes("commitment"));
  assert.ok(failed(await check(dealt, { revealed: { ...payload.revealed, 5: flipped(payload.revealed[5]) } })).includes("reveals"));
  assert.ok(failed(await check(dealt, { revealed: { 5: payload.revealed[5] }, silent: [2] })).includes("silent"));
  assert.ok(failed(await check(dealt, { closed: { ...closed, commitments: { ...closed.commitments, 5: flipped(closed.commitments[5]) } } })).includes("closing"));
});

test("detects a deal without dice", async () => {
  const dealt = playRound();
  const { cards, hands, dealer, net_cents } = payloadOf(dealt);
  const none = { outcome: "voided", dice: null, cards: null, hands: {}, dealer: null, settlement: [], net_cents: {} };
  assert.deepEqual(failed(await check(dealt, none)), [], "void before the deal");
  for (const change of [{ outcome: "settled" }, { cards }, { hands }, { dealer }, { settlement: [{}] }, { net_cents }]) {
    assert.deepEqual(failed(await check(dealt, { ...none, ...change })), ["dice"], JSON.stringify(change));
  }
});

test("without WebCrypto a receipt is not checked and does not fail", async () => {
  const dealt = playRound();
  await withoutWebCrypto(async () => assert.deepEqual(rights(await check(dealt)), ["browser null", "keys true", "first true", "list true", "own true"]));
});

const OPEN = { outcome: "open", secret: null, cards: null, hands: {}, dealer: null, dice: null, settlement: [], net_cents: {} };

test("receipt of an open round has only signatures", async () => {
  const dealt = playRound();
  assert.deepEqual(rights(await check(dealt, OPEN)), ["receipt true", "keys true", "opening true", "first true", "closing true", "list true", "reveals true", "own true"]);
  const wagers = { ...OPEN, closed: null, revealed: {} };
  assert.deepEqual(rights(await check(dealt, wagers)), ["receipt true", "keys true", "opening true", "first true"]);
  // After the deal of an open round, the dice are shown but not the cards.
  assert.deepEqual(failed(await check(dealt, { ...OPEN, dice: payloadOf(dealt).dice })), []);
});

test("detects contradicting receipts", () => {
  const dealt = playRound();
  const one = payloadOf(dealt);
  assert.equal(contradict(one, one), false);
  assert.equal(contradict(one, { ...one, outcome: "open", closed: null }), false);
  assert.equal(contradict(one, { ...one, opened: { ...one.opened, commitment: flipped(one.opened.commitment) } }), true);
  assert.equal(contradict(one, { ...one, closed: { ...one.closed, commitments: { 2: one.closed.commitments[2] } } }), true);
  assert.equal(contradict(one, { ...one, secret: flipped(one.secret) }), true);
  const other = payloadOf(playRound({ round: 8 }));
  assert.equal(contradict(one, other), false);
  assert.equal(contradict(one, { ...other, dealing: { ...other.dealing, order: "clockwise" } }), true);
  assert.equal(contradict(one, { ...other, rules: flipped(other.rules), dealing: { ...other.dealing, order: "clockwise" } }), false);
});

test("rejects malformed payloads", () => {
  const dealt = playRound();
  const payload = payloadOf(dealt);
  const { secret, cards, hands, dealer, net_cents, dealing } = payload;
  const read = (change) => () => readReceipt(receiptOf({ ...payload, ...change }, dealt.key));
  for (const change of [{ secret }, { cards }, { hands }, { dealer }, { settlement: [{}] }, { net_cents }]) assert.throws(read({ ...OPEN, ...change }), InvalidReceipt, JSON.stringify(change));
  for (const protocol of [1, 3, "2", null, undefined]) assert.throws(read({ protocol }), InvalidReceipt, `version ${protocol}`);
  for (const outcome of ["over", "", undefined]) assert.throws(read({ outcome }), InvalidReceipt, `outcome ${outcome}`);
  for (const seats of [0, -1, 0.5, 7, 1e9, "6"]) assert.throws(read({ dealing: { ...dealing, seats } }), InvalidReceipt, `${seats} seats`);
});

test("rejects other files", () => {
  const receipt = JSON.parse(receiptOf(payloadOf(playRound()), newKey("k")));
  const others = ["", "{}", "null", "[]", JSON.stringify({ ...receipt, receipt: "paigow receipt 2" }), JSON.stringify({ ...receipt, payload: "{}" }), JSON.stringify({ ...receipt, payload: 5 })];
  for (const text of others) assert.throws(() => readReceipt(text), InvalidReceipt, text);
});
