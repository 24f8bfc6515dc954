// Hidden cards are in nothing a browser has received until they are shown, whatever it asks for; and the session's cookie is not for scripts.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { words } from "../../web/words/en.js";
import { shuffle } from "../../web/fair/verify.js";
import { cardsOf, legal } from "../kit/hands.js";
import { Stage } from "../kit/stage.js";

/** @typedef {import("../kit/player.js").Player} Player */

const stage = new Stage();
const CARD = /\b(?:[2-9TJQKA][cdhs]|Jk)\b/g;

test("hidden cards are in nothing that was received", async () => {
  const table = await stage.server.open("secrets", { book: "south-dakota", clocks: { between: 60 } });
  const [one, other, watcher] = await Promise.all([1, 2, 3].map(() => stage.player()));
  // Rules speak of "7s": what was said before there was a round says nothing of its cards.
  const rules = await (await fetch(`${stage.server.url}/api/tables/${table}/rules`)).text();
  await watcher.go(`/table/${table}`);
  await one.sit(table, 1);
  await other.sit(table, 2);
  await one.wager(25);
  await other.wager(25);
  const [cards, others] = await Promise.all([one.cards(), other.cards()]);

  // Everything that could be asked for, and all that comes anew with the page.
  for (const player of [one, other, watcher]) await askForAll(player, table);
  await one.received.all();
  await one.page.reload();
  assert.deepEqual((await one.cards()).sort(), [...cards].sort());
  await other.front(legal(others));
  await other.press(words.set.confirm);
  // The other's hand is set, and how is not said.
  await one.page.locator(".spot:not(.you)", { hasText: words.state.set }).waitFor();
  const until = await Promise.all([one, other, watcher].map((player) => player.received.all()));

  await one.front(legal(cards));
  await one.press(words.set.confirm);
  await Promise.all([one.settled(), watcher.at("between")]);
  const { round, facts } = (await watcher.table(table)).view;
  assert.deepEqual([round.protocol, Object.keys(round.bytes)], [2, ["1", "2"]]);
  const deck = await shuffle({ protocol: 2, secret: round.secret, table, round: 1, rules: facts.rules, commitments: round.commitments, bytes: round.bytes });
  const dealer = cardsOf(round.dealer.cards);
  assert.ok([...cards, ...others, ...dealer].every((card) => deck.slice(0, 49).includes(card)), "the deck is the one that was dealt");

  for (const [own, pieces] of [[cards, until[0]], [others, until[1]], [[], until[2]]]) {
    for (const piece of /** @type {import("../kit/received.js").Piece[]} */ (pieces)) {
      if (await isFile(piece) || piece.text === rules) continue;
      const seen = piece.text.match(CARD) ?? [];
      const hidden = seen.filter((card) => !(/** @type {string[]} */ (own)).includes(card));
      assert.deepEqual(hidden, [], `${piece.from}: ${piece.text}`);
      assert.ok(!piece.text.includes(round.secret), `${piece.from} has the secret`);
    }
  }

  // The bytes of a seat are nowhere before wagers are closed, and once they are closed every viewer has them.
  for (const player of [one, other, watcher]) {
    const frames = (await player.received.all()).filter(({ frame }) => frame).map(({ text }) => text);
    const closed = frames.findIndex((text) => text.includes('"event":"wagers_closed"'));
    assert.ok(closed >= 0, "wagers were closed");
    for (const bytes of Object.values(round.bytes)) {
      assert.ok(!frames.slice(0, closed + 1).some((text) => text.includes(bytes)), "bytes before wagers were closed");
      assert.ok(frames.slice(closed + 1).some((text) => text.includes(bytes)), "bytes after wagers were closed");
    }
  }

  // The search would have found them: once they are shown they are there, and no card that was not dealt is.
  const all = (await watcher.received.all()).filter(({ frame }) => frame).flatMap(({ text }) => text.match(CARD) ?? []);
  assert.deepEqual([...new Set(all)].sort(), [...cards, ...others, ...dealer].sort());
  for (const player of [one, other, watcher]) {
    assert.deepEqual(player.received.lost, []);
    await player.leave();
  }
});

test("scripts cannot read the session's cookie", async () => {
  const table = await stage.server.open("cookie", { book: "south-dakota" });
  const player = await stage.player();
  await player.sit(table, 1);
  const [cookie] = await player.context.cookies();
  assert.equal(cookie.httpOnly, true);
  assert.equal(cookie.sameSite, "Strict");
  assert.equal(await player.page.evaluate(() => document.cookie), "");
  // Nor is it in anything a script can get at.
  const kept = await player.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  assert.ok(!kept.includes(cookie.value));
  for (const { text, from } of await player.received.all()) assert.ok(!text.includes(cookie.value), from);
  await player.leave();
});

/** Asks for all that is told of a table, from within the page. @param {Player} player @param {string} table */
async function askForAll({ page }, table) {
  const paths = [`tables/${table}`, `tables/${table}/people`, `tables/${table}/rounds`, `tables/${table}/rounds/1`, `tables/${table}/rounds/1/receipt`, "keys", "tables", "session", "session/rounds", "session/journal"];
  await page.evaluate((all) => Promise.all(all.map(async (path) => (await fetch(`/api/${path}`)).text())), paths);
}

/** Whether it is a file of the page, the same for everybody. @param {import("../kit/received.js").Piece} piece */
async function isFile({ from, text }) {
  const [, file] = /^\/assets\/[0-9a-f]+\/(.+)$/.exec(new URL(from).pathname) ?? [];
  if (!file) return false;
  assert.equal(text, await readFile(new URL(`../../web/${file}`, import.meta.url), "utf8"), `${file} is as it was written`);
  return true;
}
