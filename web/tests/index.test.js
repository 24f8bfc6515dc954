import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const index = read("index.html");

test("everything the page names is there, and nothing is from elsewhere", () => {
  const named = [...index.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path);
  assert.ok(named.length > 10);
  for (const path of named) assert.ok(path.startsWith("/") && !path.startsWith("//") && existsSync(new URL(`.${path}`, root)), path);
});

test("nothing in the page is forbidden by its own policy", () => {
  assert.doesNotMatch(index, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/);
});
