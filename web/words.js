// Selects the text catalogue for the browser's language. A translation is a module like `words/en.js` and an entry in `languages`.

/** @typedef {typeof import("./words/en.js").words} Words */

/** @type {Record<string, () => Promise<{ words: Words }>>} */
const languages = { en: () => import("./words/en.js") };

const preferred = globalThis.navigator?.languages ?? [];
const language = preferred.map((tag) => tag.slice(0, 2)).find((tag) => tag in languages) ?? "en";
if (globalThis.document) document.documentElement.lang = language;

export const { words } = await languages[language]();
