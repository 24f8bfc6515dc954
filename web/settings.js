// Display settings of the player, stored in the browser and exposed to style sheets as attributes of the root element.

/**
 * @typedef {object} Settings
 * @property {"auto" | "light" | "dark"} theme
 * @property {boolean} fourColour
 * @property {boolean} leftHanded whether the index of a card is at the top right
 * @property {boolean} sound whether sounds are on
 * @property {"auto" | "less"} motion
 * @property {boolean} keys whether keyboard shortcuts are on
 * @property {boolean} text whether tables are shown as text
 * @property {boolean} coach whether the coach compares settings
 * @property {boolean} squeeze whether the player's cards are dealt face down and turned by the player
 * @property {boolean} guided whether the player has completed a hand, or has skipped the guide through the first hand
 */

/** @type {Settings} */
const DEFAULTS = { theme: "auto", fourColour: false, leftHanded: false, sound: false, motion: "auto", keys: true, text: false, coach: true, squeeze: true, guided: false };
const STORAGE_KEY = "paigow.settings";

class SettingsStore extends EventTarget {
  /** @type {Settings} */
  value = { ...DEFAULTS, ...read() };

  /** Changes some settings. Another tab may have changed others. @param {Partial<Settings>} some */
  change(some) {
    this.value = { ...this.value, ...read(), ...some };
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(this.value));
    } catch {
      // Without storage, the settings last until the page is closed.
    }
    this.apply();
    this.dispatchEvent(new Event("change"));
  }

  /** Reads the settings that another tab has stored. */
  reload() {
    this.value = { ...DEFAULTS, ...read() };
    this.apply();
    this.dispatchEvent(new Event("change"));
  }

  /** Sets the attributes of the root element that style sheets use. */
  apply() {
    const { theme, fourColour, leftHanded } = this.value;
    const dark = theme === "dark" || (theme === "auto" && !matchMedia("(prefers-color-scheme: light)").matches);
    const root = document.documentElement;
    root.dataset.theme = dark ? "dark" : "light";
    root.dataset.deck = fourColour ? "four" : "two";
    root.dataset.corners = leftHanded ? "right" : "left";
    root.dataset.motion = this.reducedMotion() ? "less" : "full";
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", dark ? "#0b1512" : "#f4efe4");
  }

  /** Whether motion is reduced, by this setting or by the system. */
  reducedMotion() {
    return this.value.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }
}

/** @returns {Partial<Settings>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
  } catch {
    return {};
  }
}

export const settings = new SettingsStore();
globalThis.addEventListener?.("storage", ({ key }) => {
  if (key === STORAGE_KEY) settings.reload();
});
for (const query of ["(prefers-color-scheme: light)", "(prefers-reduced-motion: reduce)"]) {
  matchMedia(query).addEventListener("change", () => settings.apply());
}
