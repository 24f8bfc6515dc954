// A browser receives no hidden cards before they are shown, regardless of its requests. Scripts cannot read the session cookie.

import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../../web/words/en.js";
import { shuffle } from "../../web/fair/verify.js";
import { cardsOf, legalLow } from "../kit/hands.js";
import { Stage } from "../kit/stage.js";

/** @typedef {import("../kit/player.js").Player} Player */

const stage = new Stage();
const CARD = /\b(?:[2-9TJQKA][cdhs]|Jk)\b/g;

test("no hidden cards in received data", async () => {
  const table = await stage.server.open("secrets", { book: "south-dakota", clocks: { between: 60 } });
  const [one, other, watcher] = await Promise.all([1, 2, 3].map(() => stage.player()));
  // The rules contain texts such as "7s" that look like cards. They are loaded before the round, so they cannot reveal its cards.
  const rules = await (await fetch(`${stage.server.url}/api/tables/${table}/rules`)).text();
  const assets = await loadAssets(stage.server.url);
  await watcher.go(`/table/${table}`);
  await one.sit(table, 1);
  await other.sit(table, 2);
  await one.wager(25);
  await other.wager(25);
  const [cards, others] = await Promise.all([one.cards(), other.cards()]);

  // Request every resource, and reload the page.
  for (const player of [one, other, watcher]) await requestAll(player, table);
  await one.traffic.all();
  await one.page.reload();
  assert.deepEqual((await one.cards()).sort(), [...cards].sort());
  await other.chooseLow(legalLow(others));
  await other.press(words.board.go.set);
  // The page shows that the other hand is set, but not how.
  await one.page.locator(".seat:not(.you)", { hasText: words.state.set }).waitFor();
  const received = await Promise.all([one, other, watcher].map((player) => player.traffic.all()));

  await one.chooseLow(legalLow(cards));
  await one.press(words.board.go.set);
  await Promise.all([one.waitForResult(), watcher.waitForPhase("between")]);
  const { round, facts } = (await watcher.table(table)).view;
  assert.deepEqual([round.protocol, Object.keys(round.bytes)], [2, ["1", "2"]]);
  const deck = await shuffle({ protocol: 2, secret: round.secret, table, round: 1, rules: facts.rules, commitments: round.commitments, bytes: round.bytes });
  const dealer = cardsOf(round.dealer.cards);
  assert.ok([...cards, ...others, ...dealer].every((card) => deck.slice(0, 49).includes(card)), "the deck is the one that was dealt");

  for (const [own, messages] of [[cards, received[0]], [others, received[1]], [[], received[2]]]) {
    for (const message of /** @type {import("../kit/traffic.js").Message[]} */ (messages)) {
      if (isAsset(message, assets) || message.text === rules) continue;
      const seen = message.text.match(CARD) ?? [];
      const hidden = seen.filter((card) => !(/** @type {string[]} */ (own)).includes(card));
      assert.deepEqual(hidden, [], `${message.from}: ${message.text}`);
      assert.ok(!message.text.includes(round.secret), `${message.from} has the secret`);
    }
  }

  // No viewer receives a seat's bytes before wagers close; every viewer receives them afterwards.
  for (const player of [one, other, watcher]) {
    const frames = (await player.traffic.all()).filter(({ frame }) => frame).map(({ text }) => text);
    const closed = frames.findIndex((text) => text.includes('"event":"wagers_closed"'));
    assert.ok(closed >= 0, "wagers were closed");
    for (const bytes of Object.values(round.bytes)) {
      assert.ok(!frames.slice(0, closed + 1).some((text) => text.includes(bytes)), "bytes before wagers closed");
      assert.ok(frames.slice(closed + 1).some((text) => text.includes(bytes)), "bytes after wagers closed");
    }
  }

  // The search works: after the settlement it finds exactly the dealt cards.
  const all = (await watcher.traffic.all()).filter(({ frame }) => frame).flatMap(({ text }) => text.match(CARD) ?? []);
  assert.deepEqual([...new Set(all)].sort(), [...cards, ...others, ...dealer].sort());
  for (const player of [one, other, watcher]) {
    assert.deepEqual(player.traffic.unread, []);
    await player.close();
  }
});

test("scripts cannot read the session cookie", async () => {
  const table = await stage.server.open("cookie", { book: "south-dakota" });
  const player = await stage.player();
  await player.sit(table, 1);
  const [cookie] = await player.context.cookies();
  assert.equal(cookie.httpOnly, true);
  assert.equal(cookie.sameSite, "Strict");
  assert.equal(await player.page.evaluate(() => document.cookie), "");
  // The cookie is in no storage and no response that a script can read.
  const stored = await player.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  assert.ok(!stored.includes(cookie.value));
  for (const { text, from } of await player.traffic.all()) assert.ok(!text.includes(cookie.value), from);
  await player.close();
});

/** Requests all resources of a table from within the page. @param {Player} player @param {string} table */
async function requestAll({ page }, table) {
  const paths = [`tables/${table}`, `tables/${table}/people`, `tables/${table}/rounds`, `tables/${table}/rounds/1`, `tables/${table}/rounds/1/receipt`, "keys", "tables", "session", "session/rounds", "session/journal"];
  await page.evaluate((all) => Promise.all(all.map(async (path) => (await fetch(`/api/${path}`)).text())), paths);
}

/** Loads the script and the style sheet of the page. Loaded before the round, they cannot reveal its cards. @param {string} url @returns {Promise<Map<string, string>>} */
async function loadAssets(url) {
  const document = await (await fetch(url)).text();
  const paths = [...document.matchAll(/"(\/assets\/[^"]+\.(?:js|css|svg))"/g)].map(([, path]) => path);
  assert.equal(paths.filter((path) => !path.endsWith(".svg")).length, 2, document);
  return new Map(await Promise.all(paths.map(async (path) => /** @type {[string, string]} */ ([path, await (await fetch(url + path)).text()]))));
}

/** Whether a message is an asset of the page, and checks that it is unchanged. @param {import("../kit/traffic.js").Message} message @param {Map<string, string>} assets */
function isAsset({ from, text }, assets) {
  const { pathname } = new URL(from);
  if (!pathname.startsWith("/assets/")) return false;
  assert.equal(text, assets.get(pathname), `${pathname} is unchanged`);
  return true;
}
