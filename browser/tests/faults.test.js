// Faults: a foul, an expired clock, a lost connection, a server killed in the middle of a round.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { words } from "../../web/words/en.js";
import { cardsOf, foulLow, legalLow } from "../kit/hands.js";
import { program, runJson } from "../kit/program.js";
import { screenshot } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const BOOK = "south-dakota";

describe("faults of the player or the network", { concurrency: 2 }, () => {
  test("a foul needs two confirmations and loses", async () => {
    const table = await stage.server.open("foul", { book: BOOK });
    const player = await stage.player();
    await player.sit(table, 1);
    for (;;) {
      await player.wager(25);
      const cards = await player.cards();
      const low = foulLow(cards);
      if (!low) {
        // This hand has no foul setting.
        await player.setHouseWay();
        await player.waitForResult();
        continue;
      }
      await player.chooseLow(low);
      await player.page.locator(".judge").getByText(words.set.foul, { exact: true }).waitFor();
      await screenshot(player.page, "foul");
      await player.press(words.board.go.set);
      await player.press(words.set.foulAnyway);
      await player.waitForResult();
      const [line] = (await player.lines()).filter(({ mine }) => mine);
      assert.ok(line.head.includes(words.line("pai-gow", "foul", { facts: { wagers: [] } }).split(", ")[1]), line.head);
      assert.equal(line.amount, "−$25.00");
      break;
    }
    await player.close();
  });

  test("the house way sets the hand when time runs out", async () => {
    const table = await stage.server.open("slow", { book: BOOK, clocks: { settings: 4, between: 60 } });
    const player = await stage.player();
    await player.sit(table, 1);
    await player.wager(5);
    await player.waitForResult();
    const [{ hands }] = player.traffic.events("dealt");
    await player.button(words.table.asText).click();
    await player.page.locator(".text-seats .you", { hasText: words.state.clock }).waitFor();
    const { low } = await runJson("set", hands[1], "--book", BOOK);
    const shown = await player.page.locator(".box.low pg-card").evaluateAll((all) => all.map((card) => card.getAttribute("card")));
    assert.deepEqual(shown.sort(), cardsOf(low).sort());
    await player.close();
  });

  test("offline: shows a banner, queues commands and reconnects", async () => {
    const table = await stage.server.open("offline", { book: BOOK });
    const player = await stage.player();
    const { page } = player;
    await player.sit(table, 1);
    await player.waitForPhase("wagers");
    await player.context.setOffline(true);
    await page.locator(".banner.lost").waitFor();
    await screenshot(page, "connection-lost");
    await player.addChips(0, 5);
    await player.deal();
    await player.context.setOffline(false);
    const cards = await player.cards();
    await page.locator(".banner").waitFor({ state: "detached" });
    await player.chooseLow(legalLow(cards));
    await player.press(words.board.go.set);
    await player.waitForResult();
    // Commands queued offline are executed once.
    assert.equal(player.traffic.events("wagered").length, 1);
    assert.deepEqual((await player.lines()).filter(({ mine }) => mine).length, 1);
    await player.close();
  });

  test("a command interrupted by a closed socket is executed once", async () => {
    const table = await stage.server.open("cut", { book: BOOK });
    const player = await stage.player();
    const { page } = player;
    let cuts = 0;
    await page.routeWebSocket(/\/live/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        server.send(message);
        if (cuts === 0 && String(message).includes('"do":"wagers"')) {
          // Close the socket before the answer arrives.
          cuts += 1;
          socket.close({ code: 1012 });
        }
      });
    });
    await player.sit(table, 1);
    await player.wager(25);
    await player.setHouseWay();
    await player.waitForResult();
    assert.equal(cuts, 1);
    const { events } = await stage.server.ask(`/api/tables/${table}/rounds/1`);
    assert.equal(events.filter((/** @type {any} */ { event }) => event.event === "wagered").length, 1);
    await player.close();
  });
});

test("a killed server resumes the round without losses", async () => {
  const table = await stage.server.open("killed", { book: BOOK });
  const player = await stage.player();
  const { page } = player;
  await player.sit(table, 3);
  const balance = await player.balance();
  await player.wager(25, 5);
  const cards = await player.cards();

  await stage.server.kill();
  await page.locator(".banner.lost").waitFor();
  assert.deepEqual(await player.cards(), cards, "the cards are still shown");
  await screenshot(page, "server-killed");
  await stage.server.restart();
  await page.locator(".banner").waitFor({ state: "detached" });
  assert.deepEqual(await player.cards(), cards);
  assert.equal(await player.balance(), balance - 3000);

  await player.chooseLow(legalLow(cards));
  await player.press(words.board.go.set);
  await player.waitForResult();
  const { round } = (await player.table(table)).view;
  assert.equal(await player.balance(), balance + round.net_cents[3]);
  await player.close();

  // Audit the ledger and the event chain with a separate process.
  await promisify(execFile)(program(), ["audit", "--store", stage.server.store]);
});
