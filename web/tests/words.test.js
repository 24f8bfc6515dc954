import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { words } from "../words/en.js";
import { words as chosen } from "../words.js";

test("English is the default", () => {
  assert.equal(chosen, words);
});

/** Returns all modules that may use texts. */
function modules(folder = new URL("../", import.meta.url)) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return ["tests", "words", "node_modules"].includes(entry.name) ? [] : modules(new URL(`${entry.name}/`, folder));
    return entry.name.endsWith(".js") ? [new URL(entry.name, folder)] : [];
  });
}

test("every text used is in the catalog", () => {
  let used = 0;
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
      used += 1;
    }
  }
  assert.ok(used > 100, `${used} texts`);
});

/** Returns all texts of a part of the catalog. Functions are called with placeholders. @returns {string[]} */
function texts(part) {
  if (typeof part === "string") return [part];
  if (typeof part === "function") return texts(part("x", "y", "z"));
  return Object.values(part ?? {}).flatMap(texts);
}

test("texts for the player/dealer never say bank", () => {
  const term = "player/dealer";
  const who = () => "Ann";
  const events = ["bank_offered", "bank_passed", "bank_taken", "bank_given_back", "pile_picked"].map((event) => words.eventText({ event, seat: 1, cents: 500, pile: 2 }, who, who, term));
  const phases = ["waiting", "offering", "wagers", "revealing", "settings", "between"].flatMap((phase) => [words.phase(phase, term), words.status(3, phase, term), words.dock.phase(phase, 3, term)]);
  const refused = words.banker(term).inTerms("the banker covers $500, but the wagers need $750");
  const all = [...texts(words.banker(term)), ...events, ...phases, ...texts(words.bank), ...texts(words.keys), words.party("banker", term), refused];
  assert.ok(all.length > 40, `${all.length} texts`);
  for (const text of all) assert.doesNotMatch(text, /\bbank/i);
  assert.equal(refused, "the player/dealer covers $500, but the wagers need $750");
  assert.equal(words.banker("banker").take, "Take the bank");
  assert.equal(words.banker(term).take, "Take the player/dealer position");
});

test("texts say low hand and high hand", () => {
  const folder = new URL("../words/", import.meta.url);
  for (const name of ["en.js", ...readdirSync(new URL("en/", folder)).map((file) => `en/${file}`)]) {
    assert.doesNotMatch(readFileSync(new URL(name, folder), "utf8"), /\bin front\b|\bbehind\b|\bcolours?\b/i, name);
  }
});

test("texts of a void round name the reason", () => {
  assert.match(words.say.voided({ code: "exposed_card" }), /a card was exposed/);
  assert.match(words.result.voided({ code: "wrong_count" }), /did not have seven cards/);
  assert.match(words.result.voided({ code: "machine_fault" }), /shuffling machine/);
  assert.match(words.result.voided({ code: "other", text: "a drink was spilt" }), /a drink was spilt/);
});
