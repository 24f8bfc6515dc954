import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cardsOf } from "../cards/card-text.js";
import { highHand, isLegalSetting, lowHand } from "../cards/evaluate.js";
import { cardName, highHandName, lowHandName } from "../cards/names.js";

const SEMI = { joker: "semi_wild", wheel: "second_highest" };
const LOW_WHEEL = { joker: "semi_wild", wheel: "lowest" };
const FULL = { joker: "fully_wild", wheel: "second_highest" };

const high = (text, ranking = SEMI) => highHand(cardsOf(text), ranking);
const low = (text, ranking = SEMI) => lowHand(cardsOf(text), ranking);

test("names high hands like the server", () => {
  for (const [text, name] of [
    ["As Kd 9h 6c 2s", "ace-king-nine-six-two"], ["9h 9c As Kd 2c", "pair of nines"], ["9h 9c 6s 6d 2c", "nines and sixes"],
    ["9h 9c 9s 6d 2c", "three nines"], ["9h 8c 7s 6d 5c", "nine-high straight"], ["5h 4c 3s 2d Ac", "five-high straight"],
    ["Kh 9h 7h 3h 2h", "king-high flush"], ["9h 9c 9s 6d 6c", "nines full of sixes"], ["9h 9c 9s 9d 6c", "four nines"],
    ["9h 8h 7h 6h 5h", "nine-high straight flush"], ["Ah Kh Qh Jh Th", "royal flush"], ["Ah Ac As Ad Jk", "five aces"],
    ["Ks Kd 7h 5c Jk", "pair of kings"], ["Ks Qd Jh 9c Jk", "king-high straight"], ["Ks 9s 7s 2s Jk", "ace-high flush"],
    ["As 9s 7s 2s Jk", "ace-high flush"], ["Ks Qs Js Ts Jk", "royal flush"], ["Ah Ac 9s 9d Jk", "aces full of nines"],
  ]) assert.equal(highHandName(high(text)), name, text);
});

test("the rank of the wheel decides which straight the joker completes", () => {
  assert.equal(high("2s 3d 4h 5c Jk").joker, "A");
  assert.equal(high("2s 3d 4h 5c Jk", LOW_WHEEL).joker, "6");
});

test("a fully wild joker is the best card", () => {
  assert.equal(highHandName(high("9h 9c 6s 6d Jk", FULL)), "nines full of sixes");
  assert.equal(highHandName(high("9h 9c 9s 9d Jk", FULL)), "five nines");
  assert.equal(lowHandName(low("9h Jk", FULL)), "pair of nines");
  assert.equal(lowHandName(low("9h Jk")), "ace-nine");
  assert.equal(lowHandName(low("Ah Jk")), "pair of aces");
});

test("returns the card that the joker stands for", () => {
  assert.equal(high("Ks 9s 7s 2s Jk").joker, "As");
  assert.equal(high("Ah Ac 9s 9d Jk").joker, "A");
  assert.equal(cardName("Jk", "As"), "joker, standing for the ace of spades");
  assert.equal(cardName("Jk", "A"), "joker, standing for an ace");
  assert.equal(cardName("Td"), "ten of diamonds");
});

test("the low hand may not rank higher than the high hand", () => {
  const legal = (one, other) => isLegalSetting(high(one), low(other));
  assert.equal(legal("9h 9c 5s 4d 2c", "As Kd"), true);
  assert.equal(legal("9h 9c 5s 4d 2c", "Ts Td"), false);
  assert.equal(legal("9h 9c 5s 4d 2c", "9s 9d"), true);
  assert.equal(legal("Kh Qc 5s 4d 2c", "As 3d"), false);
  assert.equal(legal("Ah Qc 5s 4d 2c", "As Kd"), false);
  assert.equal(legal("Ah Kc 5s 4d 2c", "As Kd"), true);
  assert.equal(legal("Ah Kc 5s 4d 2c", "3s 3d"), false);
});

/** The hands of the golden file with their legal settings. */
function golden() {
  const hands = [];
  for (const line of readFileSync(new URL("settings.golden", import.meta.url), "utf8").split("\n")) {
    const [, joker, wheel, cards] = /^hand (\S+) (\S+) (.+)$/.exec(line) ?? [];
    if (cards) hands.push({ ranking: { joker, wheel }, cards: cardsOf(cards), legal: new Map() });
    const [, low, names] = /^ {2}(\S+ \S+) \| (.+)$/.exec(line) ?? [];
    if (low) hands.at(-1).legal.set(cardsOf(low).sort().join(" "), names);
  }
  return hands;
}

test("legal settings and their names match the golden file", () => {
  const hands = golden();
  assert.ok(hands.length >= 30, `${hands.length} hands`);
  for (const { ranking, cards, legal } of hands) {
    const found = new Map();
    for (const one of cards) {
      for (const other of cards.slice(cards.indexOf(one) + 1)) {
        const lowRank = lowHand([one, other], ranking);
        const highRank = highHand(cards.filter((card) => card !== one && card !== other), ranking);
        if (isLegalSetting(highRank, lowRank)) found.set([one, other].sort().join(" "), `${lowHandName(lowRank)}; ${highHandName(highRank)}`);
      }
    }
    assert.deepEqual(found, legal, `${cards.join(" ")}, ${ranking.joker}, wheel ${ranking.wheel}`);
  }
});
