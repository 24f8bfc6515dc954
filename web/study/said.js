// What is said beside what one looks at: what went wrong, what is being waited for, where something comes from.

import { h } from "../dom.js";
import { words } from "../words.js";

/** What went wrong, with a way to try again. @param {string} text @param {() => void} again */
export const faultNote = (text, again) => text && h("div", { class: "fault note", key: "fault", role: "alert" }, h("p", null, text),
  h("button", { type: "button", class: "button slim", onclick: again }, words.app.again));

/** @param {string} text */
export const waiting = (text) => h("p", { class: "waiting", role: "status" }, h("span", { class: "turning", "aria-hidden": "true" }), text);

/** Where something comes from; what is assumed is marked, and cites no document. @param {{ cite: string, assumed: boolean }} from */
export function citation({ cite, assumed }) {
  return h(assumed ? "span" : "cite", { class: ["small", { assumed }] }, cite);
}
