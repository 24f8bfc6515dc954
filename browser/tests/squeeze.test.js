// Squeezing: the player's cards are dealt face down. Taps, drags, keys and the clock turn them, and nothing tells a card before it is turned.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cardsOf, sorted } from "../../web/cards/card-text.js";
import { words } from "../../web/words/en.js";
import { waitForAnimations } from "../kit/browser.js";
import { Player } from "../kit/player.js";
import { screenshot } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const BOOK = "south-dakota";
/** The player's own time: cards wait for the player. */
const OWN_TIME = { bank: 3600, wagers: 3600, settings: 3600, between: 3600 };
const SIZES = [[1280, 800], [844, 390], [390, 844], [320, 640]];

/** Sits down, places a wager and waits for cards face down. @param {string} name @param {{ clocks?: Record<string, number>, options?: import("playwright-core").BrowserContextOptions }} [more] */
async function deal(name, { clocks = OWN_TIME, options = {} } = {}) {
  const table = await stage.server.open(name, { book: BOOK, clocks });
  const player = await stage.player(options);
  await player.sit(table, 1);
  await player.wager(5);
  await player.page.locator("button.own-card.down").nth(6).waitFor();
  return { player, page: player.page, table, down: player.page.locator("button.own-card.down") };
}

/** Waits until a number of cards lies face down. @param {import("playwright-core").Page} page @param {number} count */
const waitForDown = (page, count) => page.waitForFunction((wanted) => document.querySelectorAll("button.own-card.down").length === wanted, count);

/** Returns the player's cards from the API, in the order of the page: the API names the joker last. @param {Player} player @param {string} table @returns {Promise<string[]>} */
const dealtTo = async (player, table) => sorted(cardsOf((await player.table(table)).view.seats[0].hand.cards));

/** Returns the rectangles of the own cards. @param {import("playwright-core").Page} page */
const places = (page) => page.locator(".own-card").evaluateAll((all) => all.map((card) => {
  const { left, top, width } = card.getBoundingClientRect();
  return [left, top, width].map(Math.round);
}));

/** Drags a card face down, in parts of its width, and keeps it pressed. @param {import("playwright-core").Page} page @param {import("playwright-core").Locator} card @param {number} x @param {number} y */
async function drag(page, card, x, y) {
  const box = await card.boundingBox();
  assert.ok(box);
  const [left, top] = [box.x + box.width * 0.3, box.y + box.height / 2];
  await page.mouse.move(left, top);
  await page.mouse.down();
  await page.mouse.move(left + x * box.width, top + y * box.width, { steps: 8 });
}

describe("squeezing", { concurrency: 2 }, () => {
  test("by keys: digits, the right arrow, and Space", async () => {
    const { player, page, table, down } = await deal("keys");
    const cards = await dealtTo(player, table);
    assert.equal(await down.first().evaluate((card) => card.outerHTML.includes("card-index")), false);
    assert.equal(await down.nth(2).textContent(), words.board.card.down(3));
    await player.rail.getByText(words.board.say.turned(0, 7)).waitFor();
    await page.locator(".call", { hasText: words.board.call.dealtFlat[1] }).waitFor();
    assert.equal(await page.locator(".go").getAttribute("aria-disabled"), "true");
    const polite = page.locator("#say-polite");
    for (const region of ["assertive", "polite"]) assert.doesNotMatch(await page.locator(`#say-${region}`).innerText(), / of (spades|hearts|diamonds|clubs)|joker/, "the deal tells no card");
    // Keys of the setting do nothing yet.
    for (const key of ["h", "c", "w"]) await page.keyboard.press(key);
    await page.keyboard.press("3");
    await waitForDown(page, 6);
    assert.equal(await page.locator('.own-card[data-key="3"]').getAttribute("data-card"), cards[2]);
    await page.keyboard.press("ArrowRight");
    await waitForDown(page, 5);
    assert.equal(await page.locator('.own-card[data-key="1"]').getAttribute("data-card"), cards[0]);
    assert.equal(await polite.locator("p").last().innerText(), await page.locator('.own-card[data-key="1"]').innerText());
    await player.rail.getByText(words.board.say.turned(2, 5)).waitFor();
    // A card that is up does not move while others are down.
    await page.locator('.own-card[data-key="1"]').dispatchEvent("click");
    assert.equal(await page.locator(".box.low .own-card").count(), 0);
    await page.keyboard.press(" ");
    await waitForDown(page, 0);
    assert.match(await polite.locator("p").last().innerText(), /^Your cards: /);
    assert.equal(await polite.getByText(/^Your cards: /).count(), 1);
    await page.keyboard.press("1");
    await page.locator(".box.low button.own-card").waitFor();
    await player.close();
  });

  test("Enter turns all cards: as a shortcut, and on the main button with shortcuts off", async () => {
    const { player, page } = await deal("enter");
    await page.keyboard.press("Enter");
    await waitForDown(page, 0);
    await player.close();

    const table = await stage.server.open("no-keys", { book: BOOK, clocks: OWN_TIME });
    const other = await stage.player();
    await other.page.addInitScript(() => localStorage.setItem("paigow.settings", JSON.stringify({ keys: false })));
    await other.sit(table, 1);
    await other.waitForPhase("wagers");
    await other.addChips(0, 5);
    await other.page.locator(".go:not([aria-disabled])").focus();
    await other.page.keyboard.press("Enter");
    await waitForDown(other.page, 7);
    await other.page.keyboard.press("Space");
    await waitForDown(other.page, 0);
    await other.close();
  });

  test("by mouse and touch, at four sizes: cards keep their places", async () => {
    const { player, page, down } = await deal("touch", { options: { hasTouch: true, reducedMotion: "no-preference" } });
    await waitForAnimations(page);
    for (const [index, [width, height]] of SIZES.entries()) {
      await page.setViewportSize({ width, height });
      await page.mouse.move(1, height - 1);
      await waitForAnimations(page);
      const before = await places(page);
      // A corner that is let go falls back, and the card stays down.
      await drag(page, down.first(), -0.7, 0.3);
      await page.locator(".squeeze-flap pg-card[card]").waitFor();
      await waitForAnimations(page);
      await screenshot(page, `squeeze-${width}`);
      await page.mouse.up();
      await page.locator(".squeeze").waitFor({ state: "detached" });
      assert.equal(await down.count(), 7 - index);
      // A corner that is pulled far turns the card, which does not move to the low hand.
      await drag(page, down.first(), -1.9, 0.6);
      await waitForDown(page, 6 - index);
      await page.mouse.up();
      await page.mouse.move(1, height - 1);
      await waitForAnimations(page);
      assert.equal(await page.locator(".turn-layer > *").count(), 0);
      assert.deepEqual(await places(page), before);
    }
    await down.first().tap({ position: { x: 12, y: 30 } });
    await waitForDown(page, 2);
    await page.locator(".alt").tap();
    await waitForDown(page, 0);
    await waitForAnimations(page);
    await player.close();
  });

  test("the last card that is squeezed stays in the high hand", async () => {
    const { player, page, down } = await deal("last", { options: { reducedMotion: "no-preference" } });
    await waitForAnimations(page);
    for (let card = 0; card < 6; card += 1) await page.keyboard.press("ArrowRight");
    await waitForDown(page, 1);
    await drag(page, down.first(), -2, 0.2);
    await waitForDown(page, 0);
    await page.mouse.up();
    await waitForAnimations(page);
    assert.equal(await page.locator(".box.high button.own-card").count(), 7);
    await player.close();
  });

  test("only transform, opacity and clip-path are animated", async () => {
    const { player, page, down } = await deal("animated", { options: { reducedMotion: "no-preference" } });
    await waitForAnimations(page);
    const animated = page.evaluate(() => new Promise((done) => {
      const found = new Set();
      const until = performance.now() + 1500;
      const look = () => {
        for (const { effect } of document.getAnimations()) {
          if (effect instanceof KeyframeEffect && effect.target?.closest(".own-card")) for (const frame of effect.getKeyframes()) for (const name of Object.keys(frame)) found.add(name);
        }
        if (performance.now() < until) requestAnimationFrame(look);
        else done([...found]);
      };
      look();
    }));
    await drag(page, down.first(), -0.6, 0.3);
    await page.mouse.up();
    await page.keyboard.press("Space");
    const timing = ["offset", "computedOffset", "easing", "composite"];
    assert.deepEqual(/** @type {string[]} */ (await animated).filter((name) => !timing.includes(name) && !["transform", "opacity", "clipPath"].includes(name)), []);
    await player.close();
  });

  test("with reduced motion, cards do not fold", async () => {
    const { player, page, down } = await deal("flat");
    await drag(page, down.first(), -2, 0.4);
    assert.equal(await page.locator(".squeeze").count(), 0);
    await page.mouse.up();
    await down.first().click({ position: { x: 12, y: 30 } });
    await page.waitForFunction(() => document.querySelectorAll("button.own-card.down").length < 7);
    await player.close();
  });

  test("the clock turns the cards in time", async () => {
    const { player, page } = await deal("clock", { clocks: { settings: 15 } });
    await waitForDown(page, 0);
    await page.locator("#say-assertive", { hasText: "Your cards: " }).waitFor();
    // A third of the clock is left to set the hand.
    await player.setHouseWay();
    await player.waitForResult();
    await player.close();
  });

  test("another window and a reload show the cards up", async () => {
    const { player, page, table } = await deal("windows");
    const other = new Player(await player.context.newPage(), player.url);
    await other.go(`/table/${table}`);
    await other.page.locator("button.own-card[data-card]").nth(6).waitFor();
    assert.equal(await other.page.locator(".own-card.down").count(), 0);
    assert.equal(await page.locator(".own-card.down").count(), 7);
    await page.reload();
    await page.locator("button.own-card[data-card]").nth(6).waitFor();
    assert.deepEqual(other.errors, []);
    await player.close();
  });

  test("a hand that another window sets is up", async () => {
    const { player, page, table } = await deal("set-elsewhere");
    const other = new Player(await player.context.newPage(), player.url);
    await other.go(`/table/${table}`);
    await other.setHouseWay();
    await page.locator(".box.low span.own-card[data-card]").nth(1).waitFor();
    assert.equal(await page.locator(".own-card.down").count(), 0);
    await player.close();
  });

  test("the setting turns squeezing off, and turns the cards that are down", async () => {
    const { player, page, table } = await deal("setting");
    await page.getByRole("button", { name: words.app.settings, exact: true }).click();
    await page.getByRole("switch", { name: words.settings.squeeze }).uncheck();
    await page.keyboard.press("Escape");
    await waitForDown(page, 0);
    await player.setHouseWay();
    await player.waitForResult();
    await player.press(words.board.go.next);
    await player.wager();
    await page.locator("button.own-card[data-card]").nth(6).waitFor();
    assert.equal((await player.table(table)).view.round.round, 2);
    await player.close();
  });

  test("the text view shows the cards", async () => {
    const { player, page } = await deal("text");
    await player.button(words.table.asText).click();
    await page.locator(".as-text .you", { hasText: "Seven cards: " }).waitFor();
    await waitForDown(page, 0);
    await player.close();
  });
});
