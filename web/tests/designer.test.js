import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Budget, fractionOf } from "../designer/budget.js";
import { deleteDraft, draftTitle, drafts, storeDraft } from "../designer/drafts.js";
import { LatestQuestion, PREPARING_DELAY_MS } from "../designer/latest.js";
import { TEXT_MAX, decodeText, encodeText } from "../designer/link.js";
import { changeText, costBefore, longestCommon, summaryText } from "../designer/results.js";
import { placeOf, readToml, writeToml } from "../designer/toml.js";
import { activeClauses, changeClause, copyOf, emptyWay, insertAfter, mergeRead, moveClause, newClause, removeClause, switchOff, toggleClause } from "../designer/way.js";
import { words } from "../words/en.js";

const FOLDER = new URL("../../crates/paigow/rulebooks/house-ways/", import.meta.url);
const CARDS = new URL("../../crates/paigow/rulebooks/cards/", import.meta.url);
const RANKING = { joker: "semi_wild", wheel: "lowest" };
const whens = (way) => way.clauses.map(({ when }) => when);
/** A house way with clauses `a`, `b`, `c` and `any hand`. */
const sample = () => ({ ...emptyWay(RANKING), clauses: ["a", "b", "c", "any hand"].map((when) => newClause({ when, set: ["best"], says: `says ${when}` })) });
const withoutKeys = (way) => ({ ...way, clauses: way.clauses.map(({ key, ...clause }) => clause) });

test("every house way and every card of the program is read, and written without a loss", () => {
  const files = [FOLDER, CARDS].flatMap((folder) => readdirSync(folder).map((name) => new URL(name, folder)));
  for (const name of files.filter(({ pathname }) => pathname.endsWith(".toml"))) {
    const text = readFileSync(name, "utf8");
    const way = readToml(text);
    assert.ok(way, name);
    assert.equal(way.clauses.length, text.match(/^\[\[clauses\]\]/gm).length, name);
    assert.deepEqual(withoutKeys(readToml(writeToml(way))), withoutKeys(way), name);
    for (const [, comment] of text.matchAll(/^# (.+)$/gm)) assert.ok(writeToml(way).includes(comment), `${name}: ${comment}`);
  }
});

test("strings are escaped, and alternatives are lists", () => {
  const way = { ...sample(), title: 'a "quoted" \\ title\twith é and \u007f' };
  way.clauses[0] = { ...way.clauses[0], set: ["one", "two, three"], ifPossible: true, cite: "page 1", assumed: false };
  const text = writeToml(way);
  assert.match(text, /^set = \["one", "two, three"\]$/m);
  assert.match(text, /^if_possible = true$/m);
  assert.match(text, /^cite = "page 1"$/m);
  assert.match(text, /\\u007f/);
  assert.deepEqual(withoutKeys(readToml(text)), withoutKeys(way));
});

test("the reader knows the forms of the manual and no others", () => {
  const way = readToml(`# top\ntitle = 'A "house"'  # beside\nsource = "x"\nranking = { joker = "semi_wild", wheel = "lowest", cite = "page 1" }\n\n# before\n[[clauses]]\nwhen = "any hand"\nset = [\n  "best", # first\n  "pair in the low hand",\n]\nsays = "s"\nassumed = "because"\nif_possible = false\n# end\n`);
  assert.equal(way.title, 'A "house"');
  assert.deepEqual(way.ranking, { ...RANKING, cite: "page 1", assumed: false, notes: [] });
  assert.deepEqual(way.notes, ["top", "beside"]);
  assert.deepEqual(way.clauses[0].set, ["best", "pair in the low hand"]);
  assert.deepEqual(way.clauses[0].notes, ["before", "first", "end"]);
  assert.equal(way.clauses[0].assumed, true);
  for (const text of ["title = ", "nonsense", "title = 3", "other = \"x\"", "[other]\nx = \"y\"", "[[clauses]]\nthen = \"best\"", "title = \"a\"\ntitle = \"b\"", "title = \"\"\"a\"\"\"", "title = \"a\" source = \"b\""]) {
    assert.equal(readToml(text), null, text);
  }
  // A missing key is empty. The server reports it.
  assert.equal(readToml("[[clauses]]\nwhen = \"any hand\"").clauses[0].says, "");
});

test("lines belong to clauses and keys", () => {
  const text = writeToml(sample());
  const line = (part) => text.split("\n").findIndex((one) => one.includes(part)) + 1;
  assert.deepEqual(placeOf(text, line("title")), { clause: null, field: "title" });
  assert.deepEqual(placeOf(text, line('"b"')), { clause: 1, field: "when" });
  assert.deepEqual(placeOf(text, line("says c")), { clause: 2, field: "says" });
  assert.deepEqual(placeOf(text, 9999), { clause: 3, field: "assumed" });
});

test("clauses are moved, inserted, changed and removed", () => {
  const way = sample();
  const [a, b, , last] = way.clauses;
  assert.deepEqual(whens(moveClause(way, b.key, -1)), ["b", "a", "c", "any hand"]);
  assert.deepEqual(whens(moveClause(way, b.key, 1)), ["a", "c", "b", "any hand"]);
  assert.equal(moveClause(way, a.key, -1), way);
  assert.equal(moveClause(way, last.key, 1), way);
  assert.deepEqual(whens(insertAfter(way, a.key, newClause({ when: "new" }))), ["a", "new", "b", "c", "any hand"]);
  assert.deepEqual(whens(removeClause(way, b.key)), ["a", "c", "any hand"]);
  assert.equal(changeClause(way, b.key, { when: "B" }).clauses[1].when, "B");
  assert.equal(new Set([...way.clauses, newClause()].map(({ key }) => key)).size, 5);
});

test("a clause that is switched off is not in the text and stays in the draft", () => {
  const way = sample();
  const off = toggleClause(way, way.clauses[1].key);
  assert.deepEqual(activeClauses(off).map(({ when }) => when), ["a", "c", "any hand"]);
  assert.doesNotMatch(writeToml(off), /"b"/);
  // An edit of the text keeps it in its place, and the other clauses keep their keys.
  const edited = mergeRead(readToml(writeToml(off).replace('"c"', '"changed"')), off);
  assert.deepEqual(whens(edited), ["a", "b", "changed", "any hand"]);
  assert.deepEqual(edited.clauses.map(({ key }) => key), way.clauses.map(({ key }) => key));
  assert.equal(writeToml(toggleClause(off, way.clauses[1].key)), writeToml(way));
});

test("a clause is sent once it has a condition and a setting", () => {
  const way = sample();
  const [first] = way.clauses;
  const added = newClause();
  const before = insertAfter(way, first.key, added);
  assert.equal(writeToml(before), writeToml(way));
  assert.equal(writeToml(changeClause(before, added.key, { when: "one pair" })), writeToml(way));
  const complete = changeClause(before, added.key, { when: "one pair", set: ["best"] });
  assert.match(writeToml(complete), /^says = "one pair: best\."$/m);
  assert.deepEqual(whens(mergeRead(readToml(writeToml(before)), before)), ["a", "", "b", "c", "any hand"]);
});

test("a copy of a house way has its clauses and says that it is edited", () => {
  const clause = { when: "any hand", set: ["best"], says: "s", cite: "assumed: because", assumed: true, if_possible: false };
  const way = copyOf({ id: "x", title: "X", source: "page 1", books: [], ranking: RANKING, clauses: [clause] });
  assert.equal(way.title, words.designer.copyTitle("X"));
  assert.match(writeToml(way), /^assumed = "because"$/m);
});

test("texts round-trip through links, compressed or not", async () => {
  const text = readFileSync(new URL("foxwoods.toml", FOLDER), "utf8") + "é ♠";
  const [compressed, plain] = [await encodeText(text), await encodeText(text, { compress: false })];
  assert.ok(compressed.length < plain.length / 2, `${compressed.length} of ${plain.length}`);
  for (const code of [compressed, plain]) {
    assert.match(code, /^[zp]\.[\w-]+$/);
    assert.equal(await decodeText(code), text);
  }
  for (const code of ["", "z.", "x.YQ", "z.%%%", "p./w", `z.${compressed.slice(30)}`, await encodeText("x".repeat(70_000))]) assert.equal(await decodeText(code), null, code.slice(0, 20));
});

test("drafts are stored, the last changed first", () => {
  const stored = new Map();
  globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value) };
  const draft = (id, way) => ({ id, changed: 1, text: 'title = "T"', way, book: "ez", side: "dealer", against: "", before: null });
  assert.deepEqual(drafts(), []);
  storeDraft(draft("a", sample()));
  storeDraft(draft("b", null));
  storeDraft(draft("a", sample()));
  assert.deepEqual(drafts().map(({ id }) => id), ["a", "b"]);
  assert.deepEqual(drafts().map(draftTitle), [words.designer.emptyTitle, "T"]);
  deleteDraft("a");
  assert.deepEqual(drafts().map(({ id }) => id), ["b"]);
  stored.set("paigow.drafts", "{ damaged");
  assert.deepEqual(drafts(), []);
  globalThis.localStorage.setItem = () => { throw new Error("full"); };
  assert.equal(storeDraft(draft("c", null)), false);
  delete globalThis.localStorage;
});

/** Questions that are answered by hand. */
function questions() {
  const sent = [];
  const reported = [];
  const latest = new LatestQuestion((question, signal) => new Promise((resolve, reject) => {
    sent.push({ toml: question.toml, signal, answer: resolve, fail: reject });
    signal.addEventListener("abort", () => reject(new Error("aborted")));
  }), { answered: (answer) => reported.push(answer), failed: (error) => reported.push(error.message), preparing: ({ percent }) => reported.push(percent) }, 300);
  const ask = (toml) => latest.ask({ book: "ez", side: "dealer", toml });
  return { sent, reported, latest, ask };
}
const settle = async () => { for (let turn = 0; turn < 10; turn += 1) await Promise.resolve(); };

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

test("only the last of several edits is sent", async () => {
  const { sent, reported, ask } = questions();
  for (const toml of ["a", "b", "c"]) ask(toml);
  mock.timers.tick(299);
  assert.equal(sent.length, 0);
  mock.timers.tick(1);
  assert.deepEqual(sent.map(({ toml }) => toml), ["c"]);
  sent[0].answer("C");
  await settle();
  assert.deepEqual(reported, ["C"]);
});

test("a newer edit cancels the request before it, whose answer and failure are ignored", async () => {
  const { sent, reported, latest, ask } = questions();
  ask("a");
  mock.timers.tick(300);
  ask("b");
  assert.equal(sent[0].signal.aborted, true);
  sent[0].answer("A");
  mock.timers.tick(300);
  sent[1].answer("B");
  await settle();
  assert.deepEqual(reported, ["B"]);
  ask("c");
  mock.timers.tick(300);
  sent[2].fail(new Error("refused"));
  await settle();
  assert.deepEqual(reported, ["B", "refused"]);
  ask("d");
  mock.timers.tick(300);
  latest.end();
  assert.equal(sent[3].signal.aborted, true);
  await settle();
  assert.deepEqual(reported, ["B", "refused"]);
});

test("while the server prepares a table of worths, the question is asked again", async () => {
  const { sent, reported, ask, latest } = questions();
  ask("a");
  mock.timers.tick(300);
  sent[0].answer({ preparing: { percent: 0, seconds: 0, seconds_left: null } });
  await settle();
  assert.deepEqual(reported, [0]);
  mock.timers.tick(PREPARING_DELAY_MS);
  assert.deepEqual(sent.map(({ toml }) => toml), ["a", "a"]);
  sent[1].answer({ preparing: { percent: 40, seconds: 8, seconds_left: 12 } });
  await settle();
  // An edit is asked instead.
  ask("b");
  mock.timers.tick(PREPARING_DELAY_MS);
  assert.deepEqual(sent.map(({ toml }) => toml), ["a", "a", "b"]);
  sent[2].answer({ preparing: { percent: 99, seconds: 19, seconds_left: 0 } });
  await settle();
  mock.timers.tick(PREPARING_DELAY_MS);
  sent[3].answer("B");
  await settle();
  assert.deepEqual(reported, [0, 40, 99, "B"]);
  ask("c");
  mock.timers.tick(300);
  sent[4].answer({ preparing: { percent: 1, seconds: 1, seconds_left: null } });
  await settle();
  latest.end();
  mock.timers.tick(PREPARING_DELAY_MS);
  assert.equal(sent.length, 5);
});

test("a budget in percent is an exact fraction of the wager", () => {
  for (const [text, fraction] of [["0.01", "0.0001"], ["0,01 %", "0.0001"], ["0", "0.00"], ["1", "0.01"], ["100", "1.00"], ["12.5", "0.125"], [" 0.0000000001 ", "0.000000000001"]]) assert.equal(fractionOf(text), fraction, text);
  for (const text of ["", "%", "x", "-1", "100.1", "1000", ".5", "1.", "0.00000000001", "1e-3"]) assert.equal(fractionOf(text), null, text);
});

test("a change of the edge is compared with the budget, up and down", () => {
  const budget = new Budget(() => {});
  assert.equal(budget.isExceededBy("0.5"), false);
  budget.text = "0.01";
  for (const [change, exceeds] of [["0.000100000000", false], ["-0.000100000000", false], ["0.000100000001", true], ["-0.000100000001", true], ["0.000000000000", false]]) assert.equal(budget.isExceededBy(change), exceeds, change);
});

test("clauses of a budget are switched off together", () => {
  const way = sample();
  const [a, , c] = way.clauses;
  const off = switchOff(way, [a.key, c.key]);
  assert.deepEqual(activeClauses(off).map(({ when }) => when), ["b", "any hand"]);
  assert.equal(activeClauses(way).length, 4);
});

test("a summary is one sentence for each fact", () => {
  const odds = (edge, exact) => ({ win: 1, push: 1, lose: 1, edge, edge_exact: exact, standard_deviation: "1" });
  const answer = { book: "ez", side: "dealer", against: "x", odds: odds("0.0250", "1/40"), price: null, best: odds("0.0300", "3/100"), faults: [] };
  const NAMES = { version: "v", term: "player/dealer" };
  assert.match(summaryText({ ...answer, side: "banker" }, NAMES), /Expected loss of the player\/dealer/);
  assert.equal(summaryText(answer, NAMES), "Proved on all hands. House edge 2.5000\u202f%.");
  const compared = { before: odds("0.0251", "251/10000"), edge_change: "-0.0001", edge_change_exact: "-1/10000", hands: 1234, kinds: [] };
  assert.equal(summaryText({ ...answer, compared }, NAMES), "Proved on all hands. House edge 2.5000\u202f%. Change −0.0100\u202f% against v, 1,234 hands set differently.");
  assert.equal(summaryText({ ...answer, faults: [{ code: "undecided" }], compared: { ...compared, hands: 0 } }, NAMES), "1 fault in the proof. House edge 2.5000\u202f%. Sets every hand as v does.");
  assert.match(summaryText({ ...answer, compared }, { ...NAMES, over: "0.005\u202f%" }), /Over the budget of 0\.005\u202f%\.$/);
  assert.equal(costBefore({ ...answer, compared }), "0.004900000000");
  assert.equal(costBefore({ ...answer, side: "player", compared }), "-0.004900000000");
  assert.equal(changeText("0.0000000012"), "+0.000000120\u202f%");
  assert.equal(changeText("0.000000000000"), words.designer.changeNone);
});

test("moved clauses are those outside of the longest common order", () => {
  assert.deepEqual(longestCommon(["a", "b", "c", "d"], ["b", "c", "a", "d"]), ["b", "c", "d"]);
  assert.deepEqual(longestCommon([], ["a"]), []);
});

test("the page and the server have the same maximum length of a house way", () => {
  const { components } = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
  assert.equal(components.schemas.NewTable.properties.house_way_toml.maxLength, TEXT_MAX);
  assert.equal(components.schemas.DesignQuestion.properties.before.maxLength, TEXT_MAX);
});
