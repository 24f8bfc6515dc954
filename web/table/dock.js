// What one can do now: always at the same place, the same in the felt and in the text view.

import { h } from "../dom.js";
import { words } from "../words.js";
import { dockBank } from "./dock-bank.js";
import { dockHand } from "./dock-hand.js";
import { dockResult } from "./dock-result.js";
import { dockWagers } from "./dock-wagers.js";
import { banks, clockOf, freeSeats, isYourTurn } from "./model.js";

/** @typedef {import("./state.js").TableState} TableState */

/** @param {TableState} state */
export function dock(state) {
  const view = /** @type {import("./view-types.js").View} */ (state.view);
  return h("section", { class: ["dock", `at-${view.phase}`, { turn: isYourTurn(view) }], "aria-label": words.dock.title, tabindex: -1 },
    h("pg-clock", { ".until": view.until, ".total": clockOf(view), ".yours": isYourTurn(view), ".now": state.now }),
    state.fault && h("p", { class: "fault", role: "alert" }, state.fault),
    inside(state, view));
}

/** @param {TableState} state @param {import("./view-types.js").View} view */
function inside(state, view) {
  const own = state.own;
  if (view.closed) return says(words.dock.closed, h("a", { class: "button", href: "/" }, words.app.home));
  if (!own) return watching(state, view);
  if (view.phase === "between") return dockResult(state, view);
  if (own.leaving) return says(words.dock.leaving);
  if (own.out) return says(words.dock.out, h("button", { class: "button primary", onclick: () => state.give({ do: "return" }) }, words.dock.comeBack));
  if (view.paused && view.phase === "waiting") return says(words.dock.paused);
  if (view.phase === "waiting") return says(words.dock.waiting);
  if (view.phase === "offering") return view.offered === view.you ? dockBank(state, view) : says(words.dock.offeredTo(view.offered ?? 0));
  if (view.phase === "wagers") return banks(view) ? dockBank(state, view) : dockWagers(state, view);
  return own.hand ? dockHand(state, own.hand) : says(words.dock.noHand);
}

/** @param {TableState} state @param {import("./view-types.js").View} view */
function watching(state, view) {
  const free = view.closing ? [] : freeSeats(view);
  return h("div", { key: "watching", class: "says" },
    h("p", null, h("b", null, words.dock.watching), " ", words.dock.phase(view.phase, view.round?.round ?? 0)),
    free.length > 0 ? h("div", { class: "row" }, free.map((seat, place) =>
      h("button", { key: seat, class: ["button", { primary: place === 0 }], onclick: () => state.sit(seat) }, words.felt.sit(seat)))) : h("p", { class: "small" }, words.dock.full),
    h("p", { class: "small" }, words.app.practiceWhy));
}

/** @param {string} text @param {import("../dom.js").Child} [act] */
function says(text, act) {
  return h("div", { key: text, class: "says" }, h("p", null, text), act);
}
