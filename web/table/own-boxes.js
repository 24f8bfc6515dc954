// The seat at the bottom: the boxes of the low hand and the high hand, the clock and the balance.

import { h } from "../dom.js";
import { cardsOf, JOKER, sorted } from "../cards/card-text.js";
import { cardName, highHandName, lowHandName } from "../cards/names.js";
import { money, short, signed } from "../money.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { isSameAction } from "./click-series.js";
import { icon } from "./icons.js";
import { clockOf, handRanks, isViewerTurn } from "./model.js";
import { reached } from "./reveal.js";
import { bottomBanks, bottomName, isFaceUp, isOpen, seatOf, topHand, wagersOf } from "./scene.js";
import { seatStatus, tone } from "./seat-status.js";
import { pucks } from "./seats.js";
import * as stakes from "./stakes.js";
import { briefNames, capital, comparisonOf, reversed } from "./verdict.js";

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./verdict.js").HandOutcome} HandOutcome
 */

/** @param {Scene} scene */
export function ownBoxes(scene) {
  const { bottom, own } = scene;
  const shown = bottomHand(scene);
  const count = shown.high.length;
  return h("section", { class: ["own", { seven: count === 7, six: count === 6, watching: !own }], "data-seat": bottom, "aria-label": own ? words.board.own : words.board.watched(bottomName(scene)) },
    box(scene, "low", shown), judge(shown), me(scene), box(scene, "high", shown));
}

/**
 * @typedef {object} BottomHand the hand at the bottom, as the board shows it
 * @property {string[]} low cards; empty texts are face down
 * @property {string[]} high
 * @property {string} lowName
 * @property {string} highName
 * @property {boolean | null} legal `null` unless the viewer sets a complete hand
 * @property {boolean} settable whether the viewer can turn or move cards
 * @property {number} down number of the viewer's cards that lie face down
 * @property {(card: string) => string | null} joker the card that the joker stands for
 */

/** @param {Scene} scene @returns {BottomHand} */
function bottomHand(scene) {
  const { view, bottom, state, own } = scene;
  const hand = seatOf(view, bottom)?.hand ?? null;
  const none = { low: [], high: [], lowName: "", highName: "", legal: null, settable: false, down: 0, joker: () => null };
  if (!hand) return none;
  const settable = Boolean(state && !state.held && own && view.phase === "settings" && !hand.set && hand.cards);
  if (settable && state) {
    const { setting, low, cards } = state.hand;
    const high = cards.filter((card) => !low.includes(card));
    const joker = (/** @type {string} */ card) => (card !== JOKER || !setting ? null : low.includes(card) ? setting.low.joker : setting.high.joker);
    return {
      low: sortedLow(low), high, legal: setting ? setting.legal : null, settable, down: state.faceDown.count(bottom), joker,
      lowName: setting ? capital(lowHandName(setting.low)) : "", highName: setting ? capital(highHandName(setting.high)) : words.board.cards(high.length),
    };
  }
  const open = isFaceUp(scene, bottom);
  if (!hand.set) return { ...none, high: hand.cards && open ? sorted(cardsOf(hand.cards)) : Array(7).fill(""), highName: words.board.cards(7) };
  if (!open || !hand.low || !hand.high) return { ...none, low: ["", ""], high: Array(5).fill("") };
  const ranks = handRanks(hand, scene.ranking);
  const joker = (/** @type {string} */ card) => (card !== JOKER ? null : cardsOf(hand.low).includes(card) ? ranks?.low.joker ?? null : ranks?.high.joker ?? null);
  return { low: cardsOf(hand.low), high: cardsOf(hand.high), lowName: ranks ? capital(lowHandName(ranks.low)) : "", highName: ranks ? capital(highHandName(ranks.high)) : "", legal: hand.foul ? false : null, settable: false, down: 0, joker };
}

/** @param {string[]} low */
const sortedLow = (low) => (low.length === 2 ? sorted(low) : low);

/** @param {Scene} scene @param {"low" | "high"} part @param {BottomHand} shown */
function box(scene, part, shown) {
  const cards = shown[part];
  const size = part === "low" ? 2 : 5;
  const name = part === "low" ? shown.lowName : shown.highName;
  const result = pill(scene, part);
  const order = scene.state?.hand.cards ?? [];
  return h("div", { class: ["box", part, { foul: part === "low" && shown.legal === false, won: result?.compared === "win", lost: result?.compared === "lose", copied: result?.compared === "copy" }], "data-box": part, key: part },
    h("p", { class: "box-title" },
      h("span", null, part === "low" ? words.board.low : words.board.high, h("q", null, words.board.hand)),
      h("b", { role: "status", class: { plain: !name } }, name || words.board.cards(size))),
    result && h("b", { class: ["verdict", result.compared], key: "verdict" }, h("span", null, result.text[0], h("span", { class: "whole-word" }, result.text[1])), h("s", { "aria-hidden": "true" }, words.board.verdictShort[result.compared])),
    h("div", { class: "box-cards", key: "cards" },
      cards.map((card, index) => ownCard(scene, shown, card, index, part, order.indexOf(card))),
      Array.from({ length: Math.max(0, size - cards.length) }, (_, index) => h("i", { class: "slot", key: `slot-${index}` }))));
}

/** @param {Scene} scene @param {BottomHand} shown @param {string} card @param {number} index @param {"low" | "high"} part @param {number} position index among the seven cards, or -1 */
function ownCard(scene, shown, card, index, part, position) {
  const { state, bottom } = scene;
  const as = shown.joker(card);
  const isDown = shown.down > 0 && state?.faceDown.has(bottom, card);
  // The layer of turning and squeezed cards, which renders leave alone.
  const face = [h("pg-card", { card: isDown ? null : card || null, as, quiet: true }), h("span", { class: "turn-layer", own: true, "aria-hidden": "true" })];
  if (!card) return h("span", { class: "own-card", key: `back-${index}` }, face);
  const number = position >= 0 ? String(position + 1) : null;
  const shared = { key: card, "data-key": number };
  if (isDown) return h("button", { ...shared, class: "own-card down", "aria-keyshortcuts": number, onclick: (/** @type {MouseEvent} */ event) => { if (isSameAction(event, "turn")) state?.faceDown.turn(bottom, card); } }, face, h("span", { class: "unseen" }, words.board.card.down(position + 1)));
  const name = cardName(card, as ?? undefined);
  const props = { ...shared, class: "own-card", "data-card": card };
  if (!shown.settable) return h("span", { ...props, role: "img", "aria-label": name }, face);
  // Cards move when all of them are up.
  if (shown.down > 0) return h("button", { ...props, "aria-disabled": "true" }, face, h("span", { class: "unseen" }, name));
  return h("button", { ...props, "aria-keyshortcuts": number, onclick: (/** @type {MouseEvent} */ event) => { if (isSameAction(event, "move")) state?.hand.toggle(card); } },
    face, h("span", { class: "unseen" }, part === "low" ? words.board.card.inLow(name) : words.board.card.inHigh(name)));
}

/** The result of a hand, once it is compared. @param {Scene} scene @param {"low" | "high"} part @returns {{ compared: HandOutcome, text: string[] } | null} */
function pill(scene, part) {
  const { view, bottom, moment, own } = scene;
  if (!isOpen(view)) return null;
  const top = topHand(scene);
  const banks = bottomBanks(scene);
  if (banks ? top.seat === null : !reached(moment, part === "high" ? "high-verdict" : "low-verdict")) return null;
  const seat = banks ? top.seat : bottom;
  const found = seat === null ? null : comparisonOf(view, seat);
  const comparison = found && banks ? reversed(found) : found;
  const names = briefNames(top.hand, scene.ranking);
  if (!comparison || !names) return null;
  const compared = comparison[part];
  const winner = comparison.copiesWin ? bottomName(scene) : top.kind === "dealer" ? words.felt.dealer.toLowerCase() : top.kind === "banker" ? view.facts.terms.banker : words.state.player;
  const { verdict } = words.board;
  return { compared, text: compared === "win" ? verdict.win(names[part]) : compared === "lose" ? verdict.lose(names[part]) : comparison.copiesWin && own ? verdict.youCopy : verdict.copy(winner) };
}

/** The mark between the boxes: legal or foul. @param {BottomHand} shown */
function judge({ legal }) {
  if (legal === null) return h("div", { class: "judge none", key: "judge" });
  return h("div", { class: ["judge", legal ? "legal" : "foul"], key: "judge" }, icon(legal ? "tick" : "cross"), h("span", null, legal ? words.set.legal : words.set.foul));
}

/** The seat of the viewer: name, clock and balance. @param {Scene} scene */
function me(scene) {
  const { view, bottom, own, state } = scene;
  const sitting = seatOf(view, bottom);
  const live = state && !state.held;
  const until = live ? state.view?.until ?? null : null;
  const total = live && state.view ? clockOf(state.view) : 0;
  const net = own && isOpen(view) && reached(scene.moment, "verdict") ? view.round?.net_cents?.[own.seat] : undefined;
  const wagered = stakes.total(wagersOf(view, bottom));
  const name = own ? words.table.you : sitting ? scene.name(sitting.player) : words.board.free + words.board.freeSeat;
  const turning = isOpen(view) && !reached(scene.moment, "verdict");
  return h("div", { class: ["me", { you: own, out: sitting?.out }], key: "me" },
    h("span", { class: "me-name" }, h("b", null, name), h("small", null, own || !sitting ? words.table.seat(bottom).toLowerCase() : seatStatus(view, sitting) || words.table.seat(bottom).toLowerCase())),
    h("pg-clock", { ".until": turning ? null : until, ".total": total, ".yours": state?.view ? isViewerTurn(state.view) : false, ".seat": bottom, ".steps": settings.reducedMotion(), ".now": state?.now ?? Date.now }),
    h("span", { class: "me-balance" },
      own && state && h("b", { class: "amount" }, money(state.balance ?? 0)),
      net !== undefined ? h("small", { class: ["amount", tone(net)] }, signed(net)) : h("small", { class: "amount" }, own || sitting ? (wagered > 0 ? words.board.bet.wagered(short(wagered)) : words.board.bet.none) : words.board.bet.watching)),
    h("span", { class: "me-pucks" }, sitting && pucks(scene, sitting)));
}
