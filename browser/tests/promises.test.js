// What else the page offers, each shown once: a table of one's own, the coach, the same again, files, links, the trainer, likings that stay.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { cardsOf, legal } from "../kit/hands.js";
import { answer } from "../kit/program.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();

/** Cards as a set, to be compared. @param {string[]} cards */
const sorted = (cards) => [...cards].sort().join(" ");

/** The cards in a part of the page. @param {import("playwright-core").Locator} within */
const cardsIn = (within) => within.locator("pg-card").evaluateAll((all) => all.map((card) => card.getAttribute("card") ?? ""));

describe("what else the page offers", { concurrency: true }, () => {
  test("a table of one's own, with a chosen book and paytable", async () => {
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
    await player.leave();
  });

  test("the house way with its clause, the coach's figures, and the same again", async () => {
    const book = "south-dakota";
    const table = await stage.server.open("coached", { book, clocks: { between: 3 } });
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    await page.evaluate(() => localStorage.setItem("paigow.settings", JSON.stringify({ coach: true })));
    await player.sit(table, 1);
    await player.at("wagers");
    await player.chips(0, 25);
    await player.chips(1, 5);
    await player.press(words.wager.go);
    const cards = await player.cards();
    await player.press(words.set.houseWay);
    await page.locator(".pick.on").nth(1).waitFor();
    const set = await answer("set", cards.join(" "), "--book", book);
    assert.equal(sorted(await cardsIn(page.locator(".pick.on"))), sorted(cardsOf(set.low)));
    await page.locator(".reading", { hasText: set.says }).waitFor();
    await player.press(words.set.clear);
    const front = legal(cards);
    await player.front(front);
    await player.press(words.set.confirm);
    await player.settled();
    const { settings } = await answer("best", cards.join(" "), "--book", book);
    const chosen = settings.find((/** @type {any} */ { low }) => sorted(cardsOf(low)) === sorted(front));
    const cost = Number(settings[0].ev) - Number(chosen.ev);
    const says = cost === 0 ? words.coach.bestChoice : words.coach.cost((cost * 100).toFixed(2), "").replace(/\.$/, "");
    await page.locator(".coach", { hasText: says }).waitFor();
    await page.locator(".coach .chosen", { hasText: `${Math.abs(Number(chosen.ev) * 100).toFixed(2)} %` }).waitFor();
    await player.at("wagers");
    await player.press(words.wager.again);
    await player.dock.getByText(words.wager.total("$30.00")).waitFor();
    await player.leave();
  });

  test("a file with every row of a paytable", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/odds?book=south-dakota&wager=fortune&paytable=1");
    const section = page.locator("section[aria-labelledby=odds-returns-title]");
    await section.locator("tbody tr").first().waitFor();
    const coming = page.waitForEvent("download");
    await section.getByRole("button", { name: words.study.csv }).click();
    const text = await readFile(await (await coming).path(), "utf8");
    const { wagers: [{ rows }] } = await answer("odds", "south-dakota", "--wager", "fortune", "--paytable", "1");
    const lines = text.trim().split(/\r?\n/);
    assert.ok(lines.length > rows.length, text);
    for (const row of rows) assert.ok(lines.some((line) => line.split(",").includes(String(row.combinations))), `${JSON.stringify(row)} in ${text}`);
    await player.leave();
  });

  test("a link to a hand shows that hand", async () => {
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
    await player.leave();
    await other.leave();
  });

  test("the trainer says which clause decides", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/trainer?by=foxwoods");
    const all = page.locator(".trainer-card");
    await all.nth(6).waitFor();
    await page.getByLabel(words.trainer.by).selectOption("foxwoods");
    await all.nth(6).waitFor();
    const cards = await cardsIn(page.locator(".trainer-felt"));
    const way = await answer("set", cards.join(" "), "--house-way", "foxwoods");
    for (const card of cardsOf(way.low)) await all.filter({ has: page.locator(`pg-card[card="${card}"]`) }).click();
    await page.locator(".trainer-felt .button.primary:not([disabled])").click();
    await page.locator(".judged.is-right", { hasText: way.says }).waitFor();
    await player.leave();
  });

  test("what somebody likes stays", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    await player.button(words.app.settings).click();
    await page.getByRole("switch", { name: words.settings.fourColour }).check();
    await page.getByRole("radio", { name: words.settings.themes.light }).check();
    await page.reload();
    await page.locator("html[data-deck=four][data-theme=light]").waitFor({ state: "attached" });
    await player.leave();
  });
});
