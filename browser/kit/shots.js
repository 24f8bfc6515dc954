// Pictures of what was seen, kept as artefacts of the run.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../../target", import.meta.url));
const folder = process.env.PAIGOW_SHOTS ?? join(target, "browser");

/** @param {import("playwright-core").Page} page @param {string} name @param {{ whole?: boolean }} [how] whole: also what is below */
export async function shoot(page, name, { whole = true } = {}) {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: whole, animations: "disabled" });
}
