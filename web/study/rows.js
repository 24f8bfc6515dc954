// Names and pays of paytable rows.

import { h } from "../dom.js";
import { words } from "../words.js";
import { kindTag } from "./notes.js";

/** Returns the name of a row: a class of hands, or a number of cards of one color. Accepts the API's name of the latter, `7_cards`. @param {string | null | undefined} hand @param {number | null} [cards] */
export function rowName(hand, cards) {
  const counted = cards ?? Number(/^(\d+)_cards$/.exec(hand ?? "")?.[1] ?? 0);
  return words.rowName(counted ? undefined : hand ?? undefined, counted || undefined);
}

/** A note on how the program reads an ambiguous row of the document. @param {{ reading?: string | null }} row */
export const rowReading = ({ reading }) => reading && h("small", { class: "reading-note" }, kindTag("assumed"), " ", reading);

/** @param {number} pays */
export const paysText = (pays) => (pays === 0 ? words.paytable.push : words.paytable.toOne(pays));
