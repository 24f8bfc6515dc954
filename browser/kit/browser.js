// The distribution's Chromium, one for a file of tests.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

/** How long anything may take before it counts as missing: machines that build beside the tests are slow. */
export const PATIENCE_MS = 45_000;

/** @returns {string} */
function path() {
  const said = process.env.PAIGOW_CHROMIUM;
  if (said) return said;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name))).find((file) => existsSync(file));
  if (!found) throw new Error("there is no Chromium: install the distribution's, or name one in PAIGOW_CHROMIUM");
  return found;
}

/** A browser. As root it has no sandbox to be in. */
export function launch() {
  return chromium.launch({ executablePath: path(), args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

/**
 * Somebody's own browser window, without cookies. Nothing moves unless it is asked for, so that tests need not wait.
 * @param {import("playwright-core").Browser} browser @param {import("playwright-core").BrowserContextOptions} [how]
 */
export async function context(browser, how = {}) {
  const made = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", colorScheme: "dark", locale: "en-US", ...how });
  made.setDefaultTimeout(PATIENCE_MS);
  return made;
}

/** Has the page in the light or in the dark, and waits until colours no longer fade. @param {import("playwright-core").Page} page @param {"light" | "dark"} colorScheme */
export async function light(page, colorScheme) {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor({ state: "attached" });
  await still(page);
}

/** Waits until nothing moves that soon comes to rest: clocks go on. @param {import("playwright-core").Page} page */
export async function still(page) {
  await page.waitForFunction(() => document.getAnimations()
    .every(({ effect, playState }) => playState !== "running" || Number(effect?.getComputedTiming().endTime ?? 0) > 3000));
}
