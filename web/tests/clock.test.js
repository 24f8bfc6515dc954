import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../words.js";

/** Texts that were announced. */
const announced = [];
globalThis.HTMLElement = class {};
globalThis.customElements = { get: () => undefined, define() {} };
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
globalThis.document = Object.assign(new EventTarget(), {
  documentElement: { dataset: {} }, querySelector: () => null, createElement: () => ({ textContent: "" }),
  getElementById: () => ({ append: (line) => announced.push(line.textContent), childElementCount: 0 }),
});
const { Clock } = await import("../table/clock.js");
const { clockOf, OWN_TIME_MS } = await import("../table/model.js");

/** Returns a clock on the viewer's turn, and a function that sets the time left. */
function clockWith(total) {
  const clock = new Clock();
  let tick = () => {};
  let now = 0;
  clock.every = (_, action) => { tick = action; };
  Object.assign(clock, { total, until: total, yours: true, now: () => now });
  clock.begin();
  return { clock, leave: (ms) => { now = total - ms; tick(); } };
}

test("in the player's own time, the clock shows and announces its last minute", () => {
  const { clock, leave } = clockWith(OWN_TIME_MS);
  for (const ms of [OWN_TIME_MS, OWN_TIME_MS / 2, 60_001]) {
    leave(ms);
    assert.equal(clock.left, null);
  }
  assert.deepEqual(announced.splice(0), []);
  for (const ms of [60_000, 29_000, 9000, 8000]) leave(ms);
  assert.equal(clock.left, 8000);
  assert.deepEqual(announced.splice(0), [words.clock.lastMinute, words.clock.ten]);
  leave(30_000);
  assert.match(JSON.stringify(clock.view()), /"stroke-dasharray":"0.5000 1"/);
});

test("other clocks announce half time and the last ten seconds", () => {
  const { clock, leave } = clockWith(30_000);
  leave(30_000);
  assert.equal(clock.left, 30_000);
  for (const ms of [15_000, 9000]) leave(ms);
  assert.deepEqual(announced.splice(0), [words.clock.half(15), words.clock.ten]);
});

test("the clock of a phase is that of the table", () => {
  const facts = { clocks: { bank: 1000, wagers: OWN_TIME_MS, settings: 3000, between: 4000 } };
  assert.deepEqual(["waiting", "offering", "wagers", "revealing", "settings", "between"].map((phase) => clockOf({ phase, facts })), [0, 1000, OWN_TIME_MS, 0, 3000, 4000]);
});
