// Screenshots, stored as artifacts of the run. The suite takes them only if `PAIGOW_SHOTS` is set, because they take long.

import { mkdirSync } from "node:fs";
import { join } from "node:path";

const folder = process.env.PAIGOW_SHOTS;

/** Maximum height of a screenshot. */
const HEIGHT_MAX = 2400;

/**
 * Takes a screenshot of the page, up to the maximum height. Resizes the viewport instead of using `fullPage`, which crashes some pages in
 * Chromium.
 * @param {import("playwright-core").Page} page @param {string} name
 */
export async function screenshot(page, name) {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  const height = Math.min(await page.evaluate(() => document.documentElement.scrollHeight), HEIGHT_MAX);
  if (height > size.height) await page.setViewportSize({ ...size, height });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
  if (height > size.height) await page.setViewportSize(size);
}

/** Takes a screenshot at the width of a desk and at that of a telephone. @param {import("playwright-core").Page} page @param {string} name */
export async function screenshotWidths(page, name) {
  if (!folder) return;
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await screenshot(page, `${name}-${width}`);
  }
  await page.setViewportSize(size);
}
