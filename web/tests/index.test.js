import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const index = read("index.html");

test("all linked files exist and are local", () => {
  const paths = [...index.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path);
  assert.ok(paths.length > 10);
  for (const path of paths) assert.ok(path.startsWith("/") && !path.startsWith("//") && existsSync(new URL(`.${path}`, root)), path);
});

test("index.html obeys the content security policy", () => {
  assert.doesNotMatch(index, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/);
});
