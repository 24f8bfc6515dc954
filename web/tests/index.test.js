import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const index = read("index.html");

/** What a module needs before it can run, and what that needs. */
function needs(path, found = new Set()) {
  found.add(path);
  for (const [, name] of read(path).matchAll(/^import\s+(?:[^"\n]*?\sfrom\s+)?"(\.[^"]+)"/gm)) {
    const other = new URL(name, new URL(path, root)).href.slice(root.href.length);
    if (!found.has(other)) needs(other, found);
  }
  return found;
}

test("every module the page begins with is fetched at once", () => {
  const preloaded = [...index.matchAll(/rel="modulepreload" href="\/([^"]+)"/g)].map(([, path]) => path);
  const wanted = new Set([...needs("app.js"), ...needs("words/en.js")]);
  wanted.delete("app.js");
  assert.deepEqual(preloaded.toSorted(), [...wanted].sort());
});

test("everything the page names is there, and nothing is from elsewhere", () => {
  const named = [...index.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path);
  assert.ok(named.length > 10);
  for (const path of named) assert.ok(path.startsWith("/") && !path.startsWith("//") && existsSync(new URL(`.${path}`, root)), path);
});

test("nothing in the page is forbidden by its own policy", () => {
  assert.doesNotMatch(index, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/);
});
