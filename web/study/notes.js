// Notes: errors, progress, citations, kinds of values and departures from the document.

import { h } from "../dom.js";
import { words } from "../words.js";

/** An error message with a retry button. @param {string} text @param {() => void} retry */
export const faultNote = (text, retry) => text && h("div", { class: "fault note", key: "fault", role: "alert" }, h("p", null, text),
  h("button", { type: "button", class: "button slim", onclick: retry }, words.app.again));

/** A progress note. @param {string} text */
export const waiting = (text) => h("p", { class: "waiting", role: "status" }, h("span", { class: "turning", "aria-hidden": "true" }), text);

/**
 * The source of a value: a citation for a fixed value, the allowed values for an option, the reason for an assumed value.
 * @param {{ cite: string, assumed: boolean, kind?: string, allowed?: string | null }} source
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

/** A list of the values that depart from the document of the book. @param {import("../protocol").ChangedValue[]} departures */
export function departuresNote(departures) {
  const { study: say } = words;
  return departures.length > 0 && h("section", { class: "panel departures", key: "departures", "aria-labelledby": "departures-title" },
    h("h2", { id: "departures-title" }, say.departures),
    h("p", null, say.departuresWhy),
    h("ul", null, departures.map(({ value, says }) => h("li", { key: value }, says))));
}
