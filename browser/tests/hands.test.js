// One player with two seats: both hands are shown, and the rail acts for the chosen seat.

import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../../web/words/en.js";
import { screenshot } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();

test("one player with two hands", async () => {
  const table = await stage.server.open("two-hands", { book: "ez", changes: { "seats.hands_per_player": "2" }, clocks: { between: 60 } });
  const player = await stage.player();
  const { page } = player;
  await player.sit(table, 2);
  await player.button(words.felt.sit(4)).first().click();
  await page.locator(".seat.you").waitFor();
  assert.equal(await page.locator(".sit").count(), 0, "the maximum is two hands");
  const seats = page.getByRole("group", { name: words.dock.ownSeats }).getByRole("button");
  const acting = (/** @type {number} */ seat) => page.locator(".own-seats [aria-pressed=true]", { hasText: words.table.seat(seat) }).waitFor();
  await seats.first().click();
  await acting(2);
  await player.addChips(0, 25);
  await seats.nth(1).click();
  await acting(4);
  await player.addChips(0, 5, 5);
  await screenshot(page, "hands-wagers");
  await player.deal();
  // The other seat must still act.
  await acting(2);
  await player.rail.getByText(words.board.go.amount("$25")).waitFor();
  await player.deal();
  await player.cards();
  const dealt = await page.locator(".own pg-card, .seat.you pg-card").count();
  assert.equal(dealt, 14, "the player sees both hands");
  await acting(2);
  await player.setHouseWay();
  await acting(4);
  await screenshot(page, "hands-setting");
  await player.setHouseWay();
  await player.waitForResult();
  await screenshot(page, "hands-settled");
  const { view } = await player.table(table);
  assert.deepEqual(view.yours, [2, 4]);
  assert.deepEqual(view.seats.map((/** @type {any} */ seat) => seat.wagers["pai-gow"].cents), [2500, 1000]);
  assert.deepEqual(Object.keys(view.round.net_cents), ["2", "4"]);
  assert.ok((await player.lines()).filter(({ mine }) => mine).length >= 2);
  await player.close();
});
