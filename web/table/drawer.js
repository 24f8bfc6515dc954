// The drawer: the settlement with the check of the deal, the coach, paytables, rules, past rounds and results.

import "./rounds.js";
import "./results.js";
import "./rules-panel.js";
import { h } from "../dom.js";
import { cardsOf } from "../cards/card-text.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { changes } from "./changes.js";
import { worthTable } from "./coach.js";
import { ownSeat } from "./model.js";
import { paytables } from "./paytables.js";
import { BASE } from "./reduce.js";
import { shownProgress } from "./reveal.js";
import { settlement } from "./settlement.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./view-types.js").View} View
 */

const TABS = /** @type {const} */ (["round", "coach", "paytables", "rules", "rounds", "results"]);
/** @typedef {typeof TABS[number]} Tab */

/** @param {TableState} state @param {View} view the shown view @param {Tab} tab @param {{ choose: (tab: Tab) => void, close: () => void }} actions */
export function drawer(state, view, tab, { choose, close }) {
  return h("aside", { class: "drawer", key: "drawer", "aria-label": words.side.title },
    h("div", { class: "drawer-head" },
      h("div", { class: "tabs", role: "tablist", "aria-label": words.side.title, onkeydown: (/** @type {KeyboardEvent} */ event) => moveTab(event, tab, choose) },
        TABS.map((name) => h("button", { key: name, id: `tab-${name}`, role: "tab", "aria-selected": name === tab ? "true" : "false", "aria-controls": "side-panel",
          tabindex: name === tab ? 0 : -1, onclick: () => choose(name) }, words.board.drawer[name]))),
      h("button", { class: "icon drawer-close", "aria-label": words.app.close, onclick: close }, "×")),
    h("div", { id: "side-panel", key: tab, class: "side-panel", role: "tabpanel", "aria-labelledby": `tab-${tab}`, tabindex: 0 },
      h("h2", { class: "unseen" }, words.board.drawer[tab]), content(state, view, tab)));
}

/** @param {TableState} state @param {View} view @param {Tab} tab */
function content(state, view, tab) {
  switch (tab) {
    case "round": return settlement(view, state, state.held ? { lines: Infinity, step: null, over: true } : shownProgress(state.playback.moment, state.playback.progress), state.checked?.round === view.round?.round ? state.checked?.steps : []);
    case "coach": return coach(state, view);
    case "paytables": return paytables(view, state.book);
    case "rules": return [changes(view), h("pg-rules-panel", { key: "rules", ".table": view.table })];
    case "rounds": return h("pg-rounds", { ".table": view.table, ".last": lastRound(state), ".player": view.player, ".facts": view.facts });
    case "results": return h("pg-results", { ".player": view.player });
  }
}

/** Returns the number of the last finished round. A round whose hands are still turning is not finished. @param {TableState} state */
function lastRound({ view, playback }) {
  const round = view?.round?.round ?? 1;
  return view?.phase === "between" && playback.moment.stage === "over" ? round : round - 1;
}

/** @param {TableState} state @param {View} view */
function coach(state, view) {
  const { coach: say } = words.board;
  if (!settings.value.coach) return h("div", { class: "side-text" }, h("p", null, say.off), h("button", { class: "button", onclick: () => settings.change({ coach: true }) }, say.on));
  const own = ownSeat(view);
  // The values would tell which cards lie face down.
  if (state.faceDown.count(own?.seat) > 0) return h("div", { class: "side-text" }, h("p", { class: "small" }, say.none));
  const worth = state.hand.worthOf(own);
  const low = own?.hand?.set ? cardsOf(own.hand.low) : state.hand.low;
  if (!worth) return h("div", { class: "side-text" }, !own?.hand?.cards && h("p", { class: "small" }, say.none), own?.hand?.cards && h("button", { class: "button", onclick: () => state.hand.loadWorth(own.hand?.cards) }, say.load));
  return worthTable(state, worth, low, own?.wagers[BASE]?.cents ?? 0);
}

/** Moves between tabs with the arrow keys. @param {KeyboardEvent} event @param {Tab} tab @param {(tab: Tab) => void} choose */
function moveTab(event, tab, choose) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length];
  choose(next);
  queueMicrotask(() => queueMicrotask(() => document.getElementById(`tab-${next}`)?.focus()));
}
