// Checks of deals in the browser agree with the server and the command line, and detect tampering.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { words } from "../../web/words/en.js";
import { cardsOf } from "../kit/hands.js";
import { succeeds } from "../kit/program.js";
import { beginSession, playRounds } from "../kit/rounds.js";
import { screenshot } from "../kit/screenshots.js";
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
/** Steps that need Ed25519. @type {Step[]} */
const SIGNED = ["opening", "closing", "receipt"];

/** Returns the text of a step. @param {Step} step @param {boolean | null} right */
const stepText = (step, right) => `${right === null ? "–" : right ? "✓" : "✗"} ${words.fair.steps[step][right === null ? 2 : right ? 0 : 1]}`;

/** Whether the browser supports Ed25519. Chromium does since version 137. @param {Player} player */
const hasSignatures = ({ page }) => page.evaluate(() => crypto.subtle.importKey("raw", new Uint8Array(32), { name: "Ed25519" }, false, ["verify"])
  .then(() => true, (error) => error.name !== "NotSupportedError"));

/** Waits for the steps of a check and returns their texts. @param {Locator} checks @param {Step[]} steps */
async function read(checks, steps) {
  await checks.nth(steps.length - 1).waitFor();
  return checks.allInnerTexts();
}

/** Places a wager and waits until the table has it. Another player must not be ready yet. @param {Player} player @param {number} dollars */
async function wager(player, dollars) {
  await player.wager(dollars);
  await player.rail.getByText(words.board.go.isReady).waitFor();
}

/** Opens the fair-deal panel beside the settlement. @param {Player} player */
async function openPanel(player) {
  const { page } = player;
  await player.openDrawer("round");
  await page.locator(".commitment summary").click();
  return page.locator(".commitment");
}

/** Opens the drawer of a replay. @param {Player} player */
async function openReplay({ page }) {
  await page.locator(".replay").getByRole("button", { name: words.board.panel, exact: true }).click();
}

test("page, server and command line agree on a deal", async () => {
  const table = await stage.server.open("fair", { book: BOOK, clocks: { between: 600 } });
  const [player, other] = await Promise.all([stage.player(), stage.player()]);
  const { page } = player;
  await player.sit(table, 2);
  const signs = await hasSignatures(player);
  const right = (/** @type {Step} */ step) => stepText(step, signs || !SIGNED.includes(step) ? true : null);
  await other.sit(table, 5);
  await wager(player, 25);
  const open = (await player.table(table)).view;
  assert.deepEqual(Object.keys(open.round.commitments), ["2"], "the wagers carried the commitment");
  assert.deepEqual([open.round.protocol, open.round.bytes], [2, {}]);
  await other.wager(5);
  await Promise.all([player.setHouseWay(), other.setHouseWay()]);
  await player.waitForResult();
  const { round, seats } = (await player.table(table)).view;
  assert.deepEqual(Object.keys(round.bytes), ["2", "5"], "both browsers revealed bytes");
  assert.equal(round.commitment, open.round.commitment);

  // At the table: beside the settlement, and in the list of rounds.
  const panel = await openPanel(player);
  assert.deepEqual(await read(panel.locator(".checks li"), STEPS), STEPS.map(right));
  await panel.getByText(`${words.table.yourSeat(2)}: ${words.fair.seat.revealed}`).waitFor();
  await screenshot(page, "fair-deal");
  await player.openDrawer("rounds");
  await page.locator("pg-rounds").getByRole("button", { name: words.rounds.check }).click();
  assert.deepEqual(await read(page.locator("pg-rounds .checks li"), STEPS), STEPS.map(right));

  // In the replay, whose last frame shows all hands.
  await page.locator("pg-rounds").getByRole("link", { name: words.rounds.replay }).click();
  const checks = page.locator(".replay .checks li");
  await openReplay(player);
  assert.deepEqual(await read(checks, STEPS), STEPS.map(right));
  await page.locator(".scrub input[type=range]").press("End");
  await page.locator(".replay .top-hand.high pg-card[card]").first().waitFor();
  await screenshot(page, "replay");

  // As a receipt: it has the same cards, and is valid in the page and on the command line.
  const folder = await mkdtemp(join(tmpdir(), "paigow-receipt-"));
  await page.locator(".replay .commitment summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".replay .commitment").getByRole("link", { name: words.fair.receipt.save }).click()]);
  const file = join(folder, "receipt.json");
  await download.saveAs(file);
  const receipt = JSON.parse(await readFile(file, "utf8"));
  const payload = JSON.parse(receipt.payload);
  assert.deepEqual([payload.table, payload.round, payload.outcome, payload.secret], [table, 1, "settled", round.secret]);
  const cardsAt = async (/** @type {string} */ selector) => (await page.locator(`${selector} pg-card`).evaluateAll((all) => all.map((card) => card.getAttribute("card")))).sort();
  assert.deepEqual(await cardsAt(".top-band"), cardsOf(payload.dealer).sort());
  assert.deepEqual(await cardsAt(".own[data-seat='2']"), cardsOf(payload.hands["2"]).sort());
  assert.deepEqual(await cardsAt(".seat[data-seat='5']"), cardsOf(payload.hands["5"]).sort());
  assert.equal(await page.locator(".replay .die").innerText(), String(payload.dice));
  assert.equal(await succeeds("fair", "--receipt", file), true);

  const input = page.locator("pg-receipts input[type=file]");
  const result = page.locator("pg-receipts .receipt");
  /** @type {Step[]} */
  const all = ["receipt", "keys", ...STEPS.slice(0, -2), "dice", "cards", "hands"];
  await input.setInputFiles(file);
  assert.deepEqual(await read(result.locator(".checks li"), all), all.map(right));
  await result.getByText(signs ? words.fair.receipt.holds : words.fair.receipt.partly).waitFor();
  const forged = join(folder, "forged.json");
  await writeFile(forged, JSON.stringify({ ...receipt, payload: JSON.stringify({ ...payload, hands: { ...payload.hands, 2: payload.dealer }, dealer: payload.hands["2"] }) }));
  await input.setInputFiles(forged);
  await result.getByText(words.fair.receipt.fails).waitFor();
  assert.ok((await result.locator(".checks li.bad").allInnerTexts()).includes(stepText("hands", false)));
  if (signs) assert.ok((await result.locator(".checks li.bad").allInnerTexts()).includes(stepText("receipt", false)));
  assert.equal(await succeeds("fair", "--receipt", forged), false);
  await input.setInputFiles({ name: "other.json", mimeType: "application/json", buffer: Buffer.from("{}") });
  await result.getByText(words.fair.receipt.none("other.json")).waitFor();
  await rm(folder, { recursive: true });

  // A round that was tampered with in transit.
  const hand = (/** @type {number} */ seat) => seats.find((/** @type {any} */ one) => one.seat === seat).hand.cards;
  for (const [step, tamper] of /** @type {[Step, (text: string) => string][]} */ ([
    ["commitment", (text) => text.replaceAll(round.commitment, flipped(round.commitment))],
    ["first", (text) => text.replaceAll(round.commitment, flipped(round.commitment))],
    ["hands", (text) => swapped(text, hand(2), hand(5))],
    ["hands", (text) => swapped(text, hand(2), round.dealer.cards)],
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
      assert.notEqual(tamper(text), text, step);
      await route.fulfill({ response, body: tamper(text) });
    });
    await player.go(`/replay/${table}/1`);
    await openReplay(player);
    await read(checks, STEPS);
    assert.ok((await page.locator(".replay .checks li.bad").allInnerTexts()).includes(stepText(step, false)), step);
    await page.unroute(/\/rounds\/1$/);
  }

  // A stranger can check all steps except comparisons with data that only players saw.
  const stranger = await stage.player();
  await stranger.go(`/replay/${table}/1`);
  await openReplay(stranger);
  const comparisons = /** @type {Step[]} */ (["first", "list", "own"]);
  assert.deepEqual(await read(stranger.page.locator(".replay .checks li"), STEPS), STEPS.map((step) => (comparisons.includes(step) ? stepText(step, null) : right(step))));
  for (const one of [player, other, stranger]) await one.close();
});

test("a replay begins with its own round", async () => {
  const player = await stage.player();
  const { page } = player;
  await beginSession(player);
  const table = await playRounds(player, BOOK, 2);
  const [{ record: first }, { record, events }] = await Promise.all([1, 2].map(async (round) => (await player.context.request.get(`${player.url}/api/tables/${table}/rounds/${round}`)).json()));
  const [before, own] = [first, record].map(({ play, seats }) => [...cardsOf(play.dealer.cards), ...cardsOf(seats[0].hand.cards)]);
  await player.go(`/replay/${table}/2`);
  await openReplay(player);
  await page.locator(".replay .checks li").nth(2).waitFor();
  const slider = page.locator(".replay input[type=range]");
  const steps = Number(await slider.getAttribute("max")) + 1;
  const shown = () => page.locator(".replay pg-card").evaluateAll((all) => all.flatMap((card) => card.getAttribute("card") ?? []).filter(Boolean));
  const dealt = events.findIndex((/** @type {any} */ { event }) => event.event === "dealt");
  for (let step = 0; step < dealt; step += 1) {
    await page.locator(".replay").getByText(words.replay.step(step + 1, steps)).waitFor();
    assert.deepEqual(await shown(), [], `step ${step + 1}`);
    assert.equal(await page.locator(".replay .lines .line").count(), 0);
    assert.equal(await page.locator(".replay em.amount, .replay .spot-tag:is(.good, .bad, .push)").count(), 0);
    await page.getByRole("button", { name: words.replay.next }).click();
  }
  await slider.press("End");
  await page.locator(".replay .lines .line").first().waitFor();
  const last = await shown();
  for (const card of own) assert.ok(last.includes(card), card);
  assert.notDeepEqual([...before].sort(), [...own].sort());
  await player.close();
});

test("reveals after a reload before wagers close", async () => {
  const table = await stage.server.open("again", { book: BOOK });
  const [player, other] = await Promise.all([stage.player(), stage.player()]);
  await player.sit(table, 1);
  await other.sit(table, 2);
  await wager(player, 5);
  const { round: before } = (await player.table(table)).view;
  await player.page.reload();
  await player.waitForPhase("wagers");
  await other.wager(5);
  await player.cards();
  const { round } = (await player.table(table)).view;
  assert.equal(round.commitments[1], before.commitments[1]);
  assert.deepEqual([Object.keys(round.bytes), round.silent ?? []], [["1", "2"], []]);
  await player.close();
  await other.close();
});

test("a second window neither commits nor reveals nor warns", async () => {
  const table = await stage.server.open("windows", { book: BOOK });
  const player = await stage.player();
  await player.sit(table, 1);
  const second = await player.context.newPage();
  await second.goto(`${player.url}/table/${table}`);
  await second.locator(".rail.at-wagers").waitFor();
  await player.wager(5);
  await player.cards();
  await second.locator("button.own-card").first().waitFor();
  const { round } = (await player.table(table)).view;
  assert.deepEqual([Object.keys(round.bytes), round.silent ?? []], [["1"], []]);
  for (const page of [player.page, second]) assert.equal(await page.locator(".notices .alarm").count(), 0);
  await player.close();
});

test("a seat that does not reveal is silent and the deal is valid", async () => {
  const table = await stage.server.open("silent", { book: BOOK, clocks: { settings: 5, between: 600 } });
  const [player, other] = await Promise.all([stage.player(), stage.player()]);
  await player.sit(table, 1);
  await other.sit(table, 4);
  await wager(other, 5);
  await other.close();
  await player.wager(5);
  // The clock sets both hands.
  await player.waitForResult();
  const { round } = (await player.table(table)).view;
  assert.deepEqual([Object.keys(round.commitments), Object.keys(round.bytes), round.silent], [["1", "4"], ["1"], [4]]);
  const panel = await openPanel(player);
  await panel.locator("li", { hasText: words.fair.seat.silent }).waitFor();
  await read(panel.locator(".checks li"), STEPS);
  assert.deepEqual(await panel.locator(".checks li.bad").allInnerTexts(), []);
  await player.close();
});

/** Changes the first hexadecimal digit of a text. @param {string} text */
const flipped = (text) => `${text[0] === "0" ? "1" : "0"}${text.slice(1)}`;

/** Swaps two hands in a text. @param {string} text @param {string} one @param {string} other */
const swapped = (text, one, other) => text.replaceAll(one, "\u0000").replaceAll(other, one).replaceAll("\u0000", other);
