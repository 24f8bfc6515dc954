// Launches Chromium and creates browser contexts.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

/** Timeout of all waits. It is long because tests may run on a machine that is also building. */
export const TIMEOUT_MS = 45_000;

/** Returns the path of the browser. @returns {string} */
function path() {
  const override = process.env.PAIGOW_CHROMIUM;
  if (override) return override;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name))).find((file) => existsSync(file));
  if (!found) throw new Error("Chromium not found: install it, or set PAIGOW_CHROMIUM to its path");
  return found;
}

/** Launches the browser. Without the sandbox, because it does not work as root. */
export function launch() {
  return chromium.launch({ executablePath: path(), args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

/**
 * Creates a browser context without cookies. Motion is reduced by default, so that tests need not wait for animations. The service worker is blocked by
 * default, because tests cannot replace the responses to its requests.
 * @param {import("playwright-core").Browser} browser @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function newContext(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", colorScheme: "dark", locale: "en-US", serviceWorkers: "block", ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  return context;
}

/** Sets the color scheme and waits for transitions. @param {import("playwright-core").Page} page @param {"light" | "dark"} colorScheme */
export async function setColorScheme(page, colorScheme) {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor({ state: "attached" });
  await waitForAnimations(page);
}

/** Waits for running animations of at most three seconds. Longer ones, such as clocks, are ignored. @param {import("playwright-core").Page} page */
export async function waitForAnimations(page) {
  await page.waitForFunction(() => document.getAnimations()
    .every(({ effect, playState }) => playState !== "running" || Number(effect?.getComputedTiming().endTime ?? 0) > 3000));
}
