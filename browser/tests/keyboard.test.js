// A round by keyboard only: with shortcuts, and with Tab, Space and Enter while shortcuts are off.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { legalLow } from "../kit/hands.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const TABS_MAX = 120;

describe("a round by keyboard only", { concurrency: 2 }, () => {
  test("with shortcuts", async () => {
    await stage.server.open("keys", { book: "south-dakota" });
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    await sitByTab(player, "keys");
    await player.waitForPhase("wagers");
    for (const key of ["+", "1", "1", "2", "Enter"]) await page.keyboard.press(key);
    await page.locator("button.own-card.down").nth(6).waitFor();
    for (const [key, down] of /** @type {const} */ ([["ArrowRight", 6], ["4", 5], [" ", 0]])) {
      await page.keyboard.press(key);
      await page.waitForFunction((wanted) => document.querySelectorAll("button.own-card.down").length === wanted, down);
    }
    await page.keyboard.press("1");
    await page.locator(".box.low button.own-card").waitFor();
    await page.keyboard.press("c");
    await page.locator(".box.low button.own-card").waitFor({ state: "detached" });
    await page.keyboard.press("h");
    await page.locator(".box.low button.own-card").nth(1).waitFor();
    await page.keyboard.press("Enter");
    await player.waitForResult();
    const mine = (await player.lines()).filter(({ mine }) => mine);
    assert.deepEqual(mine.slice(0, 2).map(({ head }) => /\$[\d.]+/.exec(head)?.[0]), ["$50.00", "$25.00"]);
    for (const [key, tab] of [["p", "paytables"], ["r", "rules"], ["o", "rounds"], ["s", "round"]]) {
      await page.keyboard.press(key);
      await page.locator(`#tab-${tab}[aria-selected=true]`).waitFor();
    }
    await page.keyboard.press("t");
    await page.locator(".as-text").waitFor();
    await page.keyboard.press("?");
    await page.locator("dialog#keys-help[open]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog#keys-help[open]").waitFor({ state: "detached" });
    await player.close();
  });

  test("with Tab, Space and Enter, in the text view", async () => {
    await stage.server.open("tabs", { book: "south-dakota" });
    const player = await stage.player();
    const { page } = player;
    await page.addInitScript(() => localStorage.setItem("paigow.settings", JSON.stringify({ keys: false, text: true })));
    await player.go("/");
    await sitByTab(player, "tabs");
    await player.waitForPhase("wagers");
    await page.locator(".as-text .you").waitFor();
    await tabTo(player, ".spot.base");
    await page.keyboard.press("Space");
    await tabTo(player, ".rail .go:not([aria-disabled=true])");
    await page.keyboard.press("Enter");
    const cards = await player.cards();
    for (const card of legalLow(cards)) {
      await tabTo(player, `.box.high button.own-card[data-card="${card}"]`);
      await page.keyboard.press("Space");
    }
    await page.locator(".box.low button.own-card").nth(1).waitFor();
    await tabTo(player, ".rail .go:not([aria-disabled=true])");
    await page.keyboard.press("Enter");
    await player.waitForResult();
    await player.page.locator(".text-seats .you", { hasText: words.state.set }).waitFor();
    await player.close();
  });
});

/** Sits down from the lobby with the keyboard. @param {import("../kit/player.js").Player} player @param {string} table */
async function sitByTab(player, table) {
  const { page } = player;
  await page.locator(`.plaque a[href="/table/${table}"]`).first().waitFor();
  await tabTo(player, `.plaque:has(a[href="/table/${table}"]) button.primary`);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/table/${table}`);
  await page.locator(".rail").waitFor();
}

/** Presses Tab until an element has the focus, and checks that the focus is visible. @param {import("../kit/player.js").Player} player @param {string} selector */
async function tabTo({ page }, selector) {
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    const focused = await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
    if (focused) {
      const visible = await page.evaluate(() => {
        // A hidden checkbox shows the focus on its label.
        const around = /** @type {Element} */ (document.activeElement).closest("label") ?? document.activeElement;
        const shown = [around, document.activeElement, ...(around?.querySelectorAll("*") ?? [])];
        return shown.some((one) => one instanceof Element && (getComputedStyle(one).outlineStyle !== "none" || getComputedStyle(one).boxShadow !== "none"));
      });
      assert.ok(visible, `the focus on ${selector} is not visible`);
      return;
    }
    await page.keyboard.press("Tab");
  }
  assert.fail(`${selector} is not reached with ${TABS_MAX} tabs`);
}
