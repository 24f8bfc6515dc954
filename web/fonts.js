// Shows the fonts of the page. On the first visit they load after the data of the first view, so that they do not delay it.

const STORAGE_KEY = "paigow.fonts";

/** Shows the fonts now if the browser has probably cached them. */
export function showCachedFonts() {
  if (wereLoaded()) show();
}

/** Shows the fonts, which loads them, once other requests are done. @param {Promise<void>} idle */
export async function showFonts(idle) {
  await idle;
  show();
  await document.fonts.ready;
  try {
    localStorage.setItem(STORAGE_KEY, "yes");
  } catch {
    // Without storage, every visit is a first visit.
  }
}

function show() {
  document.documentElement.setAttribute("data-fonts", "");
}

function wereLoaded() {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}
