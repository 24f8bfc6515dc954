// A newcomer's first round at every book: one click in the lobby, a wager, a hand, a settlement with its reasons.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { shoot } from "../kit/shots.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();

describe("a newcomer's first round", { concurrency: true }, () => {
  for (const book of ["south-dakota", "washington", "california", "south-beach", "ez"]) {
    test(book, async () => {
      // As the practice tables are, but for clocks that a slow machine keeps.
      const table = await stage.server.open(`first-${book}`, { book, bots: 4, clocks: { between: 120 } });
      const player = await stage.player();
      const { page } = player;
      await player.go("/");
      const plaque = page.locator(".plaque", { has: page.locator(`a[href="/table/${table}"]`) });
      await plaque.getByRole("button", { name: words.lobby.sit }).click();
      await page.waitForURL(`**/table/${table}`);
      await page.locator(".spot.you").waitFor();

      await beginsToWager(player);
      await player.chips(0, 5, 5);
      const side = (await player.table(table)).view.facts.wagers.length > 1;
      if (side) await player.chips(1, 5);
      await player.press(words.wager.go);
      await player.at("settings");
      const cards = await player.cards();
      assert.equal(new Set(cards).size, 7);
      await player.houseWay();
      const net = await player.settled();
      assert.match(net, new RegExp(`^(${words.result.head(1)}|${words.result.head(-1)}) \\$[\\d.,]+$|^${words.result.head(0)}$`));

      const lines = await player.lines();
      const mine = lines.filter((line) => line.mine);
      assert.ok(mine.length >= (side ? 2 : 1), JSON.stringify(lines));
      for (const line of lines) {
        assert.notEqual(line.why, "");
        assert.notEqual(line.cite, "", line.why);
      }
      await shoot(page, `first-round-${book}`);
      await player.leave();
    });
  }
});

/** Waits for wagers. Where seats bank, a newcomer to whom the bank is offered passes it on. @param {import("../kit/player.js").Player} player */
async function beginsToWager(player) {
  const wagers = player.page.locator(".dock-wagers");
  const offered = player.dock.getByRole("button", { name: words.bank.pass });
  for (;;) {
    await wagers.or(offered).first().waitFor();
    if (await wagers.isVisible()) return;
    await offered.click();
    await offered.waitFor({ state: "detached" });
  }
}
