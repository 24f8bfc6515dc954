// The reveal: the dealer's high hand, the low hand, the player's result, then the other seats. With reduced motion the order is the same and nothing moves.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STAGES } from "../../web/table/reveal.js";
import { words } from "../../web/words/en.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
/** Properties that may be animated with reduced motion, because nothing moves. */
const FADES = ["color", "background-color", "border-color", "opacity", "outline-color", "box-shadow", "fill", "stroke", "visibility"];

/** @typedef {{ stage: string, high: number, low: number, entries: number, others: number, envy: number, lines: number }} Frame what the board shows: cards of the dealer face up, entries of the ledger, cards of other seats face up, envy pucks, lines in the drawer */

describe("motion", { concurrency: 2 }, () => {
  for (const [table, reducedMotion] of /** @type {const} */ ([["moving", "no-preference"], ["calm", "reduce"]])) {
    test(`${reducedMotion}: hands stay down until the dealer turns over`, async () => {
      const { player, frames, moved } = await round(table, reducedMotion);
      const order = frames.map((frame) => STAGES.indexOf(/** @type {any} */ (frame.stage)));
      assert.ok(order.every((stage, index) => index === 0 || stage >= order[index - 1]), frames.map((frame) => frame.stage).join());
      const at = (/** @type {(frame: Frame) => boolean} */ condition) => frames.findIndex(condition);
      // A slow machine may show two steps at once.
      const [high, low, verdict, others] = [at(({ high }) => high === 5), at(({ low }) => low === 2), at(({ entries }) => entries >= 2), at(({ others }) => others > 0)];
      assert.ok(high >= 0 && high <= low && low <= verdict && verdict <= others, JSON.stringify(frames));
      assert.ok(frames.every(({ lines }, index) => lines === 0 || index >= verdict), "the drawer does not tell the result before the felt");
      assert.ok(frames.slice(0, others).every(({ envy }) => envy > 0) && frames.at(-1)?.envy === 0, "the envy button stays until the end");
      if (reducedMotion === "reduce") assert.deepEqual(moved, []);
      else assert.ok(moved.includes("transform"), moved.join());
      await player.close();
    });
  }

  test("F skips to the end of each step", async () => {
    const player = await begin("fast", "no-preference");
    const { page } = player;
    await player.setHouseWay();
    await player.waitForPhase("between");
    for (let press = 0; press < 20 && await page.locator("[data-stage=over]").count() === 0; press += 1) await page.keyboard.press("f");
    await page.locator("[data-stage=over]").waitFor({ timeout: 1000 });
    await player.close();
  });

  test("Hold keeps the result while the table goes on, Next returns to it", async () => {
    const player = await begin("held", "reduce", { between: 6 });
    const { page } = player;
    await player.setHouseWay();
    const headline = await player.waitForResult();
    await page.keyboard.press(" ");
    await page.locator(".alt[aria-pressed=true]").waitFor();
    await page.getByText(words.board.say.heldWhy(2, words.phase("wagers", "banker"))).waitFor();
    assert.equal(await page.locator(".call b").innerText(), headline);
    await player.press(words.board.go.next);
    await player.waitForPhase("wagers");
    await player.close();
  });
});

/** Sits down, places two wagers and waits for the cards. @param {string} table @param {"reduce" | "no-preference"} reducedMotion @param {Record<string, number>} [clocks] */
async function begin(table, reducedMotion, clocks = { between: 60 }) {
  await stage.server.open(table, { book: "south-dakota", bots: 2, clocks });
  const player = await stage.player({ reducedMotion });
  await player.page.addInitScript(record);
  await player.sit(table, 1);
  await player.waitForPhase("wagers");
  await player.addChips(0, 25);
  await player.addChips(1, 5);
  await player.deal();
  await player.cards();
  return player;
}

/** Plays a round and returns what the board showed. @param {string} table @param {"reduce" | "no-preference"} reducedMotion */
async function round(table, reducedMotion) {
  const player = await begin(table, reducedMotion);
  await player.openDrawer("round");
  await player.page.keyboard.press("h");
  await player.page.locator(".box.low button.own-card").nth(1).waitFor();
  await player.page.keyboard.press("Enter");
  await player.waitForResult();
  const { frames, moved } = await player.page.evaluate(() => {
    const { frames, moved } = /** @type {any} */ (globalThis);
    return { frames: /** @type {Frame[]} */ (frames), moved: /** @type {string[]} */ (moved) };
  });
  const timing = ["offset", "computedOffset", "easing", "composite"];
  const plain = (/** @type {string} */ name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^border-\w+-color$/, "border-color");
  return { player, frames, moved: [...new Set(moved.map(plain))].filter((name) => !FADES.includes(name) && !timing.map(plain).includes(name)) };
}

/** Records the frames of the reveal and the animated properties. Runs in the page. */
function record() {
  const records = /** @type {any} */ (globalThis);
  records.frames = [];
  records.moved = [];
  const count = (/** @type {string} */ selector) => document.querySelectorAll(selector).length;
  const look = () => {
    const stage = document.querySelector(".rail.at-between") && document.querySelector(".board")?.getAttribute("data-stage");
    if (stage) {
      const frame = { stage, high: count(".top-hand.high pg-card[card]"), low: count(".top-hand.low pg-card[card]"), entries: count(".ledger li"), others: count(".seats pg-card[card]"), envy: count(".envy-puck"), lines: count("#side-panel .line") };
      if (JSON.stringify(records.frames.at(-1)) !== JSON.stringify(frame)) records.frames.push(frame);
    }
    for (const animation of document.getAnimations()) {
      // Ignore animations that are too short to see.
      if (Number(animation.effect?.getComputedTiming().duration ?? 0) < 2) continue;
      const moving = animation instanceof CSSTransition ? [animation.transitionProperty]
        : animation.effect instanceof KeyframeEffect ? animation.effect.getKeyframes().flatMap((frame) => Object.keys(frame)) : [];
      records.moved.push(...moving);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
