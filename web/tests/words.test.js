import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { words } from "../words/en.js";
import { words as chosen } from "../words.js";

test("English is what there is where nothing else is known", () => {
  assert.equal(chosen, words);
});

/** Every module that shows something. */
function modules(folder = new URL("../", import.meta.url)) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return ["tests", "words", "node_modules"].includes(entry.name) ? [] : modules(new URL(`${entry.name}/`, folder));
    return entry.name.endsWith(".js") ? [new URL(entry.name, folder)] : [];
  });
}

test("every word that is asked for is in the catalogue", () => {
  let asked = 0;
  for (const file of modules()) {
    const text = readFileSync(file, "utf8");
    for (const [, path] of text.matchAll(/\bwords((?:\.\w+)+)/g)) {
      if (path === ".js") continue;
      const parts = path.slice(1).split(".");
      let found = words;
      for (const part of parts) {
        if (typeof found !== "object" || found === null || Array.isArray(found)) break;
        assert.ok(part in found, `${file.pathname}: words${path}`);
        found = found[part];
      }
      asked += 1;
    }
  }
  assert.ok(asked > 100, `${asked} words`);
});
