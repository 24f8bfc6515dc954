// What a document fixes, what it leaves to the house, and what is assumed: shown on the page, and held at a table.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { answer } from "../kit/program.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();

describe("kinds of values", { concurrency: true }, () => {
  test("every rule shows its kind, and the totals are those of the program", async () => {
    const rules = await answer("rules", "california");
    const player = await stage.player();
    const { page } = player;
    await player.go("/rules/california");
    await page.locator(".book-facts", { hasText: words.rules.kindTotal(rules.kinds) }).waitFor();
    const values = page.locator("section[aria-labelledby=values-title] tbody tr");
    assert.equal(await values.count(), rules.values.length);
    for (const kind of /** @type {const} */ (["fixed", "option", "assumed"])) {
      assert.equal(await values.locator(`.kind-${kind}`).count(), rules.values.filter((/** @type {any} */ value) => value.kind === kind).length, kind);
    }
    const copies = rules.rules.find((/** @type {any} */ rule) => rule.value === "base_game.copies");
    const shown = page.locator(".rule-list > div", { hasText: copies.says });
    await shown.locator(".kind-assumed").waitFor();
    // California's dealer is its player/dealer, in what is allowed as well.
    await shown.getByText(words.banker(rules.terms.banker).inTerms(copies.allowed)).waitFor();
    const notes = page.locator("section[aria-labelledby=notes-title]");
    for (const note of rules.notes) await notes.getByText(note.says).waitFor();
    await page.locator(".paytable-card[open] .reading-note .kind-assumed").first().waitFor();
    // What the document fixes has its citation alone.
    const fixed = rules.rules.find((/** @type {any} */ rule) => rule.kind === "fixed");
    assert.equal(await page.locator(".rule-list > div", { hasText: fixed.says }).first().locator(".kind").count(), 0);
    await player.leave();
  });

  test("a changed paytable is no longer the document's game", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/odds?book=south-dakota&wager=fortune&paytable=1");
    await page.locator("#pay-full_house").waitFor();
    assert.equal(await page.locator(".departures").count(), 0);
    await page.locator("#pay-full_house").fill("6");
    await page.locator(".departures", { hasText: words.study.departures }).getByText("SD-").first().waitFor();
    await page.getByRole("button", { name: words.odds.reset }).click();
    await page.locator(".departures").waitFor({ state: "detached" });
    await player.leave();
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
    await page.locator(".spot.you").waitFor();
    const { view } = await player.table(new URL(page.url()).pathname.slice("/table/".length));
    assert.deepEqual(view.facts.wagers.map((/** @type {any} */ { wager }) => wager), ["pai-gow"]);
    await player.leave();
  });

  test("fixed values are marked, and a refusal names value and citation", async () => {
    const player = await stage.player();
    const { page } = player;
    await player.go("/");
    const form = page.locator("pg-open-table");
    await form.getByLabel(words.open.book).selectOption("south-dakota");
    await form.getByText(words.open.values).click();
    const { values } = await answer("rules", "south-dakota");
    const fixed = values.find((/** @type {any} */ value) => value.value === "seats.dealer_hand");
    await form.getByLabel(words.open.value).selectOption(fixed.value);
    const setting = form.getByLabel(words.open.setTo(fixed.is));
    assert.ok(await setting.isDisabled());
    await form.getByText(fixed.cite).waitFor();
    await form.getByLabel(words.open.value).selectOption("seats.hands_per_player");
    await form.getByLabel(words.open.setTo("1")).fill("7");
    await form.getByLabel(words.open.setTo("1")).press("Tab");
    await form.getByRole("button", { name: words.open.open }).click();
    const told = form.getByRole("alert");
    await told.waitFor();
    const says = await told.innerText();
    assert.ok(says.startsWith(words.open.fixed) && says.includes("seats.hands_per_player"), says);
    await player.leave();
  });

  test("the dealer's wager is asked for only where the dealer plays against a banking player", async () => {
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
    await player.leave();
  });
});
