// Players who stand up during the result: their hands and results stay on the felt until the result is dismissed or the next round opens. Players who leave or
// sit out during a round still set their hands.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { screenshot } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";

/** @typedef {import("../kit/player.js").Player} Player */

const stage = new Stage();

/** Opens a table and plays a round with one or two players, up to the result. @param {string} name @param {number} between seconds @param {number} count of players */
async function settled(name, between, count) {
  const table = await stage.server.open(name, { book: "south-dakota", clocks: { between } });
  const players = await Promise.all(Array.from({ length: count }, () => stage.player()));
  for (const [index, player] of players.entries()) await player.sit(table, index + 1);
  await Promise.all(players.map((player) => player.wager(25)));
  await Promise.all(players.map((player) => player.setHouseWay()));
  await Promise.all(players.map((player) => player.waitForResult()));
  return { table, players };
}

/** Returns what the result of the player's own seat shows. @param {Player} player */
async function ownResult({ page }) {
  const cards = await page.locator(".own .own-card").evaluateAll((all) => all.map((card) => card.getAttribute("data-card")));
  return { headline: await page.locator(".call b").innerText(), cards, ledger: await page.locator(".ledger").innerText(), net: await page.locator(".me-balance small").innerText(), spot: await page.locator(".spot.base .spot-tag").innerText() };
}

/** Returns what the seat of another player shows. @param {Player} player @param {number} seat */
async function otherResult({ page }, seat) {
  const at = page.locator(`.seat[data-seat="${seat}"]`);
  return { cards: await at.locator("pg-card").evaluateAll((all) => all.map((card) => card.getAttribute("card"))), plate: await at.locator(".plate").innerText() };
}

const stand = (/** @type {Player} */ player) => player.page.locator(".table-bar > .bar-act", { hasText: words.table.stand }).click();
const left = (/** @type {Player} */ player) => player.page.locator(".table-bar > .bar-act", { hasText: words.table.leave }).waitFor();

describe("standing up during the result", { concurrency: 2 }, () => {
  test("the result of the player stays, and the main button offers the seat again", async () => {
    const { table, players: [player, other] } = await settled("stand", 60, 2);
    const { page } = player;
    const own = await ownResult(player);
    const seen = await otherResult(other, 1);
    assert.ok(seen.cards.length === 7 && seen.cards.every(Boolean), JSON.stringify(seen));
    await stand(player);
    await left(player);
    assert.deepEqual(await ownResult(player), own);
    assert.deepEqual(await otherResult(other, 1), seen, "the other player still sees the hand");
    await screenshot(page, "standing");
    // The drawer still names the player and the result.
    assert.ok((await player.lines()).some(({ mine }) => mine));
    // Space holds the result, Enter sits down again.
    await page.keyboard.press(" ");
    await page.locator(".alt[aria-pressed=true]").waitFor();
    await page.keyboard.press(" ");
    await page.locator(".alt[aria-pressed=false]").waitFor();
    await page.locator(".go", { hasText: words.board.go.sit }).getByText(words.board.atSeat(1)).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".go", { hasText: words.board.go.next }).waitFor();
    assert.deepEqual((await player.table(table)).view.yours, [1]);
    assert.deepEqual({ ...await ownResult(player) }, own, "the result stays after sitting down again");
    assert.deepEqual(await otherResult(other, 1), seen);
    await player.press(words.board.go.next);
    await other.press(words.board.go.next);
    await Promise.all([player, other].map((one) => one.waitForPhase("wagers")));
    for (const one of [player, other]) await one.close();
  });

  test("the result stays when the table rests, until the player leads on", async () => {
    const { table, players: [player] } = await settled("rest", 5, 1);
    const own = await ownResult(player);
    await stand(player);
    await left(player);
    // Without players, the table rests after the pause.
    for (let rests = false; !rests;) rests = (await player.table(table)).view.phase === "waiting";
    await player.page.locator(".me pg-clock .seat-number").waitFor();
    assert.deepEqual(await ownResult(player), own);
    await player.press(words.board.go.sit);
    await player.waitForPhase("wagers");
    await player.wager(25);
    await player.cards();
    await player.close();
  });

  test("a double click on Sit down does not dismiss the result", async () => {
    const { table, players: [player] } = await settled("double", 120, 1);
    const { page } = player;
    const own = await ownResult(player);
    const go = page.locator(".go");
    const next = page.locator(".go", { hasText: words.board.go.next });
    const sit = page.locator(".go", { hasText: words.board.go.sit });
    await stand(player);
    await left(player);
    await sit.dblclick();
    await next.waitFor();
    assert.deepEqual(await ownResult(player), own);
    assert.equal(await page.locator(".notices .fault").count(), 0);
    await stand(player);
    await sit.waitFor();
    // The second click comes after the button has changed.
    const box = await go.boundingBox();
    assert.ok(box);
    const click = async (/** @type {number} */ clickCount) => {
      await page.mouse.down({ clickCount });
      await page.mouse.up({ clickCount });
    };
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await click(1);
    await next.waitFor();
    await click(2);
    assert.deepEqual(await ownResult(player), own);
    assert.equal((await player.table(table)).view.phase, "between");
    await click(1);
    await player.waitForPhase("wagers");
    await player.close();
  });

  test("a watcher sees the free seat, and no result when the table rests", async () => {
    const { table, players: [player] } = await settled("watched", 12, 1);
    const watcher = await stage.player();
    const { page } = watcher;
    await watcher.go(`/table/${table}`);
    await page.locator(".own.watching .own-card[data-card]").nth(6).waitFor();
    await stand(player);
    await left(player);
    // The result stays, and the seat is free.
    await page.locator(".go", { hasText: words.board.go.sit }).getByText(words.board.atSeat(1)).waitFor();
    await page.locator(".own.watching .own-card[data-card]").nth(6).waitFor();
    await watcher.waitForPhase("waiting");
    assert.equal(await page.locator(".own-card").count(), 0);
    await player.page.locator(".ledger li").first().waitFor();
    await watcher.press(words.board.go.sit);
    await watcher.waitForPhase("wagers");
    for (const one of [player, watcher]) await one.close();
  });

  test("the next round ends the result of a player who has stood up", async () => {
    const { players: [player, other] } = await settled("next", 6, 2);
    await stand(player);
    await left(player);
    await player.page.locator(".ledger li").first().waitFor();
    await other.waitForPhase("wagers");
    await player.waitForPhase("wagers");
    await player.rail.getByText(words.dock.watching).waitFor();
    await other.page.locator('.seat.free[data-seat="1"]').waitFor();
    for (const one of [player, other]) await one.close();
  });

  test("a player who sits out during a round sets the hand, by keys and by pointer", async () => {
    const table = await stage.server.open("out", { book: "south-dakota", clocks: { between: 60 } });
    const player = await stage.player();
    const { page } = player;
    await player.sit(table, 1);
    for (const keys of [true, false]) {
      await player.wager(25);
      await page.locator("button.own-card.down").nth(6).waitFor();
      await page.locator(".table-bar > .bar-act", { hasText: words.table.sitOut }).click();
      await page.locator(".me.out").waitFor();
      if (keys) {
        await page.keyboard.press(" ");
        await page.locator("button.own-card[data-card]").nth(6).waitFor();
        await page.keyboard.press("h");
        await page.locator(".box.low button.own-card").nth(1).waitFor();
        await page.keyboard.press("Enter");
      } else {
        await player.setHouseWay();
      }
      await player.waitForResult();
      await player.press(words.board.go.next);
      await player.press(words.dock.comeBack);
      await player.waitForPhase("wagers");
    }
    await player.close();
  });

  test("a player who leaves after the round sets the hand and sees the result", async () => {
    const table = await stage.server.open("leaving", { book: "south-dakota", clocks: { between: 60 } });
    const [player, other] = [await stage.player(), await stage.player()];
    await player.sit(table, 1);
    await other.sit(table, 2);
    await Promise.all([player, other].map((one) => one.wager(25)));
    await player.cards();
    await stand(player);
    await player.setHouseWay();
    await other.setHouseWay();
    assert.match(await player.waitForResult(), /^You (win|lose) \$[\d.,]+$|^(Push|Even)$/);
    await other.waitForResult();
    await player.page.locator(".ledger li").first().waitFor();
    assert.equal(await player.page.locator(".own .own-card[data-card]").count(), 7);
    assert.ok((await otherResult(other, 1)).cards.every(Boolean));
    await other.press(words.board.go.next);
    await player.rail.getByText(words.dock.watching).waitFor();
    for (const one of [player, other]) await one.close();
  });
});
