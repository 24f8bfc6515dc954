// Parts of the rail: texts, buttons, and the clock of the main button.

import { h } from "../dom.js";
import { money, short } from "../money.js";
import { isSameAction } from "./click-series.js";
import { clockOf } from "./model.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("../dom.js").Child} Child
 * @typedef {object} RailParts
 * @property {Child} [left] lesser actions
 * @property {Child} middle tools
 * @property {Child} [alt] second action
 * @property {Child} go main button
 */

/** Labels of the main button with more characters have a smaller font. */
const LONG = 16;

/** Two lines of text in the middle of the rail. @param {Child} title @param {Child} text @param {string} [mood] */
export function say(title, text, mood) {
  return h("div", { class: ["say", mood] }, h("b", null, title), h("span", null, text));
}

/** A key of the keyboard. @param {string} name */
export const key = (name) => h("kbd", { "aria-hidden": "true" }, name);

/** A lesser action. Without an action, the button is disabled. @param {string} label @param {string} shortcut @param {(() => unknown) | null} action @param {Record<string, any>} [props] */
export function sec(label, shortcut, action, props = {}) {
  const onclick = (/** @type {MouseEvent} */ event) => { if (isSameAction(event, label)) action?.(); };
  return h("button", { ...props, class: ["sec", props.class], "aria-disabled": action ? null : "true", onclick }, h("span", null, label), shortcut && key(shortcut));
}

/** The second action. @param {string} label @param {string} shortcut @param {(() => unknown) | null} action @param {Record<string, any>} [props] */
export const alt = (label, shortcut, action, props = {}) => sec(label, shortcut, action, { key: "alt", ...props, class: ["alt", props.class] });

/**
 * The main button, with a line that says what it does or why it is disabled.
 * @param {string} label @param {string} text @param {(() => unknown) | null} action
 * @param {{ form?: string, fuse?: Child, keyAction?: () => unknown }} [more] `keyAction`: what the disabled button does for a player who activates it without a pointer
 */
export function goButton(label, text, action, { form, fuse, keyAction } = {}) {
  const onclick = (/** @type {MouseEvent} */ event) => {
    if (!isSameAction(event, `${label} ${text}`)) return;
    if (action) action();
    // The detail of a click is zero if a key or a screen reader caused it.
    else if (event.detail === 0) keyAction?.();
  };
  return h("button", { class: "go", key: "go", type: form ? "submit" : "button", form: form ?? null, "aria-disabled": action || form ? null : "true", onclick },
    h("b", { class: { long: label.length > LONG } }, label), " ", h("small", null, text), key("↵"), fuse);
}

/** The clock of the main button. @param {TableState} state */
export function fuse(state) {
  return state.view && !state.held && h("pg-clock", { class: "fuse", "aria-hidden": "true", ".fuse": true, ".until": state.view.until, ".total": clockOf(state.view), ".now": state.now });
}

/** Amounts for the rail. @param {number} cents */
export const amountText = (cents) => (cents % 100 === 0 ? short(cents) : money(cents));
