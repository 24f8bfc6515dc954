import assert from "node:assert/strict";
import { test } from "node:test";
import { SeenRounds } from "../fair/seen.js";
import { seatCommitment } from "../fair/verify.js";
import { OwnBytes } from "../table/own-bytes.js";
import { reduce } from "../table/reduce.js";

/** Storage of a tab or a browser. */
function storage() {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, String(value)), kept };
}

const seat = (number, player) => ({ seat: number, player, out: false, leaving: false, ready: false, wagers: {}, hand: null });
const round = { round: 3, protocol: 2, commitment: "aa", opened_at: null, key: null, signature: null, commitments: {}, closed_signature: null, silent: [], secret: null, passed: [], bank: null, pile: null, bytes: {}, dice: null, dealer: null, net_cents: null };
const start = (more = {}) => ({ table: "t", facts: {}, phase: "wagers", until: 5, offered: null, player: "me", you: 2, yours: [2], seats: [seat(2, "me"), seat(4, "p4")], round, ...more });
const wagered = (number) => ({ event: "wagered", seat: number, wager: "pai-gow", cents: 500, color: null });
const closing = (commitments) => ({ event: "wagers_closed", commitments, signature: "s", until: 9 });

/** A window of the page: a table that is shown to it, and the commands it gives. */
class Window {
  commands = [];
  alarms = 0;
  /** How commands are answered: an error refuses them. */
  answer = async () => ({});

  constructor(view, { tab = storage(), browser = storage() } = {}) {
    this.view = view;
    [this.tab, this.browser] = [tab, browser];
    this.seen = new SeenRounds(() => tab, () => browser);
    this.own = new OwnBytes({
      view: () => this.view, seen: this.seen, alarmed: () => { this.alarms += 1; },
      give: (command) => { this.commands.push(command); return this.answer(command); },
    });
  }

  async sees(...events) {
    for (const event of events) {
      this.view = reduce(this.view, event);
      if (event.event === "stood") this.own.stood(event.seat);
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
  assert.equal(page.last.do, "reveal");
  assert.equal(page.last.seat, 2);
  assert.equal(await seatCommitment({ table: "t", round: 3, seat: 2, bytes: page.last.bytes }), commitment);
  await page.sees({ event: "revealed", seat: 2, bytes: page.last.bytes });
  assert.equal(page.commands.length, 4);
  const kept = page.seen.of("t", 3);
  assert.deepEqual([kept.commitment, kept.closed, kept.seats[2].accepted, kept.seats[2].listed, kept.seats[2].shown], ["aa", { 2: commitment }, true, true, true]);
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
  const reveals = page.commands.filter((command) => command.do === "reveal");
  assert.deepEqual(reveals.map((command) => command.seat), [2, 4]);
  assert.equal(await seatCommitment({ table: "t", round: 3, seat: 4, bytes: reveals[1].bytes }), four);
});

test("a page that is loaded again while seats reveal still reveals", async () => {
  const page = await opened();
  await page.own.give({ do: "wagers", wagers: [] });
  const { commitment } = page.last;
  await page.sees({ event: "committed", seat: 2, commitment });
  const view = reduce(page.view, closing({ 2: commitment }));
  const again = page.reloaded();
  await again.shown(view);
  assert.equal(await seatCommitment({ table: "t", round: 3, seat: 2, bytes: again.last.bytes }), commitment);
  // The table is shown again without the bytes: they are given again. With them they are not.
  await again.shown();
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
    const page = await opened();
    await page.own.give({ do: "wagers", wagers: [] });
    const { commitment } = page.last;
    await page.sees(...(plays ? [wagered(2)] : []), { event: "committed", seat: 2, commitment }, closing({}));
    assert.equal(page.own.alarm, alarm);
  }
});

test("another commitment for the round, or another list, is an alarm", async () => {
  const page = await opened();
  await page.shown(start({ round: { ...round, commitment: "bb" } }));
  assert.equal(page.own.alarm, "commitment");
  const other = await opened();
  await other.sees(closing({ 4: "cc" }));
  await other.shown({ ...other.view, round: { ...other.view.round, commitments: { 4: "dd" } } });
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
  assert.equal(page.last.do, "reveal");
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
  assert.equal(page.seen.of("t", 3).commitment, "aa");
});

test("a commitment that is first seen with its secret is not kept", async () => {
  const page = await opened(start({ phase: "between", round: { ...round, secret: "11".repeat(32) } }));
  assert.equal(page.seen.of("t", 3), null);
});

test("the newest rounds are kept, and rubbish in storage is passed over", () => {
  const [tab, browser] = [storage(), storage()];
  const seen = new SeenRounds(() => tab, () => browser);
  for (let number = 1; number <= 40; number++) seen.open("t", number, `c${number}`);
  assert.equal(seen.of("t", 1), null);
  assert.equal(seen.of("t", 40).commitment, "c40");
  assert.equal(seen.open("t", 40, "other").commitment, "c40");
  assert.equal(new SeenRounds(() => tab, () => browser).of("t", 30).commitment, "c30");
  tab.setItem("paigow.fair", "{");
  browser.setItem("paigow.commitments", "{");
  const again = new SeenRounds(() => tab, () => browser);
  assert.equal(again.of("t", 40), null);
  assert.equal(again.isMade("x"), null);
});
