// The top band: the hand that the hand at the bottom is compared with.

import { h } from "../dom.js";
import { cardsOf, JOKER } from "../cards/card-text.js";
import { money } from "../money.js";
import { words } from "../words.js";
import { handRanks, coverText } from "./model.js";
import { shortHandNames } from "./hand.js";
import { reached } from "./reveal.js";
import { bottomBanks, bottomName, seatOf, topHand, wagersOf } from "./scene.js";
import { capital } from "./verdict.js";
import { CHIPS } from "./stakes.js";

/** @typedef {import("./scene.js").Scene} Scene */

/** @param {Scene} scene */
export function topBand(scene) {
  const top = topHand(scene);
  const { hand } = top;
  const names = shortHandNames(hand, scene.ranking);
  const ranks = handRanks(hand, scene.ranking);
  const who = whoseHand(scene);
  const part = (/** @type {"low" | "high"} */ name, /** @type {boolean} */ open, /** @type {number} */ count) => {
    const cards = hand ? (open && hand[name] ? cardsOf(hand[name]) : Array(count).fill("")) : [];
    // The name appears when the cards have turned.
    const turned = top.kind === "seat" || reached(scene.moment, name === "low" ? "low-verdict" : "high-verdict");
    const named = open && turned && names ? names[name === "low" ? 0 : 1] : "";
    return h("div", { class: ["top-hand", name, { empty: cards.length === 0 }], key: name },
      h("div", { class: "top-cards" }, cards.map((card, index) => h("pg-card", { key: index, card: card || null, as: card === JOKER ? ranks?.[name].joker ?? null : null, quiet: true }))),
      h("p", { class: { dim: !named } }, named ? capital(named) : name === "low" ? (who ? words.board.dealerLow(who) : words.board.low) : who ? words.board.dealerHigh(who) : words.board.high));
  };
  return h("section", { class: ["top-band", `top-${top.kind}`], "aria-label": words.board.them }, plate(scene), part("low", top.lowOpen, 2), part("high", top.highOpen, 5));
}

/** Returns the short name of the hand's owner. @param {Scene} scene */
function whoseHand(scene) {
  const { kind, seat } = topHand(scene);
  if ((kind === "banker" || kind === "seat") && seat !== null) {
    const sitting = seatOf(scene.view, seat);
    return sitting ? scene.name(sitting.player) : words.table.seat(seat);
  }
  return kind === "dealer" ? words.felt.dealer : "";
}

/** @param {Scene} scene */
function plate(scene) {
  const { view } = scene;
  const { kind, seat } = topHand(scene);
  const bank = view.round?.bank;
  const say = words.banker(view.facts.terms.banker);
  if (kind === "banker" && bank && seat !== null) {
    return h("div", { class: "top-plate" }, h("b", { class: "puck bank-puck" }, say.puck), h("b", null, whoseHand(scene)), h("small", null, words.board.seatCovers(seat, say.banks, coverText(bank))), chips(scene, seat));
  }
  if (bottomBanks(scene)) {
    return h("div", { class: "top-plate" }, seat === null ? h("small", null, scene.own ? words.board.youBank : words.board.seatBanks(bottomName(scene))) : [h("b", null, whoseHand(scene)), h("small", null, words.table.seat(seat).toLowerCase())]);
  }
  const queen = view.facts.wagers.some(({ wager }) => wager === "queens-dragon");
  return h("div", { class: "top-plate" },
    h("span", { class: "rack", "aria-hidden": "true" }, CHIPS.toReversed().map((value) => h("i", { key: value, "data-value": value / 100 }))),
    h("b", null, words.felt.dealer),
    h("small", null, !view.facts.dealer_hand ? words.felt.dealerNoHand : view.facts.banking.seats ? words.felt.dealerBanks : words.felt.dealerSets, queen && ` · ${words.board.queenHigh(words.rowName("queen_high", undefined).toLowerCase())}`));
}

/** The side wagers of a banking seat, in words. @param {Scene} scene @param {number} seat */
function chips({ view }, seat) {
  const wagers = view.facts.wagers.flatMap(({ wager, title }) => {
    const stake = wagersOf(view, seat)[wager];
    return stake ? [words.felt.wagered(words.wagerTitle(title), money(stake.cents))] : [];
  });
  return wagers.length > 0 && h("small", null, wagers.join(" "));
}
