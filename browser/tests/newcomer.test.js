// A newcomer's first round under every book: one click in the lobby, a wager, a hand, and a settlement with reasons.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { screenshot } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();

describe("a newcomer's first round", { concurrency: 2 }, () => {
  for (const book of ["south-dakota", "washington", "california", "south-beach", "ez"]) {
    test(book, async () => {
      // Like the practice tables, but with long clocks for slow machines.
      const table = await stage.server.open(`first-${book}`, { book, bots: 4, clocks: { between: 120 } });
      const player = await stage.player();
      const { page } = player;
      await player.go("/");
      await sitButton(player, table).click();
      await page.waitForURL(`**/table/${table}`);
      await page.locator(".own:not(.watching)").waitFor();

      await waitForWagers(player);
      await player.addChips(0, 5, 5);
      const side = (await player.table(table)).view.facts.wagers.length > 1;
      if (side) await player.addChips(1, 5);
      await player.deal();
      await player.waitForPhase("settings");
      await player.press(words.board.alt.turnAll);
      const cards = await player.cards();
      assert.equal(new Set(cards).size, 7);
      await player.setHouseWay();
      const net = await player.waitForResult();
      assert.match(net, /^You (win|lose) \$[\d.,]+$|^(Push|Even)$/);

      const lines = await player.lines();
      const mine = lines.filter((line) => line.mine);
      assert.ok(mine.length >= (side ? 2 : 1), JSON.stringify(lines));
      for (const line of lines) {
        assert.notEqual(line.why, "");
        assert.notEqual(line.cite, "", line.why);
      }
      await screenshot(page, `first-round-${book}`);
      await player.close();
    });
  }
});

test("a stale lobby: another free seat is taken, or the refusal is shown", async () => {
  const table = await stage.server.open("wanted", { book: "south-dakota" });
  const [quick, slow] = [await stage.player(), await stage.player()];
  await slow.go("/");
  await sitButton(slow, table).waitFor();
  // From here on, the lobby receives a stale list.
  const stale = await slow.context.request.get(`${stage.server.url}/api/tables`);
  await slow.page.route("**/api/tables", (route) => route.fulfill({ response: stale }));
  await quick.sit(table, 1);
  await sitButton(slow, table).click();
  await slow.page.waitForURL(`**/table/${table}`);
  await slow.page.locator(".own:not(.watching)").waitFor();
  assert.equal((await slow.table(table)).view.you, 2);

  const late = await stage.player();
  await late.go("/");
  await sitButton(late, table).waitFor();
  await late.page.route("**/api/tables", (route) => route.fulfill({ response: stale }));
  await stage.server.operate(`tables/${table}/commands`, { id: "close", command: { do: "close" } });
  await sitButton(late, table).click();
  const alert = late.page.getByRole("alert");
  await alert.waitFor();
  const message = await alert.innerText();
  await late.page.unroute("**/api/tables");
  // The message stays after the lobby reloads.
  await sitButton(late, table).and(late.page.locator(":disabled")).waitFor();
  assert.equal(await alert.innerText(), message);
  for (const player of [quick, slow, late]) await player.close();
});

/** Returns the lobby's Sit down button of a table. @param {import("../kit/player.js").Player} player @param {string} table */
function sitButton({ page }, table) {
  return page.locator(".plaque", { has: page.locator(`a[href="/table/${table}"]`) }).getByRole("button", { name: words.lobby.sit });
}

/** Waits until the player can wager. Passes if the bank is offered. @param {import("../kit/player.js").Player} player */
async function waitForWagers(player) {
  const wagers = player.page.locator(".rail .tray");
  const offered = player.rail.getByRole("button", { name: words.bank.pass });
  for (;;) {
    await wagers.or(offered).first().waitFor();
    if (await wagers.isVisible()) return;
    await offered.click();
    await offered.waitFor({ state: "detached" });
  }
}
