// All words come from one catalogue. A translation is a file like `words/en.js`, and a line here.

/** @typedef {typeof import("./words/en.js").words} Words */

/** @type {Record<string, () => Promise<{ words: Words }>>} */
const languages = { en: () => import("./words/en.js") };

const wished = globalThis.navigator?.languages ?? [];
const language = wished.map((wish) => wish.slice(0, 2)).find((wish) => wish in languages) ?? "en";
if (globalThis.document) document.documentElement.lang = language;

export const { words } = await languages[language]();
