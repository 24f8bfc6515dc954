// What somebody likes: kept in this browser, told to style sheets as attributes of the page.

/**
 * @typedef {object} Settings
 * @property {"auto" | "light" | "dark"} theme
 * @property {boolean} fourColour
 * @property {"auto" | "less"} motion
 * @property {boolean} keys whether single keys do things
 * @property {boolean} text whether tables are shown in words
 * @property {boolean} coach whether settings are judged
 */

/** @type {Settings} */
const FIRST = { theme: "auto", fourColour: false, motion: "auto", keys: true, text: false, coach: false };
const PLACE = "paigow.settings";

class Kept extends EventTarget {
  /** @type {Settings} */
  value = { ...FIRST, ...read() };

  /** Changes some of it. @param {Partial<Settings>} some */
  change(some) {
    this.value = { ...this.value, ...some };
    try {
      localStorage.setItem(PLACE, JSON.stringify(this.value));
    } catch {
      // A browser that keeps nothing still shows it.
    }
    this.show();
    this.dispatchEvent(new Event("change"));
  }

  /** Tells the style sheets. */
  show() {
    const { theme, fourColour } = this.value;
    const dark = theme === "dark" || (theme === "auto" && !matchMedia("(prefers-color-scheme: light)").matches);
    const root = document.documentElement;
    root.dataset.theme = dark ? "dark" : "light";
    root.dataset.deck = fourColour ? "four" : "two";
    root.dataset.motion = this.still() ? "less" : "full";
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", dark ? "#0b1512" : "#f4efe4");
  }

  /** Whether things should not move. */
  still() {
    return this.value.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }
}

/** @returns {Partial<Settings>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "{}");
  } catch {
    return {};
  }
}

export const settings = new Kept();
for (const query of ["(prefers-color-scheme: light)", "(prefers-reduced-motion: reduce)"]) {
  matchMedia(query).addEventListener("change", () => settings.show());
}
