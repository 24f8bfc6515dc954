// Every view passes axe, in the dark and in the light.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { light } from "../kit/browser.js";
import { Stage } from "../kit/stage.js";
import { onTour } from "../kit/tour.js";

const stage = new Stage();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

onTour("axe finds nothing", stage, async ({ page }, tour) => {
  /** @type {string[]} */
  const found = [];
  for await (const { name } of tour) {
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await light(page, colorScheme);
      // Through the debugger: the page itself would not let it in.
      await page.evaluate(axe);
      const { violations, passes } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run({ resultTypes: ["violations"] }));
      assert.ok(passes.length > 10, `axe has looked at ${name}`);
      for (const { id, help, nodes } of violations) {
        found.push(...nodes.map((/** @type {any} */ node) => `${name}, ${colorScheme}: ${id}: ${help}: ${node.target.join(" ")}: ${node.failureSummary.replaceAll("\n", " ")}`));
      }
    }
  }
  assert.ok(found.length === 0, found.join("\n"));
});
