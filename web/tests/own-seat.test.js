import assert from "node:assert/strict";
import { test } from "node:test";
import { OwnChips } from "../table/own-chips.js";
import { OwnHand } from "../table/own-hand.js";
import { actingSeat, isViewerTurn } from "../table/model.js";
import { wagersOf } from "../table/scene.js";
import { words } from "../words.js";

const stake = (cents, color = null) => ({ cents, color });
const facts = { wagers: [{ wager: "pai-gow", title: "Pai Gow", min_cents: 500, max_cents: 10_000, color: false }, { wager: "red-black", title: "Red/Black", min_cents: 100, max_cents: 5000, color: true }] };

/** A table where seat 1 acts. The test answers commands with `answer`. */
function state({ wagers = {}, hand = null, down = 0 } = {}) {
  const own = { seat: 1, player: "p1", out: false, leaving: false, ready: false, wagers, hand };
  const sent = [];
  const waiting = [];
  return {
    view: { phase: "wagers", you: 1, yours: [1], seats: [own], round: { round: 1, bank: null }, facts }, own, fault: "", balance: 100_000, held: false, faceDown: { count: () => down }, sent,
    changed: () => {},
    send: (command) => {
      sent.push(command);
      return new Promise((resolve) => { waiting.push(resolve); });
    },
    answer: async () => {
      for (const resolve of waiting.splice(0)) resolve(true);
      await new Promise(setImmediate);
    },
  };
}

test("a change that is too late for the close of wagers leaves a notice", () => {
  const { board } = words;
  const placed = { "pai-gow": stake(500), "red-black": stake(100, "red") };
  const noticeOf = (draft) => {
    const table = state({ wagers: placed });
    const chips = new OwnChips(table);
    chips.setDraft(draft);
    chips.close();
    assert.deepEqual(chips.draft, placed);
    return table.fault;
  };
  assert.equal(noticeOf(placed), "");
  assert.equal(noticeOf({ ...placed, "pai-gow": stake(3000) }), board.late("$25.00"));
  assert.equal(noticeOf({ "pai-gow": stake(500) }), board.lateBack("$1.00"));
  assert.equal(noticeOf({ "pai-gow": stake(600) }), `${board.late("$1.00")} ${board.lateBack("$1.00")}`);
  assert.equal(noticeOf({ ...placed, "red-black": stake(100, "black") }), board.lateColor);
});

test("a double press of Deal sends one command", async () => {
  const table = state();
  const chips = new OwnChips(table);
  chips.setDraft({ "pai-gow": stake(500) });
  chips.confirm();
  chips.confirm();
  assert.deepEqual(table.sent.map(({ ready }) => ready), [true]);
  await table.answer();
  chips.confirm();
  assert.equal(table.sent.length, 2);
  await table.answer();
  chips.stop();
});

test("a draft above the balance is placed when the balance covers it", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const table = Object.assign(state(), { balance: 300 });
  const chips = new OwnChips(table);
  chips.balanceChanged();
  chips.setDraft({ "pai-gow": stake(500) });
  context.mock.timers.tick(1000);
  chips.balanceChanged();
  context.mock.timers.tick(1000);
  assert.deepEqual([table.sent, chips.faults.map(({ fault }) => fault)], [[], ["funds"]]);
  table.balance = 500;
  chips.balanceChanged();
  context.mock.timers.tick(1000);
  assert.equal(table.sent.length, 1);
  // The command is under way.
  chips.balanceChanged();
  context.mock.timers.tick(1000);
  assert.equal(table.sent.length, 1);
});

test("wagers are repeated in the next round, and not after the table has rested", (context) => {
  const stored = JSON.stringify({ "pai-gow": stake(500) });
  const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
  Object.defineProperty(globalThis, "localStorage", { configurable: true, value: { getItem: () => stored } });
  context.after(() => (before ? Object.defineProperty(globalThis, "localStorage", before) : delete globalThis.localStorage));
  const draftAfter = (act) => {
    const chips = new OwnChips(state());
    chips.repeatNext();
    act(chips);
    chips.open();
    chips.stop();
    return Object.keys(chips.draft);
  };
  assert.deepEqual(draftAfter(() => {}), ["pai-gow"]);
  assert.deepEqual(draftAfter((chips) => chips.cancelRepeat()), []);
});

test("a seat that sits out still sets the hand of the round", () => {
  const { view, own } = state({ hand: { cards: null, low: null, high: null, foul: null, set: false, by: null } });
  Object.assign(own, { out: true });
  const other = { ...own, seat: 2, hand: null };
  const both = { ...view, phase: "settings", yours: [1, 2], seats: [own, other] };
  assert.ok(isViewerTurn(both));
  assert.equal(actingSeat(both, 2), 1);
  assert.ok(!isViewerTurn({ ...both, phase: "wagers" }));
  own.hand.set = true;
  assert.ok(!isViewerTurn(both));
});

test("a double press of Set sends one command, and only cards of the hand move", async () => {
  const cards = "As Ks Qh Jd 9c 4h 2d";
  const table = state({ hand: { cards, low: null, high: null, foul: null, set: false, by: null } });
  const hand = new OwnHand(table);
  table.ranking = { wheel: "second" };
  hand.toggle("Tc");
  hand.move("Tc", "low");
  assert.deepEqual(hand.low, []);
  hand.toggle("Ks");
  hand.move("Ks", "high", "Tc");
  assert.deepEqual(hand.low, []);
  hand.move("Ks", "low");
  hand.move("Qh", "low");
  assert.deepEqual(hand.low, ["Ks", "Qh"]);
  hand.confirm();
  hand.confirm();
  assert.equal(table.sent.length, 1);
  await table.answer();
  table.own.hand.set = true;
  hand.toggle("As");
  assert.deepEqual(hand.low, ["Ks", "Qh"]);
});

test("no card moves while one lies face down", () => {
  const hand = new OwnHand(state({ hand: { cards: "As Ks Qh Jd 9c 4h 2d", low: null, high: null, foul: null, set: false, by: null }, down: 1 }));
  hand.toggle("Ks");
  hand.move("Qh", "low");
  assert.deepEqual(hand.low, []);
});

test("a round without a settlement shows no wagers", () => {
  const { view } = state({ wagers: { "pai-gow": stake(500) } });
  const shown = (rest, round = {}) => Object.keys(wagersOf({ ...view, ...rest, round: { ...view.round, ...round } }, 1));
  assert.deepEqual(shown({}), ["pai-gow"]);
  assert.deepEqual(shown({ phase: "between" }, { lines: [] }), ["pai-gow"]);
  assert.deepEqual(shown({ phase: "between" }), []);
  assert.deepEqual(shown({ phase: "waiting" }, { voided: { reason: "x" } }), []);
});
