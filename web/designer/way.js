// A house way that is being written, and its edits. A clause that is switched off or incomplete stays in the draft and is not sent.

import { words } from "../words.js";

/**
 * @typedef {object} Clause
 * @property {string} key identifies the clause in the page
 * @property {string} when
 * @property {string[]} set alternatives
 * @property {string} says
 * @property {string} cite the citation, or the reason if the clause is assumed
 * @property {boolean} assumed
 * @property {boolean} ifPossible
 * @property {boolean} off
 * @property {string[]} notes comments of the file before the clause
 * @typedef {{ joker: string, wheel: string, cite: string, assumed: boolean, notes: string[] }} WayRanking
 * @typedef {{ title: string, source: string, notes: string[], ranking: WayRanking, clauses: Clause[] }} Way notes: comments at the top of the file
 */

let keys = 0;

/** Returns a clause with a new key. @param {Partial<Clause>} [some] @returns {Clause} */
export function newClause(some = {}) {
  keys += 1;
  return { when: "", set: [""], says: "", cite: words.designer.draftCite, assumed: true, ifPossible: false, off: false, notes: [], ...some, key: `c${keys}` };
}

/** Returns a house way with one clause, which fits every hand. @param {{ joker: string, wheel: string }} ranking @returns {Way} */
export function emptyWay({ joker, wheel }) {
  const { designer: say } = words;
  return {
    title: say.emptyTitle, source: say.emptySource, notes: [],
    ranking: { joker, wheel, cite: say.draftCite, assumed: true, notes: [] },
    clauses: [newClause({ when: "any hand", set: ["best"], says: say.emptySays })],
  };
}

/** Returns a copy of a house way of the program, ready for edits. @param {import("../protocol").HouseWayText} text @returns {Way} */
export function copyOf({ title, source, ranking, clauses }) {
  const { designer: say } = words;
  return {
    title: say.copyTitle(title), source: say.copySource(source), notes: [],
    ranking: { joker: ranking.joker, wheel: ranking.wheel, cite: source, assumed: false, notes: [] },
    clauses: clauses.map(({ when, set, says, cite, assumed, if_possible: ifPossible }) =>
      newClause({ when, set: [...set], says, cite: assumed ? cite.replace(/^assumed: /, "") : cite, assumed, ifPossible })),
  };
}

/** Whether a clause has a condition and a setting. @param {Clause} clause */
export const isComplete = ({ when, set }) => when.trim() !== "" && set.some((one) => one.trim() !== "");

/** Returns the clauses that are sent: those that are complete and not switched off. @param {Way} way */
export const activeClauses = (way) => way.clauses.filter((clause) => !clause.off && isComplete(clause));

/** Returns the rule in a dealer's words. Until it is written, it is the condition and the setting. @param {Clause} clause */
export const saysOf = ({ when, set, says }) => (says.trim() ? says : words.designer.saysDefault(when, set.join("; ")));

/** @param {Way} way @param {string} key @param {Partial<Clause>} some @returns {Way} */
export function changeClause(way, key, some) {
  return { ...way, clauses: way.clauses.map((clause) => (clause.key === key ? { ...clause, ...some } : clause)) };
}

/** Switches a clause off or on. @param {Way} way @param {string} key */
export function toggleClause(way, key) {
  return changeClause(way, key, { off: !way.clauses.find((clause) => clause.key === key)?.off });
}

/** Switches clauses off. @param {Way} way @param {string[]} keys @returns {Way} */
export function switchOff(way, keys) {
  return { ...way, clauses: way.clauses.map((clause) => (keys.includes(clause.key) ? { ...clause, off: true } : clause)) };
}

/** Moves a clause by a number of places. Returns the same way if it cannot move. @param {Way} way @param {string} key @param {number} by @returns {Way} */
export function moveClause(way, key, by) {
  const from = way.clauses.findIndex((clause) => clause.key === key);
  const to = from + by;
  if (from < 0 || to < 0 || to >= way.clauses.length) return way;
  const clauses = [...way.clauses];
  clauses.splice(to, 0, ...clauses.splice(from, 1));
  return { ...way, clauses };
}

/** @param {Way} way @param {string} key @returns {Way} */
export function removeClause(way, key) {
  return { ...way, clauses: way.clauses.filter((clause) => clause.key !== key) };
}

/** Inserts a clause after another one. @param {Way} way @param {string} key @param {Clause} clause @returns {Way} */
export function insertAfter(way, key, clause) {
  const at = way.clauses.findIndex((one) => one.key === key) + 1;
  return { ...way, clauses: [...way.clauses.slice(0, at), clause, ...way.clauses.slice(at)] };
}

/**
 * Returns a house way read from a text, with the keys of the clauses before it. Clauses that are not sent keep their places.
 * @param {Way} read @param {Way | null} before @returns {Way}
 */
export function mergeRead(read, before) {
  if (!before) return read;
  const active = activeClauses(before);
  const unchanged = new Map(active.map((clause) => [contentOf(clause), clause.key]));
  const taken = new Set();
  const keyed = read.clauses.map((clause) => {
    const key = unchanged.get(contentOf(clause));
    if (!key || taken.has(key)) return clause;
    taken.add(key);
    return { ...clause, key };
  });
  const clauses = keyed.map((clause, index) => {
    const key = active[index]?.key;
    if (taken.has(clause.key) || !key || taken.has(key)) return clause;
    taken.add(key);
    return { ...clause, key };
  });
  before.clauses.forEach((clause, index) => { if (!active.includes(clause)) clauses.splice(Math.min(index, clauses.length), 0, clause); });
  return { ...read, clauses };
}

/** @param {Clause} clause */
const contentOf = ({ when, set, says }) => JSON.stringify([when, set, says]);
