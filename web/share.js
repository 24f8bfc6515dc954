// Shares a link: by the dialog of the system where there is one, or by the clipboard.

import { announce } from "./announce.js";
import { words } from "./words.js";

/** Time for which a button says that the link is copied. */
export const COPIED_MS = 2000;

/**
 * Shares a link with a text. Announces what was copied.
 * @param {{ url: string, text?: string, copied?: string }} link copied: the announcement; default: that the link is copied
 * @returns {Promise<"shared" | "copied" | "failed">} `shared` also if the player closed the dialog
 */
export async function share({ url, text, copied = words.share.copiedSay }) {
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
    announce(copied);
    return "copied";
  } catch {
    return "failed";
  }
}
