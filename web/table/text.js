// The text view of the table, with the same content as the felt.

import { h } from "../dom.js";
import { money, short } from "../money.js";
import { words } from "../words.js";
import { handSentence } from "./hand.js";
import { actionSeat, coverText, envyButton, isViewerSeat } from "./model.js";
import { isSettled, reached } from "./reveal.js";
import { concealed, isFaceUp, isOpen, wagersOf } from "./scene.js";
import { seatStatus } from "./seat-status.js";

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./view-types.js").HandView} HandView
 */

/** @param {Scene} scene */
export function text(scene) {
  const { view, ranking } = scene;
  const { round } = view;
  const base = view.facts.wagers[0];
  const term = view.facts.terms.banker;
  return h("section", { class: "as-text panel", "aria-label": words.text.title, tabindex: 0 },
    h("h2", null, words.text.title),
    h("p", null, round ? words.dock.phase(view.phase, round.round, term) : words.phase("waiting", term), ". ", words.paytable.limits(short(base.min_cents), short(base.max_cents))),
    round?.dice && h("p", null, words.felt.diceWhy(round.dice, round.dice > view.facts.seats ? words.felt.dealer : words.table.seat(round.dice))),
    h("h3", null, words.felt.dealer),
    h("p", null, !view.facts.dealer_hand ? words.felt.dealerNoHand : round?.dealer ? handSentence(dealerHand(scene, round.dealer), ranking) : words.text.noCards),
    h("h3", null, words.felt.seats),
    h("ol", { class: "text-seats" }, Array.from({ length: view.facts.seats }, (_, index) => seat(scene, index + 1))));
}

/** The dealer's hand as far as it is open. @param {Scene} scene @param {HandView} hand */
const dealerHand = ({ view, moment }, hand) => (isOpen(view) && reached(moment, "low") ? hand : concealed(hand));

/** @param {Scene} scene @param {number} number */
function seat(scene, number) {
  const { view, ranking } = scene;
  const sitting = view.seats.find((one) => one.seat === number);
  const { sit } = scene;
  if (!sitting) {
    return h("li", { key: number }, h("b", null, words.table.seat(number)), ": ", words.felt.free, sit && [" ", h("button", { class: "button slim", onclick: () => sit(number) }, words.felt.sit(number))]);
  }
  const you = isViewerSeat(view, number);
  const envy = envyButton(view, sitting, scene.progress);
  const wagers = view.facts.wagers.flatMap(({ wager, title }) => {
    const stake = wagersOf(view, sitting.seat)[wager];
    return stake ? [`${title} ${money(stake.cents)}${stake.color ? ` ${words.table[stake.color]}` : ""}`] : [];
  });
  const bank = view.round?.bank?.seat === number ? words.banker(view.facts.terms.banker).covers(coverText(view.round.bank)) : "";
  const open = isOpen(view) && (number === scene.bottom ? reached(scene.moment, "verdict") : isSettled(scene.moment, number));
  const net = open ? view.round?.net_cents?.[number] : undefined;
  const hand = sitting.hand && (isFaceUp(scene, number) ? sitting.hand : concealed(sitting.hand));
  const facts = [
    bank, wagers.length > 0 ? words.text.wagers(wagers.join(", ")) : "", envy ? words.felt.envyWhy(envy) : "",
    actionSeat(view) === number ? words.felt.actionWhy : "", hand ? handSentence(hand, ranking) : "",
    net === undefined ? "" : `${words.text.net(net, money(Math.abs(net)))}`,
  ].filter(Boolean);
  const state = seatStatus(view, sitting);
  return h("li", { key: number, class: { you } }, h("b", null, words.table.seat(number), ", ", you ? words.table.you : scene.name(sitting.player)),
    state && `: ${state}`, facts.length > 0 && h("ul", null, facts.map((fact, index) => h("li", { key: index }, fact))));
}
