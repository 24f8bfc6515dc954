// What goes wrong: a foul, time that runs out, a connection that is lost, a server that is killed in the middle of a round.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { words } from "../../web/words/en.js";
import { cardsOf, foul, legal } from "../kit/hands.js";
import { answer, program } from "../kit/program.js";
import { shoot } from "../kit/shots.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const BOOK = "south-dakota";

describe("one's own doing", { concurrency: true }, () => {
  test("a foul is said, asked for twice, and loses", async () => {
    const table = await stage.server.open("foul", { book: BOOK });
    const player = await stage.player();
    await player.sit(table, 1);
    for (;;) {
      await player.wager(25);
      const cards = await player.cards();
      const front = foul(cards);
      if (!front) {
        // This hand has no foul in it.
        await player.houseWay();
        await player.settled();
        continue;
      }
      await player.front(front);
      const reading = player.page.locator(".reading");
      await reading.getByText(words.set.foul, { exact: true }).waitFor();
      await shoot(player.page, "foul");
      await player.press(words.set.confirm);
      await player.press(words.set.foulAnyway);
      await player.settled();
      const [line] = (await player.lines()).filter(({ mine }) => mine);
      assert.ok(line.head.includes(words.line("pai-gow", "foul", { facts: { wagers: [] } }).split(", ")[1]), line.head);
      assert.equal(line.amount, "−$25.00");
      break;
    }
    await player.leave();
  });

  test("out of time, the hand is set the house way", async () => {
    const table = await stage.server.open("slow", { book: BOOK, clocks: { settings: 4, between: 60 } });
    const player = await stage.player();
    await player.sit(table, 1);
    await player.wager(5);
    await player.settled();
    const [{ hands }] = player.received.events("dealt");
    await player.button(words.table.asText).click();
    await player.page.locator(".text-seats .you", { hasText: words.state.clock }).waitFor();
    const { low } = await answer("set", hands[1], "--book", BOOK);
    const shown = await player.page.locator(".versus-side").first().locator(".laid-low pg-card").evaluateAll((all) => all.map((card) => card.getAttribute("card")));
    assert.deepEqual(shown.sort(), cardsOf(low).sort());
    await player.leave();
  });

  test("offline, the page says so, keeps what one does, and goes on by itself", async () => {
    const table = await stage.server.open("offline", { book: BOOK });
    const player = await stage.player();
    const { page } = player;
    await player.sit(table, 1);
    await player.at("wagers");
    await player.context.setOffline(true);
    await page.locator(".banner.lost").waitFor();
    await shoot(page, "connection-lost");
    await player.chips(0, 5);
    await player.press(words.wager.go);
    await player.context.setOffline(false);
    const cards = await player.cards();
    await page.locator(".banner").waitFor({ state: "detached" });
    await player.front(legal(cards));
    await player.press(words.set.confirm);
    await player.settled();
    // What was asked for while nobody listened was done once.
    assert.equal(player.received.events("wagered").length, 1);
    assert.deepEqual((await player.lines()).filter(({ mine }) => mine).length, 1);
    await player.leave();
  });

  test("a socket cut with a command under way: it is sent again and done once", async () => {
    const table = await stage.server.open("cut", { book: BOOK });
    const player = await stage.player();
    const { page } = player;
    let cuts = 0;
    await page.routeWebSocket(/\/live/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        server.send(message);
        if (cuts === 0 && String(message).includes('"do":"wagers"')) {
          // The command has gone out; its answer is not waited for.
          cuts += 1;
          socket.close({ code: 1012 });
        }
      });
    });
    await player.sit(table, 1);
    await player.wager(25);
    await player.houseWay();
    await player.settled();
    assert.equal(cuts, 1);
    const { events } = await stage.server.ask(`/api/tables/${table}/rounds/1`);
    assert.equal(events.filter((/** @type {any} */ { event }) => event.event === "wagered").length, 1);
    await player.leave();
  });
});

test("the server killed in the middle of a round: it comes back, and nothing is lost", async () => {
  const table = await stage.server.open("killed", { book: BOOK });
  const player = await stage.player();
  const { page } = player;
  await player.sit(table, 3);
  const purse = await player.purse();
  await player.wager(25, 5);
  const cards = await player.cards();

  await stage.server.kill();
  await page.locator(".banner.lost").waitFor();
  assert.deepEqual(await player.cards(), cards, "what one had is still seen");
  await shoot(page, "server-killed");
  await stage.server.restart();
  await page.locator(".banner").waitFor({ state: "detached" });
  assert.deepEqual(await player.cards(), cards);
  assert.equal(await player.purse(), purse - 3000);

  await player.front(legal(cards));
  await player.press(words.set.confirm);
  await player.settled();
  const { round } = (await player.table(table)).view;
  assert.equal(await player.purse(), purse + round.net_cents[3]);
  await player.leave();

  // The ledger and the chain of events are as they should be, looked at from outside.
  await promisify(execFile)(program(), ["audit", "--store", stage.server.store]);
});
