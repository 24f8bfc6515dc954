import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { OWN_TIME_MS } from "../table/model.js";

const ME = "guest-aaa";
const OWN = { bank: OWN_TIME_MS, wagers: OWN_TIME_MS, settings: OWN_TIME_MS, between: OWN_TIME_MS };
const facts = (more = {}) => ({ rules: "digest", changes: {}, banking: { dealer_wager_cents: 0 }, clocks: { ...OWN, settings: 30_000 }, ...more });
const lobbyTable = (table, more = {}) => ({ table, book: "ez", bots: 3, seats: 6, taken: {}, wagers: {}, closing: false, paused: false, rules_changed: false, ...more });
/** The text of the house way of every table. */
const WAY = "title = 1";
const practice = lobbyTable("practice");

/** Tables of the server with their facts, and the requests of the page. */
let tables = [];
const requests = [];
/** Paths that the page has gone to. */
const paths = [];
globalThis.window = new EventTarget();
globalThis.PopStateEvent = Event;
globalThis.history = { pushState: (_, __, path) => paths.push(path) };
globalThis.fetch = async (path, { method }) => {
  requests.push(`${method} ${path}`);
  const found = tables.find(([{ table }]) => path === `/api/tables/${table}`);
  const body = path.startsWith("/api/house-ways/") ? { toml: WAY } : path === "/api/session" ? { player: ME, cents: {} } : method === "POST" ? { table: "own-aaa-00000009" } : found ? { view: { facts: found[1] } } : { tables: tables.slice(1).map(([table]) => table), next: null };
  return { status: 200, ok: true, text: async () => JSON.stringify(body), headers: new Headers({ "content-type": "application/json" }) };
};
const { PACES, playInOwnTime, playWithHouseWay } = await import("../lobby/own-table.js");

/** Plays alone while the player has another table, and returns whether the page went to it. */
async function reuses(table, itsFacts) {
  tables = [[practice, facts()], [table, itsFacts]];
  await playInOwnTime(practice);
  const opened = requests.includes("POST /api/tables");
  assert.deepEqual(paths, [`/table/${opened ? "own-aaa-00000009" : table.table}?sit=1`]);
  return !opened;
}

beforeEach(() => {
  requests.length = 0;
  paths.length = 0;
});

test("a table of the player with the same rules is used again", async () => {
  assert.ok(await reuses(lobbyTable("own-aaa-00000001"), facts({ clocks: OWN })));
  assert.ok(requests.includes("GET /api/tables?mine=true&book=ez"));
});

const full = { 1: "b", 2: "c", 3: "d", 4: "e", 5: "f", 6: "g" };
for (const [name, table, itsFacts, expected] of [
  ["where the player sits", { taken: { ...full, 6: ME } }, {}, true],
  ["without a free seat", { taken: full }, {}, false],
  ["that closes", { closing: true }, {}, false],
  ["with other bots", { bots: 2 }, {}, false],
  ["with other rules", {}, { changes: { "base_game.limits.max": "500" } }, false],
  ["at another pace", {}, { clocks: { ...OWN, between: 8000 } }, false],
  ["of another player", { table: "own-bbb-00000001" }, {}, false],
]) {
  test(`a table ${name} is ${expected ? "used" : "not used"}`, async () => {
    assert.equal(await reuses({ ...lobbyTable("own-aaa-00000001"), ...table }, facts({ clocks: OWN, ...itsFacts })), expected);
  });
}

test("the player's own time is the longest clock of the server", () => {
  assert.deepEqual(new Set(Object.values(PACES.own)), new Set([3600]));
});

for (const [name, table, itsFacts, toml, expected] of [
  ["with the way", {}, {}, WAY, true],
  ["with another way", {}, {}, "title = 2", false],
  ["with other rules", {}, { changes: { "base_game.limits.max": "500" } }, WAY, false],
  ["at another pace", {}, { clocks: { ...OWN, between: 8000 } }, WAY, false],
  ["that is public", {}, { private: false }, WAY, false],
  ["with bots", { bots: 3 }, {}, WAY, false],
  ["of another player", { table: "own-bbb-00000001" }, {}, WAY, false],
]) {
  test(`a private table ${name} is ${expected ? "used" : "not used"} to play with a house way`, async () => {
    const own = { ...lobbyTable("own-aaa-00000001", { own_house_way: true, bots: 0 }), ...table };
    tables = [[practice, facts()], [own, facts({ clocks: OWN, private: true, ...itsFacts })]];
    await playWithHouseWay({ id: "ez", sides: ["player", "dealer"] }, toml);
    assert.equal(!requests.includes("POST /api/tables"), expected);
    assert.deepEqual(paths, [`/table/${expected ? own.table : "own-aaa-00000009"}?sit=1`]);
  });
}
