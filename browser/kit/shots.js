// Pictures of what was seen, kept as artefacts of the run.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../../target", import.meta.url));
export const folder = process.env.PAIGOW_SHOTS ?? join(target, "browser");

/** Long lists are much the same further down. */
const HIGHEST = 2400;

/**
 * All of the page, or much of it. The window is made as high as the page is: Chromium's own way of taking pictures beyond the window ends
 * some pages.
 * @param {import("playwright-core").Page} page @param {string} name
 */
export async function shoot(page, name) {
  mkdirSync(folder, { recursive: true });
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  const height = Math.min(await page.evaluate(() => document.documentElement.scrollHeight), HIGHEST);
  if (height > size.height) await page.setViewportSize({ ...size, height });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
  if (height > size.height) await page.setViewportSize(size);
}
