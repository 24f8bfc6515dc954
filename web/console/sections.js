// Sections of the console, and the permission that each of them needs.

/**
 * @typedef {import("./types.js").Permission} Permission
 * @typedef {typeof SECTIONS[number]["id"]} SectionId
 */

export const SECTIONS = /** @type {const} */ ([
  { id: "tables", needs: "read" },
  { id: "people", needs: "read" },
  { id: "chips", needs: "chips" },
  { id: "approvals", needs: "read" },
  { id: "journal", needs: "read" },
  { id: "reports", needs: "read" },
  { id: "rounds", needs: "read" },
  { id: "log", needs: "read" },
  { id: "audits", needs: "read" },
  { id: "operators", needs: "read" },
  { id: "health", needs: "read" },
]);

/** Returns the sections that an operator may open. @param {readonly Permission[]} may */
export const sectionsFor = (may) => SECTIONS.filter(({ needs }) => may.includes(needs));

/** Returns a section by its part of the path, or `null`. @param {string | undefined} id */
export const sectionOf = (id) => SECTIONS.find((section) => section.id === id) ?? null;

/** Returns the permission that deciding an approval needs. @param {import("./types.js").Approval["what"]} what @returns {Permission} */
export const decisionNeeds = (what) => (what === "chips" ? "chips" : "tables");
