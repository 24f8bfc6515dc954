// Progress of the trainer, by exercise and by kind of hand. Stored in the browser.

import { storedRecord } from "./stored.js";

/**
 * @typedef {import("./kinds.js").Kind} Kind
 * @typedef {{ asked: number, right: number, cost: number }} Tally cost is a fraction of the wager
 * @typedef {{ kinds: Partial<Record<Kind, Tally>>, missed: Record<string, { asked: number, missed: number, says: string }>, last: boolean[], streak: number, longest: number }} Progress
 */

const STORAGE_KEY = "paigow.trainer";
/** Number of recent answers stored. */
const LAST_MAX = 40;

/** @returns {Progress} */
export const noProgress = () => ({ kinds: {}, missed: {}, last: [], streak: 0, longest: 0 });

/** Returns the progress with one more answer. @param {Progress} progress @param {{ kind: Kind, right: boolean, cost: number, clause?: { cite: string, says: string } }} answer @returns {Progress} */
export function withAnswer(progress, { kind, right, cost, clause }) {
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
    last: [...progress.last, right].slice(-LAST_MAX),
    streak,
    longest: Math.max(progress.longest, streak),
  };
}

/** Returns the total over all kinds. @param {Progress} progress @returns {Tally} */
export function total(progress) {
  return Object.values(progress.kinds).reduce((sum, tally) => ({ asked: sum.asked + tally.asked, right: sum.right + tally.right, cost: sum.cost + tally.cost }), { asked: 0, right: 0, cost: 0 });
}

/** Returns the practiced kinds, weakest first. @param {Progress} progress @returns {(Tally & { kind: Kind })[]} */
export function weakest(progress) {
  const all = Object.entries(progress.kinds).map(([kind, tally]) => ({ kind: /** @type {Kind} */ (kind), ...tally }));
  return all.sort((one, other) => one.right / one.asked - other.right / other.asked || other.asked - one.asked);
}

/** Returns the weak kinds: less than 90 % correct. @param {Progress} progress @returns {Kind[]} */
export const weakKinds = (progress) => weakest(progress).filter(({ asked, right }) => right < asked * 0.9).map(({ kind }) => kind);

/** @param {string} exercise id of the book, and `best` or the id of a house way @returns {Progress} */
export function loadProgress(exercise) {
  return { ...noProgress(), ...storedRecord(STORAGE_KEY)[exercise] };
}

/** @param {string} exercise @param {Progress} progress */
export function saveProgress(exercise, progress) {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...storedRecord(STORAGE_KEY), [exercise]: progress }));
  } catch {
    // Without storage, the progress lasts until the page is closed.
  }
}
