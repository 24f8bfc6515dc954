// Shares a link: by the dialog of the system where there is one, or by the clipboard.

import { announce } from "./announce.js";
import { words } from "./words.js";

/** Time for which a button says that the link is copied. */
export const COPIED_MS = 2000;

/**
 * Shares a link with a text. Announces the outcome.
 * @param {{ url: string, text?: string }} link
 * @returns {Promise<"shared" | "copied" | "failed">} `shared` also if the player closed the dialog
 */
export async function share({ url, text }) {
  if (typeof navigator.share === "function") {
    try {
      await navigator.share({ url, text });
      return "shared";
    } catch (error) {
      if (/** @type {Error} */ (error).name === "AbortError") return "shared";
    }
  }
  try {
    await navigator.clipboard.writeText(text ? `${text} ${url}` : url);
    announce(words.share.copiedSay);
    return "copied";
  } catch {
    announce(words.share.failed);
    return "failed";
  }
}

/** Shares the address of the current view, and shows on the button that it was copied. @param {any} event a click on the button */
export async function shareThisPage({ currentTarget: button }) {
  if (await share({ url: location.origin + location.pathname + location.search }) !== "copied") return;
  const label = button.textContent;
  button.textContent = words.share.copied;
  setTimeout(() => { button.textContent = label; }, COPIED_MS);
}
