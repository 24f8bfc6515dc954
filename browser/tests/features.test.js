// Other features, each tested once: opening a table, the coach, repeated wagers, CSV files, links, the trainer, stored settings.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { cardsOf, legalLow } from "../kit/hands.js";
import { runJson } from "../kit/program.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();

/** Returns cards in a canonical order for comparison. @param {string[]} cards */
const sorted = (cards) => [...cards].sort().join(" ");

/** Returns the cards within an element. @param {import("playwright-core").Locator} within */
const cardsIn = (within) => within.locator("pg-card").evaluateAll((all) => all.map((card) => card.getAttribute("card") ?? ""));

describe("other features", { concurrency: true }, () => {
  test("opening a table with a chosen book and paytable", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    const form = page.locator("pg-open-table");
    await form.getByLabel(words.open.book).selectOption("south-dakota");
    await form.getByLabel(words.open.paytable("Fortune")).selectOption("3");
    await form.getByLabel(words.open.bots).selectOption("0");
    await form.getByRole("button", { name: words.open.open }).click();
    await page.waitForURL("**/table/own-*");
    await page.locator(".spot.you").waitFor();
    const { view } = await player.table(new URL(page.url()).pathname.slice("/table/".length));
    assert.equal(view.book, "south-dakota");
    assert.deepEqual(view.facts.wagers.map((/** @type {any} */ { wager, paytable }) => [wager, paytable ?? null]), [["pai-gow", null], ["fortune", "3"]]);
    await player.close();
  });

  test("house way clause, coach figures and repeated wagers", async () => {
    const book = "south-dakota";
    const table = await stage.server.open("coached", { book, clocks: { between: 3 } });
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    await page.evaluate(() => localStorage.setItem("paigow.settings", JSON.stringify({ coach: true })));
    await player.sit(table, 1);
    await player.waitForPhase("wagers");
    await player.addChips(0, 25);
    await player.addChips(1, 5);
    await player.press(words.wager.go);
    const cards = await player.cards();
    await player.press(words.set.houseWay);
    await page.locator(".pick.on").nth(1).waitFor();
    const set = await runJson("set", cards.join(" "), "--book", book);
    assert.equal(sorted(await cardsIn(page.locator(".pick.on"))), sorted(cardsOf(set.low)));
    await page.locator(".reading", { hasText: set.says }).waitFor();
    await player.press(words.set.clear);
    const low = legalLow(cards);
    await player.chooseLow(low);
    await player.press(words.set.confirm);
    await player.waitForResult();
    const { settings } = await runJson("best", cards.join(" "), "--book", book);
    const chosen = settings.find((/** @type {any} */ setting) => sorted(cardsOf(setting.low)) === sorted(low));
    const cost = Number(settings[0].ev) - Number(chosen.ev);
    const text = cost === 0 ? words.coach.bestChoice : words.coach.cost((cost * 100).toFixed(2), "").replace(/\.$/, "");
    await page.locator(".coach", { hasText: text }).waitFor();
    await page.locator(".coach .chosen", { hasText: `${Math.abs(Number(chosen.ev) * 100).toFixed(2)} %` }).waitFor();
    await player.waitForPhase("wagers");
    await player.press(words.wager.again);
    await player.dock.getByText(words.wager.total("$30.00")).waitFor();
    await player.close();
  });

  test("CSV file with every row of a paytable", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/odds?book=south-dakota&wager=fortune&paytable=1");
    const section = page.locator("section[aria-labelledby=odds-returns-title]");
    await section.locator("tbody tr").first().waitFor();
    const download = page.waitForEvent("download");
    await section.getByRole("button", { name: words.study.csv }).click();
    const text = await readFile(await (await download).path(), "utf8");
    const { wagers: [{ rows }] } = await runJson("odds", "south-dakota", "--wager", "fortune", "--paytable", "1");
    const lines = text.trim().split(/\r?\n/);
    assert.ok(lines.length > rows.length, text);
    for (const row of rows) assert.ok(lines.some((line) => line.split(",").includes(String(row.combinations))), `${JSON.stringify(row)} in ${text}`);
    await player.close();
  });

  test("a link to a hand shows the hand", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/lab");
    await page.getByRole("button", { name: new RegExp(`^${words.lab.random}`) }).click();
    await page.locator(".lab-answer:not(.stale)").waitFor();
    const link = page.url();
    const hand = new URL(link).searchParams.get("cards") ?? "";
    assert.equal(cardsOf(hand).length, 7, link);
    const other = await stage.player();
    await other.page.goto(link);
    const best = other.page.locator("section[aria-labelledby=lab-settings-title] tbody tr").first();
    await best.waitFor();
    assert.equal(sorted(await cardsIn(best)), sorted(cardsOf(hand)));
    await player.close();
    await other.close();
  });

  test("the trainer shows the deciding clause", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/trainer?by=foxwoods");
    const all = page.locator(".trainer-card");
    await all.nth(6).waitFor();
    await page.getByLabel(words.trainer.by).selectOption("foxwoods");
    await all.nth(6).waitFor();
    const cards = await cardsIn(page.locator(".trainer-felt"));
    const way = await runJson("set", cards.join(" "), "--house-way", "foxwoods");
    for (const card of cardsOf(way.low)) await all.filter({ has: page.locator(`pg-card[card="${card}"]`) }).click();
    await page.locator(".trainer-felt .button.primary:not([disabled])").click();
    await page.locator(".judged.is-right", { hasText: way.says }).waitFor();
    await player.close();
  });

  test("settings are stored", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    await player.button(words.app.settings).click();
    await page.getByRole("switch", { name: words.settings.fourColour }).check();
    await page.getByRole("radio", { name: words.settings.themes.light }).check();
    await page.reload();
    await page.locator("html[data-deck=four][data-theme=light]").waitFor({ state: "attached" });
    await player.close();
  });
});
