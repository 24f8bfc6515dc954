// The numbers of the hand lab and the odds equal those of the command line, to the last digit.

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
