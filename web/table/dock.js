// The dock: the viewer's actions in the current phase. The same with the felt and with the text view.

import { h } from "../dom.js";
import { words } from "../words.js";
import { dockBank } from "./dock-bank.js";
import { dockHand } from "./dock-hand.js";
import { dockResult } from "./dock-result.js";
import { dockWagers } from "./dock-wagers.js";
import { canSit, clockOf, freeSeats, isBanking, isViewerSeat, isViewerTurn, netOf, viewerSeats } from "./model.js";
import { signed } from "../money.js";
import { seatStatus, tone } from "./spot.js";

/** @typedef {import("./state.js").TableState} TableState */

/** @param {TableState} state */
export function dock(state) {
  const view = /** @type {import("./view-types.js").View} */ (state.view);
  return h("section", { class: ["dock", `at-${view.phase}`, { turn: isViewerTurn(view) }], "aria-label": words.dock.title, tabindex: -1 },
    h("pg-clock", { ".until": view.until, ".total": clockOf(view), ".yours": isViewerTurn(view), ".now": state.now }),
    state.alarm && h("p", { class: "fault alarm", role: "alert" }, state.alarm),
    state.fault && h("p", { class: "fault", role: "alert" }, state.fault),
    viewerSeats(view).length > 1 && seatChoice(state, view),
    content(state, view));
}

/** Buttons to choose the acting seat, for a viewer with several seats. @param {TableState} state @param {import("./view-types.js").View} view */
function seatChoice(state, view) {
  return h("div", { class: "own-seats row", key: "own-seats", role: "group", "aria-label": words.dock.ownSeats }, view.seats.filter(({ seat }) => isViewerSeat(view, seat)).map((seat) => {
    const net = view.phase === "between" ? netOf(view, seat.seat, state.playback.progress) : undefined;
    return h("button", { key: seat.seat, class: ["button", "slim"], "aria-pressed": seat.seat === view.you ? "true" : "false", onclick: () => state.actFor(seat.seat) },
      words.table.seat(seat.seat), " ", net === undefined ? h("small", null, seatStatus(view, seat)) : h("small", { class: ["amount", tone(net)] }, signed(net)));
  }));
}

/** @param {TableState} state @param {import("./view-types.js").View} view */
function content(state, view) {
  const own = state.own;
  if (view.closed) return note(words.dock.closed, h("a", { class: "button", href: "/" }, words.app.home));
  if (!own) return watching(state, view);
  if (view.phase === "between") return dockResult(state, view);
  if (own.leaving) return note(words.dock.leaving);
  if (own.out) return note(words.dock.out, h("button", { class: "button primary", onclick: () => state.send({ do: "return" }) }, words.dock.comeBack));
  if (view.paused && view.phase === "waiting") return note(words.dock.paused);
  if (view.phase === "waiting") return note(words.dock.waiting);
  if (view.phase === "offering") return view.offered === view.you ? dockBank(state, view) : note(words.banker(view.facts.terms.banker).offeredTo(words.table.seat(view.offered ?? 0).toLowerCase()));
  if (view.phase === "wagers") return isBanking(view) ? dockBank(state, view) : dockWagers(state, view);
  if (view.phase === "revealing") return note(words.dock.dealing);
  return own.hand ? dockHand(state, own.hand) : note(words.dock.noHand);
}

/** @param {TableState} state @param {import("./view-types.js").View} view */
function watching(state, view) {
  const free = canSit(view) ? freeSeats(view) : [];
  return h("div", { key: "watching", class: "says" },
    h("p", null, h("b", null, words.dock.watching), " ", words.dock.phase(view.phase, view.round?.round ?? 0, view.facts.terms.banker)),
    free.length > 0 ? h("div", { class: "row" }, free.map((seat, index) =>
      h("button", { key: seat, class: ["button", { primary: index === 0 }], onclick: () => state.sit(seat) }, words.felt.sit(seat)))) : h("p", { class: "small" }, words.dock.full),
    h("p", { class: "small" }, words.app.practiceWhy));
}

/** @param {string} text @param {import("../dom.js").Child} [action] */
function note(text, action) {
  return h("div", { key: text, class: "says" }, h("p", null, text), action);
}
