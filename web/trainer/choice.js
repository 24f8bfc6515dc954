// The choice of two cards for the low hand: the cards, the names of both hands, and the keys.

import { h } from "../dom.js";
import { JOKER } from "../cards/card-text.js";
import { highHand, lowHand } from "../cards/evaluate.js";
import { cardName, highHandName, lowHandName } from "../cards/names.js";
import { settings as preferences } from "../settings.js";
import { words } from "../words.js";

/** @typedef {import("../cards/evaluate.js").Ranking} Ranking */

/** Returns both hands of a complete choice, or `null`. @param {string[]} cards @param {string[]} low @param {Ranking} ranking */
export function handsOf(cards, low, ranking) {
  if (low.length !== 2) return null;
  return { high: highHand(cards.filter((card) => !low.includes(card)), ranking), low: lowHand(low, ranking) };
}

/** Returns the low hand after a click on a card. The third card replaces the first. @param {string[]} low @param {string} card */
export const toggled = (low, card) => (low.includes(card) ? low.filter((other) => other !== card) : [...low, card].slice(-2));

/** The seven cards as buttons. @param {{ cards: string[], low: string[], ranking: Ranking, fixed: boolean, toggle: (card: string) => void }} choice fixed: whether the cards can no longer be chosen */
export function choiceCards({ cards, low, ranking, fixed, toggle }) {
  const hands = handsOf(cards, low, ranking);
  const keys = preferences.value.keys;
  return h("div", { class: "lab-cards trainer-cards" }, cards.map((card, index) => {
    const on = low.includes(card);
    return h("button", { key: card, type: "button", class: ["trainer-card", { on }], "aria-pressed": String(on), "aria-disabled": fixed ? "true" : null, onclick: () => toggle(card) },
      h("pg-card", { card, as: card === JOKER ? hands?.[on ? "low" : "high"].joker : null, quiet: true }), h("span", { class: "unseen" }, cardName(card)),
      keys && h("kbd", { "aria-hidden": "true" }, index + 1));
  }));
}

/** The names of both hands. @param {string[]} cards @param {string[]} low @param {Ranking} ranking @param {import("../dom.js").Child} [more] */
export function choiceWords(cards, low, ranking, more) {
  const { trainer: say } = words;
  const hands = handsOf(cards, low, ranking);
  return h("div", { class: "trainer-words", "aria-live": "polite" },
    h("p", { class: "lab-words" }, h("small", null, say.low), " ", hands ? lowHandName(hands.low) : say.noneYet),
    h("p", { class: "lab-words" }, h("small", null, say.high), " ", hands ? highHandName(hands.high) : "…"),
    more);
}

/**
 * Listens to the keys of a choice until the view is disconnected: 1 to 7, C and Enter. Where `isComplete` is true, Enter on a card gives the answer.
 * @param {import("../component.js").Component} view
 * @param {{ cards: () => string[], isComplete: () => boolean, toggle: (card: string) => void, clear: () => void, enter: () => unknown }} choice enter returns `false` if it does nothing
 */
export function choiceKeys(view, { cards, isComplete, toggle, clear, enter }) {
  /** The control clicked last, until Tab is pressed. It keeps the focus, but Enter is not meant for it. @type {Element | null} */
  let clicked = null;
  /** Whether Enter means the main action, as at a table: not on a focused control, unless the focus comes from a click or the control is a card of a complete low hand. @param {HTMLElement | null} target */
  const isMainKey = (target) => {
    const control = controlOf(target);
    return !control || control === clicked || (isComplete() && control.matches(".trainer-card"));
  };
  view.on(window, "pointerdown", ({ target }) => { clicked = controlOf(target); });
  view.on(window, "keydown", (/** @type {KeyboardEvent} */ event) => {
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (!preferences.value.keys || event.ctrlKey || event.metaKey || event.altKey || target?.closest("input, select, textarea, dialog")) return;
    const card = cards()[Number(event.key) - 1];
    if (event.key === "Tab") clicked = null;
    else if (card) toggle(card);
    else if (event.key.toLowerCase() === "c") clear();
    else if (event.key === "Enter" && !event.repeat && isMainKey(target) && enter() !== false) event.preventDefault();
  });
}

/** @param {EventTarget | null} target */
const controlOf = (target) => (target instanceof Element ? target.closest("button, a, summary") : null);
