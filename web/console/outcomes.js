// Outcomes in the operators' log. An act that changes something has its outcome in a second entry, which names the first by its sequence number.

/**
 * @typedef {import("../protocol").OperatorAct} OperatorAct
 * @typedef {{ place: number, at: number, operator: string, what: string, detail: Record<string, unknown>, outcome: string | null }} LogEntry
 */

/** Merges outcomes into the acts that they belong to. An outcome whose act is not in the list stays an entry of its own. @param {OperatorAct[]} acts in ascending order @returns {LogEntry[]} */
export function withOutcomes(acts) {
  /** @type {Map<number, LogEntry>} */
  const entries = new Map();
  for (const { place, at, operator, what, detail: text } of acts) {
    const { outcome, ...detail } = parsed(text);
    const act = what === "outcome" ? entries.get(Number(detail.of)) : undefined;
    if (act) act.outcome = textOf(outcome);
    else entries.set(place, { place, at, operator, what, detail, outcome: outcome === undefined ? null : textOf(outcome) });
  }
  return [...entries.values()];
}

/** Reads that the console repeats every few seconds. */
const REPEATED = new Set(["tables", "approvals", "audits", "acts"]);

/** Whether an entry is a repeated read that succeeded. Reads of people and journals are not. @param {LogEntry} entry */
export const isRepeatedRead = ({ what, outcome }) => REPEATED.has(what) && outcome === "done";

/** Returns the fields of a detail as text, each with its name. Nested objects are JSON. @param {Record<string, unknown>} detail @returns {[string, string][]} */
export const detailFields = (detail) => Object.entries(detail).filter(([, value]) => value !== null).map(([name, value]) => [name, textOf(value)]);

/** @param {unknown} value */
const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** @param {string} text @returns {Record<string, unknown>} */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === "object" && !Array.isArray(value) ? value : { detail: value };
  } catch {
    return { detail: text };
  }
}
