// Every view passes axe in both color schemes.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { setColorScheme } from "../kit/browser.js";
import { Stage } from "../kit/stage.js";
import { testEveryView } from "../kit/tour.js";

const stage = new Stage();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

testEveryView("axe finds no violations", stage, async ({ page }, tour) => {
  /** @type {string[]} */
  const found = [];
  for await (const { name } of tour) {
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await setColorScheme(page, colorScheme);
      // Evaluated through the debugger, because the content security policy forbids inline scripts.
      await page.evaluate(axe);
      const { violations, passes } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run({ resultTypes: ["violations"] }));
      assert.ok(passes.length > 10, `axe ran on ${name}`);
      for (const { id, help, nodes } of violations) {
        found.push(...nodes.map((/** @type {any} */ node) => `${name}, ${colorScheme}: ${id}: ${help}: ${node.target.join(" ")}: ${node.failureSummary.replaceAll("\n", " ")}`));
      }
    }
  }
  assert.ok(found.length === 0, found.join("\n"));
});
