// A walk past every view, each as it is when somebody looks at it: the table in every part of a round, and all that is there to study.

import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { legal } from "./hands.js";

/**
 * @typedef {import("./player.js").Player} Player
 * @typedef {import("./stage.js").Stage} Stage
 * @typedef {{ name: string, main?: boolean }} Stop main: one of those that show most of the page
 */

/** So long that whoever looks has the time. */
const CLOCKS = { bank: 600, wagers: 600, settings: 600, between: 600 };
const HAND = "As Kd Tc 9h 2s 2d Jk";

/**
 * Has somebody look at every view, those of a table beside those to study.
 * @param {string} title @param {Stage} stage @param {(player: Player, tour: AsyncGenerator<Stop>) => Promise<void>} look
 */
export function onTour(title, stage, look) {
  const walk = async (/** @type {(player: Player) => AsyncGenerator<Stop>} */ tour) => {
    const player = await stage.player();
    await look(player, tour(player));
    await player.leave();
  };
  describe(title, { concurrency: true }, () => {
    test("at a table", () => walk((player) => tables(stage, player)));
    test("in what there is to study", () => walk(studies));
  });
}

/** The table, from the lobby to the replay. @param {Stage} stage @param {Player} player @returns {AsyncGenerator<Stop>} */
async function* tables(stage, player) {
  const { server } = stage;
  const { page } = player;
  await server.open("tour", { book: "south-dakota", bots: 4, clocks: CLOCKS });
  await player.go("/");
  await page.locator(".plaque").nth(5).waitFor();
  yield { name: "lobby", main: true };

  await player.go("/table/tour");
  await player.dock.getByText(words.dock.watching).waitFor();
  yield { name: "table-watching" };
  await player.dock.getByRole("button", { name: words.felt.sit(3), exact: true }).click();
  await player.at("wagers");
  await page.locator(".spot", { hasText: words.state.ready }).first().waitFor();
  yield { name: "table-wagers-empty" };
  await player.chips(0, 25, 5);
  await player.chips(1, 5);
  await player.dock.getByText(words.wager.placed).waitFor();
  yield { name: "table-wagers", main: true };
  await player.press(words.wager.go);
  const cards = await player.cards();
  yield { name: "table-dealt" };
  await player.press(words.set.houseWay);
  await page.locator(".pick.on").nth(1).waitFor();
  yield { name: "table-setting", main: true };
  await player.button(words.table.asText).click();
  await page.locator(".as-text").waitFor();
  yield { name: "text-setting" };
  await player.button(words.table.asText).click();
  await page.evaluate(() => {
    // The coach judges what was set before the round is over.
    const kept = JSON.parse(localStorage.getItem("paigow.settings") ?? "{}");
    localStorage.setItem("paigow.settings", JSON.stringify({ ...kept, coach: true }));
  });
  await page.reload();
  await player.cards();
  await player.front(legal(cards));
  await player.press(words.set.confirm);
  await player.settled();
  await page.locator(".dock .worths, .dock table").first().waitFor();
  yield { name: "table-settled", main: true };
  for (const tab of /** @type {const} */ (["paytables", "rules", "rounds", "results"])) {
    await page.locator(`#tab-${tab}`).click();
    await page.locator("#side-panel .loading").waitFor({ state: "detached" });
    if (tab === "rounds") {
      await page.locator("pg-rounds").getByRole("button", { name: words.rounds.check }).first().click();
      await page.locator("pg-rounds .checks li").nth(2).waitFor();
    }
    yield { name: `table-${tab}` };
  }
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
  // The bank is offered once there is somebody to play against.
  const other = await stage.player();
  await other.sit("tour-bank", 5);
  await player.at("offering");
  yield { name: "bank-offered" };
  await player.press(words.banker("player/dealer").take);
  await player.dock.locator(".piles").waitFor();
  yield { name: "bank-taken" };
  await other.leave();

  await player.go("/replay/tour/1");
  await page.locator(".replay .checks li").nth(2).waitFor();
  await page.locator(".scrub input[type=range]").press("End");
  await page.locator(".replay .lines .line").first().waitFor();
  yield { name: "replay", main: true };
}

/** What there is to study. @param {Player} player @returns {AsyncGenerator<Stop>} */
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
  // The server counts the base game once for each house way: two of them take half a minute on a machine that does nothing else.
  await page.locator("section[aria-labelledby=odds-ways-title] tbody tr").nth(1).waitFor({ timeout: 180_000 });
  yield { name: "odds-base-game" };

  await player.go("/trainer");
  const cards = page.locator(".trainer-card");
  await cards.nth(6).waitFor();
  yield { name: "trainer-asked" };
  const hand = await cards.locator("pg-card").evaluateAll((all) => all.map((card) => card.getAttribute("card") ?? ""));
  for (const card of legal(hand)) await page.locator(".trainer-card", { has: page.locator(`pg-card[card="${card}"]`) }).click();
  await page.locator(".trainer-felt .button.primary:not([disabled])").click();
  await page.locator(".judged").waitFor();
  yield { name: "trainer", main: true };

  await player.go("/rules");
  await page.locator("pg-rules h1").waitFor();
  await page.locator(".loading").waitFor({ state: "detached" });
  yield { name: "rules-all" };
  await player.go("/rules/south-dakota");
  await page.locator("pg-rules h2").first().waitFor();
  yield { name: "rules", main: true };
  await player.go("/house-ways/foxwoods?clause=1");
  await page.locator("pg-house-way h1").waitFor();
  await page.locator(".loading").waitFor({ state: "detached" });
  yield { name: "house-way" };
  await player.go("/figures");
  await page.locator("pg-figures tbody tr").first().waitFor({ timeout: 180_000 });
  yield { name: "figures", main: true };
  await player.go("/table/nothing-here");
  await page.locator(".notice").waitFor();
  yield { name: "missing" };
}
