import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

globalThis.matchMedia = () => ({ matches: false, addEventListener: () => {} });
globalThis.document = { documentElement: { dataset: {} }, querySelector: () => null };
const { settings } = await import("../settings.js");
const { Guide, STEPS, stepOf } = await import("../table/guide.js");

/** Returns a state of a table with the viewer at seat 2. */
function state({ phase = "wagers", own = {}, draft = {}, faults = [], down = 0, setting = null, stage = "over", banks = false, held = false, voided = null } = {}) {
  const seat = { seat: 2, ready: false, out: false, leaving: false, hand: null, ...own };
  const view = { phase, you: 2, round: { voided }, seats: [seat], facts: { banking: { seats: banks } } };
  const showsResult = phase === "between";
  return { view, shown: view, own: seat, showsResult, held, chips: { draft, faults }, hand: { setting }, faceDown: { count: () => down }, playback: { moment: { stage } } };
}

const wagered = { "pai-gow": { cents: 500 } };
const open = { hand: { set: false } };
const set = { hand: { set: true } };
/** One hand, from the wager to the result, with the expected steps. */
const HAND = [
  ["wager", {}],
  ["deal", { draft: wagered }],
  [null, { draft: wagered, own: { ready: true } }],
  [null, { phase: "revealing" }],
  ["turn", { phase: "settings", own: open, down: 7 }],
  ["turn", { phase: "settings", own: open, down: 1 }],
  ["choose", { phase: "settings", own: open }],
  ["set", { phase: "settings", own: open, setting: { legal: true } }],
  [null, { phase: "settings", own: set }],
  [null, { phase: "between", own: set, stage: "verdict" }],
  ["result", { phase: "between", own: set }],
];

beforeEach(() => { settings.value = { ...settings.value, guided: false }; });

test("the steps follow one hand", () => {
  assert.deepEqual(HAND.map(([, what]) => stepOf(state(what))), HAND.map(([step]) => step));
  assert.deepEqual([...new Set(HAND.map(([step]) => step))].filter(Boolean), [...STEPS]);
});

test("a side wager alone and a foul setting are not enough for the next step", () => {
  assert.equal(stepOf(state({ draft: { fortune: { cents: 500 } }, faults: [{ fault: "base" }] })), "wager");
  assert.equal(stepOf(state({ draft: wagered, faults: [{ fault: "low" }] })), "wager");
  assert.equal(stepOf(state({ phase: "settings", own: open, setting: { legal: false } })), "choose");
});

test("the guide has no step for a watcher, for a player who sits out, in a round without a hand, and in a void round", () => {
  assert.equal(stepOf({ ...state(), own: null }), null);
  assert.equal(stepOf(state({ own: { out: true } })), null);
  assert.equal(stepOf(state({ phase: "between" })), null);
  assert.equal(stepOf(state({ phase: "between", own: set, voided: { code: "exposed_card" } })), null);
});

test("the guide ends with the first result, and does not return", () => {
  const guide = new Guide();
  for (const [step, what] of HAND) {
    guide.update(state(what));
    assert.equal(guide.step, step);
    assert.equal(settings.value.guided, what.phase === "between");
  }
  guide.update(state());
  assert.deepEqual([guide.step, guide.active], [null, false]);
  assert.equal(new Guide().active, false);
});

test("a skipped guide does not return", () => {
  const guide = new Guide();
  guide.update(state());
  assert.equal(guide.step, "wager");
  guide.end();
  guide.update(state({ draft: wagered }));
  assert.deepEqual([guide.step, guide.active, settings.value.guided], [null, false, true]);
});

test("a table where players bank has no guide, but its first hand counts", () => {
  const guide = new Guide();
  guide.update(state({ banks: true }));
  assert.equal(guide.step, null);
  assert.equal(settings.value.guided, false);
  guide.update(state({ phase: "between", own: set, banks: true }));
  assert.equal(guide.step, null);
  assert.equal(settings.value.guided, true);
});
