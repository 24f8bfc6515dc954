// The dock after a round: the viewer's hand against the banker's, the result of each wager, and the net result.

import { h } from "../dom.js";
import { cardsOf } from "../cards/card-text.js";
import { settings } from "../settings.js";
import { money, signed } from "../money.js";
import { words } from "../words.js";
import { worthTable } from "./coach.js";
import { hand, handNames } from "./hand.js";
import { linesOf } from "./model.js";
import { BASE } from "./reduce.js";
import { tone } from "./spot.js";
import { kindTag } from "../study/notes.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./view-types.js").View} View
 */

/** @param {TableState} state @param {View} view */
export function dockResult(state, view) {
  const { own } = state;
  const { round } = view;
  if (!own || !round) return null;
  const lines = round.lines ?? [];
  if (round.voided) return h("p", { key: "void", class: "says" }, words.result.voided(round.voided));
  if (!round.lines) return h("p", { key: "none", class: "says" }, words.result.noRound);
  const net = round.net_cents?.[own.seat];
  const { progress } = state.playback;
  const shown = lines.slice(0, progress.lines);
  const mine = linesOf(shown, own.seat);
  const against = round.bank ? view.seats.find((seat) => seat.seat === round.bank?.seat) : null;
  const banker = round.bank ? against?.hand ?? null : round.dealer;
  if (net === undefined) return h("p", { key: "none", class: "says" }, words.result.notIn);
  return h("div", { key: "result", class: "dock-grid dock-result" },
    h("div", { class: "versus" },
      own.hand && side(words.table.you, own.hand, state),
      banker && round.bank?.seat !== own.seat && side(against ? state.name(against.player) : words.felt.dealer, banker, state)),
    h("div", { class: "stack" },
      h("p", { class: ["big-net", progress.over ? tone(net) : ""] }, progress.over ? [h("span", null, words.result.head(net)), " ", net !== 0 && h("b", { class: "amount" }, money(Math.abs(net)))] : words.result.settling),
      h("ul", { class: "own-lines" }, mine.map((line, index) => h("li", { key: index },
        h("span", null, words.line(line.wager, line.outcome, view), line.assumed && [" ", kindTag("assumed")]), h("b", { class: ["amount", tone(line.net_cents)] }, signed(line.net_cents))))),
      mine.length > 0 && h("p", { class: "small because" }, mine[0].because),
      state.roundBalance && h("p", { class: "small" }, words.rounds.balance(money(state.roundBalance.before), money(state.roundBalance.after)))),
    settings.value.coach && state.hand.worth && own.hand?.low && worthTable(state, state.hand.worth.settings, cardsOf(own.hand.low), own.wagers[BASE]?.cents ?? 0));
}

/** @param {string} who @param {import("./view-types.js").HandView} cards @param {TableState} state */
function side(who, cards, state) {
  const names = handNames(cards, state.ranking);
  return h("div", { class: "versus-side" }, h("p", { class: "small" }, who), hand(cards, state.ranking),
    names && h("p", { class: "small" }, h("b", null, names[0]), " / ", h("b", null, names[1]), cards.foul && h("span", { class: "bad" }, " ", words.set.foul)));
}
