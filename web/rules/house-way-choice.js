// Whether a book prescribes its house way, or the house way is chosen for practice.

import { words } from "../words.js";
import { shortTitle } from "../study/book-title.js";

/** @typedef {import("../protocol").RulesAnswer} RulesAnswer */

/** Whether the document of a book prescribes the house way. @param {RulesAnswer} rules */
const prescribesHouseWay = ({ values }) => values.some(({ value, kind }) => value === "house_way.way" && kind === "fixed");

/** Returns the sentence on who chose the house way of a book. @param {RulesAnswer} rules */
export const houseWayChoice = (rules) => (rules.house_way.changed ? words.rules.ownWay : prescribesHouseWay(rules) ? words.rules.prescribed : words.rules.chosen(rules.house_way.title));

/** Returns the sentences on who chose the house ways of several books. Books with the same house way share a sentence. @param {RulesAnswer[]} books */
export function houseWayChoices(books) {
  /** @type {Map<string, string[]>} */
  const chosen = new Map();
  /** @type {string[]} */
  const prescribed = [];
  for (const rules of books) {
    const title = shortTitle(rules.title);
    if (prescribesHouseWay(rules)) prescribed.push(title);
    else chosen.set(rules.house_way.title, [...chosen.get(rules.house_way.title) ?? [], title]);
  }
  return [...[...chosen].map(([way, titles]) => words.rules.chosenFor(titles, way)), ...(prescribed.length ? [words.rules.prescribedBy(prescribed)] : [])].join(" ");
}
