// Keyboard shortcuts. They are ignored while the player types in a field, and can be turned off in the settings.

import { h } from "../dom.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { hasHandToSet, isBanking, ownSeat } from "./model.js";
import { CHIP_KEYS, isBust } from "./rail-wagers.js";
import { CHIPS } from "./stakes.js";
import { openColorSheet } from "./wager-spots.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./drawer.js").Tab} Tab
 * @typedef {{ show: (tab: Tab) => void, close: () => boolean, help: () => void, sound: () => void, faster: () => void }} PageActions `close` closes the drawer and returns whether it was open
 */

/** @type {Record<string, Tab>} */
const PANELS = { s: "round", w: "coach", p: "paytables", r: "rules", o: "rounds" };

/** The control clicked last, until Tab is pressed. It keeps the focus, but Enter is not meant for it. @type {Element | null} */
let clicked = null;

/** Remembers the control that was clicked. @param {PointerEvent} event */
export function handlePointer(event) {
  clicked = controlOf(event.target);
}

/** @param {EventTarget | null} target */
const controlOf = (target) => (target instanceof Element ? target.closest("button, a, summary, [role=tab]") : null);

/** Whether the focus of a control comes from a click. If the clicked control was removed, the page has moved the focus: a card that moves gets a new button. @param {Element} control */
const isClicked = (control) => clicked !== null && (control === clicked || !clicked.isConnected);

/** @param {KeyboardEvent} event @param {TableState} state @param {PageActions} page */
export function handleKey(event, state, page) {
  if (event.key === "Tab") clicked = null;
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
  if (event.key === "?") return run(event, page.help);
  if (event.key === "Escape" && page.close()) return event.preventDefault();
  const key = event.key.toLowerCase();
  // Keys of the round come first: R chooses a chip while wagers are open, and shows the rules otherwise.
  const action = settings.value.keys ? roundAction(event, key, state) ?? pageAction(key, page) : null;
  // Enter and Space act once while they are held down, and press the focused control once.
  if (event.repeat && (key === "enter" || key === " ")) {
    const control = controlOf(event.target);
    if (action || (control && (key === "enter" || isClicked(control)))) event.preventDefault();
    return;
  }
  if (action) run(event, action);
}

/** Returns the action of a key in every phase. @param {string} key @param {PageActions} page @returns {(() => unknown) | null} */
function pageAction(key, page) {
  if (PANELS[key]) return () => page.show(PANELS[key]);
  if (key === "t") return () => settings.change({ text: !settings.value.text });
  return key === "m" ? page.sound : key === "f" ? page.faster : null;
}

/** Returns the action of a key in the current phase. @param {KeyboardEvent} event @param {string} key @param {TableState} state @returns {(() => unknown) | null} */
function roundAction(event, key, state) {
  const { view, own, shown } = state;
  // A player who has stood up during the result still has the keys of the result.
  const player = own ?? (shown && ownSeat(shown));
  if (!view || !player) return null;
  // Enter activates the focused control, unless the focus comes from a click: after a click on Double, Enter means Deal.
  const control = controlOf(event.target);
  if ((key === "enter" || key === " ") && control && !isClicked(control)) return null;
  if (state.showsResult) return resultAction(key, state);
  if (!own) return null;
  if (hasHandToSet(view, own)) return state.faceDown.count(own.seat) > 0 ? turnAction(key, state, own.seat) : settingAction(key, state);
  if (own.out) return null;
  if (view.phase === "offering" && view.offered === view.you) return key === "n" ? () => state.send({ do: "pass_bank" }) : null;
  if (view.phase === "wagers") return isBanking(view) ? sideWagerAction(key, state) : wagerAction(key, state);
  return null;
}

/** @param {string} key @param {TableState} state */
function resultAction(key, state) {
  if (state.playback.revealing && !state.held) return null;
  return key === "enter" ? () => state.sitAgainOrNext() : key === " " ? () => state.hold() : null;
}

/** @param {string} key @param {TableState} state */
function wagerAction(key, state) {
  const { chips } = state;
  if (state.view && isBust(state, state.view)) return key === "enter" ? () => state.moreChips() : null;
  switch (key) {
    case "enter": return () => chips.confirm();
    case "a": return () => chips.repeat();
    case "d": return () => chips.double();
    default: return chipAction(key, state, state.view?.facts.wagers[Number(key) - 1]);
  }
}

/** Returns the action of a key for the side wagers of a banker. @param {string} key @param {TableState} state */
function sideWagerAction(key, state) {
  const wagers = state.view?.facts.wagers ?? [];
  if (!wagers.some((facts) => facts.banker_wagers)) return null;
  const facts = wagers[Number(key) - 1];
  return chipAction(key, state, facts?.banker_wagers ? facts : undefined);
}

/** Returns the action of a key that changes chips. @param {string} key @param {TableState} state @param {import("./view-types.js").WagerFacts | undefined} facts of the wager with the number of the key */
function chipAction(key, state, facts) {
  const { chips } = state;
  const value = CHIPS[CHIP_KEYS.indexOf(key.toUpperCase())];
  if (key.length === 1 && value) return () => chips.choose(value);
  if (facts) return () => (facts.color && !chips.draft[facts.wager]?.color ? openColorSheet() : chips.add(facts.wager));
  const chip = CHIPS.indexOf(chips.chip);
  switch (key) {
    case "c": return () => chips.setDraft({});
    case "z": return () => chips.undo();
    case "+": case "=": return () => chips.choose(CHIPS[Math.min(chip + 1, CHIPS.length - 1)]);
    case "-": return () => chips.choose(CHIPS[Math.max(chip - 1, 0)]);
    default: return null;
  }
}

/** Returns the action of a key while cards lie face down. @param {string} key @param {TableState} state @param {number} seat */
function turnAction(key, { hand, faceDown }, seat) {
  const card = hand.cards[Number(key) - 1];
  if (card) return () => faceDown.turn(seat, card);
  switch (key) {
    case "enter": case " ": return () => faceDown.turnAll(seat);
    case "arrowright": return () => faceDown.turnNext(seat);
    default: return null;
  }
}

/** @param {string} key @param {TableState} state */
function settingAction(key, state) {
  const { hand } = state;
  const card = hand.cards[Number(key) - 1];
  if (card) return () => hand.toggle(card);
  switch (key) {
    case "enter": return () => hand.confirm();
    case "h": return () => hand.askHouseWay();
    case "c": return () => hand.clear();
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
      h("p", null, h("a", { class: "button", href: "/how-to-play" }, words.nav.howToPlay)),
      h("p", { class: "small" }, settings.value.keys ? words.keys.turnOff : words.keys.areOff)));
}
