// The puzzle of the day: the same hand for everyone, one answer that counts, the change of the day, sharing without a card, and the archive.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { cardName } from "../../web/cards/names.js";
import { difference, finePercent } from "../../web/study/numbers.js";
import { addDays, longDay, monthsOf } from "../../web/puzzle/days.js";
import { rating } from "../../web/puzzle/record.js";
import { words } from "../../web/words/en.js";
import { cardsOf, lowHands } from "../kit/hands.js";
import { Server } from "../kit/server.js";
import { Stage } from "../kit/stage.js";

/**
 * @typedef {import("../kit/player.js").Player} Player
 * @typedef {import("../../web/puzzle/solution.js").Puzzle} Puzzle
 * @typedef {import("../../web/puzzle/solution.js").Solution} Solution
 */

const stage = new Stage();
const say = words.puzzle;

/** @param {string} day @returns {Promise<{ puzzle: Puzzle, solution: Solution }>} */
async function puzzleOf(day) {
  const [puzzle, solution] = await Promise.all([stage.server.ask(`/api/puzzles/${day}`), stage.server.ask(`/api/puzzles/${day}/solution`)]);
  return { puzzle, solution };
}

/** Returns the cards on the felt. @param {Player} player */
const shownCards = ({ page }) => page.locator(".trainer-card pg-card").evaluateAll((all) => all.map((card) => card.getAttribute("card") ?? ""));

/** @param {Player} player @param {string} low */
async function choose({ page }, low) {
  for (const card of cardsOf(low)) await page.locator(".trainer-card", { has: page.locator(`pg-card[card="${card}"]`) }).click();
}

/** Returns the text of a figure of the record. @param {Player} player @param {string} title */
const figure = ({ page }, title) => page.locator("section[aria-labelledby=puzzle-record-title] .tile", { has: page.locator("dt", { hasText: new RegExp(`^${title}$`) }) }).locator("dd");

/** Returns the cost of a setting as a fraction of the wager. @param {Solution} solution @param {number} index */
const costOf = ({ settings }, index) => difference(settings[0].ev_exact, settings[index].ev_exact);

test("another server has the same puzzles", async () => {
  const other = await Server.start();
  try {
    for (const day of ["today", "2026-01-01", "2026-11-16"]) {
      const [here, there] = await Promise.all([stage.server, other].map(async (server) => [await server.ask(`/api/puzzles/${day}`), await server.ask(`/api/puzzles/${day}/solution`)]));
      assert.deepEqual(here, there);
    }
  } finally {
    await other.stop();
  }
});

test("everyone gets the same puzzle", async () => {
  const { puzzle } = await puzzleOf("today");
  const players = await Promise.all([stage.player(), stage.player()]);
  for (const player of players) {
    const { page } = player;
    await player.go("/puzzle");
    await page.locator(".trainer-card").nth(6).waitFor();
    assert.deepEqual(await shownCards(player), cardsOf(puzzle.cards));
    await page.getByRole("heading", { name: say.name(puzzle.number, longDay(puzzle.day)) }).waitFor();
    await page.getByText(say.dealerSets(puzzle.house_way_title)).waitFor();
    await page.getByText(say.level(puzzle.difficulty), { exact: true }).waitFor();
    assert.match(await page.getByRole("timer").innerText(), /^Next puzzle in \d+:\d\d:\d\d\. The day changes at midnight UTC\.$/);
    await player.close();
  }
});

test("the first answer counts, and the text to share has no card", async () => {
  const { puzzle, solution } = await puzzleOf("today");
  const player = await stage.player();
  const { page } = player;
  await page.addInitScript(() => {
    // Not in all browsers.
    Object.defineProperty(navigator, "share", { configurable: true, writable: true, value: async (/** @type {unknown} */ data) => { Object.assign(globalThis, { shared: data }); } });
  });
  await player.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await player.go("/puzzle");
  await page.locator(".trainer-card").nth(6).waitFor();
  const give = page.getByRole("button", { name: new RegExp(`^${say.confirm}`) });
  assert.ok(await give.isDisabled());
  const cards = cardsOf(puzzle.cards);
  const foul = lowHands(cards).find((low) => !solution.settings.some((setting) => cardsOf(setting.low).every((card) => low.includes(card))));
  if (foul) {
    await choose(player, foul.join(" "));
    await page.getByText(say.foul).waitFor();
    assert.ok(await give.isDisabled());
    await page.keyboard.press("c");
  }
  // By keys.
  const last = solution.settings.length - 1;
  for (const card of cardsOf(solution.settings[last].low)) await page.keyboard.press(String(cards.indexOf(card) + 1));
  await page.getByText(say.legal).waitFor();
  await page.keyboard.press("Enter");
  const cost = finePercent(costOf(solution, last));
  await page.locator(".judged", { hasText: words.study.cost(cost) }).waitFor();
  await page.locator(".judged", { hasText: "The best setting" }).waitFor();
  const table = page.locator("section[aria-labelledby=lab-settings-title]");
  await table.locator("tr", { hasText: words.lab.yours }).waitFor();
  if (solution.settings.length > 7) await table.getByRole("button", { name: words.lab.all(solution.settings.length) }).click();
  await table.locator("tbody tr").nth(last).waitFor();
  assert.equal(await table.locator("tbody tr").count(), solution.settings.length);
  const wrong = solution.ways.filter((way) => Number(way.cost) > 0);
  await page.locator("section[aria-labelledby=puzzle-ways-title]").getByText(say.wrongWays(wrong.length, solution.ways.length)).waitFor();
  assert.equal(await page.locator("table.puzzle-ways tbody tr").count(), wrong.length);

  const share = page.getByRole("button", { name: say.shareButton });
  await share.click();
  await page.waitForFunction(() => "shared" in globalThis);
  const shared = await page.evaluate(() => /** @type {any} */ (globalThis).shared);
  assert.deepEqual(shared, { text: say.shareText.cost(puzzle.number, cost, 1), url: `${player.url}/puzzle/${puzzle.day}` });
  await page.evaluate(() => { Object.assign(navigator, { share: undefined }); });
  await share.click();
  await page.getByRole("button", { name: say.copied }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, `${shared.text} ${shared.url}`);
  for (const card of cards) for (const text of [card, cardName(card)]) assert.ok(!copied.includes(text), text);

  const downloaded = page.waitForEvent("download");
  await page.getByRole("button", { name: say.picture.save }).click();
  const file = await downloaded;
  assert.equal(file.suggestedFilename(), `paigow-puzzle-${puzzle.number}.png`);
  assert.equal((await readFile(await file.path())).subarray(1, 4).toString(), "PNG");

  // The answer stays, and cannot be changed.
  await page.reload();
  await page.locator(".judged").waitFor();
  for (const card of cardsOf(solution.settings[0].low)) await page.keyboard.press(String(cards.indexOf(card) + 1));
  const on = await page.locator(".trainer-card.on pg-card").evaluateAll((all) => all.map((card) => card.getAttribute("card") ?? ""));
  assert.deepEqual(on.sort(), cardsOf(solution.settings[last].low).sort());
  assert.match(await figure(player, say.streak).innerText(), /^1\b/);
  const expected = rating({ [puzzle.day]: { low: "", cost: costOf(solution, last), difficulty: puzzle.difficulty, own: true } });
  assert.match(await figure(player, say.rating).innerText(), new RegExp(`^${Math.round(expected)}\\b`));
  await player.close();
});

test("the page moves on when the day changes", async () => {
  const { puzzle, solution } = await puzzleOf("today");
  const tomorrow = addDays(puzzle.day, 1);
  const player = await stage.player();
  const { page } = player;
  let changed = false;
  // If it passes before the server's day changes, the page asks again.
  const now = { ...puzzle, next_at: Date.now() + 3000 };
  const next = { ...puzzle, day: tomorrow, today: tomorrow, number: puzzle.number + 1, cards: "As Ks Td Th 8s 7s 3s", next_at: Date.now() + 86_400_000 };
  await page.route("**/api/puzzles/today", (route) => route.fulfill({ json: changed ? next : now }));
  await page.route(`**/api/puzzles/${puzzle.day}`, (route) => route.fulfill({ json: now }));
  await player.go("/puzzle");
  await page.locator(".trainer-card").nth(6).waitFor();
  await choose(player, solution.settings[0].low);
  await page.keyboard.press("Enter");
  await page.locator(".judged.is-right").waitFor();
  assert.match(await figure(player, say.streak).innerText(), /^1\b/);
  changed = true;
  await page.getByRole("heading", { name: say.name(next.number, longDay(tomorrow)) }).waitFor();
  assert.deepEqual(await shownCards(player), cardsOf(next.cards));
  assert.equal(await page.locator(".judged, .trainer-card.on").count(), 0);
  // The streak goes on until the new day is over.
  assert.match(await figure(player, say.streak).innerText(), /^1\b/);
  await player.close();
});

test("an answer after the end of the day counts for neither streak nor rating", async () => {
  const { puzzle, solution } = await puzzleOf("today");
  const player = await stage.player();
  const { page } = player;
  await page.route(`**/api/puzzles/${puzzle.day}`, (route) => route.fulfill({ json: { ...puzzle, today: addDays(puzzle.day, 1) } }));
  await player.go("/puzzle");
  await page.locator(".trainer-card").nth(6).waitFor();
  await choose(player, solution.settings[0].low);
  await page.keyboard.press("Enter");
  await page.locator(".judged.is-right").waitFor();
  await page.getByText(say.past).waitFor();
  assert.match(await figure(player, say.streak).innerText(), /^0\b/);
  assert.match(await figure(player, say.rating).innerText(), /^1200\b/);
  assert.match(await figure(player, say.answered).innerText(), /^1\b/);
  await player.close();
});

test("the archive lists all days with the answers, by one request", async () => {
  const { puzzle } = await puzzleOf("today");
  const [yesterday, before] = [addDays(puzzle.day, -1), addDays(puzzle.day, -2)];
  const { solution: past } = await puzzleOf(before);
  const player = await stage.player();
  const { page } = player;
  await page.addInitScript(([day]) => {
    if (!localStorage.getItem("paigow.puzzle")) localStorage.setItem("paigow.puzzle", JSON.stringify({ [day]: { low: "Kd Tc", cost: "0.0123", difficulty: 3, own: true }, damaged: 1 }));
  }, [yesterday]);
  /** @type {string[]} */
  const requests = [];
  page.on("request", (request) => { if (request.url().includes("/api/puzzles/")) requests.push(request.url()); });
  await player.go("/puzzle/archive");
  await page.locator(".puzzle-day").first().waitFor();
  const months = monthsOf(puzzle.first, puzzle.today);
  assert.equal(await page.locator(".fold > details").count(), months.length);
  assert.equal(await page.locator(".puzzle-day").count(), months[0].days.length);
  if (months.length > 1) await page.getByRole("button", { name: words.study.openAll }).click();
  const days = months.flatMap((month) => month.days);
  await page.locator(`[data-day="${days.at(-1)}"]`).waitFor();
  assert.deepEqual(await page.locator(".puzzle-day").evaluateAll((all) => all.map((day) => day.getAttribute("data-day"))), days);
  const state = (/** @type {string} */ day) => page.locator(`[data-day="${day}"] .puzzle-state`).innerText();
  assert.equal(await state(yesterday), say.states.cost(finePercent("0.0123")));
  assert.equal(await state(before), say.states.open);
  assert.match(await page.locator(`[data-day="${days.at(-1)}"]`).innerText(), /Puzzle 1\n/);
  assert.equal(requests.length, 1);

  // An answer to a past day is kept, and changes neither streak nor rating.
  await page.locator(`[data-day="${before}"]`).click();
  await page.getByText(say.past).waitFor();
  const figures = () => Promise.all([say.streak, say.rating].map((title) => figure(player, title).innerText()));
  const unchanged = await figures();
  assert.match(unchanged[0], /^1\b/);
  await choose(player, past.settings[0].low);
  await page.keyboard.press("Enter");
  await page.locator(".judged.is-right").waitFor();
  assert.deepEqual(await figures(), unchanged);
  assert.doesNotMatch(await page.locator(".share-text").innerText(), /Streak/);
  await page.getByRole("link", { name: say.archive }).click();
  await page.locator(`[data-day="${before}"].is-best, summary`).first().waitFor();
  if (before.slice(0, 7) !== puzzle.day.slice(0, 7)) await page.getByRole("button", { name: words.study.openAll }).click();
  await page.locator(`[data-day="${before}"].is-best`).waitFor();
  await player.close();
});

test("a day without a puzzle, and damaged storage", async () => {
  const player = await stage.player();
  const { page } = player;
  await page.addInitScript(() => localStorage.setItem("paigow.puzzle", "{damaged"));
  await player.go("/puzzle/2020-01-01");
  await page.getByText(say.missing).waitFor();
  await page.getByRole("link", { name: say.today }).click();
  await page.locator(".trainer-card").nth(6).waitFor();
  assert.match(await figure(player, say.rating).innerText(), /^1200\b/);
  await player.close();
});
