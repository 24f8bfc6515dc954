import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { newId } from "../api.js";
import { SeenRounds } from "../fair/seen.js";
import { seatCommitment } from "../fair/verify.js";
import { OwnBytes } from "../table/own-bytes.js";
import { reduce } from "../table/reduce.js";
import { newKey, signedList, withoutWebCrypto } from "./house.js";

/** An in-memory storage of a tab or a browser. */
function storage() {
  const values = new Map();
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => values.set(key, String(value)) };
}

const seat = (number, player) => ({ seat: number, player, out: false, leaving: false, ready: false, wagers: {}, hand: null });
const KEY = newKey("0011223344556677");
const [AA, BB] = ["aa".repeat(32), "bb".repeat(32)];
const round = { round: 3, protocol: 2, commitment: AA, opened_at: null, key: KEY.key, signature: null, commitments: {}, closed_signature: null, silent: [], secret: null, passed: [], bank: null, pile: null, bytes: {}, dice: null, dealer: null, net_cents: null };
const start = (more = {}) => ({ table: "t", facts: {}, phase: "wagers", until: 5, offered: null, player: "me", you: 2, yours: [2], seats: [seat(2, "me"), seat(4, "p4")], round, ...more });
const wagered = (number) => ({ event: "wagered", seat: number, wager: "pai-gow", cents: 500, color: null });
const closing = (commitments, { key = KEY, commitment = AA } = {}) => ({ event: "wagers_closed", commitments, signature: signedList(key, { table: "t", round: 3, commitment, commitments }), until: 9 });

/** A window of the page: its view of a table and the commands it sends. */
class Window {
  commands = [];
  alarms = 0;
  /** Answers commands. Throws to refuse them. */
  answer = async () => ({});
  /** Public keys of the house. */
  keys = async (id) => (id === KEY.key ? KEY.public_key : null);

  constructor(view, { tab = storage(), browser = storage() } = {}) {
    this.view = view;
    [this.tab, this.browser] = [tab, browser];
    this.seen = new SeenRounds(() => tab, () => browser);
    this.own = new OwnBytes({
      view: () => this.view, seen: this.seen, publicKey: (id) => this.keys(id), alarmed: () => { this.alarms += 1; },
      send: (command) => { this.commands.push(command); return this.answer(command); },
    });
  }

  async receive(...events) {
    for (const event of events) {
      this.view = reduce(this.view, event);
      this.own.update();
      await this.settled();
    }
  }

  /** Reloads the page in the same tab. */
  reloaded(view = this.view) {
    return new Window(view, this);
  }

  async snapshot(view = this.view) {
    this.view = view;
    this.own.restart();
    await this.settled();
  }

  settled() {
    return new Promise((done) => { setTimeout(done, 5); });
  }

  /** Waits for a condition. The time of a signature check depends on the machine. */
  async until(condition) {
    for (let tries = 0; !condition() && tries < 400; tries++) await this.settled();
  }

  /** Waits for a number of reveal commands and returns them. */
  async reveals(count = 1) {
    const sent = () => this.commands.filter((command) => command.do === "reveal");
    await this.until(() => sent().length >= count);
    return sent();
  }

  get last() {
    return this.commands.at(-1);
  }
}

const refusal = (code) => Object.assign(new Error(code), { code });

/** Returns a window that has seen the round open and has drawn its bytes. */
async function opened(view = start(), storages = {}) {
  const window = new Window(view, storages);
  await window.snapshot();
  const draws = view.round.protocol === 2 && view.phase === "wagers";
  while (draws && view.yours.some((own) => !window.seen.of(view.table, view.round.round)?.seats[own])) await window.settled();
  return window;
}

test("first wagers carry the commitment; bytes are revealed after wagers close", async () => {
  const page = await opened();
  assert.deepEqual(page.commands, [], "nothing is sent for a seat without a wager");
  await page.own.send({ do: "wagers", wagers: [], ready: false });
  const { commitment } = page.last;
  assert.match(commitment, /^[0-9a-f]{64}$/);
  await page.receive(wagered(2), { event: "committed", seat: 2, commitment });
  await page.own.send({ do: "wagers", wagers: [], ready: true });
  assert.equal("commitment" in page.last, false, "the commitment is sent once");
  await page.own.send({ do: "ready" });
  assert.deepEqual(page.last, { do: "ready" });
  assert.equal(page.commands.length, 3);
  await page.receive(closing({ 2: commitment }));
  await page.reveals();
  assert.equal(page.last.do, "reveal");
  assert.equal(page.last.seat, 2);
  assert.equal(await seatCommitment({ table: "t", round: 3, seat: 2, bytes: page.last.bytes }), commitment);
  await page.receive({ event: "revealed", seat: 2, bytes: page.last.bytes });
  assert.equal(page.commands.length, 4);
  const stored = page.seen.of("t", 3);
  assert.deepEqual([stored.commitment, stored.closed, stored.seats[2].accepted, stored.seats[2].listed, stored.seats[2].shown], [AA, { 2: commitment }, true, true, true]);
  assert.equal(page.own.alarm, "");
});

test("commits without wagers of this window: banker, wagers of another window", async () => {
  for (const event of [{ event: "bank_taken", seat: 2, cents: 500, bank: { seat: 2, covers_cents: 500 } }, wagered(2)]) {
    const page = await opened();
    await page.receive(event);
    assert.deepEqual([page.last.do, page.last.seat, page.commands.length], ["commit", 2, 1]);
    await page.receive(wagered(4), { event: "ready", seat: 4 });
    assert.equal(page.commands.length, 1, "it commits once");
  }
});

test("each seat of the viewer has its own bytes", async () => {
  const page = await opened(start({ yours: [2, 4], seats: [seat(2, "me"), seat(4, "me")] }));
  await page.own.send({ do: "wagers", wagers: [], seat: 4 });
  await page.own.send({ do: "wagers", wagers: [], seat: 2 });
  const [four, two] = page.commands.map(({ commitment }) => commitment);
  assert.notEqual(four, two);
  await page.receive({ event: "committed", seat: 2, commitment: two }, { event: "committed", seat: 4, commitment: four }, closing({ 2: two, 4: four }));
  const reveals = await page.reveals(2);
  assert.deepEqual(reveals.map((command) => command.seat).sort(), [2, 4]);
  assert.equal(await seatCommitment({ table: "t", round: 3, seat: 4, bytes: reveals.find((command) => command.seat === 4).bytes }), four);
});

test("reveals after a reload", async () => {
  const page = await opened();
  await page.own.send({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  await page.receive({ event: "committed", seat: 2, commitment });
  const view = reduce(page.view, closing({ 2: commitment }));
  const again = page.reloaded();
  await again.snapshot(view);
  await again.reveals();
  assert.equal(await seatCommitment({ table: "t", round: 3, seat: 2, bytes: again.last.bytes }), commitment);
  // A snapshot without the bytes causes another reveal. A snapshot with them does not.
  await again.snapshot();
  await again.reveals(2);
  assert.equal(again.commands.length, 2);
  await again.snapshot(reduce(view, { event: "revealed", seat: 2, bytes: again.last.bytes }));
  assert.equal(again.commands.length, 2);
});

test("reveals nothing before wagers close or if the list has another commitment", async () => {
  const page = await opened();
  await page.own.send({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  await page.receive({ event: "committed", seat: 2, commitment }, wagered(2), { event: "ready", seat: 2 });
  assert.equal(page.commands.length, 1);
  await page.receive(closing({ 2: "ee".repeat(32) }));
  assert.equal(page.commands.length, 1);
  assert.deepEqual([page.own.alarm, page.alarms], ["own", 1]);
});

test("warns of a commitment missing from the list, unless the seat does not play", async () => {
  for (const [plays, alarm] of [[true, "lost"], [false, ""]]) {
    for (const lists of [true, false]) {
      const page = await opened();
      await page.own.send({ do: "wagers", wagers: [] });
      const { commitment } = page.last;
      await page.receive(...(plays ? [wagered(2)] : []), ...(lists ? [{ event: "committed", seat: 2, commitment }] : []), closing({}));
      assert.equal(page.own.alarm, alarm, `plays: ${plays}, was listed: ${lists}`);
    }
  }
  const refused = await opened();
  refused.answer = async () => { throw refusal("not_now"); };
  await refused.receive(wagered(2), closing({}));
  assert.equal(refused.own.alarm, "", "the house did not accept the commitment");
});

test("a seat given up while disconnected has no commitment", async () => {
  const page = await opened();
  await page.own.send({ do: "wagers", wagers: [] });
  await page.receive(wagered(2), { event: "committed", seat: 2, commitment: page.last.commitment });
  const { yours: _, ...rest } = start({ you: null, seats: [seat(2, "other"), seat(4, "p4")] });
  await page.snapshot(reduce(reduce(rest, wagered(2)), closing({})));
  assert.equal(page.own.alarm, "");
  const { accepted, listed } = page.seen.of("t", 3).seats[2];
  assert.deepEqual([accepted, listed], [false, false]);
});

test("reveals nothing for an unsigned list", async () => {
  const unsigned = [
    (list) => closing(list, { key: newKey(KEY.key) }), (list) => closing(list, { commitment: BB }), (list) => ({ ...closing({}), commitments: list }),
    (list) => ({ ...closing(list), signature: "s" }), (list) => ({ ...closing(list), signature: null }),
  ];
  for (const close of unsigned) {
    const page = await opened();
    await page.own.send({ do: "wagers", wagers: [] });
    const { commitment } = page.last;
    await page.receive({ event: "committed", seat: 2, commitment }, close({ 2: commitment }));
    await page.until(() => page.own.alarm);
    assert.deepEqual([page.commands.length, page.own.alarm], [1, "list"]);
  }
  const unlisted = await opened(start({ round: { ...round, key: "ffffffffffffffff" } }));
  await unlisted.own.send({ do: "wagers", wagers: [] });
  await unlisted.receive(closing({ 2: unlisted.last.commitment }));
  assert.deepEqual([unlisted.commands.length, unlisted.own.alarm], [1, "list"]);
});

test("retries loading keys; reveals without Ed25519", async () => {
  const page = await opened();
  await page.own.send({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  const { keys } = page;
  page.keys = async () => undefined;
  await page.receive(closing({ 2: commitment }));
  assert.deepEqual([page.commands.length, page.own.alarm], [1, ""]);
  page.keys = keys;
  await page.snapshot();
  assert.equal((await page.reveals()).length, 1);
  const old = await opened();
  await old.own.send({ do: "wagers", wagers: [] });
  const list = { 2: old.last.commitment };
  mock.method(crypto.subtle, "importKey", async () => { throw new DOMException("no such algorithm", "NotSupportedError"); });
  await old.receive(closing(list));
  await old.reveals();
  mock.restoreAll();
  assert.deepEqual([old.last.do, old.own.alarm], ["reveal", ""]);
});

/** Returns a window that has revealed its bytes. */
async function revealed() {
  const page = await opened();
  await page.own.send({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  await page.receive(wagered(2), { event: "committed", seat: 2, commitment }, closing({ 2: commitment }));
  const [{ bytes }] = await page.reveals();
  return { page, bytes };
}

test("never commits again to bytes that were sent or drawn for another commitment", async () => {
  // After a rollback of the store, the round opens again with the same commitment of the house or another one.
  for (const house of [AA, BB]) {
    const { page, bytes } = await revealed();
    const again = page.reloaded();
    await again.snapshot(reduce(start({ round: { ...round, commitment: house } }), wagered(2)));
    while (again.commands.length === 0) await again.settled();
    assert.equal(again.last.do, "commit");
    const own = again.seen.of("t", 3).seats[2];
    assert.notEqual(own.bytes, bytes);
    assert.deepEqual([own.commitment, own.house, own.sent, own.shown], [again.last.commitment, house, false, false]);
    // The closed list is lost as well.
    assert.equal(again.own.alarm, house === AA ? "list" : "commitment");
  }
  const unsent = await opened();
  const { bytes } = unsent.seen.of("t", 3).seats[2];
  await unsent.snapshot(reduce(start({ round: { ...round, commitment: BB } }), wagered(2)));
  while (unsent.commands.length === 0) await unsent.settled();
  assert.notEqual(unsent.seen.of("t", 3).seats[2].bytes, bytes);
});

test("bytes of another commitment of the house are neither sent nor revealed", async () => {
  const other = start({ round: { ...round, commitment: BB } });
  const { page } = await revealed();
  const quick = page.reloaded(other);
  await quick.own.send({ do: "wagers", wagers: [] });
  assert.deepEqual(quick.commands, [{ do: "wagers", wagers: [] }]);
  const unsent = await opened();
  const listed = unsent.reloaded();
  await listed.snapshot(reduce(other, closing({ 2: unsent.seen.of("t", 3).seats[2].commitment }, { commitment: BB })));
  assert.deepEqual(listed.commands, []);
});

test("warns of a return to version 1, not of a change to version 2", async () => {
  const page = await opened(start({ round: { ...round, protocol: 1 } }));
  assert.equal(page.own.alarm, "");
  await page.receive({ event: "round_opened", round: 4, commitment: BB, protocol: 2 });
  assert.equal(page.own.alarm, "");
  await page.receive({ event: "round_opened", round: 5, commitment: "cc".repeat(32), protocol: 1 });
  assert.deepEqual([page.own.alarm, page.alarms], ["version", 1]);
  const again = page.reloaded();
  await again.snapshot();
  assert.equal(again.own.alarm, "version", "after a reload");
  const other = page.reloaded();
  await other.snapshot({ ...page.view, table: "u" });
  assert.equal(other.own.alarm, "", "another table");
});

test("without WebCrypto plays without adding bytes", async () => {
  await withoutWebCrypto(async () => {
    const page = new Window(start());
    await page.snapshot();
    await page.own.send({ do: "wagers", wagers: [], ready: true });
    await page.receive(wagered(2), closing({}));
    assert.deepEqual(page.commands, [{ do: "wagers", wagers: [], ready: true }]);
    assert.equal(page.own.alarm, "");
    assert.match(newId(), /^[0-9a-f]{32}$/);
  });
});

test("warns of another commitment or another list", async () => {
  const page = await opened();
  await page.snapshot(start({ round: { ...round, commitment: BB } }));
  assert.equal(page.own.alarm, "commitment");
  const other = await opened();
  await other.receive(closing({ 4: BB }));
  await other.snapshot({ ...other.view, round: { ...other.view.round, commitments: { 4: AA } } });
  assert.equal(other.own.alarm, "list");
  // The next round clears the alarm.
  await other.receive({ event: "round_opened", round: 4, commitment: "ab", protocol: 2 });
  assert.equal(other.own.alarm, "");
});

test("a second window neither commits nor reveals", async () => {
  const page = await opened();
  const second = await opened(start(), { browser: page.browser });
  await page.own.send({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  await second.receive({ event: "committed", seat: 2, commitment }, wagered(2));
  await second.own.send({ do: "wagers", wagers: [] });
  assert.deepEqual(second.commands, [{ do: "wagers", wagers: [] }]);
  await second.receive(closing({ 2: commitment }));
  assert.equal(second.commands.length, 1);
  assert.equal(second.own.alarm, "", "the browser made the commitment");
});

test("a window refused with already_committed resends its wagers without commitment", async () => {
  const page = await opened();
  page.answer = async (command) => { if (command.commitment) throw refusal("already_committed"); };
  await page.own.send({ do: "wagers", wagers: [], ready: true });
  assert.deepEqual(page.commands.map((command) => "commitment" in command), [true, false]);
  assert.equal(page.seen.of("t", 3).seats[2].accepted, false);
});

test("warns of a commitment that no window of this browser made", async () => {
  const page = await opened();
  await page.receive({ event: "committed", seat: 2, commitment: "ee".repeat(32) });
  assert.equal(page.own.alarm, "own");
  assert.deepEqual(page.commands, []);
  const others = await opened();
  await others.receive({ event: "committed", seat: 4, commitment: "ee".repeat(32) });
  assert.equal(others.own.alarm, "", "a seat of another player");
});

test("refused wagers carry the commitment again", async () => {
  const page = await opened();
  page.answer = async () => { throw refusal("insufficient_funds"); };
  await assert.rejects(page.own.send({ do: "wagers", wagers: [] }), { code: "insufficient_funds" });
  page.answer = async () => ({});
  await page.own.send({ do: "wagers", wagers: [] });
  assert.deepEqual(page.commands.map(({ commitment }) => commitment !== undefined), [true, true]);
});

test("gives up after three refusals", async () => {
  const page = await opened();
  page.answer = async () => { throw refusal("not_now"); };
  for (let i = 0; i < 6; i++) await page.receive(wagered(2));
  assert.equal(page.commands.length, 3);
});

test("a seat given up and taken again commits again", async () => {
  const page = await opened();
  await page.own.send({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  await page.receive({ event: "committed", seat: 2, commitment }, { event: "stood", seat: 2 }, { event: "sat", seat: 2, player: "me" }, wagered(2));
  assert.deepEqual([page.last.do, page.commands.length, page.own.alarm], ["commit", 2, ""]);
});

test("works without storage until a reload", async () => {
  const broken = { getItem: () => { throw new Error("blocked"); }, setItem: () => { throw new Error("blocked"); } };
  const page = await opened(start(), { tab: broken, browser: broken });
  await page.own.send({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  await page.receive({ event: "committed", seat: 2, commitment }, closing({ 2: commitment }));
  assert.equal((await page.reveals()).length, 1);
  assert.equal(page.own.alarm, "");
  // Commitments of other windows are unknown, which is no reason for an alarm.
  const other = await opened(start(), { tab: broken, browser: broken });
  await other.receive({ event: "committed", seat: 2, commitment: "ee".repeat(32) });
  assert.equal(other.own.alarm, "");
  // But the server accepted another commitment of this window.
  const accepted = await opened(start(), { tab: broken, browser: broken });
  await accepted.own.send({ do: "wagers", wagers: [] });
  await accepted.receive({ event: "committed", seat: 2, commitment: "ee".repeat(32) });
  assert.equal(accepted.own.alarm, "own");
});

test("version 1 round: stores the commitment, commits nothing", async () => {
  const page = await opened(start({ round: { ...round, protocol: 1 } }));
  await page.receive(wagered(2));
  await page.own.send({ do: "wagers", wagers: [] });
  assert.deepEqual(page.commands, [{ do: "wagers", wagers: [] }]);
  assert.equal(page.seen.of("t", 3).commitment, AA);
});

test("does not store a commitment first seen with its secret", async () => {
  const page = await opened(start({ phase: "between", round: { ...round, secret: "11".repeat(32) } }));
  assert.equal(page.seen.of("t", 3), null);
});

test("stores the newest rounds and ignores invalid storage", () => {
  const [tab, browser] = [storage(), storage()];
  const seen = new SeenRounds(() => tab, () => browser);
  for (let number = 1; number <= 40; number++) seen.open("t", { round: number, protocol: 2, commitment: `c${number}` });
  assert.equal(seen.of("t", 1), null);
  assert.equal(seen.of("t", 40).commitment, "c40");
  assert.equal(seen.open("t", { round: 40, protocol: 2, commitment: "other" }).commitment, "c40");
  assert.equal(new SeenRounds(() => tab, () => browser).of("t", 30).commitment, "c30");
  tab.setItem("paigow.fair", "{");
  browser.setItem("paigow.commitments", "{");
  const again = new SeenRounds(() => tab, () => browser);
  assert.equal(again.of("t", 40), null);
  assert.equal(again.hasCommitment("x"), null);
});
