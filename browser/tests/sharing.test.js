// Sharing: links with pictures that the browser can show, invitations to private tables, and names of tables.

import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../../web/words/en.js";
import { screenshot } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();

/** Returns the size of the picture of a link's preview, as the browser decodes it. @param {import("../kit/player.js").Player} player @param {string} path */
async function previewSize(player, path) {
  const html = await (await player.context.request.get(stage.server.url + path)).text();
  const url = /property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? "";
  return player.page.evaluate(async (src) => {
    const picture = new Image();
    picture.src = src;
    await picture.decode();
    return [picture.naturalWidth, picture.naturalHeight];
  }, new URL(url.replaceAll("&amp;", "&")).pathname + new URL(url.replaceAll("&amp;", "&")).search);
}

test("a private table: a name, an invitation, and a shared round", async () => {
  const [owner, friend, other] = [await stage.player({ permissions: ["clipboard-read", "clipboard-write"] }), await stage.player(), await stage.player()];
  const { page } = owner;
  await owner.go("/");
  const form = page.locator("pg-open-table");
  await form.getByLabel(words.open.name).fill("Friday night");
  await form.getByLabel(words.open.private).check();
  await form.getByLabel(words.open.bots).selectOption("0");
  await screenshot(page, "open-table-private");
  await form.getByRole("button", { name: words.open.open, exact: true }).click();
  await page.locator(".own:not(.watching)").waitFor();
  await page.locator(".table-name", { hasText: "Friday night" }).waitFor();

  await page.locator(".table-bar > .bar-act", { hasText: words.share.invite }).click();
  await page.locator(".table-bar > .bar-act", { hasText: words.share.copied }).waitFor();
  const invitation = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(invitation, /\/table\/own-[0-9a-f]{20}-[0-9a-f]{15}$/);

  await other.go("/");
  await other.page.locator(".plaque").first().waitFor();
  assert.equal(await other.page.getByText("Friday night").count(), 0, "the lobby does not list the table");
  await friend.page.goto(invitation);
  await friend.page.getByRole("button", { name: new RegExp(words.board.sit) }).first().click();
  await friend.page.locator(".own:not(.watching)").waitFor();
  await friend.go("/");
  await friend.page.getByRole("link", { name: /Friday night/ }).first().waitFor();
  assert.deepEqual(await previewSize(owner, new URL(invitation).pathname), [1200, 630]);
  for (const player of [owner, friend, other]) await player.close();
});

test("links to a hand, a puzzle and a round have pictures", async () => {
  const player = await stage.player();
  const table = await stage.server.open("shared", { book: "ez" });
  await player.sit(table, 1);
  await player.wager(25);
  await player.setHouseWay();
  await player.waitForResult();
  for (const path of ["/", "/lab?book=ez&cards=As+Kd+Tc+9h+2s+2d+Jk", "/puzzle", `/table/${table}`, `/replay/${table}/1`]) {
    assert.deepEqual(await previewSize(player, path), [1200, 630], path);
  }
  await player.close();
});

test("the share button returns to its text after two clicks, and shows a link that cannot be copied", async () => {
  const player = await stage.player({ permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = player;
  await player.go("/lab?book=ez&cards=As+Kd+Tc+9h+2s+2d+Jk");
  const button = page.locator("pg-share > button");
  await button.click();
  await page.locator("pg-share > button", { hasText: words.share.copied }).click();
  await page.locator("pg-share > button", { hasText: words.share.link }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /\/lab\?.*cards=.*As/);
  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("no clipboard")); });
  await button.click();
  const address = page.getByRole("dialog", { name: words.share.address }).getByLabel(words.share.address);
  await address.waitFor();
  assert.match(await address.inputValue(), /\/lab\?.*cards=.*As/);
  await player.close();
});

test("settings of another tab are kept", async () => {
  const player = await stage.player();
  const { page } = player;
  await player.go("/rules");
  const other = await player.context.newPage();
  await other.goto(`${stage.server.url}/rules`);
  const change = (/** @type {import("playwright-core").Page} */ tab, /** @type {string} */ label) => tab.locator("pg-settings").getByLabel(label).check();
  for (const [tab, label] of /** @type {const} */ ([[other, words.settings.fourColour], [page, words.settings.leftHanded]])) {
    await tab.locator(".bar").getByRole("button", { name: words.app.settings }).click();
    await change(tab, label);
  }
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem("paigow.settings") ?? "{}"));
  assert.deepEqual([stored.fourColour, stored.leftHanded], [true, true]);
  await page.locator("html[data-deck=four]").waitFor({ state: "attached" });
  await player.close();
});
