// Cards are drawn in three cuts by their width, in two or four colors, with the index at the left or at the right. A card face down does not
// contain its identity. Sounds are off until the player turns them on.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { waitForAnimations } from "../kit/browser.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const WIDTHS = { full: [126, 60], middle: [59, 38], small: [37, 28] };
/** Parts of a court card and of a number card that each cut shows. */
const PARTS = { full: [["index", "court"], ["index", "pips"]], middle: [["index", "court"], ["index", "pip"]], small: [["index", "pip"], ["index", "pip"]] };

describe("cards", { concurrency: 2 }, () => {
  test("the width decides the cut", async () => {
    const { player, page } = await open();
    for (const cut of /** @type {const} */ (["full", "middle", "small"])) {
      for (const width of WIDTHS[cut]) {
        const parts = await page.evaluate(([width]) => {
          const box = document.createElement("div");
          box.style.setProperty("--card-w", `${width}px`);
          document.body.append(box);
          return ["Kh", "7d"].map((name) => {
            const card = document.createElement("pg-card");
            card.setAttribute("card", name);
            box.append(card);
            const { width: drawn, height } = card.getBoundingClientRect();
            const shown = [...card.querySelectorAll("use")].filter((part) => getComputedStyle(part).display !== "none").map((part) => part.getAttribute("class"));
            return { shown, ratio: Math.round((height / drawn) * 100) };
          });
        }, [width]);
        assert.deepEqual(parts.map(({ shown }) => shown), PARTS[cut], `${width} px`);
        assert.deepEqual(parts.map(({ ratio }) => ratio), [140, 140]);
      }
    }
    await player.close();
  });

  test("four colors and the index at the right are settings", async () => {
    const { player, page } = await open();
    const deck = page.locator(".deck");
    const color = (/** @type {string} */ card) => deck.locator(`pg-card[card="${card}"]`).evaluate((element) => getComputedStyle(element).color);
    const isRight = () => deck.locator('pg-card[card="As"]').evaluate((element) => {
      const [card, index] = [element, /** @type {Element} */ (element.querySelector(".index"))].map((part) => part.getBoundingClientRect());
      return index.left + index.width / 2 > card.left + card.width / 2;
    });
    assert.equal(await color("Kd"), await color("Kh"));
    assert.equal(await isRight(), false);
    await page.getByRole("button", { name: words.app.settings, exact: true }).click();
    await page.getByRole("switch", { name: words.settings.fourColour }).check();
    await page.getByRole("switch", { name: words.settings.leftHanded }).check();
    await waitForAnimations(page);
    assert.equal(new Set(await Promise.all(["Ks", "Kh", "Kd", "Kc"].map(color))).size, 4);
    assert.equal(await isRight(), true);
    await page.reload();
    await deck.waitFor();
    assert.equal(await isRight(), true, "settings are stored");
    await player.close();
  });

  test("a card face down has no identity", async () => {
    const { player, page } = await open();
    const states = await page.evaluate(async () => {
      const card = document.createElement("pg-card");
      document.body.append(card);
      const state = () => ({ label: card.getAttribute("aria-label"), drawn: card.innerHTML });
      const down = state();
      card.setAttribute("card", "Qs");
      await Promise.resolve();
      return { down, up: state() };
    });
    assert.match(states.down.drawn, /card-back/);
    assert.doesNotMatch(states.down.drawn, /index|court|pip/);
    assert.equal(states.down.label, words.card.back);
    assert.match(states.up.drawn, /card-index-Qs/);
    assert.equal(states.up.label, "queen of spades");
    await player.close();
  });
});

test("sounds are off until the player turns them on, and the setting is stored", async () => {
  const player = await stage.player();
  const { page } = player;
  await page.addInitScript(() => {
    const records = /** @type {any} */ (globalThis);
    records.contexts = 0;
    globalThis.AudioContext = class extends AudioContext {
      constructor() {
        super();
        records.contexts += 1;
      }
    };
  });
  const contexts = () => page.evaluate(() => /** @type {any} */ (globalThis).contexts);
  const table = await stage.server.open("sounds", { book: "south-dakota" });
  await player.sit(table, 1);
  await player.waitForPhase("wagers");
  const toggle = page.getByRole("button", { name: words.settings.sound, exact: true });
  await page.locator(".spot.base").click();
  assert.equal(await contexts(), 0);
  await toggle.click();
  assert.equal(await contexts(), 1);
  await page.locator(".spot.base").click();
  assert.equal(await contexts(), 1, "one context serves all sounds");
  await page.reload();
  assert.equal(await toggle.getAttribute("aria-pressed"), "true", "the setting is stored");
  await player.close();
});

/** Opens the hand lab, which shows all cards. @param {"reduce" | "no-preference"} [reducedMotion] */
async function open(reducedMotion = "reduce") {
  const player = await stage.player({ reducedMotion });
  await player.go("/lab");
  await player.page.locator(".deck").waitFor();
  return { player, page: player.page };
}
