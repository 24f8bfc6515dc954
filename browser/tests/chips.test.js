// Chips: more than one has, from two windows at once, and what Enter means after a click.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { Player } from "../kit/player.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const BOOK = "south-dakota";

/** What lies at a seat, in cents. @param {Player} player @param {string} table */
async function lies(player, table) {
  const { seats, you } = (await player.table(table)).view;
  const { wagers } = seats.find((/** @type {any} */ seat) => seat.seat === you);
  return Object.fromEntries(Object.entries(wagers).map(([wager, stake]) => [wager, /** @type {any} */ (stake).cents]));
}

describe("chips", { concurrency: true }, () => {
  test("more than one has is said, and not placed", async () => {
    const table = await stage.server.open("rich", { book: BOOK });
    const player = await stage.player();
    await player.sit(table, 1);
    await player.at("wagers");
    await player.chips(0, 500, 500, 500);
    await player.dock.getByText(words.refused.insufficient_funds).waitFor();
    assert.equal(await player.button(new RegExp(`^${words.wager.go}`)).isDisabled(), true);
    // Who is slow has put down as much as there is by then.
    assert.ok((await lies(player, table))["pai-gow"] !== 150_000);
    assert.equal(await player.dock.getByText(words.wager.placing).count(), 0);
    await player.press(words.wager.clear);
    await player.wager(25);
    await player.at("settings");
    assert.deepEqual(await lies(player, table), { "pai-gow": 2500 });
    await player.leave();
  });

  test("what was put down in one window is seen in the other, and added to", async () => {
    const table = await stage.server.open("windows", { book: BOOK });
    const player = await stage.player();
    await player.sit(table, 1);
    await player.at("wagers");
    const other = new Player(await player.context.newPage(), player.url);
    await other.go(`/table/${table}`);
    await other.at("wagers");
    await player.chips(0, 25);
    await player.chips(1, 5);
    for (const one of [player, other]) await one.dock.getByText(words.wager.total("$30.00")).waitFor();
    await other.chips(0, 5);
    for (const one of [player, other]) {
      await one.dock.getByText(words.wager.total("$35.00")).waitFor();
      await one.dock.getByText(words.wager.placed).waitFor();
    }
    assert.deepEqual(await lies(player, table), { "pai-gow": 3000, fortune: 500 });
    assert.deepEqual(other.faults, []);
    await player.leave();
  });

  test("Enter after a click deals, and puts no more chips down", async () => {
    const table = await stage.server.open("enter", { book: BOOK });
    const player = await stage.player();
    await player.sit(table, 1);
    await player.at("wagers");
    await player.chips(0, 25);
    await player.press(words.wager.double);
    await player.page.keyboard.press("Enter");
    await player.at("settings");
    assert.deepEqual(await lies(player, table), { "pai-gow": 5000 });
    await player.press(words.set.houseWay);
    await player.page.locator(".pick.on").nth(1).waitFor();
    await player.page.keyboard.press("Enter");
    await player.settled();
    await player.leave();
  });
});
