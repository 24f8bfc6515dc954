// Other features, each tested once: opening a table, names of tables, house ways, the coach, repeated wagers, CSV files, links, the trainer, results,
// stored settings, deleted sessions.

import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { money, signed } from "../../web/money.js";
import { finePercent, percent } from "../../web/study/numbers.js";
import { tableName } from "../../web/study/table-name.js";
import { cardsOf, legalLow, lowHands, isLegal } from "../kit/hands.js";
import { runJson } from "../kit/program.js";
import { beginSession, playRounds } from "../kit/rounds.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
/** A server with its own practice tables only. */
const untouched = new Stage();

/** Returns cards in a canonical order for comparison. @param {string[]} cards */
const sorted = (cards) => [...cards].sort().join(" ");

/** Returns the cards within an element. @param {import("playwright-core").Locator} within */
const cardsIn = (within) => within.locator("pg-card").evaluateAll((all) => all.map((card) => card.getAttribute("card") ?? ""));

describe("other features", { concurrency: 2 }, () => {
  test("opening a table with a chosen book and paytable", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    const form = page.locator("pg-open-table");
    await form.getByLabel(words.open.book).selectOption("south-dakota");
    await form.getByLabel(words.open.paytable("Fortune")).selectOption("3");
    await form.getByLabel(words.open.bots).selectOption("0");
    await form.getByRole("button", { name: words.open.open }).click();
    await page.waitForURL("**/table/own-*");
    await page.locator(".own:not(.watching)").waitFor();
    const { view } = await player.table(new URL(page.url()).pathname.slice("/table/".length));
    assert.equal(view.book, "south-dakota");
    assert.deepEqual(view.facts.wagers.map((/** @type {any} */ { wager, paytable }) => [wager, paytable ?? null]), [["pai-gow", null], ["fortune", "3"]]);
    await player.close();
  });

  test("playing alone in one's own time, with the rules of a practice table", async () => {
    const rules = { book: "ez", bots: 3, offer: ["queens-dragon", "red-black"], changes: { "base_game.limits.max": "500" } };
    const table = await stage.server.open("practice", { ...rules, clocks: { settings: 30 } });
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    const alone = page.getByRole("button", { name: words.lobby.aloneAt(tableName({ table, book: "ez", title: "EZ Pai Gow" }, null)) });
    await alone.click();
    await page.waitForURL("**/table/own-*");
    await page.locator(".own:not(.watching)").waitFor();
    const own = (await player.table(new URL(page.url()).pathname.slice("/table/".length))).view;
    const { facts } = (await player.table(table)).view;
    assert.equal(own.book, "ez");
    assert.equal(own.yours.length, 1);
    assert.deepEqual({ ...own.facts, clocks: null }, { ...facts, clocks: null, private: true }, "a private table with the same rules");
    assert.deepEqual(new Set(Object.values(own.facts.clocks)), new Set([3_600_000]));
    await player.waitForPhase("wagers");
    await page.locator(".seat", { hasText: words.state.ready }).nth(1).waitFor();
    await player.wager(5);
    await player.setHouseWay();
    await player.waitForResult();
    // The player returns to the same table: to the seat, or to a seat after standing up.
    const stand = page.locator(".table-bar > .bar-act", { hasText: words.table.stand });
    for (const stands of [false, true]) {
      if (stands) {
        await stand.click();
        await page.locator(".table-bar > .bar-act", { hasText: words.table.leave }).waitFor();
      }
      await player.go("/");
      await alone.click();
      await page.waitForURL(`**/table/${own.table}`);
      await stand.waitFor();
      assert.equal((await player.table(own.table)).view.yours.length, 1);
    }
    // Tables of guests and tables without bots do not offer it.
    await stage.server.open("without-bots", { book: "ez" });
    await player.go("/");
    for (const id of ["without-bots", own.table]) {
      const plaque = page.locator(".plaque", { has: page.locator(`a[href="/table/${id}"]`) });
      await plaque.waitFor();
      assert.equal(await plaque.locator(".alone").count(), 0);
    }
    await player.close();
  });

  test("house way clause, coach figures and repeated wagers", async () => {
    const book = "south-dakota";
    const table = await stage.server.open("coached", { book, clocks: { between: 20 } });
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    await page.evaluate(() => localStorage.setItem("paigow.settings", JSON.stringify({ coach: true })));
    await player.sit(table, 1);
    await player.waitForPhase("wagers");
    await player.addChips(0, 25);
    await player.addChips(1, 5);
    await player.deal();
    const cards = await player.cards();
    await player.press(words.set.houseWay);
    await page.locator(".box.low button.own-card").nth(1).waitFor();
    const set = await runJson("set", cards.join(" "), "--book", book);
    assert.equal(sorted(await cardsIn(page.locator(".box.low button.own-card"))), sorted(cardsOf(set.low)));
    await page.locator(".rail .say", { hasText: set.says }).waitFor();
    await player.press(words.set.clear);
    const low = legalLow(cards);
    await player.chooseLow(low);
    await player.press(words.board.go.set);
    await player.waitForResult();
    const { settings } = await runJson("best", cards.join(" "), "--book", book);
    const chosen = settings.find((/** @type {any} */ setting) => sorted(cardsOf(setting.low)) === sorted(low));
    const cost = Number(settings[0].ev) - Number(chosen.ev);
    const text = cost === 0 ? words.coach.bestChoice : words.study.cost(finePercent(cost.toFixed(12)), money(Math.round(cost * 2500)));
    await player.openDrawer("coach");
    await page.locator(".coach", { hasText: text }).waitFor();
    await page.locator(".coach .chosen", { hasText: percent(chosen.ev, { sign: true }) }).waitFor();
    await player.closeDrawer();
    await player.waitForPhase("wagers");
    await player.press(words.wager.again);
    await player.rail.getByText(words.board.go.amount("$30")).waitFor();
    await player.close();
  });

  test("CSV file with every row of a paytable", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/odds?book=south-dakota&wager=fortune&paytable=1");
    const section = page.locator("section[aria-labelledby=odds-returns-title]");
    await section.locator("tbody tr").first().waitFor();
    const download = page.waitForEvent("download");
    await section.getByRole("button", { name: words.study.csv }).click();
    const text = await readFile(await (await download).path(), "utf8");
    const { wagers: [{ rows }] } = await runJson("odds", "south-dakota", "--wager", "fortune", "--paytable", "1");
    const lines = text.trim().split(/\r?\n/);
    assert.ok(lines.length > rows.length, text);
    for (const row of rows) assert.ok(lines.some((line) => line.split(",").includes(String(row.combinations))), `${JSON.stringify(row)} in ${text}`);
    await player.close();
  });

  test("a link to a hand shows the hand", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/lab");
    await page.getByRole("button", { name: new RegExp(`^${words.lab.random}`) }).click();
    await page.locator(".lab-answer:not(.stale)").waitFor();
    const link = page.url();
    const hand = new URL(link).searchParams.get("cards") ?? "";
    assert.equal(cardsOf(hand).length, 7, link);
    const other = await stage.player();
    await other.page.goto(link);
    const best = other.page.locator("section[aria-labelledby=lab-settings-title] tbody tr").first();
    await best.waitFor();
    assert.equal(sorted(await cardsIn(best)), sorted(cardsOf(hand)));
    await player.close();
    await other.close();
  });

  test("the trainer shows the deciding clause", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/trainer?by=foxwoods");
    const all = page.locator(".trainer-card");
    await all.nth(6).waitFor();
    await page.getByLabel(words.trainer.by).selectOption("foxwoods");
    await all.nth(6).waitFor();
    const cards = await cardsIn(page.locator(".trainer-felt"));
    const way = await runJson("set", cards.join(" "), "--house-way", "foxwoods");
    for (const card of cardsOf(way.low)) await all.filter({ has: page.locator(`pg-card[card="${card}"]`) }).click();
    await page.locator(".trainer-felt .button.primary:not([disabled])").click();
    await page.locator(".judged.is-right", { hasText: way.says }).waitFor();
    await player.close();
  });

  test("the trainer sets and deals with Enter, and counts costs as the table does", async () => {
    const player = await stage.player();
    const { page } = player;
    const book = "south-dakota";
    await player.go(`/trainer?by=best&book=${book}`);
    const all = page.locator(".trainer-card");
    await all.nth(6).waitFor();
    const cards = await cardsIn(page.locator(".trainer-felt"));
    const { settings } = await runJson("best", cards.join(" "), "--book", book);
    const low = lowHands(cards).filter((one) => isLegal(cards, one)).find((one) => !isBest(settings, one)) ?? legalLow(cards);
    // A click leaves the focus on the card. Enter still means the main action.
    for (const card of low) await all.filter({ has: page.locator(`pg-card[card="${card}"]`) }).click();
    await page.locator(".trainer-felt .button.primary:not([disabled])", { hasText: words.trainer.key }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".judged").waitFor();
    const chosen = settings.find((/** @type {any} */ setting) => sorted(cardsOf(setting.low)) === sorted(low));
    const cost = Number(settings[0].ev) - Number(chosen.ev);
    if (cost > 0) await page.locator(".judged", { hasText: words.study.cost(finePercent(cost.toFixed(12))) }).waitFor();
    await page.locator(".judged", { hasText: percent(chosen.ev, { sign: true }) }).waitFor();
    await page.locator(".tile", { hasText: words.trainer.mean }).getByText(finePercent(cost.toFixed(8))).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".judged").waitFor({ state: "detached" });
    // By keys only.
    await page.locator(".trainer-felt .waiting").waitFor({ state: "detached" });
    const next = await cardsIn(page.locator(".trainer-felt"));
    for (const card of legalLow(next)) await page.keyboard.press(String(next.indexOf(card) + 1));
    await page.keyboard.press("Enter");
    await page.locator(".judged").waitFor();
    await player.close();
  });

  test("results of the last rounds", async () => {
    const player = await stage.player();
    const { page } = player;
    await beginSession(player);
    const table = await playRounds(player, "south-dakota", 2);
    const held = new EventEmitter();
    await page.route("**/api/session/results?*", (route) => { held.emit("request", route); });
    const asked = once(held, "request");
    await player.go(`/table/${table}`);
    await player.openDrawer("results");
    const panel = page.locator("pg-results");
    await panel.getByText(words.results.counting).waitFor();
    const [request] = await asked;
    assert.equal(await panel.locator(".figures").count(), 0);
    await request.continue();
    await panel.getByText(words.results.title(2)).waitFor();
    await panel.getByText(words.results.counting).waitFor({ state: "detached" });
    const { rounds } = await (await player.context.request.get(`${player.url}/api/session/rounds?limit=20`)).json();
    const net = rounds.reduce((/** @type {number} */ sum, /** @type {any} */ { play }) => sum + play.net_cents[1], 0);
    await panel.locator(".figures", { hasText: signed(net) }).first().waitFor();
    const me = await (await player.context.request.get(`${player.url}/api/session`)).json();
    await panel.getByText(words.results.tables([tableName({ table, book: "south-dakota", title: "South Dakota" }, me.player)])).waitFor();
    await page.unroute("**/api/session/results?*");
    await panel.getByRole("link", { name: words.results.history }).click();
    await page.locator(".history-list tbody tr").nth(1).waitFor();
    await player.close();
  });

  test("tables have readable names everywhere", async () => {
    const player = await stage.player();
    const { page } = player;
    await beginSession(player);
    const table = await playRounds(player, "south-dakota", 1);
    const me = await (await player.context.request.get(`${player.url}/api/session`)).json();
    const [yours, guests] = [me.player, null].map((viewer) => tableName({ table, book: "south-dakota", title: "South Dakota" }, viewer));
    assert.match(yours, /^Your table \d{3}, South Dakota$/);
    const digits = table.slice("own-".length);
    for (const path of ["/", `/table/${table}`, `/replay/${table}/1`]) {
      await player.go(path);
      await page.getByText(yours).first().waitFor();
      assert.ok(!(await page.locator("body").innerText()).includes(digits), path);
    }
    assert.ok((await page.title()).includes(yours));
    const other = await stage.player();
    await other.go("/");
    await other.page.locator(".plaque").getByRole("link", { name: guests, exact: true }).waitFor();
    for (const one of [player, other]) await one.close();
  });

  test("house ways that a book does not prescribe are said to be chosen for practice", async () => {
    const player = await untouched.player();
    const { page } = player;
    await player.go("/");
    const note = page.locator("section[aria-labelledby=tables-open] > p");
    await note.getByText(words.rules.chosenFor(["California", "EZ Pai Gow", "South Dakota", "Washington"], "Foxwoods")).waitFor();
    await note.getByText(words.rules.prescribedBy(["South Beach Casino"])).waitFor();
    for (const [book, text] of [["ez", words.rules.chosen("Foxwoods")], ["south-beach", words.rules.prescribed]]) {
      await player.go(`/rules/${book}?part=house-way`);
      await page.locator("section[aria-labelledby=house-way-title]").getByText(text).waitFor();
      await player.go(`/table/${book}`);
      await player.openDrawer("rules");
      await page.locator("pg-rules-panel").getByText(text).waitFor();
    }
    await player.go("/house-ways/foxwoods");
    await page.locator("pg-house-way header").getByText(words.rules.chosenFor(["California", "EZ Pai Gow", "South Dakota", "Washington"], "Foxwoods")).waitFor();
    await player.close();
  });

  test("Forget me asks first", async () => {
    const player = await stage.player();
    const { page } = player;
    await beginSession(player);
    await player.go("/");
    await page.locator(".balance").waitFor();
    await player.button(words.app.settings).click();
    const dialog = page.locator("pg-settings dialog[open]");
    const ask = dialog.getByRole("button", { name: words.forget.button, exact: true });
    const yes = dialog.getByRole("button", { name: words.forget.yes(money(await player.balance())) });
    // The answer that keeps the chips has the focus. Escape gives it too, and leaves the dialog open.
    for (const key of ["Enter", "Escape"]) {
      await ask.click();
      await yes.waitFor();
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), words.forget.no);
      await page.keyboard.press(key);
      await ask.waitFor();
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), words.forget.button);
    }
    assert.ok(await player.balance() > 0);
    await ask.click();
    await yes.click();
    await page.locator(".balance").waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), words.app.close);
    assert.equal((await player.context.request.get(`${player.url}/api/session`)).status(), 401);
    await player.close();
  });

  test("settings are stored", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    await player.button(words.app.settings).click();
    await page.getByRole("switch", { name: words.settings.fourColour }).check();
    await page.getByRole("radio", { name: words.settings.themes.light }).check();
    await page.reload();
    await page.locator("html[data-deck=four][data-theme=light]").waitFor({ state: "attached" });
    await player.close();
  });
});

/** Whether a low hand is one of the best settings. @param {any[]} settings @param {string[]} low */
const isBest = (settings, low) => settings.some((setting) => setting.best && sorted(cardsOf(setting.low)) === sorted(low));
