// Visits every view of the page: the table in every phase, the study pages, the account and the console.

import { describe, test } from "node:test";
import { SECTIONS } from "../../web/console/sections.js";
import { words } from "../../web/words/en.js";
import { makeAccount } from "./accounts.js";
import { legalLow } from "./hands.js";
import { signIn } from "./operators.js";
import { beginSession } from "./rounds.js";

/**
 * @typedef {import("./player.js").Player} Player
 * @typedef {import("./stage.js").Stage} Stage
 * @typedef {{ name: string, main?: boolean }} Stop main: one of the most important views
 */

/** Clocks of the player's own time, in seconds: no deadline fires during a visit, and no clock turns the cards. */
const CLOCKS = { bank: 3600, wagers: 3600, settings: 3600, between: 3600 };
const HAND = "As Kd Tc 9h 2s 2d Jk";

/**
 * Defines tests that inspect every view.
 * @param {string} title @param {Stage} stage @param {(player: Player, tour: AsyncGenerator<Stop>) => Promise<void>} inspect
 */
export function testEveryView(title, stage, inspect) {
  const run = async (/** @type {(player: Player) => AsyncGenerator<Stop>} */ tour) => {
    const player = await stage.player();
    await inspect(player, tour(player));
    await player.close();
  };
  describe(title, { concurrency: true }, () => {
    test("table", () => run((player) => tables(stage, player)));
    test("study pages", () => run(studies));
    test("account and console", () => run((player) => people(stage, player)));
  });
}

/** Visits the table, from the lobby to the replay. @param {Stage} stage @param {Player} player @returns {AsyncGenerator<Stop>} */
async function* tables(stage, player) {
  const { server } = stage;
  const { page } = player;
  await server.open("tour", { book: "south-dakota", bots: 4, clocks: CLOCKS });
  await player.go("/");
  await page.locator(".plaque").nth(5).waitFor();
  yield { name: "lobby", main: true };

  await player.go("/table/tour");
  await player.rail.getByText(words.dock.watching).waitFor();
  yield { name: "table-watching" };
  await page.getByRole("button", { name: words.felt.sit(3), exact: true }).first().click();
  await player.waitForPhase("wagers");
  await page.locator(".seat", { hasText: words.state.ready }).first().waitFor();
  yield { name: "table-wagers-empty" };
  await player.addChips(0, 25, 5);
  await player.addChips(1, 5);
  await player.rail.getByText(words.board.go.amount("$35")).waitFor();
  yield { name: "table-wagers", main: true };
  await player.deal();
  await page.locator("button.own-card.down").nth(6).waitFor();
  await page.keyboard.press("ArrowRight");
  yield { name: "table-face-down" };
  const cards = await player.cards();
  yield { name: "table-dealt" };
  await player.press(words.set.houseWay);
  await page.locator(".box.low button.own-card").nth(1).waitFor();
  yield { name: "table-setting", main: true };
  await player.button(words.table.asText).click();
  await page.locator(".as-text").waitFor();
  yield { name: "text-setting" };
  await player.button(words.table.asText).click();
  await page.evaluate(() => {
    // Turn the coach on before the round is over, and the guide off, which the stops before have shown.
    const stored = JSON.parse(localStorage.getItem("paigow.settings") ?? "{}");
    localStorage.setItem("paigow.settings", JSON.stringify({ ...stored, coach: true, guided: true }));
  });
  await page.reload();
  await player.cards();
  await player.chooseLow(legalLow(cards));
  await player.press(words.board.go.set);
  await player.waitForResult();
  await page.locator(".coach-line").waitFor();
  yield { name: "table-settled", main: true };
  for (const tab of /** @type {const} */ (["round", "coach", "paytables", "rules", "rounds", "results"])) {
    await player.openDrawer(tab);
    await page.locator("#side-panel :is(.loading, .waiting)").waitFor({ state: "detached" });
    if (tab === "rounds") {
      await page.locator("pg-rounds").getByRole("button", { name: words.rounds.check }).first().click();
      await page.locator("pg-rounds .checks li").nth(2).waitFor();
    }
    yield { name: `table-${tab}` };
  }
  await player.closeDrawer();
  await player.button(words.table.asText).click();
  yield { name: "text-settled", main: true };
  await player.button(words.table.asText).click();
  await page.keyboard.press("?");
  await page.locator("dialog#keys-help[open]").waitFor();
  yield { name: "keys" };
  await page.keyboard.press("Escape");
  await player.button(words.app.settings).click();
  await page.locator("pg-settings dialog[open]").waitFor();
  yield { name: "settings" };

  await server.open("tour-bank", { book: "california", clocks: CLOCKS });
  await player.sit("tour-bank", 4);
  // The bank is offered only with a second player at the table.
  const other = await stage.player();
  await other.sit("tour-bank", 5);
  await player.waitForPhase("offering");
  yield { name: "bank-offered" };
  await player.press(words.banker("player/dealer").take);
  await player.press(words.board.alt.amount);
  await page.locator(".piles").waitFor();
  yield { name: "bank-taken" };
  await other.close();

  await player.go("/replay/tour/1");
  await player.button(words.board.panel).click();
  await page.locator(".replay .checks li").nth(2).waitFor();
  await page.locator(".scrub input[type=range]").press("End");
  await page.locator(".replay .lines .line").first().waitFor();
  yield { name: "replay", main: true };

  await player.go("/history");
  await page.locator(".history-list tbody tr").first().waitFor();
  await page.getByText(words.history.graphTable).click();
  yield { name: "history", main: true };
}

/** Visits the study pages. @param {Player} player @returns {AsyncGenerator<Stop>} */
async function* studies(player) {
  const { page } = player;
  await player.go("/lab");
  await page.locator(".example").first().waitFor();
  yield { name: "lab-empty" };
  await player.go(`/lab?cards=${encodeURIComponent(HAND)}&book=south-dakota`);
  await page.locator(".lab-answer:not(.stale)").waitFor();
  yield { name: "lab", main: true };

  await player.go("/odds?book=south-dakota&wager=fortune&paytable=1");
  await page.locator("svg.columns").waitFor();
  yield { name: "odds", main: true };
  const counted = page.waitForResponse("**/api/odds");
  await page.locator("#pay-full_house").fill("6");
  await counted;
  await page.locator("section[aria-labelledby=odds-returns-title]").getByRole("button", { name: words.study.exact }).click();
  await page.locator(".stale").waitFor({ state: "detached" });
  yield { name: "odds-changed" };
  await player.go("/odds?book=south-dakota&wager=pai-gow");
  // The server counts the base game once for each house way. A count takes a few seconds on an idle machine.
  await page.locator("section[aria-labelledby=odds-ways-title] tbody tr").nth(1).waitFor({ timeout: 180_000 });
  yield { name: "odds-base-game" };

  await player.go("/trainer");
  const cards = page.locator(".trainer-card");
  await cards.nth(6).waitFor();
  yield { name: "trainer-asked" };
  const hand = await cards.locator("pg-card").evaluateAll((all) => all.map((card) => card.getAttribute("card") ?? ""));
  for (const card of legalLow(hand)) await page.locator(".trainer-card", { has: page.locator(`pg-card[card="${card}"]`) }).click();
  await page.locator(".trainer-felt .button.primary:not([disabled])").click();
  await page.locator(".judged").waitFor();
  yield { name: "trainer", main: true };

  // The course with a strategy card.
  await player.go("/cards");
  await page.locator(".strategy-entry").first().waitFor();
  yield { name: "strategy-cards" };
  await page.getByRole("link", { name: words.strategy.open }).first().click();
  await page.locator(".print-card:not(.long)").waitFor();
  yield { name: "strategy-card", main: true };
  await page.getByRole("link", { name: words.strategy.learn, exact: true }).click();
  await page.locator(".course-examples li").first().waitFor();
  yield { name: "course-rule", main: true };
  await page.locator(".course-practice").click();
  await cards.nth(6).waitFor();
  const dealt = await cards.locator("pg-card").evaluateAll((all) => all.map((card) => card.getAttribute("card") ?? ""));
  for (const card of legalLow(dealt)) await page.locator(".trainer-card", { has: page.locator(`pg-card[card="${card}"]`) }).click();
  await page.locator(".trainer-felt .button.primary:not([disabled])").click();
  await page.locator(".judged").waitFor();
  yield { name: "course", main: true };

  await player.go("/puzzle");
  await cards.nth(6).waitFor();
  yield { name: "puzzle-asked" };
  const puzzle = await cards.locator("pg-card").evaluateAll((all) => all.map((card) => card.getAttribute("card") ?? ""));
  for (const card of legalLow(puzzle)) await page.locator(".trainer-card", { has: page.locator(`pg-card[card="${card}"]`) }).click();
  await page.locator(".trainer-felt .button.primary:not([disabled])").click();
  await page.locator(".judged").waitFor();
  await page.getByRole("checkbox", { name: words.puzzle.picture.named }).check();
  yield { name: "puzzle", main: true };
  await player.go("/puzzle/archive");
  await page.locator(".puzzle-day").first().waitFor();
  yield { name: "puzzle-archive" };
  await player.go("/history");
  await page.getByText(words.history.noSession).waitFor();
  yield { name: "history-empty" };

  await player.go("/rules");
  await page.locator("pg-rules h1").waitFor();
  await page.locator(".loading").waitFor({ state: "detached" });
  yield { name: "rules-all" };
  await player.go("/rules/south-dakota");
  await page.locator("pg-rules h2").first().waitFor();
  yield { name: "rules", main: true };
  await page.getByRole("button", { name: words.study.openAll }).click();
  await page.locator("section[aria-labelledby=values-title] tbody tr").first().waitFor();
  yield { name: "rules-open" };
  await player.go("/house-ways/foxwoods?clause=1");
  await page.locator("pg-house-way h1").waitFor();
  await page.locator(".loading").waitFor({ state: "detached" });
  yield { name: "house-way" };
  await player.go("/designer?way=foxwoods&book=south-dakota");
  // The server prepares the worth of every hand once for each book and opponent, which takes a minute on an idle machine.
  await page.locator(".design-cost:not(:empty)").first().waitFor({ timeout: 300_000 });
  await page.locator(".design-clauses [data-act=down]").nth(1).click();
  await page.locator(".design-kinds > li").first().waitFor({ state: "attached" });
  await page.locator(".design-summary.stale").waitFor({ state: "detached" });
  yield { name: "designer", main: true };
  await page.locator(".design-clauses [data-field=when]").first().fill("two pear");
  await page.locator(".design-clauses .design-fault", { hasText: "two pear" }).waitFor();
  await page.getByRole("button", { name: words.designer.asText }).click();
  yield { name: "designer-text" };
  await player.go("/how-to-play");
  await page.locator("pg-how-to-play h1").waitFor();
  yield { name: "how-to-play", main: true };
  await player.go("/figures");
  await page.locator("pg-figures tbody tr").first().waitFor({ timeout: 180_000 });
  yield { name: "figures", main: true };
  await page.getByRole("searchbox", { name: words.figures.find }).fill("flush");
  await page.locator("section[aria-labelledby=figures-title] > [role=status]:not(:empty)").waitFor();
  yield { name: "figures-found" };
  await beginSession(player);
  await player.go("/");
  await page.locator(".balance").waitFor();
  await player.button(words.app.settings).click();
  await page.locator("pg-settings dialog[open]").getByRole("button", { name: words.forget.button }).click();
  await page.locator("pg-settings .confirm").waitFor();
  yield { name: "forget" };
  await player.go("/table/nothing-here");
  await page.locator(".notice").waitFor();
  yield { name: "missing" };
}

/** Visits the account of a player and the sections of the console. @param {Stage} stage @param {Player} player @returns {AsyncGenerator<Stop>} */
async function* people({ server }, player) {
  const { page } = player;
  await player.go("/account");
  await page.locator("pg-create-account form").waitFor();
  yield { name: "account-none" };
  await makeAccount(player, "Tour Guide");
  await page.locator("pg-account-sessions li").first().waitFor();
  yield { name: "account", main: true };

  await player.go("/console");
  await page.locator("pg-operator-sign-in form").waitFor();
  yield { name: "console-sign-in" };
  await player.go("/console/enrol");
  await page.locator("pg-operator-enrol form").waitFor();
  yield { name: "console-enrol" };
  const me = await (await player.context.request.get(`${player.url}/api/session`)).json();
  await server.operate("chips", { id: "tour-above", player: me.player, cents: 500_000 });
  await server.operate("audits", {});
  await server.open("tour-console", { book: "south-dakota", bots: 3, clocks: CLOCKS });
  await signIn(player.context, player.url, await server.admin());
  await player.go("/console");
  await page.locator(".console-home li").first().waitFor();
  yield { name: "console", main: true };
  for (const { id } of SECTIONS) {
    await player.go(`/console/${id}`);
    await page.locator(`pg-console-${id} .console-content > *`).first().waitFor();
    await page.locator(".loading, .waiting").first().waitFor({ state: "detached" });
    yield { name: `console-${id}`, main: id === "tables" };
  }
  await player.go(`/console/people/${me.player}`);
  await page.locator("#balances-title").waitFor();
  yield { name: "console-person" };
}
