// Single keys. They do nothing while something is being written, and nothing at all for those who turn them off.

import { h } from "../dom.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { reading } from "./dock-hand.js";
import { banks } from "./model.js";
import { CHIPS } from "./stakes.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./side.js").Tab} Tab
 * @typedef {{ show: (tab: Tab) => void, help: () => void }} Around
 */

/** @type {Record<string, Tab>} */
const PANELS = { s: "settlement", p: "paytables", r: "rules", o: "rounds" };

/** What was pressed with a pointer last, until somebody goes on by keys: Enter is then not meant for it. @type {Element | null} */
let pointed = null;

/** @param {PointerEvent} event */
export function pointedAt(event) {
  pointed = pressable(event.target);
}

/** @param {EventTarget | null} target */
const pressable = (target) => (target instanceof Element ? target.closest("button, a, summary, [role=tab]") : null);

/** @param {KeyboardEvent} event @param {TableState} state @param {Around} around */
export function pressed(event, state, around) {
  if (event.key === "Tab") pointed = null;
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || isWriting(event)) return;
  if (event.key === "?") return done(event, around.help);
  if (!settings.value.keys) return;
  const key = event.key.toLowerCase();
  if (PANELS[key]) return done(event, () => around.show(PANELS[key]));
  if (key === "t") return done(event, () => settings.change({ text: !settings.value.text }));
  const act = inRound(event, key, state);
  if (act) done(event, act);
}

/** @param {KeyboardEvent} event @param {string} key @param {TableState} state @returns {(() => unknown) | null} */
function inRound(event, key, state) {
  const { view, own } = state;
  if (!view || !own || own.out) return null;
  // Enter on something that can be pressed presses it, unless it was just clicked: who has clicked Double means Deal.
  const on = pressable(event.target);
  if (key === "enter" && on && on !== pointed) return null;
  if (view.phase === "offering" && view.offered === view.you) return key === "n" ? () => state.give({ do: "pass_bank" }) : null;
  if (view.phase === "wagers" && !banks(view)) return whileWagering(key, state);
  if (view.phase === "settings" && own.hand && !own.hand.set) return whileSetting(key, state);
  return null;
}

/** @param {string} key @param {TableState} state */
function whileWagering(key, state) {
  const facts = state.view?.facts.wagers[Number(key) - 1];
  const { chips } = state;
  if (facts) return () => chips.add(facts.wager);
  const chip = CHIPS.indexOf(chips.chip);
  switch (key) {
    case "enter": return () => chips.ready();
    case "a": return () => chips.repeat();
    case "d": return () => chips.double();
    case "c": return () => chips.stake({});
    case "+": case "=": return () => chips.choose(CHIPS[Math.min(chip + 1, CHIPS.length - 1)]);
    case "-": return () => chips.choose(CHIPS[Math.max(chip - 1, 0)]);
    default: return null;
  }
}

/** @param {string} key @param {TableState} state */
function whileSetting(key, state) {
  const { hand } = state;
  const card = hand.cards[Number(key) - 1];
  if (card) return () => hand.toggle(card);
  switch (key) {
    case "enter": return () => hand.confirm(reading(state).legal);
    case "h": return () => hand.askHouseWay();
    case "c": return () => hand.clear();
    case "w": return settings.value.coach ? () => hand.judge() : null;
    default: return null;
  }
}

/** @param {KeyboardEvent} event */
function isWriting(event) {
  const target = event.target;
  if (!(target instanceof Element)) return false;
  if (target.closest("dialog, textarea, select, [contenteditable]")) return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type);
}

/** @param {KeyboardEvent} event @param {() => unknown} act */
function done(event, act) {
  event.preventDefault();
  act();
}

/** Every key and what it does. */
export function help() {
  return h("dialog", { class: "sheet", id: "keys-help", "aria-labelledby": "keys-title" },
    h("form", { method: "dialog", class: "stack" },
      h("div", { class: "sheet-head" }, h("h2", { id: "keys-title" }, words.keys.title), h("button", { class: "icon", "aria-label": words.app.close }, "×")),
      words.keys.groups.map(({ title, keys }) => h("section", { key: title }, h("h3", null, title),
        h("dl", { class: "keys" }, keys.map(([key, does]) => h("div", { key }, h("dt", null, h("kbd", null, key)), h("dd", null, does)))))),
      h("p", { class: "small" }, settings.value.keys ? words.keys.turnOff : words.keys.areOff)));
}
