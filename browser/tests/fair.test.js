// A deal checked in the browser: it agrees with the server and with the command line, and a deal that was meddled with is found out.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { words } from "../../web/words/en.js";
import { cardsOf } from "../kit/hands.js";
import { succeeds } from "../kit/program.js";
import { shoot } from "../kit/shots.js";
import { Stage } from "../kit/stage.js";

/**
 * @typedef {import("../kit/player.js").Player} Player
 * @typedef {import("../../web/fair/check.js").Step} Step
 * @typedef {import("playwright-core").Locator} Locator
 */

const stage = new Stage();
const BOOK = "south-dakota";
/** The steps of a deal that a player checks. @type {Step[]} */
const STEPS = ["opening", "first", "closing", "list", "commitment", "reveals", "own", "dice", "hands"];
/** Those of them that need Ed25519. @type {Step[]} */
const SIGNED = ["opening", "closing", "receipt"];

/** A step as it is shown. @param {Step} step @param {boolean | null} right */
const shown = (step, right) => `${right === null ? "–" : right ? "✓" : "✗"} ${words.fair.steps[step][right === null ? 2 : right ? 0 : 1]}`;

/** Whether the browser checks signatures: Chromium has Ed25519 since version 137. @param {Player} player */
const hasSignatures = ({ page }) => page.evaluate(() => crypto.subtle.importKey("raw", new Uint8Array(32), { name: "Ed25519" }, false, ["verify"])
  .then(() => true, (error) => error.name !== "NotSupportedError"));

/** Waits for the steps of a check, and has them as they are shown. @param {Locator} checks @param {Step[]} steps */
async function read(checks, steps) {
  await checks.nth(steps.length - 1).waitFor();
  return checks.allInnerTexts();
}

/** Wagers, and waits until the table has the wager while it waits for others. @param {Player} player @param {number} dollars */
async function wager(player, dollars) {
  await player.wager(dollars);
  await player.dock.getByText(words.wager.ready).waitFor();
}

/** Opens what is shown of the deal beside the settlement. @param {Player} player */
async function openPanel({ page }) {
  await page.getByRole("tab", { name: words.side.settlement }).click();
  await page.locator(".commitment summary").click();
  return page.locator(".commitment");
}

test("the page, the server and the command line agree on a deal", async () => {
  const table = await stage.server.open("fair", { book: BOOK, clocks: { between: 600 } });
  const [player, other] = await Promise.all([stage.player(), stage.player()]);
  const { page } = player;
  await player.sit(table, 2);
  const signs = await hasSignatures(player);
  const right = (/** @type {Step} */ step) => shown(step, signs || !SIGNED.includes(step) ? true : null);
  await other.sit(table, 5);
  await wager(player, 25);
  const open = (await player.table(table)).view;
  assert.deepEqual(Object.keys(open.round.commitments), ["2"], "the wagers took the commitment with them");
  assert.deepEqual([open.round.protocol, open.round.bytes], [2, {}]);
  await other.wager(5);
  await Promise.all([player.houseWay(), other.houseWay()]);
  await player.settled();
  const { round, seats } = (await player.table(table)).view;
  assert.deepEqual(Object.keys(round.bytes), ["2", "5"], "both browsers have revealed bytes");
  assert.equal(round.commitment, open.round.commitment);

  // At the table: by itself beside the settlement, and among the rounds.
  const panel = await openPanel(player);
  assert.deepEqual(await read(panel.locator(".checks li"), STEPS), STEPS.map(right));
  await panel.getByText(`${words.table.yourSeat(2)}: ${words.fair.seat.revealed}`).waitFor();
  await shoot(page, "fair-deal");
  await page.getByRole("tab", { name: words.side.rounds }).click();
  await page.locator("pg-rounds").getByRole("button", { name: words.rounds.check }).click();
  assert.deepEqual(await read(page.locator("pg-rounds .checks li"), STEPS), STEPS.map(right));

  // In the replay, whose last step lays all hands open.
  await page.locator("pg-rounds").getByRole("link", { name: words.rounds.replay }).click();
  const checks = page.locator(".replay .checks li");
  assert.deepEqual(await read(checks, STEPS), STEPS.map(right));
  await page.locator(".scrub input[type=range]").press("End");
  await page.locator(".replay .dealer .laid-high").waitFor();
  await shoot(page, "replay");

  // As a receipt: the same cards, and it holds in the page and on the command line.
  const folder = await mkdtemp(join(tmpdir(), "paigow-receipt-"));
  await page.locator(".replay .commitment summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".replay .commitment").getByRole("link", { name: words.fair.receipt.save }).click()]);
  const file = join(folder, "receipt.json");
  await download.saveAs(file);
  const receipt = JSON.parse(await readFile(file, "utf8"));
  const payload = JSON.parse(receipt.payload);
  assert.deepEqual([payload.table, payload.round, payload.outcome, payload.secret], [table, 1, "settled", round.secret]);
  const laid = async (/** @type {string} */ where) => (await page.locator(`${where} pg-card`).evaluateAll((all) => all.map((card) => card.getAttribute("card")))).sort();
  assert.deepEqual(await laid(".dealer"), cardsOf(payload.dealer).sort());
  assert.deepEqual(await laid(".spots .spot:nth-child(2)"), cardsOf(payload.hands["2"]).sort());
  assert.deepEqual(await laid(".spots .spot:nth-child(5)"), cardsOf(payload.hands["5"]).sort());
  assert.equal(await page.locator(".replay .die").innerText(), String(payload.dice));
  assert.equal(await succeeds("fair", "--receipt", file), true);

  const input = page.locator("pg-receipts input[type=file]");
  const answer = page.locator("pg-receipts .receipt");
  /** @type {Step[]} */
  const all = ["receipt", "keys", ...STEPS.slice(0, -2), "dice", "cards", "hands"];
  await input.setInputFiles(file);
  assert.deepEqual(await read(answer.locator(".checks li"), all), all.map(right));
  await answer.getByText(signs ? words.fair.receipt.holds : words.fair.receipt.partly).waitFor();
  const forged = join(folder, "forged.json");
  await writeFile(forged, JSON.stringify({ ...receipt, payload: JSON.stringify({ ...payload, hands: { ...payload.hands, 2: payload.dealer }, dealer: payload.hands["2"] }) }));
  await input.setInputFiles(forged);
  await answer.getByText(words.fair.receipt.fails).waitFor();
  assert.ok((await answer.locator(".checks li.bad").allInnerTexts()).includes(shown("hands", false)));
  if (signs) assert.ok((await answer.locator(".checks li.bad").allInnerTexts()).includes(shown("receipt", false)));
  assert.equal(await succeeds("fair", "--receipt", forged), false);
  await input.setInputFiles({ name: "other.json", mimeType: "application/json", buffer: Buffer.from("{}") });
  await answer.getByText(words.fair.receipt.none("other.json")).waitFor();
  await rm(folder, { recursive: true });

  // A round that was meddled with on the way.
  const hand = (/** @type {number} */ seat) => seats.find((/** @type {any} */ one) => one.seat === seat).hand.cards;
  for (const [step, meddle] of /** @type {[Step, (text: string) => string][]} */ ([
    ["commitment", (text) => text.replaceAll(round.commitment, flipped(round.commitment))],
    ["first", (text) => text.replaceAll(round.commitment, flipped(round.commitment))],
    ["hands", (text) => exchanged(text, hand(2), hand(5))],
    ["hands", (text) => exchanged(text, hand(2), round.dealer.cards)],
    ["dice", (text) => text.replaceAll(`"dice":${round.dice},`, `"dice":${(round.dice % 7) + 1},`)],
    ["own", (text) => text.replaceAll(round.bytes[2], flipped(round.bytes[2]))],
    ["reveals", (text) => text.replaceAll(round.bytes[5], flipped(round.bytes[5]))],
    ["list", (text) => text.replaceAll(round.commitments[5], flipped(round.commitments[5]))],
    ...(signs ? [["opening", (/** @type {string} */ text) => text.replaceAll(round.signature, flipped(round.signature))],
      ["closing", (/** @type {string} */ text) => text.replaceAll(round.closed_signature, flipped(round.closed_signature))]] : []),
  ])) {
    await page.route(/\/rounds\/1$/, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      assert.notEqual(meddle(text), text, step);
      await route.fulfill({ response, body: meddle(text) });
    });
    await player.go(`/replay/${table}/1`);
    await read(checks, STEPS);
    assert.ok((await page.locator(".replay .checks li.bad").allInnerTexts()).includes(shown(step, false)), step);
    await page.unroute(/\/rounds\/1$/);
  }

  // Who did not play it can check all but what only players have seen.
  const stranger = await stage.player();
  await stranger.go(`/replay/${table}/1`);
  const seen = /** @type {Step[]} */ (["first", "list", "own"]);
  assert.deepEqual(await read(stranger.page.locator(".replay .checks li"), STEPS), STEPS.map((step) => (seen.includes(step) ? shown(step, null) : right(step))));
  for (const one of [player, other, stranger]) await one.leave();
});

test("a page that is loaded again before wagers close still reveals", async () => {
  const table = await stage.server.open("again", { book: BOOK });
  const [player, other] = await Promise.all([stage.player(), stage.player()]);
  await player.sit(table, 1);
  await other.sit(table, 2);
  await wager(player, 5);
  const { round: before } = (await player.table(table)).view;
  await player.page.reload();
  await player.at("wagers");
  await other.wager(5);
  await player.cards();
  const { round } = (await player.table(table)).view;
  assert.equal(round.commitments[1], before.commitments[1]);
  assert.deepEqual([Object.keys(round.bytes), round.silent ?? []], [["1", "2"], []]);
  await player.leave();
  await other.leave();
});

test("a second window neither commits nor reveals, and is not alarmed", async () => {
  const table = await stage.server.open("windows", { book: BOOK });
  const player = await stage.player();
  await player.sit(table, 1);
  const second = await player.context.newPage();
  await second.goto(`${player.url}/table/${table}`);
  await second.locator(".dock.at-wagers").waitFor();
  await player.wager(5);
  await player.cards();
  await second.locator(".seven-cards .pick").first().waitFor();
  const { round } = (await player.table(table)).view;
  assert.deepEqual([Object.keys(round.bytes), round.silent ?? []], [["1"], []]);
  for (const page of [player.page, second]) assert.equal(await page.locator(".dock .alarm").count(), 0);
  await player.leave();
});

test("a seat that does not reveal is named as silent, and the deal holds", async () => {
  const table = await stage.server.open("silent", { book: BOOK, clocks: { settings: 5, between: 600 } });
  const [player, other] = await Promise.all([stage.player(), stage.player()]);
  await player.sit(table, 1);
  await other.sit(table, 4);
  await wager(other, 5);
  await other.leave();
  await player.wager(5);
  // Time sets both hands.
  await player.settled();
  const { round } = (await player.table(table)).view;
  assert.deepEqual([Object.keys(round.commitments), Object.keys(round.bytes), round.silent], [["1", "4"], ["1"], [4]]);
  const panel = await openPanel(player);
  await panel.locator("li", { hasText: words.fair.seat.silent }).waitFor();
  await read(panel.locator(".checks li"), STEPS);
  assert.deepEqual(await panel.locator(".checks li.bad").allInnerTexts(), []);
  await player.leave();
});

/** A text of hexadecimal digits with the first one changed. @param {string} text */
const flipped = (text) => `${text[0] === "0" ? "1" : "0"}${text.slice(1)}`;

/** A text in which two hands are exchanged. @param {string} text @param {string} one @param {string} other */
const exchanged = (text, one, other) => text.replaceAll(one, "\u0000").replaceAll(other, one).replaceAll("\u0000", other);
