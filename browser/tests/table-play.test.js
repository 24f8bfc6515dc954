// Playing on the felt: chips that are on their way or too late, a failed preview of the house way, more chips at the table, and a round by touch.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { foulLow, legalLow } from "../kit/hands.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const poor = new Stage("--guest-chips-cents", "1000");
const BOOK = "south-dakota";
/** Time in which other players see the fastest of five chips. The server joins events of half a second, and other tests keep the machine busy. */
const SEEN_MS = 700;

describe("playing on the felt", { concurrency: 2 }, () => {
  test("other players see chips at once", async () => {
    const table = await stage.server.open("seen", { book: BOOK });
    const [player, other] = [await stage.player(), await stage.player()];
    await player.sit(table, 1);
    await other.sit(table, 2);
    await player.waitForPhase("wagers");
    const times = [];
    for (const total of [5, 10, 15, 20, 25]) {
      const seen = other.page.evaluate((text) => new Promise((done) => {
        const look = () => (document.querySelector(`.seat[data-seat="1"] .seat-bet`)?.textContent?.includes(text) ? done(Date.now()) : requestAnimationFrame(look));
        look();
      }), `$${total}.00`);
      const clicked = await player.page.evaluate(() => {
        /** @type {HTMLElement | null} */ (document.querySelector(".spot.base"))?.click();
        return Date.now();
      });
      times.push(Number(await seen) - clicked);
    }
    assert.ok(Math.min(...times) <= SEEN_MS, times.join());
    for (const one of [player, other]) await one.close();
  });

  test("a chip that is too late comes back with a notice", async () => {
    const table = await stage.server.open("late", { book: BOOK, clocks: { wagers: 8 } });
    const [player, other] = [await stage.player(), await stage.player()];
    // The player's wagers do not reach the server.
    await player.page.routeWebSocket("**/live*", (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        if (!String(message).includes('"do":"wagers"')) server.send(message);
      });
    });
    await other.sit(table, 2);
    await player.sit(table, 1);
    await other.waitForPhase("wagers");
    await other.addChips(0, 5);
    await player.addChips(0, 25);
    await player.page.locator(".spot.base .stack.loose").waitFor();
    assert.match(await player.page.locator(".spot.base").textContent() ?? "", new RegExp(words.board.spot.onWay));
    assert.doesNotMatch(await player.page.locator(".me-balance").innerText(), /25/, "the seat claims no wager that the server does not have");
    await player.page.locator(".notices", { hasText: words.board.late("$25.00") }).waitFor();
    assert.equal(await player.page.locator(".spot.base .stack").count(), 0);
    for (const one of [player, other]) await one.close();
  });

  test("a failed preview of the house way does not set the hand", async () => {
    const table = await stage.server.open("preview", { book: BOOK });
    const player = await stage.player();
    await player.sit(table, 1);
    await player.wager(5);
    await player.cards();
    await player.page.route("**/api/set", (route) => route.abort());
    await player.press(words.set.houseWay);
    await player.page.getByRole("alert").getByText(words.board.say.houseFailed).waitFor();
    const { seats } = (await player.table(table)).view;
    assert.equal(seats[0].hand.set, false);
    await player.page.unroute("**/api/set");
    await player.setHouseWay();
    await player.waitForResult();
    await player.close();
  });

  test("a player without chips gets more at the table", async () => {
    const table = await poor.server.open("poor", { book: BOOK, clocks: { between: 8 } });
    const player = await poor.player();
    await player.sit(table, 1);
    // A foul hand loses all chips. Some hands have no foul setting.
    for (let lost = false; !lost;) {
      await player.wager(5, 5);
      const low = foulLow(await player.cards());
      if (low) {
        await player.chooseLow(low);
        await player.press(words.board.go.set);
        await player.press(words.set.foulAnyway);
      } else {
        await player.setHouseWay();
      }
      await player.waitForResult();
      lost = await player.balance() < 100;
      await player.press(words.board.go.next);
    }
    await player.waitForPhase("wagers");
    await player.rail.getByText(words.board.say.bust).waitFor();
    const before = await player.balance();
    await player.press(words.app.newChips);
    await player.page.locator(".rail .tray").waitFor();
    assert.ok(await player.balance() > before);
    await player.wager(5);
    await player.cards();
    await player.close();
  });

  for (const [width, height] of [[390, 844], [844, 390], [320, 640]]) {
    test(`a round by touch at ${width}×${height}`, async () => {
      const table = await stage.server.open(`touch-${width}`, { book: "ez" });
      const player = await stage.player({ viewport: { width, height }, hasTouch: true, isMobile: true });
      const { page } = player;
      await player.go(`/table/${table}`);
      await page.getByRole("button", { name: words.felt.sit(1), exact: true }).first().tap();
      await player.waitForPhase("wagers");
      await page.locator(".tray-chip").nth(2).tap();
      await page.locator(".spot.base").tap();
      await page.locator(".spot.base").tap();
      await page.getByRole("button", { name: words.board.alt.undo }).tap();
      // A wager on a color asks for the color.
      await page.locator(".spot.color .whole").tap();
      await page.locator("#choose-color .black").tap();
      await player.rail.getByText(words.board.go.amount("$50")).waitFor();
      assert.deepEqual((await player.table(table)).view.seats[0].wagers["red-black"].color, "black");
      await page.locator(".go").tap();
      // The first card is turned with a tap, the others with Turn all.
      await page.locator("button.own-card.down").nth(6).waitFor();
      await page.locator("button.own-card.down").first().tap({ position: { x: 12, y: 30 } });
      await page.locator("button.own-card[data-card]").waitFor();
      await page.locator(".alt", { hasText: words.board.alt.turnAll }).tap();
      await page.locator("button.own-card.down").first().waitFor({ state: "detached" });
      const low = legalLow(await player.cards());
      await page.locator(`.own-card[data-card="${low[0]}"]`).tap({ position: { x: 12, y: 30 } });
      await page.locator(".box.low button.own-card").waitFor();
      // The second card is dragged.
      await drag(page, `.own-card[data-card="${low[1]}"]`, ".box.low .slot");
      await page.locator(".judge.legal").waitFor();
      await page.locator(".go").tap();
      await player.waitForResult();
      await page.locator(".ledger li").nth(1).waitFor();
      await player.close();
    });
  }
});

/** Drags one element to another. @param {import("playwright-core").Page} page @param {string} from @param {string} to */
async function drag(page, from, to) {
  const [start, end] = [await page.locator(from).boundingBox(), await page.locator(to).first().boundingBox()];
  assert.ok(start && end);
  await page.mouse.move(start.x + 12, start.y + 30);
  await page.mouse.down();
  await page.mouse.move(start.x, start.y - 20, { steps: 4 });
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 });
  await page.mouse.up();
}
