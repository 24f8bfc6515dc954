// A player/dealer who does not cover all wagers: the rest has no action and is returned.

import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../../web/words/en.js";
import { screenshot } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const COVER = 2000;
const NO_ACTION = words.line("pai-gow", "no_action", { facts: { wagers: [] } }).split(", ")[1];

test("wagers beyond the cover have no action", async () => {
  const table = await stage.server.open("cardroom", { book: "california", clocks: { between: 60 } });
  const [banker, ...others] = await Promise.all([1, 2, 3, 4].map(() => stage.player()));
  await banker.sit(table, 1);
  for (const [index, player] of others.entries()) await player.sit(table, index + 2);
  const balances = await Promise.all([banker, ...others].map((player) => player.balance()));

  await banker.page.locator(".rail input[name=cover]").fill((COVER / 100).toFixed(2));
  await screenshot(banker.page, "bank-offered");
  await expectNoBank([banker, ...others]);
  await banker.press(words.banker("player/dealer").take);
  await banker.rail.getByText(words.banker("player/dealer").yours("$20")).waitFor();
  await banker.press(words.board.alt.amount);
  await banker.button(words.bank.pick(2)).click();
  await banker.page.locator(".pile.on").waitFor();
  await banker.page.keyboard.press("Escape");
  // All players see the player/dealer and the cover.
  for (const player of others) await player.page.locator(".seat.bank .bank-puck").waitFor();
  await screenshot(banker.page, "bank-taken");
  await expectNoBank([banker, ...others]);
  for (const player of others) await player.wager(25);
  await Promise.all([banker, ...others].map((player) => player.setHouseWay()));
  await Promise.all([banker, ...others].map((player) => player.waitForResult()));
  await screenshot(others[0].page, "bank-settled");
  await expectNoBank([banker, ...others]);

  // The banker's own result has an entry with a reason for every seat.
  const entries = banker.page.locator(".ledger li");
  assert.equal(await entries.count(), others.length);
  for (const reason of await entries.locator("span").allInnerTexts()) assert.notEqual(reason, "");
  const lines = await banker.lines();
  const { round } = (await banker.table(table)).view;
  const base = round.lines.filter((/** @type {any} */ line) => line.wager === "pai-gow" && line.who !== "seat-1");
  const action = base.filter((/** @type {any} */ line) => line.outcome === "win" || line.outcome === "lose");
  const used = action.reduce((/** @type {number} */ sum, /** @type {any} */ line) => sum + line.stake_cents, 0);
  // A push uses no cover. The first win or loss uses all of it, and later wagers have no action.
  assert.ok(used <= COVER, `${used} of ${COVER} was used`);
  if (base.some((/** @type {any} */ line) => line.outcome !== "push")) {
    assert.equal(used, COVER);
    assert.ok(lines.some(({ head }) => head.includes(NO_ACTION)), JSON.stringify(lines));
  }
  const nets = await Promise.all([banker, ...others].map(async (player, index) => (await player.balance()) - balances[index]));
  assert.deepEqual(nets, [1, 2, 3, 4].map((seat) => round.net_cents[seat]));
  assert.equal(nets.reduce((sum, net) => sum + net, 0), 0, "the book has no fees, so the net results sum to zero");

  await Promise.all([banker, ...others].map((player) => player.close()));
});

/** Checks that no text says bank: California's document has a player/dealer. @param {import("../kit/player.js").Player[]} players */
async function expectNoBank(players) {
  for (const { page } of players) {
    assert.doesNotMatch(await page.locator("body").innerText(), /\bbank/i);
    const titles = await page.locator("[title], [aria-label]").evaluateAll((all) => all.map((one) => `${one.getAttribute("title")} ${one.getAttribute("aria-label")}`));
    for (const title of titles) assert.doesNotMatch(title, /\bbank/i);
  }
}
