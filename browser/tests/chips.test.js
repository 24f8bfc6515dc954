// Chips: wagers above the balance, two windows, and Enter after a click.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { Player } from "../kit/player.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const BOOK = "south-dakota";

/** Returns the wagers at the player's seat, in cents. @param {Player} player @param {string} table */
async function wagersOf(player, table) {
  const { seats, you } = (await player.table(table)).view;
  const { wagers } = seats.find((/** @type {any} */ seat) => seat.seat === you);
  return Object.fromEntries(Object.entries(wagers).map(([wager, stake]) => [wager, /** @type {any} */ (stake).cents]));
}

describe("chips", { concurrency: 2 }, () => {
  test("wagers above the balance are not placed", async () => {
    const table = await stage.server.open("rich", { book: BOOK });
    const player = await stage.player();
    await player.sit(table, 1);
    await player.waitForPhase("wagers");
    await player.addChips(0, 500, 500, 500);
    await player.rail.getByText(words.refused.insufficient_funds).waitFor();
    assert.equal(await player.page.locator(".go").getAttribute("aria-disabled"), "true");
    // The seat never claims wagers that the player cannot pay.
    assert.doesNotMatch(await player.page.locator(".me-balance").innerText(), /1,500/);
    // On a slow machine, part of the chips may have been placed before.
    assert.ok((await wagersOf(player, table))["pai-gow"] !== 150_000);
    await player.press(words.wager.clear);
    await player.wager(25);
    await player.waitForPhase("settings");
    assert.deepEqual(await wagersOf(player, table), { "pai-gow": 2500 });
    await player.close();
  });

  test("wagers of one window appear in the other", async () => {
    const table = await stage.server.open("windows", { book: BOOK });
    const player = await stage.player();
    await player.sit(table, 1);
    await player.waitForPhase("wagers");
    const other = new Player(await player.context.newPage(), player.url);
    await other.go(`/table/${table}`);
    await other.waitForPhase("wagers");
    await player.addChips(0, 25);
    await player.addChips(1, 5);
    for (const one of [player, other]) await one.rail.getByText(words.board.go.amount("$30")).waitFor();
    await other.addChips(0, 5);
    for (const one of [player, other]) {
      await one.rail.getByText(words.board.go.amount("$35")).waitFor();
    }
    assert.deepEqual(await wagersOf(player, table), { "pai-gow": 3000, fortune: 500 });
    assert.deepEqual(other.errors, []);
    await player.close();
  });

  test("Enter after a click deals and adds no chips", async () => {
    const table = await stage.server.open("enter", { book: BOOK });
    const player = await stage.player();
    await player.sit(table, 1);
    await player.waitForPhase("wagers");
    await player.addChips(0, 25);
    await player.press(words.wager.double);
    await player.page.keyboard.press("Enter");
    await player.waitForPhase("settings");
    assert.deepEqual(await wagersOf(player, table), { "pai-gow": 5000 });
    // The focus is still on the clicked button. Enter turns the cards, too.
    await player.page.locator("button.own-card.down").nth(6).waitFor();
    await player.page.keyboard.press("Enter");
    await player.page.locator("button.own-card.down").first().waitFor({ state: "detached" });
    await player.press(words.set.houseWay);
    await player.page.locator(".box.low button.own-card").nth(1).waitFor();
    await player.page.keyboard.press("Enter");
    await player.waitForResult();
    await player.close();
  });
});
