// A deal checked in the browser: it agrees with the server and with the command line, and a deal that was meddled with is found out.

import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../../web/words/en.js";
import { cardsOf } from "../kit/hands.js";
import { answer } from "../kit/program.js";
import { shoot } from "../kit/shots.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const BOOK = "south-dakota";
const RIGHT = ["commitment", "dice", "hands"].map((step) => `✓ ${words.fair.steps[/** @type {"dice"} */ (step)][0]}`);

test("the page, the server and the command line agree on a deal", async () => {
  const table = await stage.server.open("fair", { book: BOOK, clocks: { between: 600 } });
  const [player, other] = await Promise.all([stage.player(), stage.player()]);
  const { page } = player;
  await player.sit(table, 2);
  await other.sit(table, 5);
  await player.wager(25);
  await other.wager(5);
  const before = (await player.table(table)).view.round.commitment;
  await Promise.all([player.houseWay(), other.houseWay()]);
  await player.settled();

  // At the table.
  await page.getByRole("tab", { name: words.side.rounds }).click();
  await page.locator("pg-rounds").getByRole("button", { name: words.rounds.check }).click();
  const checks = page.locator("pg-rounds .checks li");
  await checks.nth(2).waitFor();
  assert.deepEqual(await checks.allInnerTexts(), RIGHT);

  // In the replay, whose last step lays all hands open.
  await page.locator("pg-rounds").getByRole("link", { name: words.rounds.replay }).click();
  await page.locator(".replay .checks li").nth(2).waitFor();
  assert.deepEqual(await page.locator(".replay .checks li").allInnerTexts(), RIGHT);
  await page.locator(".scrub input[type=range]").press("End");
  await page.locator(".replay .dealer .laid-high").waitFor();
  await shoot(page, "replay");
  const { events } = await stage.server.ask(`/api/tables/${table}/rounds/1`);
  const { secret } = events.find((/** @type {any} */ { event }) => event.event === "settled").event;
  const { bytes } = (await player.table(table)).view.round;
  assert.deepEqual(Object.keys(bytes), ["2", "5"], "both browsers have added bytes to the deal");

  // On the command line.
  const seats = Object.entries(bytes).flatMap(([seat, added]) => ["--seat", `${seat}=${added}`]);
  const fair = await answer("fair", "--secret", secret, "--table", table, "--round", "1", "--book", BOOK, "--plays", "2,5", "--commitment", before, ...seats);
  assert.equal(fair.matches, true);
  const shown = async (/** @type {string} */ where) => (await page.locator(`${where} pg-card`).evaluateAll((all) => all.map((card) => card.getAttribute("card")))).sort();
  assert.deepEqual(await shown(".dealer"), cardsOf(fair.deal.dealer).sort());
  assert.deepEqual(await shown(".spots .spot:nth-child(2)"), cardsOf(fair.deal.hands["seat-2"]).sort());
  assert.deepEqual(await shown(".spots .spot:nth-child(5)"), cardsOf(fair.deal.hands["seat-5"]).sort());
  assert.equal(await page.locator(".replay .die").innerText(), String(fair.deal.dice));

  // A round that was meddled with on the way.
  for (const [step, meddle] of /** @type {[string, (text: string) => string][]} */ ([
    ["commitment", (text) => text.replaceAll(before, `${before[0] === "0" ? "1" : "0"}${before.slice(1)}`)],
    ["hands", (text) => text.replaceAll(fair.deal.hands["seat-5"], swapped(fair.deal.hands["seat-5"], fair.deal.discards))],
    ["dice", (text) => text.replaceAll(`"dice":${fair.deal.dice},`, `"dice":${(fair.deal.dice % fair.deal.places) + 1},`)],
  ])) {
    await page.route(/\/rounds\/1$/, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      assert.notEqual(meddle(text), text, step);
      await route.fulfill({ response, body: meddle(text) });
    });
    await player.go(`/replay/${table}/1`);
    await page.locator(".replay .checks li").nth(2).waitFor();
    assert.ok((await page.locator(".replay .checks li.bad").allInnerTexts()).includes(`✗ ${words.fair.steps[/** @type {"dice"} */ (step)][1]}`), step);
    await page.unroute(/\/rounds\/1$/);
  }
  await player.leave();
  await other.leave();
});

/** A hand with a card that was not dealt to it. @param {string} hand @param {string} others */
const swapped = (hand, others) => [...cardsOf(hand).slice(0, 6), cardsOf(others)[0]].join(" ");
