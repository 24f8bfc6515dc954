// What is said beside what one looks at: what went wrong, what is being waited for, where something comes from.

import { h } from "../dom.js";
import { words } from "../words.js";

/** What went wrong, with a way to try again. @param {string} text @param {() => void} again */
export const faultNote = (text, again) => text && h("div", { class: "fault note", key: "fault", role: "alert" }, h("p", null, text),
  h("button", { type: "button", class: "button slim", onclick: again }, words.app.again));

/** @param {string} text */
export const waiting = (text) => h("p", { class: "waiting", role: "status" }, h("span", { class: "turning", "aria-hidden": "true" }), text);

/**
 * Where a value comes from. A fixed value has its citation alone; an option says so with what is allowed, an assumed value with its reason.
 * @param {{ cite: string, assumed: boolean, kind?: string, allowed?: string | null }} from
 */
export function citation({ cite, assumed, kind = assumed ? "assumed" : "fixed", allowed = null }) {
  const { rules: say } = words;
  return h("span", { class: "small source" },
    kind !== "fixed" && [kindTag(kind), " "],
    h(assumed ? "span" : "cite", { class: { assumed } }, assumed ? cite.replace(/^assumed: /, "") : cite),
    allowed && h("span", { class: "allowed" }, ` \u00b7 ${say.allowed(allowed)}`));
}

/** The kind of a value as a tag. @param {string} kind */
export const kindTag = (kind) => h("b", { class: ["kind", `kind-${kind}`] }, words.rules.kinds[/** @type {"fixed"} */ (kind)] ?? kind);


/** How an answer departs from the document of its book. @param {import("../protocol").ChangedValue[]} departures */
export function departuresNote(departures) {
  const { study: say } = words;
  return departures.length > 0 && h("section", { class: "panel departures", key: "departures", "aria-labelledby": "departures-title" },
    h("h2", { id: "departures-title" }, say.departures),
    h("p", null, say.departuresWhy),
    h("ul", null, departures.map(({ value, says }) => h("li", { key: value }, says))));
}
