import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { newId } from "../api.js";
import { SeenRounds } from "../fair/seen.js";
import { seatCommitment } from "../fair/verify.js";
import { OwnBytes } from "../table/own-bytes.js";
import { reduce } from "../table/reduce.js";
import { newKey, signedList, withoutWebCrypto } from "./house.js";

/** Storage of a tab or a browser. */
function storage() {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, String(value)), kept };
}

const seat = (number, player) => ({ seat: number, player, out: false, leaving: false, ready: false, wagers: {}, hand: null });
const KEY = newKey("0011223344556677");
const [AA, BB] = ["aa".repeat(32), "bb".repeat(32)];
const round = { round: 3, protocol: 2, commitment: AA, opened_at: null, key: KEY.key, signature: null, commitments: {}, closed_signature: null, silent: [], secret: null, passed: [], bank: null, pile: null, bytes: {}, dice: null, dealer: null, net_cents: null };
const start = (more = {}) => ({ table: "t", facts: {}, phase: "wagers", until: 5, offered: null, player: "me", you: 2, yours: [2], seats: [seat(2, "me"), seat(4, "p4")], round, ...more });
const wagered = (number) => ({ event: "wagered", seat: number, wager: "pai-gow", cents: 500, color: null });
const closing = (commitments, { key = KEY, commitment = AA } = {}) => ({ event: "wagers_closed", commitments, signature: signedList(key, { table: "t", round: 3, commitment, commitments }), until: 9 });

/** A window of the page: a table that is shown to it, and the commands it gives. */
class Window {
  commands = [];
  alarms = 0;
  /** How commands are answered: an error refuses them. */
  answer = async () => ({});
  /** The keys that the house lists. */
  keys = async (id) => (id === KEY.key ? KEY.public_key : null);

  constructor(view, { tab = storage(), browser = storage() } = {}) {
    this.view = view;
    [this.tab, this.browser] = [tab, browser];
    this.seen = new SeenRounds(() => tab, () => browser);
    this.own = new OwnBytes({
      view: () => this.view, seen: this.seen, publicKey: (id) => this.keys(id), alarmed: () => { this.alarms += 1; },
      give: (command) => { this.commands.push(command); return this.answer(command); },
    });
  }

  async sees(...events) {
    for (const event of events) {
      this.view = reduce(this.view, event);
      this.own.follow();
      await this.settled();
    }
  }

  /** The page is loaded again, in the same tab. */
  reloaded(view = this.view) {
    return new Window(view, this);
  }

  async shown(view = this.view) {
    this.view = view;
    this.own.restart();
    await this.settled();
  }

  settled() {
    return new Promise((done) => { setTimeout(done, 5); });
  }

  /** Waits until something is so: a signature is checked as fast as the machine is free. */
  async until(is) {
    for (let tries = 0; !is() && tries < 400; tries++) await this.settled();
  }

  /** Waits for as many reveals. */
  async reveals(count = 1) {
    const given = () => this.commands.filter((command) => command.do === "reveal");
    await this.until(() => given().length >= count);
    return given();
  }

  get last() {
    return this.commands.at(-1);
  }
}

const refusal = (code) => Object.assign(new Error(code), { code });

/** A window that has seen the round open. */
async function opened(view = start(), how = {}) {
  const window = new Window(view, how);
  await window.shown();
  const draws = view.round.protocol === 2 && view.phase === "wagers";
  while (draws && view.yours.some((own) => !window.seen.of(view.table, view.round.round)?.seats[own])) await window.settled();
  return window;
}

test("the first wagers take the commitment with them, and the bytes are revealed once wagers are closed", async () => {
  const page = await opened();
  assert.deepEqual(page.commands, [], "nothing is sent for a seat without a wager");
  await page.own.give({ do: "wagers", wagers: [], ready: false });
  const { commitment } = page.last;
  assert.match(commitment, /^[0-9a-f]{64}$/);
  await page.sees(wagered(2), { event: "committed", seat: 2, commitment });
  await page.own.give({ do: "wagers", wagers: [], ready: true });
  assert.equal("commitment" in page.last, false, "the commitment is sent once");
  await page.own.give({ do: "ready" });
  assert.deepEqual(page.last, { do: "ready" });
  assert.equal(page.commands.length, 3);
  await page.sees(closing({ 2: commitment }));
  await page.reveals();
  assert.equal(page.last.do, "reveal");
  assert.equal(page.last.seat, 2);
  assert.equal(await seatCommitment({ table: "t", round: 3, seat: 2, bytes: page.last.bytes }), commitment);
  await page.sees({ event: "revealed", seat: 2, bytes: page.last.bytes });
  assert.equal(page.commands.length, 4);
  const kept = page.seen.of("t", 3);
  assert.deepEqual([kept.commitment, kept.closed, kept.seats[2].accepted, kept.seats[2].listed, kept.seats[2].shown], [AA, { 2: commitment }, true, true, true]);
  assert.equal(page.own.alarm, "");
});

test("a seat that banks commits by itself, and so does one whose wagers were made elsewhere", async () => {
  for (const event of [{ event: "bank_taken", seat: 2, cents: 500, bank: { seat: 2, covers_cents: 500 } }, wagered(2)]) {
    const page = await opened();
    await page.sees(event);
    assert.deepEqual([page.last.do, page.last.seat, page.commands.length], ["commit", 2, 1]);
    await page.sees(wagered(4), { event: "ready", seat: 4 });
    assert.equal(page.commands.length, 1, "it commits once");
  }
});

test("each seat of a viewer has bytes of its own", async () => {
  const page = await opened(start({ yours: [2, 4], seats: [seat(2, "me"), seat(4, "me")] }));
  await page.own.give({ do: "wagers", wagers: [], seat: 4 });
  await page.own.give({ do: "wagers", wagers: [], seat: 2 });
  const [four, two] = page.commands.map(({ commitment }) => commitment);
  assert.notEqual(four, two);
  await page.sees({ event: "committed", seat: 2, commitment: two }, { event: "committed", seat: 4, commitment: four }, closing({ 2: two, 4: four }));
  const reveals = await page.reveals(2);
  assert.deepEqual(reveals.map((command) => command.seat).sort(), [2, 4]);
  assert.equal(await seatCommitment({ table: "t", round: 3, seat: 4, bytes: reveals.find((command) => command.seat === 4).bytes }), four);
});

test("a page that is loaded again while seats reveal still reveals", async () => {
  const page = await opened();
  await page.own.give({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  await page.sees({ event: "committed", seat: 2, commitment });
  const view = reduce(page.view, closing({ 2: commitment }));
  const again = page.reloaded();
  await again.shown(view);
  await again.reveals();
  assert.equal(await seatCommitment({ table: "t", round: 3, seat: 2, bytes: again.last.bytes }), commitment);
  // The table is shown again without the bytes: they are given again. With them they are not.
  await again.shown();
  await again.reveals(2);
  assert.equal(again.commands.length, 2);
  await again.shown(reduce(view, { event: "revealed", seat: 2, bytes: again.last.bytes }));
  assert.equal(again.commands.length, 2);
});

test("nothing is revealed before wagers are closed, nor where the list has another commitment", async () => {
  const page = await opened();
  await page.own.give({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  await page.sees({ event: "committed", seat: 2, commitment }, wagered(2), { event: "ready", seat: 2 });
  assert.equal(page.commands.length, 1);
  await page.sees(closing({ 2: "ee".repeat(32) }));
  assert.equal(page.commands.length, 1);
  assert.deepEqual([page.own.alarm, page.alarms], ["own", 1]);
});

test("a commitment that is missing from the list is an alarm, unless the seat does not play", async () => {
  for (const [plays, alarm] of [[true, "lost"], [false, ""]]) {
    for (const lists of [true, false]) {
      const page = await opened();
      await page.own.give({ do: "wagers", wagers: [] });
      const { commitment } = page.last;
      await page.sees(...(plays ? [wagered(2)] : []), ...(lists ? [{ event: "committed", seat: 2, commitment }] : []), closing({}));
      assert.equal(page.own.alarm, alarm, `plays: ${plays}, was listed: ${lists}`);
    }
  }
  const refused = await opened();
  refused.answer = async () => { throw refusal("not_now"); };
  await refused.sees(wagered(2), closing({}));
  assert.equal(refused.own.alarm, "", "the house did not accept the commitment");
});

test("a seat that was given up while the page was away has no commitment", async () => {
  const page = await opened();
  await page.own.give({ do: "wagers", wagers: [] });
  await page.sees(wagered(2), { event: "committed", seat: 2, commitment: page.last.commitment });
  const { yours: _, ...rest } = start({ you: null, seats: [seat(2, "other"), seat(4, "p4")] });
  await page.shown(reduce(reduce(rest, wagered(2)), closing({})));
  assert.equal(page.own.alarm, "");
  const { accepted, listed } = page.seen.of("t", 3).seats[2];
  assert.deepEqual([accepted, listed], [false, false]);
});

test("nothing is revealed for a list that the house has not signed", async () => {
  const unsigned = [
    (list) => closing(list, { key: newKey(KEY.key) }), (list) => closing(list, { commitment: BB }), (list) => ({ ...closing({}), commitments: list }),
    (list) => ({ ...closing(list), signature: "s" }), (list) => ({ ...closing(list), signature: null }),
  ];
  for (const close of unsigned) {
    const page = await opened();
    await page.own.give({ do: "wagers", wagers: [] });
    const { commitment } = page.last;
    await page.sees({ event: "committed", seat: 2, commitment }, close({ 2: commitment }));
    await page.until(() => page.own.alarm);
    assert.deepEqual([page.commands.length, page.own.alarm], [1, "list"]);
  }
  const unlisted = await opened(start({ round: { ...round, key: "ffffffffffffffff" } }));
  await unlisted.own.give({ do: "wagers", wagers: [] });
  await unlisted.sees(closing({ 2: unlisted.last.commitment }));
  assert.deepEqual([unlisted.commands.length, unlisted.own.alarm], [1, "list"]);
});

test("a house that could not be asked for its keys is asked again, and a browser without Ed25519 reveals", async () => {
  const page = await opened();
  await page.own.give({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  const { keys } = page;
  page.keys = async () => undefined;
  await page.sees(closing({ 2: commitment }));
  assert.deepEqual([page.commands.length, page.own.alarm], [1, ""]);
  page.keys = keys;
  await page.shown();
  assert.equal((await page.reveals()).length, 1);
  const old = await opened();
  await old.own.give({ do: "wagers", wagers: [] });
  const list = { 2: old.last.commitment };
  mock.method(crypto.subtle, "importKey", async () => { throw new DOMException("no such algorithm", "NotSupportedError"); });
  await old.sees(closing(list));
  await old.reveals();
  mock.restoreAll();
  assert.deepEqual([old.last.do, old.own.alarm], ["reveal", ""]);
});

/** A window that has revealed its bytes. */
async function revealed() {
  const page = await opened();
  await page.own.give({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  await page.sees(wagered(2), { event: "committed", seat: 2, commitment }, closing({ 2: commitment }));
  const [{ bytes }] = await page.reveals();
  return { page, bytes };
}

test("bytes that were sent, or drawn for another commitment of the house, are not committed to again", async () => {
  // The store went back: the round opens again, with the same commitment of the house or with another.
  for (const house of [AA, BB]) {
    const { page, bytes } = await revealed();
    const again = page.reloaded();
    await again.shown(reduce(start({ round: { ...round, commitment: house } }), wagered(2)));
    while (again.commands.length === 0) await again.settled();
    assert.equal(again.last.do, "commit");
    const own = again.seen.of("t", 3).seats[2];
    assert.notEqual(own.bytes, bytes);
    assert.deepEqual([own.commitment, own.house, own.sent, own.shown], [again.last.commitment, house, false, false]);
    // The list that was closed is gone as well.
    assert.equal(again.own.alarm, house === AA ? "list" : "commitment");
  }
  const unsent = await opened();
  const { bytes } = unsent.seen.of("t", 3).seats[2];
  await unsent.shown(reduce(start({ round: { ...round, commitment: BB } }), wagered(2)));
  while (unsent.commands.length === 0) await unsent.settled();
  assert.notEqual(unsent.seen.of("t", 3).seats[2].bytes, bytes);
});

test("bytes of another commitment of the house go neither with wagers nor into a list", async () => {
  const other = start({ round: { ...round, commitment: BB } });
  const { page } = await revealed();
  const quick = page.reloaded(other);
  await quick.own.give({ do: "wagers", wagers: [] });
  assert.deepEqual(quick.commands, [{ do: "wagers", wagers: [] }]);
  const unsent = await opened();
  const listed = unsent.reloaded();
  await listed.shown(reduce(other, closing({ 2: unsent.seen.of("t", 3).seats[2].commitment }, { commitment: BB })));
  assert.deepEqual(listed.commands, []);
});

test("a table that goes back to version 1 is an alarm, and one that goes on to version 2 is not", async () => {
  const page = await opened(start({ round: { ...round, protocol: 1 } }));
  assert.equal(page.own.alarm, "");
  await page.sees({ event: "round_opened", round: 4, commitment: BB, protocol: 2 });
  assert.equal(page.own.alarm, "");
  await page.sees({ event: "round_opened", round: 5, commitment: "cc".repeat(32), protocol: 1 });
  assert.deepEqual([page.own.alarm, page.alarms], ["version", 1]);
  const again = page.reloaded();
  await again.shown();
  assert.equal(again.own.alarm, "version", "the page is loaded again");
  const other = page.reloaded();
  await other.shown({ ...page.view, table: "u" });
  assert.equal(other.own.alarm, "", "another table");
});

test("without WebCrypto the page plays on and adds nothing", async () => {
  await withoutWebCrypto(async () => {
    const page = new Window(start());
    await page.shown();
    await page.own.give({ do: "wagers", wagers: [], ready: true });
    await page.sees(wagered(2), closing({}));
    assert.deepEqual(page.commands, [{ do: "wagers", wagers: [], ready: true }]);
    assert.equal(page.own.alarm, "");
    assert.match(newId(), /^[0-9a-f]{32}$/);
  });
});

test("another commitment for the round, or another list, is an alarm", async () => {
  const page = await opened();
  await page.shown(start({ round: { ...round, commitment: BB } }));
  assert.equal(page.own.alarm, "commitment");
  const other = await opened();
  await other.sees(closing({ 4: BB }));
  await other.shown({ ...other.view, round: { ...other.view.round, commitments: { 4: AA } } });
  assert.equal(other.own.alarm, "list");
  // The next round begins without it.
  await other.sees({ event: "round_opened", round: 4, commitment: "ab", protocol: 2 });
  assert.equal(other.own.alarm, "");
});

test("a second window does not commit again, and does not reveal", async () => {
  const page = await opened();
  const second = await opened(start(), { browser: page.browser });
  await page.own.give({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  await second.sees({ event: "committed", seat: 2, commitment }, wagered(2));
  await second.own.give({ do: "wagers", wagers: [] });
  assert.deepEqual(second.commands, [{ do: "wagers", wagers: [] }]);
  await second.sees(closing({ 2: commitment }));
  assert.equal(second.commands.length, 1);
  assert.equal(second.own.alarm, "", "the browser has made the commitment");
});

test("two windows at once: the one that is refused goes on without its commitment", async () => {
  const page = await opened();
  page.answer = async (command) => { if (command.commitment) throw refusal("already_committed"); };
  await page.own.give({ do: "wagers", wagers: [], ready: true });
  assert.deepEqual(page.commands.map((command) => "commitment" in command), [true, false]);
  assert.equal(page.seen.of("t", 3).seats[2].accepted, false);
});

test("a commitment that no window of this browser has made is an alarm", async () => {
  const page = await opened();
  await page.sees({ event: "committed", seat: 2, commitment: "ee".repeat(32) });
  assert.equal(page.own.alarm, "own");
  assert.deepEqual(page.commands, []);
  const others = await opened();
  await others.sees({ event: "committed", seat: 4, commitment: "ee".repeat(32) });
  assert.equal(others.own.alarm, "", "the seats of others are theirs");
});

test("wagers that are refused take the commitment with them the next time", async () => {
  const page = await opened();
  page.answer = async () => { throw refusal("insufficient_funds"); };
  await assert.rejects(page.own.give({ do: "wagers", wagers: [] }), { code: "insufficient_funds" });
  page.answer = async () => ({});
  await page.own.give({ do: "wagers", wagers: [] });
  assert.deepEqual(page.commands.map(({ commitment }) => commitment !== undefined), [true, true]);
});

test("what is refused again and again is given up", async () => {
  const page = await opened();
  page.answer = async () => { throw refusal("not_now"); };
  for (let i = 0; i < 6; i++) await page.sees(wagered(2));
  assert.equal(page.commands.length, 3);
});

test("a seat that is given up and taken again commits again", async () => {
  const page = await opened();
  await page.own.give({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  await page.sees({ event: "committed", seat: 2, commitment }, { event: "stood", seat: 2 }, { event: "sat", seat: 2, player: "me" }, wagered(2));
  assert.deepEqual([page.last.do, page.commands.length, page.own.alarm], ["commit", 2, ""]);
});

test("storage that throws costs nothing while the page stays", async () => {
  const broken = { getItem: () => { throw new Error("blocked"); }, setItem: () => { throw new Error("blocked"); } };
  const page = await opened(start(), { tab: broken, browser: broken });
  await page.own.give({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  await page.sees({ event: "committed", seat: 2, commitment }, closing({ 2: commitment }));
  assert.equal((await page.reveals()).length, 1);
  assert.equal(page.own.alarm, "");
  // What other windows have made is not known: that is no alarm.
  const other = await opened(start(), { tab: broken, browser: broken });
  await other.sees({ event: "committed", seat: 2, commitment: "ee".repeat(32) });
  assert.equal(other.own.alarm, "");
  // That the server has accepted another one is known.
  const accepted = await opened(start(), { tab: broken, browser: broken });
  await accepted.own.give({ do: "wagers", wagers: [] });
  await accepted.sees({ event: "committed", seat: 2, commitment: "ee".repeat(32) });
  assert.equal(accepted.own.alarm, "own");
});

test("a round of version 1 is watched, and nothing is committed", async () => {
  const page = await opened(start({ round: { ...round, protocol: 1 } }));
  await page.sees(wagered(2));
  await page.own.give({ do: "wagers", wagers: [] });
  assert.deepEqual(page.commands, [{ do: "wagers", wagers: [] }]);
  assert.equal(page.seen.of("t", 3).commitment, AA);
});

test("a commitment that is first seen with its secret is not kept", async () => {
  const page = await opened(start({ phase: "between", round: { ...round, secret: "11".repeat(32) } }));
  assert.equal(page.seen.of("t", 3), null);
});

test("the newest rounds are kept, and rubbish in storage is passed over", () => {
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
  assert.equal(again.isMade("x"), null);
});
