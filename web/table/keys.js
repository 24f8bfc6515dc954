// Keyboard shortcuts. They are ignored while the player types in a field, and can be turned off in the settings.

import { h } from "../dom.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { settingStatus } from "./dock-hand.js";
import { isBanking } from "./model.js";
import { CHIPS } from "./stakes.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./side.js").Tab} Tab
 * @typedef {{ show: (tab: Tab) => void, help: () => void }} PageActions
 */

/** @type {Record<string, Tab>} */
const PANELS = { s: "settlement", p: "paytables", r: "rules", o: "rounds" };

/** The control clicked last, until Tab is pressed. It keeps the focus, but Enter is not meant for it. @type {Element | null} */
let clicked = null;

/** Remembers the control that was clicked. @param {PointerEvent} event */
export function handlePointer(event) {
  clicked = controlOf(event.target);
}

/** @param {EventTarget | null} target */
const controlOf = (target) => (target instanceof Element ? target.closest("button, a, summary, [role=tab]") : null);

/** @param {KeyboardEvent} event @param {TableState} state @param {PageActions} page */
export function handleKey(event, state, page) {
  if (event.key === "Tab") clicked = null;
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
  if (event.key === "?") return run(event, page.help);
  if (!settings.value.keys) return;
  const key = event.key.toLowerCase();
  if (PANELS[key]) return run(event, () => page.show(PANELS[key]));
  if (key === "t") return run(event, () => settings.change({ text: !settings.value.text }));
  const action = roundAction(event, key, state);
  if (action) run(event, action);
}

/** Returns the action of a key in the current phase. @param {KeyboardEvent} event @param {string} key @param {TableState} state @returns {(() => unknown) | null} */
function roundAction(event, key, state) {
  const { view, own } = state;
  if (!view || !own || own.out) return null;
  // Enter activates the focused control, unless the focus comes from a click: after a click on Double, Enter means Deal.
  const control = controlOf(event.target);
  if (key === "enter" && control && control !== clicked) return null;
  if (view.phase === "offering" && view.offered === view.you) return key === "n" ? () => state.send({ do: "pass_bank" }) : null;
  if (view.phase === "wagers" && !isBanking(view)) return wagerAction(key, state);
  if (view.phase === "settings" && own.hand && !own.hand.set) return settingAction(key, state);
  return null;
}

/** @param {string} key @param {TableState} state */
function wagerAction(key, state) {
  const facts = state.view?.facts.wagers[Number(key) - 1];
  const { chips } = state;
  if (facts) return () => chips.add(facts.wager);
  const chip = CHIPS.indexOf(chips.chip);
  switch (key) {
    case "enter": return () => chips.confirm();
    case "a": return () => chips.repeat();
    case "d": return () => chips.double();
    case "c": return () => chips.setDraft({});
    case "+": case "=": return () => chips.choose(CHIPS[Math.min(chip + 1, CHIPS.length - 1)]);
    case "-": return () => chips.choose(CHIPS[Math.max(chip - 1, 0)]);
    default: return null;
  }
}

/** @param {string} key @param {TableState} state */
function settingAction(key, state) {
  const { hand } = state;
  const card = hand.cards[Number(key) - 1];
  if (card) return () => hand.toggle(card);
  switch (key) {
    case "enter": return () => hand.confirm(settingStatus(state).legal);
    case "h": return () => hand.askHouseWay();
    case "c": return () => hand.clear();
    case "w": return settings.value.coach ? () => hand.loadWorth() : null;
    default: return null;
  }
}

/** @param {KeyboardEvent} event */
function isTyping(event) {
  const target = event.target;
  if (!(target instanceof Element)) return false;
  if (target.closest("dialog, textarea, select, [contenteditable]")) return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type);
}

/** @param {KeyboardEvent} event @param {() => unknown} action */
function run(event, action) {
  event.preventDefault();
  action();
}

/** The dialog with all shortcuts. */
export function help() {
  return h("dialog", { class: "sheet", id: "keys-help", "aria-labelledby": "keys-title" },
    h("form", { method: "dialog", class: "stack" },
      h("div", { class: "sheet-head" }, h("h2", { id: "keys-title" }, words.keys.title), h("button", { class: "icon", "aria-label": words.app.close }, "×")),
      words.keys.groups.map(({ title, keys }) => h("section", { key: title }, h("h3", null, title),
        h("dl", { class: "keys" }, keys.map(([key, does]) => h("div", { key }, h("dt", null, h("kbd", null, key)), h("dd", null, does)))))),
      h("p", { class: "small" }, settings.value.keys ? words.keys.turnOff : words.keys.areOff)));
}
