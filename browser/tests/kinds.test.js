// Kinds of values: fixed by the document, option of the house, assumed. The page shows them and tables enforce them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { runJson } from "../kit/program.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();

describe("kinds of values", { concurrency: 2 }, () => {
  test("rules show their kind, totals match the program", async () => {
    const rules = await runJson("rules", "california");
    const player = await stage.player();
    const { page } = player;
    await player.go("/rules/california");
    await page.locator(".book-facts", { hasText: words.rules.kindTotal(rules.kinds) }).waitFor();
    await page.getByRole("button", { name: words.study.openAll }).click();
    const values = page.locator("section[aria-labelledby=values-title] tbody tr");
    assert.equal(await values.count(), rules.values.length);
    for (const kind of /** @type {const} */ (["fixed", "option", "assumed"])) {
      assert.equal(await values.locator(`.kind-${kind}`).count(), rules.values.filter((/** @type {any} */ value) => value.kind === kind).length, kind);
    }
    const copies = rules.rules.find((/** @type {any} */ rule) => rule.value === "base_game.copies");
    const shown = page.locator(".rule-list > div", { hasText: copies.says });
    await shown.locator(".kind-assumed").waitFor();
    // The allowed values also use California's term, player/dealer.
    await shown.getByText(words.banker(rules.terms.banker).inTerms(copies.allowed)).waitFor();
    const notes = page.locator("section[aria-labelledby=notes-title]");
    for (const note of rules.notes) await notes.getByText(note.says).waitFor();
    await page.locator(".paytable-card[open] .reading-note .kind-assumed").first().waitFor();
    // A fixed rule shows only its citation.
    const fixed = rules.rules.find((/** @type {any} */ rule) => rule.kind === "fixed");
    assert.equal(await page.locator(".rule-list > div", { hasText: fixed.says }).first().locator(".kind").count(), 0);
    await player.close();
  });

  test("a changed paytable shows its departures", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/odds?book=south-dakota&wager=fortune&paytable=1");
    await page.locator("#pay-full_house").waitFor();
    assert.equal(await page.locator(".departures").count(), 0);
    await page.locator("#pay-full_house").fill("6");
    await page.locator(".departures", { hasText: words.study.departures }).getByText("SD-").first().waitFor();
    await page.getByRole("button", { name: words.odds.reset }).click();
    await page.locator(".departures").waitFor({ state: "detached" });
    await player.close();
  });

  test("a table without side wagers", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    const form = page.locator("pg-open-table");
    await form.getByLabel(words.open.book).selectOption("ez");
    const sides = form.getByRole("group", { name: words.open.sides }).getByRole("checkbox");
    await sides.nth(1).waitFor();
    for (const side of await sides.all()) await side.uncheck();
    await form.getByRole("button", { name: words.open.open }).click();
    await page.waitForURL("**/table/own-*");
    await page.locator(".own:not(.watching)").waitFor();
    const { view } = await player.table(new URL(page.url()).pathname.slice("/table/".length));
    assert.deepEqual(view.facts.wagers.map((/** @type {any} */ { wager }) => wager), ["pai-gow"]);
    await player.close();
  });

  test("fixed values are marked and refused", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    const form = page.locator("pg-open-table");
    await form.getByLabel(words.open.book).selectOption("south-dakota");
    await form.getByText(words.open.values).click();
    const { values } = await runJson("rules", "south-dakota");
    const fixed = values.find((/** @type {any} */ value) => value.value === "seats.dealer_hand");
    await form.getByLabel(words.open.value).selectOption(fixed.value);
    const setting = form.getByLabel(words.open.setTo(fixed.is));
    assert.ok(await setting.isDisabled());
    await form.getByText(fixed.cite).waitFor();
    await form.getByLabel(words.open.value).selectOption("seats.hands_per_player");
    await form.getByLabel(words.open.setTo("1")).fill("7");
    await form.getByLabel(words.open.setTo("1")).press("Tab");
    await form.getByRole("button", { name: words.open.open }).click();
    const alert = form.getByRole("alert");
    await alert.waitFor();
    const message = await alert.innerText();
    assert.ok(message.startsWith(words.open.fixed) && message.includes("seats.hands_per_player"), message);
    await player.close();
  });

  test("dealer's wager field appears only if the dealer plays against a banking player", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    const form = page.locator("pg-open-table");
    await form.getByText(words.open.clocks).click();
    const field = form.getByLabel(words.banker("banker").dealerWager);
    await form.getByLabel(words.open.book).selectOption("south-beach");
    await field.waitFor();
    await form.getByLabel(words.open.book).selectOption("ez");
    await field.waitFor({ state: "detached" });
    await player.close();
  });
});
