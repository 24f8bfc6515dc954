// The house-way designer: proof, edge and costs after each edit, errors at their clauses, drafts, links and files.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { edgeText, changeText } from "../../web/designer/results.js";
import { thousands } from "../../web/study/numbers.js";
import { words } from "../../web/words/en.js";
import { Player } from "../kit/player.js";
import { screenshot } from "../kit/screenshots.js";
import { Server } from "../kit/server.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const { designer: say } = words;
const BOOK = "south-dakota";
const WAY = "foxwoods";
/** Without a cached table of worths, the first answer takes a minute on an idle machine. */
const FIRST = { timeout: 300_000 };

/** Waits until the result is that of the current text. @param {Player} player */
async function waitForAnswer({ page }) {
  await page.locator(".design-summary.stale").waitFor({ state: "detached" });
  await page.locator(".design-results .waiting").waitFor({ state: "detached" });
}

/** Returns the text of a tile. @param {Player} player @param {string} title */
const tile = ({ page }, title) => page.locator(".designer .tile", { has: page.locator("dt", { hasText: new RegExp(`^${title}$`) }) }).locator("dd");

/** Returns the row of a clause. @param {Player} player @param {number} number from 1 */
const row = ({ page }, number) => page.locator(".design-clauses > li").nth(number - 1);

/** Returns the text of the house way in the editor. @param {Player} player */
async function tomlOf({ page }) {
  await page.getByRole("button", { name: say.asText }).click();
  const toml = await page.getByRole("textbox", { name: say.textLabel }).inputValue();
  await page.getByRole("button", { name: say.asClauses }).click();
  return toml;
}

/** Opens a house way in the designer and waits for its price. @param {Player} player @param {string} path */
async function open(player, path) {
  await player.go(path);
  await player.page.locator(".design-cost:not(:empty)").first().waitFor(FIRST);
}

describe("the designer", () => {
  test("edits have proofs, edges, costs and changed hands", async () => {
    const player = await stage.player({ permissions: ["clipboard-read", "clipboard-write"], acceptDownloads: true });
    const { page } = player;
    await player.go(`/house-ways/${WAY}`);
    await page.getByRole("link", { name: words.rules.editCopy }).click();
    await row(player, 1).waitFor();
    await open(player, `/designer?way=${WAY}&book=${BOOK}`);
    const file = await readFile(new URL(`../../crates/paigow/rulebooks/house-ways/${WAY}.toml`, import.meta.url), "utf8");
    const price = async (/** @type {string} */ toml, /** @type {string} */ before) => stage.server.ask("/api/design", { body: { book: BOOK, toml, before } });
    const start = await price(file, file);
    assert.equal(await tile(player, say.proof).innerText(), `${say.proved}\n${say.provedWhy}`);
    assert.equal(await tile(player, say.edge).innerText(), edgeText(start.odds.edge));
    assert.equal(await page.locator(".design-clauses > li").count(), start.price.clauses.length);
    assert.match(await row(player, 1).locator(".design-cost").innerText(), new RegExp(`^decides ${thousands(start.price.clauses[0].hands)} hands`));

    // A broken phrase: the error is at its clause, and at its line of the text.
    const when = row(player, 2).locator("[data-field=when]");
    const phrase = await when.inputValue();
    await when.fill(phrase.replace("two pairs", "two pear"));
    await row(player, 2).locator(".design-fault", { hasText: "two pear" }).waitFor();
    assert.equal(await when.getAttribute("aria-invalid"), "true");
    assert.equal(await page.locator(".design-clauses > li .design-fault").count(), 1);
    assert.equal(await page.locator(".design-summary").innerText(), say.summary.errors(1));
    await page.getByRole("button", { name: say.asText }).click();
    const line = Number(await page.locator(".design-lines .wrong").innerText().then((text) => text.replace(/\D/g, "")));
    await page.getByRole("button", { name: say.line(line), exact: true }).click();
    assert.match(await page.getByRole("textbox", { name: say.textLabel }).evaluate((area) => {
      const { value, selectionStart, selectionEnd } = /** @type {HTMLTextAreaElement} */ (area);
      return value.slice(selectionStart, selectionEnd);
    }), /^when = .*two pear/);
    await screenshot(page, "designer-error");
    await page.getByRole("button", { name: say.asClauses }).click();
    await page.getByRole("button", { name: say.undo }).click();
    await page.locator(".design-fault").waitFor({ state: "detached" });
    assert.equal(await when.inputValue(), phrase);

    // A moved clause, by keyboard: the difference and the changed hands. The focus stays.
    await row(player, 2).locator("[data-act=down]").focus();
    await page.keyboard.press("Enter");
    await tile(player, say.change).waitFor();
    await waitForAnswer(player);
    assert.equal(await row(player, 3).locator("[data-field=when]").inputValue(), phrase);
    assert.ok(await row(player, 3).locator("[data-act=down]").evaluate((button) => button === document.activeElement));
    const moved = await price(await tomlOf(player), file);
    assert.equal((await tile(player, say.change).innerText()).split("\n")[0], changeText(moved.compared.edge_change));
    assert.equal((await tile(player, say.changed).innerText()).split("\n")[0], thousands(moved.compared.hands));
    assert.equal(await page.locator("[data-part=design-changed] .design-kinds > li").count(), moved.compared.kinds.length);
    assert.match(await page.locator(".design-summary").innerText(), new RegExp(thousands(moved.compared.hands)));
    assert.equal(await page.locator(".design-faults li").count(), moved.faults.length);
    await screenshot(page, "designer-moved");
    await page.getByRole("button", { name: say.undo }).click();
    await page.locator(".design-summary", { hasText: edgeText(start.odds.edge) }).waitFor();
    assert.equal(await row(player, 2).locator("[data-field=when]").inputValue(), phrase);

    // A clause that is switched off is not in the text, and the draft keeps it.
    await row(player, 1).locator("[data-act=toggle]").click();
    await tile(player, say.change).waitFor();
    await waitForAnswer(player);
    const toml = await tomlOf(player);
    const off = await price(toml, file);
    assert.equal(off.price.clauses.length, start.price.clauses.length - 1);
    assert.equal(await tile(player, say.edge).innerText(), edgeText(off.odds.edge));
    await page.reload();
    await row(player, 1).waitFor();
    assert.match(await row(player, 1).getAttribute("class") ?? "", /is-off/);
    await tile(player, say.change).waitFor();
    await waitForAnswer(player);
    assert.equal((await tile(player, say.change).innerText()).split("\n")[0], changeText(off.compared.edge_change));
    await page.locator(".design-drafts summary").click();
    await page.locator(".design-drafts li", { hasText: say.draftNow }).waitFor();

    // The file and the link have the text.
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: say.download }).click()]);
    assert.match(saved.suggestedFilename(), /\.toml$/);
    assert.equal(await readFile(await saved.path(), "utf8"), toml);
    await page.getByRole("button", { name: say.share }).click();
    await page.waitForFunction((copied) => document.getElementById("say-polite")?.textContent?.includes(copied), words.share.copiedSay);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await stage.player();
    await other.page.goto(link);
    await tile(other, say.edge).waitFor(FIRST);
    assert.equal(await tile(other, say.edge).innerText(), edgeText(off.odds.edge));
    assert.equal(await tomlOf(other), toml);
    assert.equal(await other.page.locator(".design-drafts li").count(), 0);
    await other.close();

    // Two house ways side by side.
    await page.locator("select[name=compare]").selectOption("golden-nugget");
    await page.locator(".design-summary", { hasText: "Golden Nugget" }).waitFor();
    await page.locator("[data-part=design-two] > summary").click();
    assert.ok(await page.locator(".design-pair .differs").count() > 0);
    await player.close();
  });

  test("a budget switches clauses off, and a table is played with the result", async () => {
    const player = await stage.player();
    const { page } = player;
    await open(player, `/designer?way=${WAY}&book=${BOOK}`);
    const file = await readFile(new URL(`../../crates/paigow/rulebooks/house-ways/${WAY}.toml`, import.meta.url), "utf8");
    const { steps } = await stage.server.ask("/api/design/budget", { body: { book: BOOK, toml: file, budget: "0.0001" } });
    await page.locator("[data-part=design-budget] > summary").click();
    await page.locator("input[name=budget]").fill("0.01");
    const all = page.getByRole("button", { name: say.budget.applyAll(steps.length), exact: true });
    await all.waitFor();
    assert.equal(await page.locator(".design-steps > li").count(), steps.length);

    // After an edit with an error, the steps are those of an earlier text and cannot be applied.
    const when = row(player, 2).locator("[data-field=when]");
    await when.fill((await when.inputValue()).replace("two pairs", "two pear"));
    await row(player, 2).locator(".design-fault", { hasText: "two pear" }).waitFor();
    assert.equal(await page.locator("[data-part=design-budget] button:enabled").count(), 0);
    await page.getByRole("button", { name: say.undo }).click();
    await all.click();
    await tile(player, say.change).waitFor();
    await waitForAnswer(player);
    assert.equal(await page.locator(".design-clauses > li.is-off").count(), steps.length);
    assert.equal((await tile(player, say.change).innerText()).split("\n")[0], changeText(steps[steps.length - 1].edge_change));

    // The dealer of the table sets by the shorter way.
    const toml = await tomlOf(player);
    await page.getByRole("button", { name: say.play.button }).click();
    await page.waitForURL(/\/table\//);
    const table = new URL(page.url()).pathname.split("/").pop();
    assert.equal((await stage.server.ask(`/api/house-ways/table:${table}`)).toml, toml);
    await player.close();
  });

  test("an empty house way, a file, and a text that is not a list of clauses", async () => {
    const player = await stage.player();
    const { page } = player;
    await open(player, `/designer?way=empty&book=${BOOK}`);
    assert.equal(await page.locator(".design-clauses > li").count(), 1);
    await page.getByLabel(say.open).setInputFiles({ name: "way.toml", mimeType: "application/toml", buffer: Buffer.from('title = "Broken"\nextra = 3\n') });
    await page.locator(".design-fault li").first().waitFor();
    await page.getByText(say.textOnly).waitFor();
    assert.equal(await page.getByRole("button", { name: say.asClauses }).isDisabled(), true);
    // Once the text is correct, it is the version to compare with.
    const toml = await readFile(new URL(`../../crates/paigow/rulebooks/house-ways/${WAY}.toml`, import.meta.url), "utf8");
    await page.getByRole("textbox", { name: say.textLabel }).fill(toml.replace(/^title.*$/m, 'title = "Broken"'));
    await page.locator(".design-summary", { hasText: say.summary.proved }).waitFor();
    assert.equal(await page.getByRole("button", { name: say.asClauses }).isDisabled(), false);
    assert.equal(await tile(player, say.change).count(), 0);
    await page.locator(".design-drafts summary").click();
    const draft = page.locator(".design-drafts li", { hasText: "Broken" });
    await draft.getByRole("button", { name: say.draftDelete }).click();
    await draft.getByRole("button", { name: say.draftYes }).click();
    await draft.waitFor({ state: "detached" });
    await player.close();
  });

  test("a server without tables of worths counts the edge", async () => {
    const server = await Server.start("--worth-tables", "false");
    const player = await Player.open(stage.browser, server);
    await player.go(`/designer?way=${WAY}&book=${BOOK}`);
    await player.page.getByText(say.counted).waitFor(FIRST);
    assert.match(await tile(player, say.edge).innerText(), /^2\.\d{4}/);
    await player.close();
    await server.stop();
  });
});
