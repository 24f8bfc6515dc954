// Geometry of the table at seven sizes: nothing scrolls, nothing that should stay moves between phases, seats do not overlap, and targets and texts are large enough.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setColorScheme, waitForAnimations } from "../kit/browser.js";
import { screenshot } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";
import { words } from "../../web/words/en.js";

const stage = new Stage();
const SIZES = [[1920, 1080], [1280, 800], [1024, 768], [844, 390], [768, 1024], [390, 844], [320, 640]];
/** The player's own time: no clock turns the cards. */
const CLOCKS = { bank: 3600, wagers: 3600, settings: 3600, between: 3600 };
/** Elements that are at the same place in every phase. */
const FIXED = [".box.low", ".box.high", ".go", ".spot", ".top-hand.low .top-cards", ".top-hand.high .top-cards", ".rail", ".me pg-clock"];

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Rect */

describe("geometry of the table", { concurrency: 2 }, () => {
  for (const [book, bots] of /** @type {const} */ ([["ez", 5], ["california", 6]])) {
    test(book, async () => {
      const table = await stage.server.open(`geometry-${book}`, { book, bots, clocks: CLOCKS });
      const player = await stage.player({ hasTouch: true });
      const { page } = player;
      await player.sit(table, 2);
      await passBank(player);
      await player.addChips(0, 25);
      await player.addChips(1, 5);
      await player.rail.getByText(words.board.go.amount("$30")).waitFor();
      /** @type {string[]} */
      const wrong = [];
      /** Places of the fixed elements by size. @type {Map<string, Record<string, [number, number][]>>} */
      const places = new Map();
      const look = async (/** @type {string} */ phase) => {
        for (const [width, height] of SIZES) {
          await page.setViewportSize({ width, height });
          await waitForAnimations(page);
          const at = `${book}, ${phase}, ${width}×${height}`;
          const found = await page.evaluate(measure, FIXED);
          wrong.push(...found.wrong.map((text) => `${at}: ${text}`));
          const before = places.get(`${width}`);
          places.set(`${width}`, found.places);
          for (const [selector, all] of Object.entries(before ?? {})) {
            all.forEach(([left, top], index) => {
              const now = found.places[selector][index];
              if (!now || Math.abs(now[0] - left) > 1 || Math.abs(now[1] - top) > 1) wrong.push(`${at}: ${selector} moved from ${left}, ${top} to ${now}`);
            });
          }
          if (book === "ez") {
            await screenshot(page, `table-${phase}-${width}-dark`);
            if (phase !== "result") continue;
            await setColorScheme(page, "light");
            await screenshot(page, `table-${phase}-${width}-light`);
            await setColorScheme(page, "dark");
          }
        }
        await page.setViewportSize({ width: 1280, height: 800 });
      };
      await look("wagering");
      await player.deal();
      await page.locator("button.own-card.down").nth(6).waitFor();
      for (let card = 0; card < 4; card += 1) await page.keyboard.press("ArrowRight");
      await look("dealing");
      await player.cards();
      await player.press(words.set.houseWay);
      await page.locator(".judge.legal").waitFor();
      await look("setting");
      await player.press(words.board.go.set);
      await player.waitForResult();
      await look("result");
      assert.ok(wrong.length === 0, wrong.join("\n"));
      await player.close();
    });
  }
});

/** Waits until the player can wager. Passes if the bank is offered. @param {import("../kit/player.js").Player} player */
async function passBank(player) {
  const pass = player.rail.getByRole("button", { name: words.bank.pass });
  for (;;) {
    await player.page.locator(".rail .tray").or(pass).first().waitFor();
    if (await player.page.locator(".rail .tray").isVisible()) return;
    await pass.click();
    await pass.waitFor({ state: "detached" });
  }
}

/** Measures the table and lists what is wrong. Runs in the page. @param {string[]} fixed */
function measure(fixed) {
  /** @type {string[]} */
  const wrong = [];
  const { innerWidth: width, innerHeight: height } = window;
  const name = (/** @type {Element} */ one) => `${one.localName}.${one.getAttribute("class")}`;
  const visible = (/** @type {Element} */ one) => one.checkVisibility() && one.getBoundingClientRect().width > 0 && !one.closest(".unseen, dialog:not([open]), .flights");
  const all = (/** @type {string} */ selector) => [...document.querySelectorAll(selector)].filter(visible);
  const root = document.documentElement;
  if (root.scrollWidth > width || root.scrollHeight > height) wrong.push(`the document scrolls: ${root.scrollWidth}×${root.scrollHeight}`);
  const main = document.getElementById("main");
  if (main && main.scrollHeight > main.clientHeight) wrong.push("main scrolls");
  for (const one of all(".go, .alt, .own-card, .slot, .box, .spot, .tray-chip, .me, .seat .plate, .top-cards, .call b, .ledger")) {
    const rect = one.getBoundingClientRect();
    if (rect.left < -0.5 || rect.top < -0.5 || rect.right > width + 0.5 || rect.bottom > height + 0.5) wrong.push(`${name(one)} is outside of the window: ${JSON.stringify(rect)}`);
  }
  // Within the felt: the rail must not cover the cards, nor the bar the dealer's.
  const felt = /** @type {Element} */ (document.querySelector(".felt")).getBoundingClientRect();
  for (const one of all(".box, .top-cards, .spot")) {
    const rect = one.getBoundingClientRect();
    if (rect.bottom > felt.bottom + 0.5 || rect.top < felt.top - 0.5) wrong.push(`${name(one)} leaves the felt: ${rect.top} to ${rect.bottom} of ${felt.top} to ${felt.bottom}`);
  }
  const overlap = (/** @type {Element} */ one, /** @type {Element} */ other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  };
  const seats = all(".seat .plate, .seat .mini pg-card");
  const seatOf = (/** @type {Element} */ one) => one.closest(".seat");
  for (const one of seats) {
    for (const other of seats) if (seatOf(one) !== seatOf(other) && overlap(one, other)) wrong.push(`${seatOf(one)?.getAttribute("data-seat")} overlaps seat ${seatOf(other)?.getAttribute("data-seat")}`);
    for (const other of all(".box, .top-cards, .spot-ring, .rail-go, .me pg-clock")) if (overlap(one, other)) wrong.push(`seat ${seatOf(one)?.getAttribute("data-seat")} overlaps ${name(other)}`);
  }
  const bands = all(".top-cards, .spot-ring, .box");
  for (const one of bands) for (const other of bands) if (one !== other && overlap(one, other)) wrong.push(`${name(one)} overlaps ${name(other)}`);
  for (const one of all(".board button, .board .tray-chip")) {
    // Overlapped cards take the nearest tap. A half of the color spot is covered by a larger button on small tables.
    if (one.matches(".own-card") || getComputedStyle(one).pointerEvents === "none") continue;
    const rect = one.getBoundingClientRect();
    if (rect.width < 43.5 || rect.height < 43.5) wrong.push(`${name(one)} is ${rect.width}×${rect.height}`);
  }
  const walker = document.createTreeWalker(/** @type {Element} */ (document.querySelector(".table")), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || !node.textContent?.trim() || parent.closest("svg, pg-card, option") || !visible(parent)) continue;
    const size = parseFloat(getComputedStyle(parent).fontSize);
    if (size < 12) wrong.push(`${name(parent)} has text of ${size} px: ${node.textContent}`);
  }
  const places = Object.fromEntries(fixed.map((selector) => [selector, all(selector).map((one) => {
    const { left, top } = one.getBoundingClientRect();
    return /** @type {[number, number]} */ ([left, top]);
  })]));
  return { wrong: [...new Set(wrong)], places };
}
