// A newcomer's first hand: Play now on the front page, the guide with its six steps, and the pages that can be read without scripts.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { legalLow } from "../kit/hands.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
/** The last size is that of the context. */
const SIZES = [[1920, 1080], [1024, 768], [844, 390], [768, 1024], [390, 844], [320, 640], [1280, 800]];
/** Sizes at which a table with two wagers has the least room. */
const SMALL = SIZES.filter(([width]) => width < 400 || width === 1280);

/** @typedef {import("../kit/player.js").Player} Player */

describe("the first hand", { concurrency: 2 }, () => {
  test("Play now leads through one hand, once", async () => {
    const player = await stage.player();
    const { page } = player;
    await playNow(player);
    const table = new URL(page.url()).pathname;
    const { facts } = (await player.table(table.slice("/table/".length))).view;
    assert.equal(facts.banking.seats, false);
    assert.deepEqual(new Set(Object.values(facts.clocks)), new Set([3_600_000]));

    await guideAt(player, "wager", 1);
    await page.locator(".spot.base").click();
    await guideAt(player, "deal", 2);
    await player.press(words.board.go.deal);
    await guideAt(player, "turn", 3);
    const cards = await player.cards();
    await guideAt(player, "choose", 4);
    const [one, other] = legalLow(cards);
    await player.chooseLow([one]);
    await page.locator("[data-guide=choose]").waitFor();
    await player.chooseLow([other]);
    await guideAt(player, "set", 5);
    await player.press(words.board.go.set);
    await player.waitForResult();
    await guideAt(player, "result", 6);

    // The guide is over with the next round, and does not return.
    await player.press(words.board.go.next);
    await player.waitForPhase("wagers");
    assert.equal(await page.locator("pg-guide").count(), 0);
    await player.go("/");
    await page.getByRole("button", { name: words.front.playOn, exact: true }).click();
    await page.waitForURL(`**${table}`);
    await player.waitForPhase("wagers");
    assert.equal(await page.locator("pg-guide").count(), 0);
    await player.close();
  });

  test("the guide can be skipped, and leaves the focus and the keys alone", async () => {
    const player = await stage.player();
    const { page } = player;
    await playNow(player);
    await page.locator("[data-guide=wager]").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.closest("pg-guide") ?? null), null);
    await page.keyboard.press("1");
    await page.locator("[data-guide=deal]").waitFor();
    await page.locator("pg-guide [role=status]", { hasText: words.guide.steps.deal }).waitFor();
    await player.button(words.guide.skipWhy).click();
    await page.locator("pg-guide").waitFor({ state: "detached" });
    await page.reload();
    await player.waitForPhase("wagers");
    await player.wager(5);
    await player.cards();
    assert.equal(await page.locator("pg-guide").count(), 0);
    await player.close();
  });

  test("a player who skips ahead sees the step of the hand", async () => {
    const table = await stage.server.open("first-two", { book: "south-dakota", bots: 5, clocks: { wagers: 3600, settings: 3600, between: 3600 } });
    const player = await stage.player();
    const { page } = player;
    await player.sit(table, 2);
    await guideAt(player, "wager", 1, SMALL);
    await player.wager(5);
    await guideAt(player, "turn", 3, SMALL);
    // The house way chooses the cards: the step of the choice is done at once.
    await player.press(words.board.alt.turnAll);
    await player.press(words.set.houseWay);
    await page.locator("[data-guide=set]").waitFor();
    await player.press(words.board.go.set);
    await player.waitForResult();
    await guideAt(player, "result", 6, SMALL);
    await player.button(words.guide.done).click();
    await page.locator("pg-guide").waitFor({ state: "detached" });
    assert.notEqual(await page.locator(".call b").innerText(), "");
    await player.close();
  });

  test("a table where players bank has no guide", async () => {
    const table = await stage.server.open("first-bank", { book: "south-beach" });
    const player = await stage.player();
    await player.sit(table, 1);
    await player.page.locator(".rail .tray").waitFor();
    assert.equal(await player.page.locator("[data-guide]").count(), 0);
    await player.close();
  });

  test("plaques name what a table is for a player", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    const head = (/** @type {string} */ table) => page.locator(".plaque h3", { has: page.locator(`a[href="/table/${table}"]`) });
    await head("ez").waitFor();
    assert.equal(await head("ez").locator("span").innerText(), "Commission-free, four side bets");
    assert.equal(await head("south-dakota").locator("span").innerText(), "5% commission, one side bet");
    assert.equal(await head("south-beach").locator("span").innerText(), "5% commission, player banking");
    assert.doesNotMatch(await head("california").innerText(), /\bbank/i);
    await player.close();
  });

  test("the front page and how to play can be read without scripts", async () => {
    const reader = await stage.player({ javaScriptEnabled: false });
    const { page } = reader;
    await reader.go("/");
    assert.equal(await page.locator("h1").innerText(), words.front.title);
    assert.ok(await page.locator('#static a[href="/table/ez"]').isVisible());
    await page.locator('#static a[href="/how-to-play"]').click();
    await page.waitForURL("**/how-to-play");
    const text = await page.locator("#static").innerText();
    for (const part of [/foul/, /push/, /copy/, /semi-wild/, /Commission/]) assert.match(text, part);

    // With scripts, the view shows the same text, whether it is the first view or not.
    const player = await stage.player();
    const read = async () => (await player.page.locator("pg-how-to-play .how-to-play").innerText()).trim();
    await player.go("/how-to-play");
    await player.page.locator("pg-how-to-play h1").waitFor();
    assert.equal(await read(), text.trim());
    assert.equal(await player.page.locator("#static").count(), 0);
    await player.go("/");
    await player.page.getByRole("link", { name: words.nav.howToPlay, exact: true }).click();
    await player.page.locator("pg-how-to-play h1").waitFor();
    assert.equal(await read(), text.trim());
    assert.equal(await player.page.title(), words.app.titled(words.titles.howToPlay));
    for (const one of [reader, player]) await one.close();
  });
});

/** Goes from the front page to a table. @param {Player} player */
async function playNow(player) {
  await player.go("/");
  await player.button(words.front.play).click();
  await player.page.waitForURL("**/table/own-*");
  await player.page.locator(".own:not(.watching)").waitFor();
}

/** Waits for a step of the guide. At every size, its card is within the window and covers neither cards nor actions. @param {Player} player @param {keyof typeof words.guide.steps} step @param {number} number @param {number[][]} [sizes] */
async function guideAt({ page }, step, number, sizes = SIZES) {
  await page.locator(`[data-guide=${step}] pg-guide`).waitFor();
  const text = await page.locator("pg-guide [role=status]").innerText();
  assert.ok(text.includes(words.guide.steps[step]) && text.includes(words.guide.step(number, 6)), text);
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    // The card follows the new size with the next frames.
    await page.waitForFunction(isClear, undefined, { polling: 50, timeout: 5000 }).catch(async () => {
      assert.fail(`${step} at ${width}×${height}: ${await page.evaluate(() => JSON.stringify(document.querySelector("pg-guide")?.getBoundingClientRect()))}`);
    });
  }
}

/** Whether the card of the guide covers no cards and no actions. Runs in the page. */
function isClear() {
  const card = document.querySelector("pg-guide");
  const end = card?.querySelector("button")?.getBoundingClientRect();
  if (!card || !end || end.height < 43.5 || end.width < 43.5) return false;
  const own = card.getBoundingClientRect();
  if (own.left < 0 || own.top < 0 || own.right > innerWidth || own.bottom > innerHeight) return false;
  const parts = [...document.querySelectorAll(".own-card, .top-cards pg-card, .seat .mini pg-card, .rail button, .tray-chip, .call b, .verdict, .judge svg, .me pg-clock")];
  return parts.filter((part) => part.checkVisibility()).every((part) => {
    const rect = part.getBoundingClientRect();
    return Math.min(own.right, rect.right) - Math.max(own.left, rect.left) <= 1 || Math.min(own.bottom, rect.bottom) - Math.max(own.top, rect.top) <= 1;
  });
}
