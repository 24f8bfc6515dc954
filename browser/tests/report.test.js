// The game report: made from the rules and from an edited paytable, opened in its own tab and downloaded. It loads nothing and runs no script.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { percent } from "../../web/study/numbers.js";
import { Stage } from "../kit/stage.js";

/** @typedef {import("../kit/player.js").Player} Player */

const stage = new Stage();
/** The server prepares the tables of worths of the book, unless they are in the cache. */
const MADE_WITHIN_MS = 400_000;

/** Makes the report of the view and returns its link. @param {Player} player */
async function make(player) {
  await player.page.getByRole("button", { name: words.report.make }).click();
  const open = player.page.getByRole("link", { name: words.report.open });
  await open.waitFor({ timeout: MADE_WITHIN_MS });
  return open;
}

describe("the game report", () => {
  test("of a book", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/rules/washington");
    const open = await make(player);
    const [report] = await Promise.all([page.context().waitForEvent("page"), open.click()]);
    await report.waitForLoadState();
    const { rules, title } = { rules: await stage.server.ask("/api/books/washington"), title: await report.title() };
    assert.equal(title, `Game report: ${rules.title}`);
    await report.getByText(rules.digest).first().waitFor();
    // The style applies: headings of the document are green rules, not those of the browser.
    const border = await report.locator("main > h2").first().evaluate((heading) => getComputedStyle(heading).borderBottomColor);
    assert.equal(border, "rgb(11, 107, 79)");
    assert.ok(await report.locator("svg").count() > 10);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: words.report.download }).click()]);
    assert.equal(download.suggestedFilename(), "paigow-report-washington.html");
    const text = await readFile(await download.path(), "utf8");
    assert.ok(text.startsWith("<!DOCTYPE html>") && !text.includes("<script"));
    await player.close();
  });

  test("of an edited paytable", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/odds?book=washington&wager=fortune&paytable=FPG-01");
    await page.locator("#pay-full_house").fill("6");
    await page.locator(".study .tag.on").first().waitFor();
    const open = await make(player);
    const [report] = await Promise.all([page.context().waitForEvent("page"), open.click()]);
    await report.waitForLoadState();
    await report.getByText("This is not the game of the document").waitFor();
    const rows = new URL(report.url()).searchParams.get("rows");
    const { wagers: [odds] } = await stage.server.ask("/api/odds", { body: { book: "washington", wager: "fortune", paytable: "FPG-01", rows: JSON.parse(rows ?? "") } });
    await report.getByText(percent(odds.edge, { decimals: 4 }).replace("\u202f", " ")).first().waitFor();
    await report.getByText(odds.edge_exact).first().waitFor();
    // A further edit discards the report.
    await page.locator("#pay-full_house").fill("7");
    await page.getByRole("button", { name: words.report.make }).waitFor();
    await player.close();
  });
});
