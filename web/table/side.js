// The side panel of the table: settlement, paytables, rules, rounds, results.

import "./rounds.js";
import "./results.js";
import "./rules-panel.js";
import { h } from "../dom.js";
import { words } from "../words.js";
import { changes } from "./changes.js";
import { paytables } from "./paytables.js";
import { settlement } from "./settlement.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./view-types.js").View} View
 */

export const TABS = /** @type {const} */ (["settlement", "paytables", "rules", "rounds", "results"]);
/** @typedef {typeof TABS[number]} Tab */

/** @param {TableState} state @param {View} view @param {Tab} tab @param {(tab: Tab) => void} choose */
export function side(state, view, tab, choose) {
  return h("aside", { class: "side", "aria-label": words.side.title },
    h("div", { class: "tabs", role: "tablist", "aria-label": words.side.title, onkeydown: (/** @type {KeyboardEvent} */ event) => moveTab(event, tab, choose) },
      TABS.map((name) => h("button", { key: name, id: `tab-${name}`, role: "tab", "aria-selected": name === tab ? "true" : "false", "aria-controls": "side-panel",
        tabindex: name === tab ? 0 : -1, onclick: () => choose(name) }, words.side[name]))),
    h("div", { id: "side-panel", key: tab, class: "side-panel", role: "tabpanel", "aria-labelledby": `tab-${tab}`, tabindex: 0 }, content(state, view, tab)));
}

/** @param {TableState} state @param {View} view @param {Tab} tab */
function content(state, view, tab) {
  switch (tab) {
    case "settlement": return settlement(view, state, state.playback.progress, state.checked?.round === view.round?.round ? state.checked?.steps : []);
    case "paytables": return paytables(view, state.book);
    case "rules": return [changes(view), h("pg-rules-panel", { key: "rules", ".table": view.table })];
    case "rounds": return h("pg-rounds", { ".table": view.table, ".last": view.phase === "between" ? view.round?.round ?? 0 : (view.round?.round ?? 1) - 1, ".player": view.player, ".facts": view.facts });
    case "results": return h("pg-results", { ".player": view.player });
  }
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
