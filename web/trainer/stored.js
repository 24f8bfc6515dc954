// Records that the trainer stores in the browser.

/** Returns the record stored under a key, or an empty one if there is none or it is damaged. @param {string} key @returns {Record<string, any>} */
export function storedRecord(key) {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? "{}");
    return stored && typeof stored === "object" ? stored : {};
  } catch {
    return {};
  }
}
