import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** Pending requests, in the order they were sent. */
const requests = [];
globalThis.fetch = (path) => new Promise((resolve) => { requests.push({ path, answer: async (body, status = 200) => {
  resolve({ status, ok: status < 400, text: async () => JSON.stringify(body), headers: new Headers({ "content-type": "application/json" }) });
  await new Promise(setImmediate);
} }); });
const stored = new Map();
Object.defineProperty(globalThis, "localStorage", { configurable: true, value: { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value), removeItem: (key) => stored.delete(key) } });
const { session } = await import("../api.js");

const me = (cents) => ({ player: "guest-1", name: "Ann", cents: { chips: cents } });

beforeEach(async () => {
  requests.length = 0;
  stored.set("paigow.session", "yes");
  session.load();
  await requests.shift().answer(me(1000));
});

test("an older response does not replace a newer one", async () => {
  const older = session.load();
  session.load();
  await requests[1].answer(me(700));
  await requests[0].answer(me(900));
  assert.equal(session.balance("chips"), 700);
  assert.equal((await older)?.cents.chips, 700);
  session.load();
  session.load();
  await requests[3].answer(me(600));
  await requests[2].answer({ code: "no_session" }, 401);
  assert.equal(session.balance("chips"), 600);
});

test("an adjusted balance stays until a later request is answered", async () => {
  session.load();
  session.adjustBalance("chips", -250);
  session.load();
  await requests[0].answer(me(1000));
  assert.equal(session.balance("chips"), 750);
  await requests[1].answer(me(740));
  assert.equal(session.balance("chips"), 740);
  session.adjustBalance("chips", 60);
  assert.equal(session.balance(), 800);
});

test("a balance is never negative", () => {
  session.adjustBalance("chips", -1500);
  assert.equal(session.balance("chips"), 0);
  session.adjustBalance("chips", 1500);
  assert.equal(session.balance("chips"), 1000);
});
