// Six players and a watcher share a round with an envy bonus: all see the same settlement, and the bonus is paid.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { money } from "../../web/money.js";
import { words } from "../../web/words/en.js";
import { screenshot } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";

/** A custom book whose paytable pays envy bonuses in nearly every round. */
const stage = new Stage("--books", fileURLToPath(new URL("books", import.meta.url)));
const ROUNDS = 10;
/** Seconds between rounds, in which the settlements of all players are compared. */
const BETWEEN = 90;

test("six players and a watcher share a round with an envy bonus", async () => {
  const table = await stage.server.open("party", { book: "party", clocks: { between: BETWEEN } });
  const watcher = await stage.player();
  await watcher.go(`/table/${table}`);
  const players = await Promise.all([1, 2, 3, 4, 5, 6].map(() => stage.player()));
  for (const [index, player] of players.entries()) await player.sit(table, index + 1);
  // The watcher sees the last seat a moment after its player.
  await watcher.rail.getByText(words.dock.full).waitFor();
  assert.equal(await watcher.page.locator(".seat.free").count(), 0);

  for (let round = 1; ; round += 1) {
    assert.ok(round <= ROUNDS, `no envy bonus in ${ROUNDS} rounds that pay it for two pairs`);
    await Promise.all(players.map((player) => player.waitForPhase("wagers")));
    const balances = await Promise.all(players.map((player) => player.balance()));
    for (const player of players) {
      await player.addChips(0, 5);
      await player.addChips(1, 5);
      await player.deal();
    }
    await watcher.waitForPhase("settings");
    await watcher.page.locator(".envy-puck").nth(5).waitFor();
    await Promise.all(players.map((player) => player.setHouseWay()));
    await Promise.all(players.map((player) => player.waitForResult()));
    const seen = await watcher.lines();
    if (!seen.some(isEnvy)) {
      await watcher.page.locator(".rail.at-wagers").waitFor({ timeout: 2_000 * BETWEEN });
      continue;
    }
    await screenshot(watcher.page, "party-watcher");
    await screenshot(players[2].page, "party-player");

    const first = seen.findIndex(isEnvy);
    assert.ok(first >= 12 && seen.slice(first).every(isEnvy), "envy bonuses are settled last, after two wagers of each seat");
    const plain = (/** @type {typeof seen} */ lines) => lines.map(({ amount, why, cite }) => ({ amount, why, cite }));
    for (const player of players) assert.deepEqual(plain(await player.lines()), plain(seen));

    // The displayed result equals the payment of the server and the sum of the player's lines.
    const { record } = await stage.server.ask(`/api/tables/${table}/rounds/${round}`);
    for (const [index, player] of players.entries()) {
      const net = record.play.net_cents[index + 1];
      assert.equal(await player.balance(), balances[index] + net);
      const mine = (await player.lines()).filter(({ mine }) => mine).reduce((sum, { amount }) => sum + centsOf(amount), 0);
      assert.equal(mine, net);
      const { headline } = words.board;
      const heads = net > 0 ? [headline.win(money(net))] : net < 0 ? [headline.lose(money(-net))] : [headline.push, headline.even];
      assert.ok(heads.includes(await player.page.locator(".call b").innerText()), heads.join());
    }
    break;
  }
  // The paytable is that of the custom book.
  await watcher.openDrawer("paytables");
  const pays = await watcher.page.locator(".pays tbody tr").allInnerTexts();
  assert.deepEqual([pays.length, pays[0].includes("$25"), pays[5].includes(words.paytable.toOne(1))], [6, true, true], pays.join("\n"));
  await Promise.all([watcher, ...players].map((one) => one.close()));
});

/** @param {{ head: string }} line */
const isEnvy = ({ head }) => head.includes(words.line("fortune", "envy", { facts: { wagers: [] } }).split(", ")[1]);

/** @param {string} amount as shown */
const centsOf = (amount) => (amount === words.settlement.push ? 0 : Math.round(Number(amount.replace("−", "-").replace(/[$+,]/g, "")) * 100));
