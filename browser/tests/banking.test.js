// A player/dealer whose wager does not cover all that is wagered against it: what is left over has no action and goes back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../../web/words/en.js";
import { shoot } from "../kit/shots.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const COVER = 2000;
const NO_ACTION = words.line("pai-gow", "no_action", { facts: { wagers: [] } }).split(", ")[1];

test("cover runs out", async () => {
  const table = await stage.server.open("cardroom", { book: "california", clocks: { between: 60 } });
  const [banker, ...others] = await Promise.all([1, 2, 3, 4].map(() => stage.player()));
  await banker.sit(table, 1);
  for (const [place, player] of others.entries()) await player.sit(table, place + 2);
  const purses = await Promise.all([banker, ...others].map((player) => player.purse()));

  await banker.page.locator(".dock input[name=cover]").fill((COVER / 100).toFixed(2));
  await shoot(banker.page, "bank-offered");
  await saysNoBank([banker, ...others]);
  await banker.press(words.banker("player/dealer").take);
  await banker.dock.getByText(words.banker("player/dealer").yours("$20")).waitFor();
  await banker.dock.getByRole("button", { name: words.bank.pick(2) }).click();
  await banker.dock.locator(".pile.on").waitFor();
  // Everybody sees who banks and how much is covered.
  for (const player of others) await player.page.locator(".spot.bank .bank-puck").waitFor();
  await shoot(banker.page, "bank-taken");
  await saysNoBank([banker, ...others]);
  for (const player of others) await player.wager(25);
  await Promise.all([banker, ...others].map((player) => player.houseWay()));
  await Promise.all([banker, ...others].map((player) => player.settled()));
  await shoot(others[0].page, "bank-settled");
  await saysNoBank([banker, ...others]);

  const lines = await banker.lines();
  const { round } = (await banker.table(table)).view;
  const base = round.lines.filter((/** @type {any} */ line) => line.wager === "pai-gow" && line.who !== "seat-1");
  const action = base.filter((/** @type {any} */ line) => line.outcome === "win" || line.outcome === "lose");
  const used = action.reduce((/** @type {number} */ sum, /** @type {any} */ line) => sum + line.stake_cents, 0);
  // A push uses no cover. Otherwise the first who is settled uses all of it, and everybody after has no action.
  assert.ok(used <= COVER, `${used} of ${COVER} was answered for`);
  if (base.some((/** @type {any} */ line) => line.outcome !== "push")) {
    assert.equal(used, COVER);
    assert.ok(lines.some(({ head }) => head.includes(NO_ACTION)), JSON.stringify(lines));
  }
  const nets = await Promise.all([banker, ...others].map(async (player, place) => (await player.purse()) - purses[place]));
  assert.deepEqual(nets, [1, 2, 3, 4].map((seat) => round.net_cents[seat]));
  assert.equal(nets.reduce((sum, net) => sum + net, 0), 0, "the book has no fees: what some lose others win");

  await Promise.all([banker, ...others].map((player) => player.leave()));
});

/** California's document knows a player/dealer and no bank. @param {import("../kit/player.js").Player[]} players */
async function saysNoBank(players) {
  for (const { page } of players) {
    assert.doesNotMatch(await page.locator("body").innerText(), /\bbank/i);
    const titles = await page.locator("[title], [aria-label]").evaluateAll((all) => all.map((one) => `${one.getAttribute("title")} ${one.getAttribute("aria-label")}`));
    for (const title of titles) assert.doesNotMatch(title, /\bbank/i);
  }
}
