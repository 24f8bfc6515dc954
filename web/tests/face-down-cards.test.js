import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { words } from "../words.js";

/** Texts that were announced, with their urgency. */
const announced = [];
globalThis.document = {
  createElement: () => ({ textContent: "" }),
  getElementById: (id) => ({ append: (line) => announced.push([id.replace("say-", ""), line.textContent]), childElementCount: 0 }),
};
const { FaceDownCards, turnTime } = await import("../table/face-down-cards.js");

const CARDS = "As Ks Qh Jd 9c 4h 2d";
const NAMES = "ace of spades, king of spades, queen of hearts, jack of diamonds, nine of clubs, four of hearts, two of diamonds";
const CLOCK = 30_000;

/** A view in which the viewer has seats 1 and 2, and another player seat 3. */
function view({ round = 1, phase = "settings", set = false, cards = CARDS, until = CLOCK, clock = CLOCK } = {}) {
  const hand = (dealt) => ({ cards: dealt, low: null, high: null, foul: null, set, by: null });
  return {
    phase, until, yours: [1, 2], you: 1, round: { round }, facts: { clocks: { settings: clock } },
    seats: [{ seat: 1, hand: hand(cards) }, { seat: 2, hand: hand("Ah Kh Qs Jc 9d 4s 2c") }, { seat: 3, hand: hand(null) }],
  };
}

function dealt(options = {}) {
  const table = { now: () => 0, changed: mock.fn(), isOn: () => options.on ?? true };
  const faceDown = new FaceDownCards(table);
  faceDown.deal(view(options));
  return { faceDown, table };
}

beforeEach(() => {
  announced.length = 0;
});

test("cards are dealt face down to all seats of the viewer", () => {
  const { faceDown } = dealt();
  assert.deepEqual([1, 2, 3, undefined].map((seat) => faceDown.count(seat)), [7, 7, 0, 0]);
  assert.ok(faceDown.has(1, "As"));
  faceDown.stop();
  assert.equal(faceDown.count(1), 0);
});

test("with the setting off, cards are up", () => {
  assert.equal(dealt({ on: false }).faceDown.count(1), 0);
});

test("a turned card is announced, and no other", () => {
  const { faceDown, table } = dealt();
  faceDown.turn(1, "Qh");
  faceDown.turn(1, "Qh");
  faceDown.turnNext(1);
  assert.deepEqual(announced, [["polite", "queen of hearts"], ["polite", "ace of spades"]]);
  assert.equal(table.changed.mock.callCount(), 2);
  assert.equal(faceDown.count(1), 5);
  assert.equal(faceDown.count(2), 7);
  for (let card = 0; card < 5; card += 1) faceDown.turnNext(1);
  faceDown.turnNext(1);
  assert.equal(faceDown.count(1), 0);
  assert.deepEqual(announced.at(-1), ["polite", words.say.lastTurned("two of diamonds")]);
  faceDown.stop();
});

test("after Turn all, the seven cards are announced once", () => {
  const { faceDown } = dealt();
  faceDown.turn(1, "9c");
  announced.length = 0;
  faceDown.turnAll(1);
  faceDown.turnAll(1);
  assert.deepEqual(announced, [["polite", words.say.dealt(NAMES)]]);
  assert.equal(faceDown.count(2), 7);
  faceDown.stop();
});

test("cards of a set hand, of a finished round and of another round are up", () => {
  for (const options of [{ set: true }, { phase: "between" }, { round: 2 }]) {
    const { faceDown } = dealt();
    faceDown.update(view());
    assert.equal(faceDown.count(1), 7);
    faceDown.update(view(options));
    assert.equal(faceDown.count(1), 0);
    assert.deepEqual(announced, []);
  }
});

test("another hand of the same round is up: the store was rolled back", () => {
  const { faceDown } = dealt();
  faceDown.update(view({ cards: "2d As Ks Qh Jd 9c 4h" }));
  assert.equal(faceDown.count(1), 7, "the order of the cards does not matter");
  faceDown.update(view({ cards: "Ac Ks Qh Jd 9c 4h 2d" }));
  assert.deepEqual([faceDown.count(1), faceDown.count(2)], [0, 7]);
  faceDown.stop();
});

test("cards turn with the setting, when the player turns it off", () => {
  let on = true;
  const faceDown = new FaceDownCards({ now: () => 0, changed() {}, isOn: () => on });
  faceDown.deal(view({ until: null }));
  faceDown.settingsChanged();
  assert.equal(faceDown.count(1), 7);
  on = false;
  faceDown.settingsChanged();
  assert.deepEqual([faceDown.count(1), faceDown.count(2)], [0, 0]);
});

test("cards turn after twelve seconds, or with a third of the clock left, and never in the player's own time", (context) => {
  const at = (seconds) => turnTime({ until: seconds * 1000, facts: { clocks: { settings: seconds * 1000 } } }, 0);
  assert.deepEqual([15, 18, 30, 120].map(at), [10_000, 12_000, 12_000, 12_000]);
  assert.equal(at(3600), null);
  assert.equal(turnTime({ until: null, facts: { clocks: { settings: CLOCK } } }, 0), null);

  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { faceDown } = dealt();
  context.mock.timers.tick(11_999);
  assert.equal(faceDown.count(1), 7);
  context.mock.timers.tick(1);
  assert.deepEqual([faceDown.count(1), faceDown.count(2)], [0, 0]);
  assert.deepEqual(announced[0], ["assertive", words.say.dealt(NAMES)]);

  const patient = dealt({ clock: 3_600_000, until: 3_600_000 }).faceDown;
  context.mock.timers.tick(3_600_000);
  assert.equal(patient.count(1), 7);
});
