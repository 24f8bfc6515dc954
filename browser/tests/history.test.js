// The history: sums equal the journal of the session, filters are in the address, and rounds are loaded page by page.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { signed } from "../../web/money.js";
import { words } from "../../web/words/en.js";
import { beginSession, playRounds } from "../kit/rounds.js";
import { Stage } from "../kit/stage.js";

/** @typedef {import("../kit/player.js").Player} Player */

// Enough chips for a thousand rounds.
const stage = new Stage("--guest-chips-cents", "100000000");
const say = words.history;
/** Rounds of the test over many rounds. `PAIGOW_ROUNDS` sets another number for a longer run. */
const ROUNDS = Number(process.env.PAIGOW_ROUNDS ?? 12);

/** Returns an amount of the sums, in cents. @param {Player} player @param {string} title */
async function sum({ page }, title) {
  const tile = page.locator("section[aria-labelledby=history-sums-title] .tile", { has: page.locator("dt", { hasText: new RegExp(`^${title}$`) }) });
  return centsOf(await tile.locator("dd").innerText());
}

/** @param {string} text such as `−$1,234.50` */
const centsOf = (text) => Math.round(Number(text.replace("\u2212", "-").replace(/[+$,]/g, "")) * 100);

/** Checks that the parts of the shown result add up. @param {Player} player */
async function expectSum(player) {
  const parts = await Promise.all([say.expected, say.givenAway, say.luck, say.unjudged].map((title) => sum(player, title)));
  assert.equal(parts.reduce((all, part) => all + part, 0), await sum(player, say.net));
}

/** Returns the sum of the player's transfers at a table, from the journal of the session. @param {Player} player @param {string} table */
async function journalChange({ context, url }, table) {
  const get = async (/** @type {string} */ path) => (await context.request.get(url + path)).json();
  const { player: me } = await get("/api/session");
  let sum = 0;
  for (let after = 0; after !== null;) {
    const { transfers, next } = await get(`/api/session/journal?limit=500&after=${after}`);
    for (const { table: at, from, to, cents } of transfers) if (at === table) sum += (to === `player:${me}` ? cents : 0) - (from === `player:${me}` ? cents : 0);
    after = next;
  }
  return sum;
}

/** @param {number} many @param {number} [last] number of the last round */
const fakeResults = (many, last = many) => Array.from({ length: many }, (_, index) => ({
  table: "ez", round: last - index, book: "ez", title: "EZ Pai Gow", name: null, opened_by_player: false, ended_at: 1_795_000_000_000 - index * 60_000, outcome: "settled",
  staked_cents: 1000, net_cents: index % 2 ? 1000 : -1000, expected: "-10/3", given_away: index % 5 ? "0" : "-1/7", luck: String(index % 2 ? 1003 : -997), unjudged_cents: 0,
  cards: null, low: null, best_low: null, wagers: [{ wager: "pai-gow", title: "Pai gow", staked_cents: 1000, net_cents: index % 2 ? 1000 : -1000, expected: "-10/3", given_away: index % 5 ? "0" : "-1/7" }],
}));

/** Answers requests for results with pages of made-up rounds. Returns the queries. @param {Player} player @param {number} many @param {(query: URLSearchParams) => Promise<void>} [wait] */
async function fakeHistory({ page }, many, wait = async () => {}) {
  /** @type {URLSearchParams[]} */
  const queries = [];
  await page.route("**/api/session/results?*", async (route) => {
    const query = new URL(route.request().url()).searchParams;
    queries.push(query);
    await wait(query);
    const before = Number(query.get("before") ?? many + 1);
    const count = Math.min(Number(query.get("limit")), before - 1);
    await route.fulfill({ json: { results: fakeResults(count, before - 1), next: before - count > 1 ? before - count : null } }).catch(() => {});
  });
  return queries;
}

test("without a session, the page says so", async () => {
  const player = await stage.player();
  const { page } = player;
  await player.go("/history");
  await page.getByText(say.noSession).waitFor();
  await page.getByRole("link", { name: say.tables }).click();
  await page.locator(".plaque").first().waitFor();
  await player.close();
});

test("sums equal the journal over many rounds", async () => {
  const player = await stage.player();
  const { page } = player;
  await beginSession(player);
  const table = await playRounds(player, "ez", ROUNDS);
  await player.go("/history");
  const loaded = page.getByRole("status").filter({ hasText: say.loaded(ROUNDS, false) });
  const older = page.getByRole("button", { name: say.older });
  for (;;) {
    await loaded.or(older).first().waitFor();
    if (await loaded.isVisible()) break;
    await older.click();
    await older.waitFor({ state: "detached" });
  }
  assert.equal(await sum(player, say.net), await journalChange(player, table));
  await expectSum(player);
  assert.match(await page.locator(".graph desc").textContent() ?? "", new RegExp(`^After ${ROUNDS} rounds: result ${signed(await sum(player, say.net)).replace(/[+$]/g, "\\$&")},`));
  await player.close();
});

test("sums equal the journal, and filters are in the address", async () => {
  const player = await stage.player();
  const { page } = player;
  await beginSession(player);
  const table = await playRounds(player, "south-dakota", 3);
  const change = await journalChange(player, table);
  await player.go("/history");
  const rows = page.locator(".history-list tbody tr");
  await rows.nth(2).waitFor();
  assert.equal(await rows.count(), 3);
  assert.equal(await sum(player, say.net), change);
  assert.equal(await sum(player, say.staked), 30_000);
  await expectSum(player);
  assert.match(await page.locator(".graph desc").textContent() ?? "", new RegExp(`result ${signed(change).replace(/[+$]/g, "\\$&")},`));
  await page.getByText(say.graphTable).click();
  await page.locator(".graph-table tbody tr").nth(3).waitFor();
  assert.equal(await page.locator(".graph-table tbody tr").count(), 4);
  assert.equal(await page.locator(".graph-table tbody tr").last().locator("td").first().innerText(), signed(change));

  // The filter applies to the list and to the sums.
  const nets = (await rows.locator("td[data-label=Result]").allInnerTexts()).map(centsOf);
  assert.equal(nets.reduce((all, net) => all + net, 0), change);
  const [result, found] = nets[0] > 0 ? ["won", nets.filter((net) => net > 0)] : nets[0] < 0 ? ["lost", nets.filter((net) => net < 0)] : ["push", nets.filter((net) => net === 0)];
  await page.locator("select[name=result]").selectOption(result);
  await page.waitForFunction((many) => document.querySelectorAll(".history-list tbody tr").length === many, found.length);
  assert.equal(new URL(page.url()).searchParams.get("result"), result);
  assert.equal(await sum(player, say.net), found.reduce((all, net) => all + net, 0));
  await expectSum(player);
  await page.reload();
  await rows.first().waitFor();
  assert.equal(await rows.count(), found.length);
  await page.locator("select[name=book]").selectOption("south-dakota");
  await page.locator("select[name=table]").selectOption(table);
  assert.deepEqual(["book", "table"].map((name) => new URL(page.url()).searchParams.get(name)), ["south-dakota", table]);

  const downloaded = page.waitForEvent("download");
  await page.locator("section[aria-labelledby=history-list-title]").getByRole("button", { name: words.study.csv }).click();
  const lines = (await readFile(await (await downloaded).path(), "utf8")).trim().split("\r\n");
  assert.equal(lines.length, found.length + 1);
  assert.equal(lines[0].split(",").length, 15);
  await rows.first().getByRole("link", { name: say.replay }).click();
  await page.waitForURL(new RegExp(`/replay/${table}/\\d$`));
  await player.close();
});

test("rounds are loaded page by page, older ones on demand", async () => {
  const player = await stage.player();
  const { page } = player;
  await beginSession(player);
  const queries = await fakeHistory(player, 430);
  await player.go("/history?given=yes");
  await page.getByText(say.loaded(200, true)).waitFor();
  assert.deepEqual(queries.map((query) => query.get("before")), [null, "381", "331", "281"]);
  await page.getByRole("heading", { name: say.sums(40, 200) }).waitFor();
  await expectSum(player);
  await page.getByRole("checkbox", { name: say.given }).uncheck();
  assert.equal(new URL(page.url()).search, "");
  await page.getByRole("heading", { name: say.sums(200, 200) }).waitFor();
  assert.equal(await sum(player, say.net), 0);
  assert.equal(await page.locator(".history-list tbody tr").count(), 50);
  await page.getByRole("button", { name: say.more(50) }).click();
  await page.locator(".history-list tbody tr").nth(99).waitFor();
  await page.getByRole("button", { name: say.older }).click();
  await page.getByText(say.loaded(400, true)).waitFor();
  await page.getByRole("button", { name: say.older }).click();
  await page.getByText(say.loaded(430, false)).waitFor();
  assert.equal(queries.length, 9);
  assert.equal(await page.getByRole("button", { name: say.older }).count(), 0);
  await expectSum(player);
  await player.close();
});

test("loading stops when the view is left, and goes on after an error", async () => {
  const player = await stage.player();
  const { page } = player;
  await beginSession(player);
  /** @type {(value?: unknown) => void} */
  let release = () => {};
  const held = new Promise((done) => { release = done; });
  const queries = await fakeHistory(player, 430, async (query) => { if (query.get("before") === "381") await held; });
  await player.go("/history");
  await page.getByText(say.loading(50)).waitFor();
  assert.equal(await page.locator(".tile").count(), 0);
  await page.getByRole("link", { name: words.nav.lab }).click();
  await page.locator(".example").first().waitFor();
  release();
  // A new visit begins again. Its requests follow those of the first visit, if there were any.
  let fails = true;
  await page.route("**/api/session/results?*before=331*", (route) => (fails ? route.abort() : route.fallback()));
  await page.getByRole("link", { name: words.nav.history }).click();
  await page.locator(".fault").waitFor();
  assert.deepEqual(queries.map((query) => query.get("before")), [null, "381", null, "381"]);
  fails = false;
  await page.locator(".fault").getByRole("button", { name: words.app.again }).click();
  await page.locator(".history-list").waitFor();
  // The rounds before the error are not loaded again.
  assert.deepEqual(queries.slice(4).map((query) => query.get("before")), ["331", "281", "231", "181"]);
  await page.getByText(say.loaded(300, true)).waitFor();
  await player.close();
});
