// The numbers of the hand lab and the odds equal those of the command line, to the last digit. Long pages are collapsed and searched, and all pages
// have the same margins.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { percent, spaced, thousands } from "../../web/study/numbers.js";
import { cardsOf } from "../kit/hands.js";
import { runJson } from "../kit/program.js";
import { Stage } from "../kit/stage.js";

/** @typedef {import("../kit/player.js").Player} Player */

const stage = new Stage();
const HANDS = [["As Kd Tc 9h 2s 2d Jk", "ez"], ["Ah Ad Kc Kd 7s 7c 2h", "south-dakota"], ["9s 8s 7s 6s 5s 5d 4c", "south-beach"]];
const WAGERS = [["south-dakota", "fortune", "1"], ["washington", "pai-gowd", "02"], ["ez", "red-black", "posted"], ["california", "fortune", "FPG-07"]];

describe("the hand lab", () => {
  for (const [cards, book] of HANDS) {
    test(`${cards} at ${book}`, async () => {
      const player = await stage.player();
      const { page } = player;
      await player.go(`/lab?cards=${encodeURIComponent(cards)}&book=${book}`);
      const section = page.locator("section[aria-labelledby=lab-settings-title]");
      await section.getByRole("button", { name: words.study.exact }).click();
      const { settings } = await runJson("best", cards, "--book", book);
      if (settings.length > 7) await section.getByRole("button", { name: words.lab.all(settings.length) }).click();
      const rows = await section.locator("tbody tr").evaluateAll((all) => all.map((row) => ({
        cards: [...row.querySelectorAll("pg-card")].map((card) => card.getAttribute("card")).sort().join(" "),
        low: [...row.querySelectorAll("pg-card")].slice(0, 2).map((card) => card.getAttribute("card")).sort().join(" "),
        counts: row.querySelector(".outcomes .amount")?.textContent, worth: row.querySelector(".fraction")?.textContent, text: row.textContent ?? "",
      })));
      assert.equal(rows.length, settings.length);
      for (const [index, setting] of settings.entries()) {
        const row = rows[index];
        assert.equal(row.low, cardsOf(setting.low).sort().join(" "));
        assert.equal(row.cards, [...cardsOf(setting.low), ...cardsOf(setting.high)].sort().join(" "));
        assert.equal(row.counts, words.lab.counts(thousands(setting.win), thousands(setting.push), thousands(setting.lose)));
        assert.equal(row.worth, spaced(setting.ev_exact));
        assert.equal(row.text.includes(words.lab.houseWay), setting.house_way, row.text);
      }
      await player.close();
    });
  }
});

describe("the odds", () => {
  for (const [book, wager, paytable] of WAGERS) {
    test(`${wager} ${paytable} of ${book}`, async () => {
      const player = await stage.player();
      await player.go(`/odds?book=${book}&wager=${wager}&paytable=${paytable}`);
      const { wagers: [odds] } = await runJson("odds", book, "--wager", wager, "--paytable", paytable);
      await expectWager(player, odds);
      await player.close();
    });
  }

  test("edited paytable", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/odds?book=south-dakota&wager=fortune&paytable=1");
    await page.locator("#pay-full_house").fill("6");
    await page.locator(".study .tag.on").first().waitFor();
    const { books } = await stage.server.ask("/api/books");
    const { rows } = books.find((/** @type {any} */ one) => one.id === "south-dakota").wagers[0].paytables.find((/** @type {any} */ one) => one.paytable === "1");
    const pays = rows.map((/** @type {any} */ row) => `{ hand = "${row.hand}", pays = ${row.hand === "full_house" ? 6 : row.pays || '"push"'}${row.envy_cents ? `, envy = "${(row.envy_cents / 100).toFixed(2)}"` : ""} }`);
    const { wagers: [odds] } = await runJson("odds", "south-dakota", "--wager", "fortune", "--paytable", "1", "--set", `wagers.fortune.paytables.1.pays=[${pays.join(", ")}]`);
    const edge = page.locator(".tiles .tile", { hasText: words.odds.edge }).first();
    await edge.getByText(percent(odds.edge, { decimals: 3 })).waitFor();
    await expectWager(player, odds);
    await player.close();
  });

  test("base game", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/odds?book=south-beach&wager=pai-gow");
    const { base_game: game } = await runJson("odds", "south-beach", "--wager", "pai-gow");
    const section = page.locator("section[aria-labelledby=odds-outcomes-title]");
    await section.getByRole("button", { name: words.study.exact }).click();
    const counts = await section.locator("tbody tr td:nth-child(2)").allInnerTexts();
    assert.deepEqual(counts, [game.win, game.push, game.lose].map(thousands));
    await expectTile(player, words.odds.edge, game.edge, game.edge_exact);
    await expectTile(player, words.odds.commission, game.commission_part, game.commission_part_exact);
    await player.close();
  });
});

describe("long pages", () => {
  test("rules are collapsed, searched and linked", async () => {
    const player = await stage.player({ viewport: { width: 320, height: 640 } });
    const { page } = player;
    await player.go("/rules/ez");
    const parts = page.locator(".book-parts .fold > details");
    await parts.nth(4).waitFor();
    const all = await parts.count();
    assert.deepEqual(await parts.evaluateAll((details) => details.map((one) => /** @type {HTMLDetailsElement} */ (one).open)), Array.from({ length: all }, (_, index) => index === 0));
    assert.ok(await height(player) < 8000, `${await height(player)} px`);
    // A search opens the sections with matches and announces their number.
    await page.getByRole("searchbox", { name: words.rules.find }).fill("envy");
    const many = async () => (await page.locator(".book-parts .fold > details[open] > summary > .amount").allInnerTexts()).map((text) => parseInt(text, 10));
    await page.waitForFunction((before) => document.querySelectorAll(".book-parts .fold").length < before, all);
    const found = await many();
    assert.equal(found.length, await parts.count());
    const sum = found.reduce((total, one) => total + one, 0);
    assert.equal(await page.locator(".book-side [role=status]").innerText(), words.study.found(sum, found.length));
    assert.equal(new URL(page.url()).searchParams.get("find"), "envy");
    for (const text of await page.locator("section[aria-labelledby=duties-title] .rule-list > div").allInnerTexts()) assert.match(text, /envy/i);
    await page.getByRole("searchbox", { name: words.rules.find }).fill("no such rule");
    await page.locator(".book-side [role=status]", { hasText: words.study.found(0, 0) }).waitFor();
    await page.getByRole("searchbox", { name: words.rules.find }).fill("");
    await parts.nth(all - 1).waitFor();
    assert.equal(await page.locator(".book-parts .fold > details[open]").count(), 1);
    // By keyboard.
    await parts.nth(1).locator("summary").first().focus();
    await page.keyboard.press("Enter");
    await page.locator(".book-parts .fold > details[open]").nth(1).waitFor();
    // A link to a section opens it and moves the focus there. So does the list of contents.
    await player.go("/rules/ez?part=house-way");
    await page.locator("[data-part=house-way][open] .clauses li").first().waitFor();
    await page.waitForFunction(() => document.activeElement?.matches("[data-part=house-way] > summary"));
    await page.getByRole("navigation", { name: words.rules.contents }).getByRole("button", { name: words.rules.glossary }).click();
    await page.waitForFunction(() => document.activeElement?.matches("[data-part=glossary][open] > summary"));
    // A link to a search shows its matches.
    await player.go("/rules/ez?find=commission");
    await page.locator(".rule-list > div", { hasText: /commission/i }).first().waitFor();
    await player.close();
  });

  test("figures are collapsed and searched", async () => {
    const player = await stage.player({ viewport: { width: 320, height: 640 } });
    const { page } = player;
    await player.go("/figures");
    const parts = page.locator("pg-figures .fold > details");
    await parts.first().waitFor({ timeout: 180_000 });
    assert.equal(await page.locator("pg-figures .fold > details[open]").count(), 1);
    assert.ok(await height(player) < 8000, `${await height(player)} px`);
    await page.getByRole("searchbox", { name: words.figures.find }).fill("royal flush");
    await page.waitForFunction(() => [...document.querySelectorAll("pg-figures .fold > details")].every((one) => /** @type {HTMLDetailsElement} */ (one).open));
    const rows = await page.locator("pg-figures .fold tbody tr").count();
    assert.equal(await page.locator("section[aria-labelledby=figures-title] > [role=status]").innerText(), words.study.found(rows, await parts.count()));
    await page.getByRole("button", { name: words.study.closeAll }).click();
    assert.equal(await page.locator("pg-figures .fold > details[open]").count(), 0);
    await player.close();
  });

  test("all pages have the same margins", async () => {
    const player = await stage.player();
    const { page } = player;
    const pages = [["/", ".plaque"], ["/lab", ".example"], ["/odds", ".tile"], ["/trainer", ".trainer-card"], ["/cards", ".strategy-entry"], ["/puzzle", ".trainer-card"], ["/puzzle/archive", ".puzzle-day"], ["/history", ".panel"], ["/rules", ".books li"], ["/rules/ez", ".fold"], ["/house-ways/foxwoods", ".clauses li"], ["/designer", ".design-clauses"], ["/figures", ".tile"]];
    for (const [width, expected] of [[320, 12], [768, 15.36], [1280, 24], [1920, 264]]) {
      await page.setViewportSize({ width, height: 800 });
      for (const [path, part] of pages) {
        await player.go(path);
        await page.locator(part).first().waitFor({ timeout: 180_000 });
        const margins = await page.locator(".page").evaluate((one) => {
          const { left, right } = one.getBoundingClientRect();
          const { paddingLeft, paddingRight } = getComputedStyle(one);
          return [left + parseFloat(paddingLeft), document.documentElement.clientWidth - right + parseFloat(paddingRight)];
        });
        for (const margin of margins) assert.ok(Math.abs(margin - expected) < 0.1, `${path} at ${width}: ${margins}`);
      }
    }
    await player.close();
  });
});

/** Returns the height of the page. @param {Player} player */
const height = ({ page }) => page.evaluate(() => document.documentElement.scrollHeight);

/** Checks that the page shows these odds of a wager. @param {Player} player @param {any} odds */
async function expectWager(player, odds) {
  const { page } = player;
  const section = page.locator("section[aria-labelledby=odds-returns-title]");
  await section.getByRole("button", { name: words.study.exact }).click();
  await section.locator(".fraction").first().waitFor();
  const rows = await section.locator("tbody tr").evaluateAll((all) => all.map((row) => ({
    combinations: row.querySelector("td")?.textContent, fractions: [...row.querySelectorAll(".fraction")].map((one) => one.textContent),
    pays: row.querySelector("input")?.value,
  })));
  assert.deepEqual(rows, odds.rows.map((/** @type {any} */ row) => ({
    combinations: thousands(row.combinations), fractions: [row.probability_exact, row.return_exact].map(spaced), pays: String(row.pays),
  })));
  await expectTile(player, words.odds.edge, odds.edge, odds.edge_exact);
  await expectTile(player, words.odds.hit, odds.hit_frequency, odds.hit_frequency_exact);
  const players = page.locator("section[aria-labelledby=odds-players-title] tbody tr");
  const edges = Object.entries(odds.edge_by_players).map(([count, edge]) => [count, percent(/** @type {string} */ (edge), { decimals: 3 })]);
  const shown = await players.evaluateAll((all) => all.map((row) => [row.querySelector("th")?.textContent, row.querySelector("td")?.firstChild?.textContent]));
  // Without envy bonuses the edge does not depend on the players, and the page shows no table.
  if (shown.length > 0) assert.deepEqual(shown, edges);
  else assert.equal(new Set(edges.map(([, edge]) => edge)).size, 1);
}

/** @param {Player} player @param {string} title @param {string} value @param {string} exact */
async function expectTile({ page }, title, value, exact) {
  const tile = page.locator(".tiles .tile", { has: page.locator("dt", { hasText: new RegExp(`^${title}$`) }) });
  assert.equal(await tile.locator("dd").evaluate((dd) => dd.firstChild?.textContent), percent(value, { decimals: 3 }));
  assert.equal(await tile.locator(".fraction").first().textContent(), spaced(exact));
}
