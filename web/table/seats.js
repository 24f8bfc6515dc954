// The other seats around the table: cards, chips, name and state.

import { h } from "../dom.js";
import { money, short, signed } from "../money.js";
import { words } from "../words.js";
import { chip, chipsOf } from "./chip.js";
import { hand, handSentence } from "./hand.js";
import { actionSeat, coverText, envyButton, isViewerSeat } from "./model.js";
import { BASE } from "./reduce.js";
import { isSettled, reached } from "./reveal.js";
import { concealed, isFaceUp, isOpen, seatOf, wagersOf } from "./scene.js";
import { comparisonOf } from "./verdict.js";
import { seatStatus, tone } from "./seat-status.js";

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./view-types.js").SeatView} SeatView
 */

/** Places of the other seats, going left from the bottom. L1 is at the lower left, R1 at the lower right. */
const PLACES = [[], ["L2"], ["L2", "R2"], ["L1", "L2", "R2"], ["L1", "L2", "R2", "R1"], ["L1", "L2", "L3", "R2", "R1"], ["L1", "L2", "L3", "R3", "R2", "R1"]];

/** Returns the numbers of the other seats, going left from the bottom. @param {number} count number of seats @param {number} bottom */
export const othersFrom = (count, bottom) => Array.from({ length: count - 1 }, (_, index) => ((bottom + index) % count) + 1);

/** @param {Scene} scene */
export function seats(scene) {
  const { view, bottom } = scene;
  const others = othersFrom(view.facts.seats, bottom);
  const places = PLACES[Math.min(others.length, 6)];
  const dealerPlays = view.facts.dealer_hand && Boolean(view.round?.bank) && view.round?.dealer;
  return [
    h("ol", { class: ["seats", `seats-${others.length}`], "aria-label": words.felt.seats }, others.map((number, index) => {
      const sitting = seatOf(view, number);
      return sitting ? seat(scene, sitting, places[index] ?? "L2") : freeSeat(scene, number, places[index] ?? "L2");
    }), dealerPlays && dealerSeat(scene)),
    shoe(scene, places.includes("R3") || Boolean(dealerPlays)),
  ];
}

/** @param {Scene} scene @param {SeatView} seat @param {string} place */
function seat(scene, seat, place) {
  const { view, moment } = scene;
  const { seat: number } = seat;
  const you = isViewerSeat(view, number);
  const bank = view.round?.bank?.seat === number;
  const settled = isOpen(view) && isSettled(moment, number);
  const net = settled ? view.round?.net_cents?.[number] : undefined;
  const open = seat.hand && (isFaceUp(scene, number) ? seat.hand : concealed(seat.hand));
  const compared = settled ? comparisonOf(view, number) : null;
  const name = you ? words.table.you : scene.name(seat.player);
  const status = net === undefined ? seatStatus(view, seat) : net !== 0 ? signedShort(net) : words.board.pushed;
  const act = you ? () => scene.state?.actFor(number) : () => scene.look(number);
  const bar = (/** @type {"low" | "high"} */ part) => compared && (compared[part] === "copy" ? "c" : compared[part] === "win" ? "w" : "x");
  return h("li", { key: number, "data-seat": number, class: ["seat", place, { you, bank, out: seat.out, offered: view.offered === number, lost: net !== undefined && net < 0, won: net !== undefined && net > 0 }] },
    h("span", { class: "seat-chips" }, pucks(scene, seat), chips(scene, seat, settled)),
    bank ? h("span", { class: "mini", key: "mini" }) : h("span", { class: ["mini", bar("low") && `low-${bar("low")}`, bar("high") && `high-${bar("high")}`], key: "mini" }, open ? hand(open, scene.ranking) : [h("i", { class: "mini-empty two" }), h("i", { class: "mini-empty five" })]),
    h("button", { class: "plate", onclick: act },
      h("i", { class: "number", "aria-hidden": "true" }, number), h("span", { class: "unseen" }, words.table.seat(number), ": "), h("b", null, name), " ",
      h("em", { class: net === undefined ? "" : ["amount", tone(net)] }, status, net === 0 && compared && (compared.low === "copy" || compared.high === "copy") && h("q", null, words.board.pushCopy)),
      h("span", { class: "unseen" }, ". ", you ? words.board.playSeat(number) : words.board.more)));
}

/** @param {number} net */
const signedShort = (net) => (net > 0 ? `+${short(net)}` : short(net));

/** The pucks of a seat: bank, first hand or action, and envy. @param {Scene} scene @param {SeatView} seat */
export function pucks(scene, seat) {
  const { view } = scene;
  const { seat: number } = seat;
  const say = words.banker(view.facts.terms.banker);
  const envy = envyButton(view, seat, scene.progress);
  const bank = view.round?.bank;
  return [
    bank?.seat === number && h("b", { key: "bank", class: "puck bank-puck", title: coverText(bank) }, h("span", { class: "full" }, say.puck), h("span", { class: "brief", "aria-hidden": "true" }, say.puckBrief)),
    actionSeat(view) === number && (view.facts.dealing.action_pile
      ? h("b", { key: "act", class: "puck act-puck", title: words.felt.actionWhy }, words.felt.action[0], h("q", null, words.felt.action.slice(1)))
      : h("b", { key: "first", class: "puck first-puck", title: words.board.firstWhy }, words.board.first, h("q", null, words.board.firstEnd))),
    envy && h("b", { key: "envy", class: "puck envy-puck", title: words.felt.envyWhy(envy) }, words.board.envy, h("q", null, words.board.envyEnd)),
  ];
}

/** @param {Scene} scene @param {SeatView} seat @param {boolean} settled */
function chips({ view }, seat, settled) {
  const net = view.round?.net_cents?.[seat.seat] ?? 0;
  const wagers = wagersOf(view, seat.seat);
  const base = wagers[BASE];
  const sides = view.facts.wagers.filter(({ wager }) => wager !== BASE && wagers[wager]);
  const lost = settled && net < 0;
  return [
    base && !lost && h("span", { key: "base", class: "seat-bet", title: words.felt.wagered(words.wagerAt(BASE, view), money(base.cents)) }, chip(chipsOf(base.cents)[0], short(base.cents).slice(1), {}), h("span", { class: "unseen" }, words.felt.wagered(words.wagerAt(BASE, view), money(base.cents)))),
    sides.length > 0 && h("span", { key: "sides", class: "side-chips" }, sides.map(({ wager, title }) => {
      const stake = wagers[wager];
      return h("i", { key: wager, "data-value": chipsOf(stake.cents)[0] / 100, title: words.felt.wagered(words.wagerTitle(title), money(stake.cents)) }, h("span", { class: "unseen" }, words.felt.wagered(words.wagerTitle(title), money(stake.cents))));
    })),
  ];
}

/** @param {Scene} scene @param {number} number @param {string} place */
function freeSeat(scene, number, place) {
  const { sit } = scene;
  return h("li", { key: number, "data-seat": number, class: ["seat", "free", place] },
    h("span", { class: "seat-chips" }), h("span", { class: "mini", key: "mini" }),
    sit ? h("button", { class: "plate sit", onclick: () => sit(number) }, h("i", { class: "number", "aria-hidden": "true" }, number), h("b", null, words.board.sit, h("q", null, words.board.sitDown)), h("span", { class: "unseen" }, " ", words.board.atSeat(number)))
      : h("span", { class: "plate" }, h("i", { class: "number", "aria-hidden": "true" }, number), h("b", null, words.board.free, h("q", null, words.board.freeSeat))));
}

/** The dealer's hand, when a player banks. @param {Scene} scene */
function dealerSeat(scene) {
  const dealer = scene.view.round?.dealer;
  if (!dealer) return null;
  const open = isOpen(scene.view) && reached(scene.moment, "others");
  return h("li", { key: "dealer", class: ["seat", "dealer", "R3"] },
    h("span", { class: "seat-chips" }), h("span", { class: "mini", key: "mini" }, hand(open ? dealer : concealed(dealer), scene.ranking)),
    h("span", { class: "plate" }, h("b", null, words.felt.dealer), h("em", null, dealer.set ? words.state.set : words.state.setting)));
}

/** The shoe with the dice. @param {Scene} scene @param {boolean} near whether the upper right place is taken */
function shoe({ view }, near) {
  const number = view.round?.dice ?? null;
  const first = number === null ? "" : number > view.facts.seats ? words.felt.dealer : words.table.seat(number).toLowerCase();
  return h("div", { class: ["shoe", { near }], key: "shoe", title: number === null ? null : words.felt.diceWhy(number, first) },
    h("span", { class: "shoe-deck", "aria-hidden": "true" }, h("pg-card", { quiet: true })),
    number !== null && h("span", { class: "dice" }, h("b", { class: "die" }, number), h("small", null, words.board.firstHand, h("br"), first)));
}

/** The dialog with the hand of another seat. @param {Scene} scene @param {number | null} number @param {() => void} close */
export function lookSheet(scene, number, close) {
  const sitting = number === null ? null : seatOf(scene.view, number);
  const open = sitting?.hand && (isFaceUp(scene, sitting.seat) ? sitting.hand : concealed(sitting.hand));
  const settled = sitting && isOpen(scene.view) && isSettled(scene.moment, sitting.seat);
  const net = settled ? scene.view.round?.net_cents?.[sitting.seat] : undefined;
  const canWatch = sitting && scene.state && scene.view.you === null;
  return h("dialog", { class: "sheet look", id: "look", "aria-labelledby": "look-title", onclose: close, onclick: (/** @type {any} */ event) => event.target === event.currentTarget && event.currentTarget.close() },
    h("form", { method: "dialog", class: "stack" },
      h("div", { class: "sheet-head" }, h("h2", { id: "look-title" }, sitting ? `${scene.name(sitting.player)}, ${words.table.seat(sitting.seat).toLowerCase()}` : ""), h("button", { class: "icon", "aria-label": words.app.close }, "×")),
      sitting && [
        h("p", null, seatStatus(scene.view, sitting), scene.bot(sitting.player) && ` · ${words.table.bot}`),
        open && h("div", { class: "look-hand" }, hand(open, scene.ranking)),
        open && h("p", null, handSentence(open, scene.ranking)),
        h("ul", { class: "look-wagers" }, scene.view.facts.wagers.flatMap(({ wager, title }) => {
          const stake = wagersOf(scene.view, sitting.seat)[wager];
          return stake ? [h("li", { key: wager }, words.wagerTitle(title), " ", h("b", { class: "amount" }, money(stake.cents)), stake.color && ` ${words.table[stake.color]}`)] : [];
        })),
        net !== undefined && h("p", null, h("b", { class: ["amount", tone(net)] }, net === 0 ? words.board.pushed : signed(net))),
        canWatch && h("button", { class: "button", onclick: () => scene.state?.watch(sitting.seat) }, words.lobby.watch),
      ]));
}
