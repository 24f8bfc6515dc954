// Records what a player sees of two tables, for the tests of the page's reducer: `PAIGOW_PROGRAM=… npm run feeds`.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch } from "./kit/browser.js";
import { cardsOf, legal } from "./kit/hands.js";
import { Player } from "./kit/player.js";
import { Server } from "./kit/server.js";

/** @typedef {(who: number, command: Record<string, unknown>) => Promise<any>} Do has a player do something; the answer is the table as the first player sees it then */

const server = await Server.start();
const browser = await launch();
const CLOCKS = { bank: 600, wagers: 600, settings: 600, between: 600 };

/** Sets every hand: the first player's own, the others' by the house way. @param {Do} act @param {any} view @param {[number, number][]} seats who, and where @param {boolean} [named] */
async function setAll(act, view, seats, named = false) {
  for (const [who, seat] of seats) {
    const cards = view.seats.find((/** @type {any} */ one) => one.seat === seat)?.hand?.cards;
    const set = cards ? { do: "set", front: legal(cardsOf(cards)).join(" ") } : { do: "house_way" };
    await act(who, named && who === 0 ? { ...set, seat } : set);
  }
}

/** Looks until the table is as it should be: the first player's page commits and reveals by itself. @param {() => Promise<any>} look @param {(view: any) => boolean} is */
async function until(look, is) {
  for (;;) {
    const view = await look();
    if (is(view)) return view;
    await new Promise((done) => { setTimeout(done, 50); });
  }
}

/** @param {string} name @param {Record<string, any>} rules @param {(act: Do, operate: (command: Record<string, unknown>) => Promise<any>, look: () => Promise<any>) => Promise<void>} play */
async function record(name, rules, play) {
  const table = await server.open(name, /** @type {any} */ ({ clocks: CLOCKS, ...rules }));
  const players = await Promise.all([1, 2, 3].map(() => Player.come(browser, server)));
  for (const player of players) await player.context.request.post(`${server.url}/api/session`, { data: {} });
  const [first] = players;
  await first.go(`/table/${table}`);
  await first.dock.waitFor();
  /** @type {Map<number, any>} */
  const views = new Map();
  const look = async () => {
    const { seq, view } = await first.table(table);
    views.set(seq, view);
    return view;
  };
  let number = 0;
  await play(async (who, command) => {
    const answer = await players[who].context.request.post(`${server.url}/api/tables/${table}/commands`, { data: { id: `feed-${number += 1}`, command } });
    if (!answer.ok()) throw new Error(`${JSON.stringify(command)}: ${await answer.text()}`);
    return look();
  }, async (command) => {
    await server.operate(`tables/${table}/commands`, { id: `feed-${number += 1}`, command });
    return look();
  }, look);
  const last = Math.max(...views.keys());
  while (!first.received.messages.some(({ type, seq }) => type === "event" && seq === last)) await new Promise((done) => { setTimeout(done, 50); });
  const { messages } = first.received;
  const begin = messages.findLastIndex(({ type }) => type === "snapshot");
  const start = messages[begin].view;
  const events = messages.slice(begin + 1).filter(({ type }) => type === "event").map(({ seq, event }) => {
    const { facts: _, ...view } = views.get(seq) ?? {};
    return views.has(seq) ? { event, view } : { event };
  });
  const path = fileURLToPath(new URL(`../web/tests/feeds/${name}.json`, import.meta.url));
  writeFileSync(path, `${JSON.stringify({ start, events })}\n`);
  console.log(`${name}: ${events.length} events, ${events.filter(({ view }) => view).length} views`);
  for (const player of players) await player.leave();
}

await record("banking", { book: "california" }, async (act, _, look) => {
  for (const who of [0, 1, 2]) await act(who, { do: "sit", seat: who + 2 });
  await act(2, { do: "sit_out" });
  let view = await act(2, { do: "return" });
  view = await act(view.offered - 2, { do: "pass_bank" });
  const bank = view.offered - 2;
  await act(bank, { do: "take_bank", cents: 50_000 });
  await act(bank, { do: "take_bank", cents: 40_000 });
  await act(bank, { do: "pick_pile", pile: 2 });
  for (const who of [0, 1, 2].filter((one) => one !== bank)) {
    await act(who, { do: "wager", wager: "pai-gow", cents: 30_000 });
    await act(who, { do: "wager", wager: "fortune", cents: 500 });
    await act(who, { do: "clear", wager: "fortune" });
    await act(who, { do: "wager", wager: "fortune", cents: 1_000 });
    await until(look, ({ round }) => who !== 0 || round.commitments[2]);
    await act(who, { do: "ready" });
  }
  view = await until(look, ({ phase }) => phase === "settings");
  await setAll(act, view, [[0, 2], [1, 3], [2, 4]]);
  await act(1, { do: "stand" });
});

await record("side-wagers", { book: "ez", changes: { "seats.hands_per_player": "2" } }, async (act, operate, look) => {
  for (const [who, seat] of [[0, 2], [1, 3], [0, 5]]) await act(who, { do: "sit", seat });
  for (const [who, seat] of [[0, 2], [0, 5], [1, 3]]) {
    const at = who === 0 ? { seat } : {};
    const { facts } = await act(who, { do: "wager", wager: "pai-gow", cents: 2_500, ...at });
    for (const { wager, color } of facts.wagers.slice(1)) await act(who, { do: "wager", wager, cents: 500, ...(color ? { color: "red" } : {}), ...at });
    await until(look, ({ round }) => who !== 0 || round.commitments[seat]);
    await act(who, { do: "ready", ...at });
  }
  const view = await until(look, ({ phase }) => phase === "settings");
  await setAll(act, view, [[0, 2], [0, 5], [1, 3]], true);
  await operate({ do: "void", reason: { code: "exposed_card" } });
  await act(0, { do: "stand", seat: 2 });
});

await browser.close();
await server.stop();
