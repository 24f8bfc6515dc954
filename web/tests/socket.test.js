import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

/** A WebSocket that the test opens, feeds and breaks. */
class FakeSocket {
  static OPEN = 1;
  static all = [];
  readyState = 0;
  sent = [];
  constructor(url) {
    this.url = url;
    FakeSocket.all.push(this);
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  receive(message) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  fail() {
    this.readyState = 3;
    this.onclose?.();
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  get commands() {
    return this.sent.filter((message) => message.type === "command");
  }
}

globalThis.WebSocket = FakeSocket;
globalThis.window = new EventTarget();
globalThis.document = Object.assign(new EventTarget(), { visibilityState: "visible" });
globalThis.location = { protocol: "https:", host: "table.example" };
const { LiveTable } = await import("../live/socket.js");

const last = () => FakeSocket.all.at(-1);
const hash = (seq) => `000000000000000${seq}`;
const event = (seq) => ({ type: "event", seq, hash: hash(seq), at: 1, event: { event: "ready", seat: seq } });

function join() {
  const seen = [];
  const live = new LiveTable("t", {
    onSnapshot: (view, seq) => seen.push(`snapshot ${seq}`), onEvent: (_, seq) => seen.push(`event ${seq}`), onLink: () => {},
    onRollback: () => seen.push("rollback"), onMissing: () => seen.push("missing"),
  });
  last().open();
  last().receive({ type: "snapshot", seq: 5, hash: hash(5), now: Date.now(), view: {} });
  return { live, seen };
}

beforeEach(() => {
  FakeSocket.all = [];
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
});

test("ignores repeated events and requests missing ones", () => {
  const { live, seen } = join();
  assert.equal(last().url, "wss://table.example/api/tables/t/live");
  for (const seq of [5, 6, 6, 8]) last().receive(event(seq));
  assert.deepEqual(seen, ["snapshot 5", "event 6"]);
  assert.deepEqual(last().sent.at(-1), { type: "resume", from: 6, hash: hash(6) });
  for (const seq of [7, 8]) last().receive(event(seq));
  assert.deepEqual(seen, ["snapshot 5", "event 6", "event 7", "event 8"]);
  live.close();
});

test("resends a command with the same id until it is answered", async () => {
  const { live } = join();
  const answer = live.send({ do: "ready" });
  const [{ id }] = last().commands;
  last().fail();
  assert.equal(live.link, "lost");
  mock.timers.tick(1000);
  last().open();
  assert.equal(last().url, "wss://table.example/api/tables/t/live?from=5&hash=0000000000000005");
  assert.deepEqual(last().commands.map((command) => command.id), [id]);
  last().receive({ type: "refused", id, problem: { status: 503, code: "unavailable", detail: "", retry_seconds: 1 } });
  mock.timers.tick(1000);
  assert.equal(last().commands.length, 2);
  last().receive({ type: "done", id, first_seq: 6 });
  assert.equal((await answer).id, id);
  assert.equal(live.pending, 0);
  live.close();
});

test("sends queued commands after reconnecting", () => {
  const { live } = join();
  last().fail();
  live.send({ do: "house_way" });
  assert.equal(live.pending, 1);
  mock.timers.tick(1000);
  last().open();
  assert.deepEqual(last().commands.map(({ command }) => command), [{ do: "house_way" }]);
  live.close();
});

test("a refusal rejects with its code and message", async () => {
  const { live } = join();
  const answer = live.send({ do: "sit", seat: 1 });
  last().receive({ type: "refused", id: last().commands[0].id, problem: { status: 409, code: "seat_taken", detail: "seat 1 is taken" } });
  await assert.rejects(answer, { code: "seat_taken", message: "seat 1 is taken" });
  live.close();
});

test("backs off between attempts and reconnects at once when visible", () => {
  const { live } = join();
  const waits = [];
  for (let i = 0; i < 8; i++) {
    last().fail();
    waits.push(live.retryAt - Date.now());
    mock.timers.tick(30_000);
  }
  assert.ok(waits[0] <= 750 && waits[7] >= 7_500 && waits.every((wait) => wait <= 22_500), waits.join(" "));
  last().fail();
  const tried = FakeSocket.all.length;
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(FakeSocket.all.length, tried + 1);
  live.close();
});

test("a silent connection is lost, an answered ping keeps it", () => {
  const { live } = join();
  mock.timers.tick(10_000);
  const ping = last().sent.filter((message) => message.type === "ping").at(-1);
  last().receive({ type: "pong", n: ping.n, now: Date.now() + 5000 });
  assert.equal(live.link, "live");
  assert.ok(Math.abs(live.offset - 5000) < 100, String(live.offset));
  mock.timers.tick(20_000);
  assert.equal(live.link, "lost");
  live.close();
});

test("does not reconnect after the session ended", () => {
  const { live } = join();
  last().receive({ type: "goodbye", code: "ended", retry_ms: null });
  assert.equal(live.link, "ended");
  const tried = FakeSocket.all.length;
  mock.timers.tick(60_000);
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(FakeSocket.all.length, tried);
});

test("reports a store rollback before the new snapshot", () => {
  const { live, seen } = join();
  last().receive(event(6));
  last().receive({ type: "store_went_back", had: 6, seq: 3 });
  last().receive({ type: "snapshot", seq: 3, hash: hash(3), now: Date.now(), view: {} });
  last().receive(event(4));
  assert.deepEqual(seen, ["snapshot 5", "event 6", "rollback", "snapshot 3", "event 4"]);
  last().fail();
  mock.timers.tick(1_000);
  assert.ok(last().url.endsWith(`?from=4&hash=${hash(4)}`), last().url);
  live.close();
});

test("does not reconnect to a missing table", () => {
  const { seen } = join();
  last().receive({ type: "goodbye", code: "no_such_table", retry_ms: null });
  assert.deepEqual(seen, ["snapshot 5", "missing"]);
  const tried = FakeSocket.all.length;
  mock.timers.tick(60_000);
  assert.equal(FakeSocket.all.length, tried);
});
