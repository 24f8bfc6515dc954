// Drafts of house ways, stored in the browser.

import { newId } from "../api.js";

/**
 * @typedef {import("./way.js").Way} Way
 * @typedef {{ text: string, label: string }} Version a version to compare with: its text and its name
 * @typedef {object} Draft
 * @property {string} id
 * @property {number} changed time of the last change
 * @property {string} text
 * @property {Way | null} way with the clauses that are switched off; `null` if the text is not a list of clauses
 * @property {string} book
 * @property {string} side
 * @property {string} against
 * @property {Version | null} before the version to compare with
 * @property {Version[]} [versions] the version at the start, and the pinned one
 * @property {string} [budget] the budget in percent
 */

const STORAGE_KEY = "paigow.drafts";

/** Returns the stored drafts, the last changed first. @returns {Draft[]} */
export function drafts() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((draft) => typeof draft?.id === "string" && typeof draft.text === "string") : [];
  } catch {
    return [];
  }
}

/** Stores a draft. Drafts of other tabs are kept. Returns whether the browser stored it. @param {Draft} draft */
export function storeDraft(draft) {
  return write([draft, ...drafts().filter(({ id }) => id !== draft.id)]);
}

/** @param {string} id */
export function deleteDraft(id) {
  return write(drafts().filter((draft) => draft.id !== id));
}

/** @param {Draft[]} all */
function write(all) {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}

/** Returns the title of a draft. @param {Draft} draft */
export const draftTitle = ({ way, text }) => way?.title ?? /^\s*title\s*=\s*"([^"]*)"/m.exec(text)?.[1] ?? "";

/** Returns the id of a new draft. */
export const newDraftId = () => newId().slice(0, 12);
