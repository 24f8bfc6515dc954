// A seat on the felt: wagers, cards, name and result.

import { h } from "../dom.js";
import { money, signed } from "../money.js";
import { words } from "../words.js";
import { chip } from "./chip.js";
import { hand, printed, shortHandNames } from "./hand.js";
import { actionSeat, coverText, decidingLine, envyButton, isOver, isViewerSeat, netOf, viewerSeats } from "./model.js";
import { BASE } from "./reduce.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").SeatView} SeatView
 * @typedef {import("./felt.js").TableDisplay} TableDisplay
 */

/** @param {View} view @param {SeatView} seat @param {Record<string, string>} style @param {TableDisplay} shown */
export function spot(view, seat, style, shown) {
  const you = isViewerSeat(view, seat.seat);
  const acting = viewerSeats(view).length > 1 && view.you === seat.seat;
  const bank = view.round?.bank?.seat === seat.seat;
  const action = actionSeat(view) === seat.seat;
  const net = netOf(view, seat.seat, shown.progress);
  const envy = envyButton(view, seat, shown.progress);
  const names = shortHandNames(seat.hand, shown.ranking);
  return h("li", { key: seat.seat, class: ["spot", { you, acting, bank, out: seat.out, offered: view.offered === seat.seat }], style },
    bank ? bankPuck(view, seat) : circles(view, seat, shown),
    h("div", { class: "hand-row" }, seat.hand ? hand(seat.hand, shown.ranking) : printed(),
      action && h("span", { class: "button-puck", title: words.felt.actionWhy }, words.felt.action),
      envy && h("span", { class: "envy-puck", title: words.felt.envyWhy(envy) }, words.felt.envy)),
    h("p", { class: "plate" },
      h("span", { class: "number", "aria-hidden": "true" }, seat.seat),
      h("span", { class: "unseen" }, words.table.seat(seat.seat), ": "),
      h("b", null, you ? words.table.you : shown.name(seat.player)),
      shown.bot(seat.player) && net === undefined && h("small", null, words.table.bot),
      net !== undefined && h("span", { class: ["amount", "net", tone(net)] }, signed(net))),
    h("p", { class: "says" }, names && isOver(view) ? [h("b", null, names[0]), " / ", h("b", null, names[1])] : seatStatus(view, seat)));
}

/** A free seat. @param {number} number @param {Record<string, string>} style @param {TableDisplay} shown */
export function freeSpot(number, style, shown) {
  const { sit } = shown;
  return h("li", { key: number, class: "spot free", style },
    sit ? h("button", { class: "sit", onclick: () => sit(number) }, h("span", { "aria-hidden": "true" }, "+ "), words.felt.sit(number))
      : h("p", { class: "plate" }, h("span", { class: "number" }, number), h("small", null, words.felt.free)));
}

/** The banker's mark, with its cover and its own side wagers. @param {View} view @param {SeatView} seat */
function bankPuck(view, seat) {
  const bank = view.round?.bank;
  return h("p", { class: "circles banks" }, h("span", { class: "bank-puck" }, words.banker(view.facts.terms.banker).puck), h("small", { class: "amount" }, bank && coverText(bank)),
    view.facts.wagers.map(({ wager, title }) => seat.wagers[wager] && h("span", { key: wager, title },
      chip(seat.wagers[wager].cents), h("span", { class: "unseen" }, words.felt.wagered(title, money(seat.wagers[wager].cents))))));
}

/** @param {View} view @param {SeatView} seat @param {TableDisplay} shown */
function circles(view, seat, shown) {
  const stakes = view.you === seat.seat && shown.draft ? shown.draft : seat.wagers;
  const lines = (view.round?.lines ?? []).slice(0, shown.progress.lines);
  return h("ul", { class: "circles" }, view.facts.wagers.map(({ wager, title }) => {
    const stake = stakes[wager];
    const line = decidingLine(lines, seat.seat, wager);
    const unplaced = stake && seat.wagers[wager]?.cents !== stake.cents;
    const result = line && tone(line.net_cents);
    return h("li", { key: wager, class: ["circle", { base: wager === BASE, placed: stake }, result && `is-${result}`], title },
      stake ? chip(stake.cents, { loose: Boolean(unplaced) }) : h("span", { "aria-hidden": "true" }, words.shortWager(wager, title)),
      stake?.color && h("i", { class: `on-${stake.color}`, title: words.table[stake.color] }),
      line && line.net_cents > 0 && h("span", { class: "paid" }, chip(line.net_cents)),
      h("span", { class: "unseen" }, stake ? words.felt.wagered(title, money(stake.cents)) : words.felt.noWager(title)));
  }));
}

/** Returns the CSS class of a net result. @param {number} net */
export const tone = (net) => (net > 0 ? "good" : net < 0 ? "bad" : "push");

/** Returns the status text of a seat. @param {View} view @param {SeatView} seat */
export function seatStatus(view, seat) {
  const { state } = words;
  const say = words.banker(view.facts.terms.banker);
  if (seat.leaving) return state.leaving;
  if (seat.out) return state.out;
  if (view.phase === "offering" && view.offered === seat.seat) return say.isOffered;
  if (view.phase === "wagers") return view.round?.bank?.seat === seat.seat ? say.banks : seat.ready ? state.ready : state.wagering;
  if (view.phase === "revealing") return view.round?.bank?.seat === seat.seat ? say.banks : seat.ready ? state.ready : "";
  if (!seat.hand) return view.phase === "settings" ? state.noHand : "";
  if (!seat.hand.set) return state.setting;
  return seat.hand.by === "player" ? state.set : seat.hand.by === "clock" ? state.clock : state.houseWay;
}
