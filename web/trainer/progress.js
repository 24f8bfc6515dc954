// How practice goes: kept in the browser, by what was practised and by kind of hand.

/**
 * @typedef {import("./kinds.js").Kind} Kind
 * @typedef {{ asked: number, right: number, cost: number }} Tally cost is in parts of a wager
 * @typedef {{ kinds: Partial<Record<Kind, Tally>>, missed: Record<string, { asked: number, missed: number, says: string }>, last: boolean[], streak: number, longest: number }} Progress
 */

const PLACE = "paigow.trainer";
const LAST = 40;

/** @returns {Progress} */
export const nothing = () => ({ kinds: {}, missed: {}, last: [], streak: 0, longest: 0 });

/** With one more answer. @param {Progress} progress @param {{ kind: Kind, right: boolean, cost: number, clause?: { cite: string, says: string } }} answer @returns {Progress} */
export function after(progress, { kind, right, cost, clause }) {
  const before = progress.kinds[kind] ?? { asked: 0, right: 0, cost: 0 };
  const streak = right ? progress.streak + 1 : 0;
  const missed = { ...progress.missed };
  if (clause) {
    const key = `${clause.cite} ${clause.says}`;
    const known = missed[key] ?? { asked: 0, missed: 0, says: clause.says };
    missed[key] = { asked: known.asked + 1, missed: known.missed + Number(!right), says: clause.says };
  }
  return {
    kinds: { ...progress.kinds, [kind]: { asked: before.asked + 1, right: before.right + Number(right), cost: before.cost + cost } },
    missed,
    last: [...progress.last, right].slice(-LAST),
    streak,
    longest: Math.max(progress.longest, streak),
  };
}

/** All kinds together. @param {Progress} progress @returns {Tally} */
export function total(progress) {
  return Object.values(progress.kinds).reduce((sum, tally) => ({ asked: sum.asked + tally.asked, right: sum.right + tally.right, cost: sum.cost + tally.cost }), { asked: 0, right: 0, cost: 0 });
}

/** Kinds that were asked, the weakest first. @param {Progress} progress @returns {(Tally & { kind: Kind })[]} */
export function weakest(progress) {
  const all = Object.entries(progress.kinds).map(([kind, tally]) => ({ kind: /** @type {Kind} */ (kind), ...tally }));
  return all.sort((one, other) => one.right / one.asked - other.right / other.asked || other.asked - one.asked);
}

/** Kinds to ask again: less than nine of ten right. @param {Progress} progress @returns {Kind[]} */
export const weak = (progress) => weakest(progress).filter(({ asked, right }) => right < asked * 0.9).map(({ kind }) => kind);

/** @param {string} what a book and what is set by @returns {Progress} */
export function read(what) {
  return { ...nothing(), ...all()[what] };
}

/** @param {string} what @param {Progress} progress */
export function keep(what, progress) {
  try {
    localStorage.setItem(PLACE, JSON.stringify({ ...all(), [what]: progress }));
  } catch {
    // A browser that keeps nothing counts until the page is left.
  }
}

/** @returns {Record<string, Progress>} */
function all() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}
