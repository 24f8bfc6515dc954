// Texts that the server writes into the document, so that they can be read without scripts.

/** Element of the document with the text. */
const ID = "static";

/** Texts by path. @type {Map<string, Promise<string>>} */
const texts = new Map();

/** Removes the text from the document, and keeps it for `staticText`. */
export function takeStaticText() {
  const element = document.getElementById(ID);
  if (!element) return;
  texts.set(location.pathname, Promise.resolve(element.innerHTML));
  element.remove();
}

/** Returns the text of a path as HTML. Loads the document of the path if this document was another one. @param {string} path */
export function staticText(path) {
  let text = texts.get(path);
  if (!text) {
    text = load(path);
    texts.set(path, text);
    // Errors are not cached.
    text.catch(() => texts.delete(path));
  }
  return text;
}

/** @param {string} path */
async function load(path) {
  const response = await fetch(path);
  const found = response.ok && new DOMParser().parseFromString(await response.text(), "text/html").getElementById(ID);
  if (!found) throw new Error(`${path} has no text: status ${response.status}`);
  return found.innerHTML;
}
