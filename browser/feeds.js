// Records the feeds of two tables for the tests of the page's reducer: `PAIGOW_PROGRAM=… npm run feeds`.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch } from "./kit/browser.js";
import { cardsOf, legalLow } from "./kit/hands.js";
import { Player } from "./kit/player.js";
import { Server } from "./kit/server.js";

/** @typedef {(player: number, command: Record<string, unknown>) => Promise<any>} SendCommand sends a player's command; returns the first player's view after it */

const server = await Server.start();
const browser = await launch();
const CLOCKS = { bank: 600, wagers: 600, settings: 600, between: 600 };

/** Sets all hands: open hands of the first player by choice, the others by the house way. @param {SendCommand} send @param {any} view @param {[number, number][]} seats player and seat @param {boolean} [named] whether commands of the first player name the seat */
async function setAll(send, view, seats, named = false) {
  for (const [player, seat] of seats) {
    const cards = view.seats.find((/** @type {any} */ one) => one.seat === seat)?.hand?.cards;
    const command = cards ? { do: "set", front: legalLow(cardsOf(cards)).join(" ") } : { do: "house_way" };
    await send(player, named && player === 0 ? { ...command, seat } : command);
  }
}

/** Polls the view until a condition holds, because the first player's page commits and reveals on its own. @param {() => Promise<any>} load @param {(view: any) => boolean} condition */
async function until(load, condition) {
  for (;;) {
    const view = await load();
    if (condition(view)) return view;
    await new Promise((done) => { setTimeout(done, 50); });
  }
}

/** @param {string} name @param {Record<string, any>} rules @param {(send: SendCommand, operate: (command: Record<string, unknown>) => Promise<any>, load: () => Promise<any>) => Promise<void>} play */
async function record(name, rules, play) {
  const table = await server.open(name, /** @type {any} */ ({ clocks: CLOCKS, ...rules }));
  const players = await Promise.all([1, 2, 3].map(() => Player.open(browser, server)));
  for (const player of players) await player.context.request.post(`${server.url}/api/session`, { data: {} });
  const [first] = players;
  await first.go(`/table/${table}`);
  await first.rail.waitFor();
  /** @type {Map<number, any>} */
  const views = new Map();
  const load = async () => {
    const { seq, view } = await first.table(table);
    views.set(seq, view);
    return view;
  };
  let number = 0;
  await play(async (player, command) => {
    const response = await players[player].context.request.post(`${server.url}/api/tables/${table}/commands`, { data: { id: `feed-${number += 1}`, command } });
    if (!response.ok()) throw new Error(`${JSON.stringify(command)}: ${await response.text()}`);
    return load();
  }, async (command) => {
    await server.operate(`tables/${table}/commands`, { id: `feed-${number += 1}`, command });
    return load();
  }, load);
  const last = Math.max(...views.keys());
  while (!first.traffic.messages.some(({ type, seq }) => type === "event" && seq === last)) await new Promise((done) => { setTimeout(done, 50); });
  const { messages } = first.traffic;
  const begin = messages.findLastIndex(({ type }) => type === "snapshot");
  const start = messages[begin].view;
  const events = messages.slice(begin + 1).filter(({ type }) => type === "event").map(({ seq, event }) => {
    const { facts: _, ...view } = views.get(seq) ?? {};
    return views.has(seq) ? { event, view } : { event };
  });
  const path = fileURLToPath(new URL(`../web/tests/feeds/${name}.json`, import.meta.url));
  writeFileSync(path, `${JSON.stringify({ start, events })}\n`);
  console.log(`${name}: ${events.length} events, ${events.filter(({ view }) => view).length} views`);
  for (const player of players) await player.close();
}

await record("banking", { book: "california" }, async (send, _, load) => {
  for (const player of [0, 1, 2]) await send(player, { do: "sit", seat: player + 2 });
  await send(2, { do: "sit_out" });
  let view = await send(2, { do: "return" });
  view = await send(view.offered - 2, { do: "pass_bank" });
  const bank = view.offered - 2;
  await send(bank, { do: "take_bank", cents: 50_000 });
  await send(bank, { do: "take_bank", cents: 40_000 });
  await send(bank, { do: "pick_pile", pile: 2 });
  for (const player of [0, 1, 2].filter((one) => one !== bank)) {
    await send(player, { do: "wager", wager: "pai-gow", cents: 30_000 });
    await send(player, { do: "wager", wager: "fortune", cents: 500 });
    await send(player, { do: "clear", wager: "fortune" });
    await send(player, { do: "wager", wager: "fortune", cents: 1_000 });
    await until(load, ({ round }) => player !== 0 || round.commitments[2]);
    await send(player, { do: "ready" });
  }
  view = await until(load, ({ phase }) => phase === "settings");
  await setAll(send, view, [[0, 2], [1, 3], [2, 4]]);
  await send(1, { do: "stand" });
});

await record("side-wagers", { book: "ez", changes: { "seats.hands_per_player": "2" } }, async (send, operate, load) => {
  for (const [player, seat] of [[0, 2], [1, 3], [0, 5]]) await send(player, { do: "sit", seat });
  for (const [player, seat] of [[0, 2], [0, 5], [1, 3]]) {
    const named = player === 0 ? { seat } : {};
    const { facts } = await send(player, { do: "wager", wager: "pai-gow", cents: 2_500, ...named });
    for (const { wager, color } of facts.wagers.slice(1)) await send(player, { do: "wager", wager, cents: 500, ...(color ? { color: "red" } : {}), ...named });
    await until(load, ({ round }) => player !== 0 || round.commitments[seat]);
    await send(player, { do: "ready", ...named });
  }
  const view = await until(load, ({ phase }) => phase === "settings");
  await setAll(send, view, [[0, 2], [0, 5], [1, 3]], true);
  await operate({ do: "void", reason: { code: "exposed_card" } });
  await send(0, { do: "stand", seat: 2 });
});

await browser.close();
await server.stop();
