// One player with two seats: both hands are shown, the rail acts for the chosen seat, and a held result shows the result of each.

import assert from "node:assert/strict";
import { test } from "node:test";
import { money } from "../../web/money.js";
import { headline } from "../../web/table/verdict.js";
import { words } from "../../web/words/en.js";
import { runJson } from "../kit/program.js";
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
  const dealt = await page.locator(".own-card > pg-card, .seat.you pg-card").count();
  assert.equal(dealt, 14, "the player sees both hands");
  assert.equal(await page.locator(".seat.you pg-card[card]").count(), 0, "the second hand is face down until the player turns it");
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

test("a held result shows the result and the coach's value of each seat", async () => {
  const table = await stage.server.open("held-hands", { book: "ez", changes: { "seats.hands_per_player": "2" }, clocks: { between: 8 } });
  const player = await stage.player();
  const { page } = player;
  await page.addInitScript(() => localStorage.setItem("paigow.settings", JSON.stringify({ coach: true })));
  await player.sit(table, 2);
  await player.button(words.felt.sit(4)).first().click();
  const seat = (/** @type {number} */ number) => page.locator(".own-seats button", { hasText: words.table.seat(number) });
  const acting = (/** @type {number} */ number) => seat(number).and(page.locator("[aria-pressed=true]")).waitFor();
  for (const [number, chips] of [[2, [25]], [4, [5, 5]]]) {
    await seat(Number(number)).click();
    await acting(Number(number));
    await player.addChips(0, .../** @type {number[]} */ (chips));
  }
  await player.deal();
  await acting(2);
  await player.deal();
  await player.setHouseWay();
  await acting(4);
  await player.setHouseWay();
  await player.waitForResult();
  await page.keyboard.press(" ");
  await page.locator(".alt[aria-pressed=true]").waitFor();
  const { view } = await player.table(table);
  // The table goes on, and so does the result.
  await page.getByText(words.board.say.heldWhy(2, words.phase("wagers", "banker"))).waitFor();
  for (const number of [2, 4, 2, 4]) {
    await seat(number).click();
    await acting(number);
    await page.locator(`.own[data-seat="${number}"]`).waitFor();
    const net = view.round.net_cents[number];
    const { hand, wagers } = view.seats.find((/** @type {any} */ one) => one.seat === number);
    const [title] = headline(view, number, "");
    assert.equal(await page.locator(".call b").innerText(), title);
    assert.match(await page.locator(".me-balance small").innerText(), new RegExp(net === 0 ? "0" : (Math.abs(net) / 100).toFixed(2)));
    const low = await page.locator(".box.low .own-card").evaluateAll((all) => all.map((card) => card.getAttribute("data-card")).join(" "));
    assert.equal(low, hand.low);
    assert.equal(await page.locator(".spot.base").getAttribute("data-cents"), String(wagers["pai-gow"].cents));
    // The values of this hand: the house way of the book is not always the best setting.
    const { settings } = await runJson("best", hand.cards, "--book", "ez");
    const chosen = settings.find((/** @type {any} */ one) => [...one.low.split(" ")].sort().join() === [...hand.low.split(" ")].sort().join());
    const cost = Math.round((Number(settings[0].ev) - Number(chosen.ev)) * wagers["pai-gow"].cents);
    await page.locator(".coach-line", { hasText: settings[0].ev === chosen.ev ? words.board.coach.best : words.board.coach.cost(money(cost)) }).waitFor();
  }
  await screenshot(page, "hands-held");
  await player.press(words.board.go.next);
  await player.waitForPhase("wagers");
  await acting(4);
  assert.equal(await page.locator(".alt[aria-pressed=true]").count(), 0);
  // The seat can act at once.
  await player.addChips(0, 5);
  await player.rail.getByText(words.board.go.amount("$5")).waitFor();
  await player.close();
});
