// Rows of paytables in words.

import { h } from "../dom.js";
import { words } from "../words.js";
import { kindTag } from "./said.js";

/** What a row is for: a class of hands, or so many cards of a colour; also by its name in answers, `7_cards`. @param {string | null | undefined} hand @param {number | null} [cards] */
export function rowName(hand, cards) {
  const counted = cards ?? Number(/^(\d+)_cards$/.exec(hand ?? "")?.[1] ?? 0);
  return words.rowName(counted ? undefined : hand ?? undefined, counted || undefined);
}

/** What the program counts as this hand where the document can be read in two ways. @param {{ reading?: string | null }} row */
export const rowReading = ({ reading }) => reading && h("small", { class: "reading-note" }, kindTag("assumed"), " ", reading);

/** @param {number} pays */
export const paysWords = (pays) => (pays === 0 ? words.paytable.push : words.paytable.toOne(pays));
