// Selects the text catalog for the browser's language. A translation is a module like `words/en.js` and an entry in `languages`.

import { words as en } from "./words/en.js";

/** @typedef {typeof en} Words */

/** @type {Record<string, Words>} */
const languages = { en };

const preferred = globalThis.navigator?.languages ?? [];
const language = preferred.map((tag) => tag.slice(0, 2)).find((tag) => tag in languages) ?? "en";
if (globalThis.document) document.documentElement.lang = language;

export const words = languages[language];
