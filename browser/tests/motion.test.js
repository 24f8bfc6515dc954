// The page shows a settlement step by step and the Envy button until the last step. With reduced motion it shows everything at once.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
/** Properties that may be animated with reduced motion, because nothing moves. */
const FADES = ["color", "background-color", "border-color", "opacity", "outline-color", "box-shadow", "fill", "stroke", "visibility"];

describe("motion", { concurrency: true }, () => {
  test("full motion: lines appear one after the other", async () => {
    const { player, counts, buttons } = await round("moving", "no-preference");
    assert.ok(counts.length > 1 && counts.every((count, index) => index === 0 || count > counts[index - 1]), `lines shown: ${counts}`);
    // The envy button stays until the last line.
    assert.deepEqual(buttons, counts.map((_, index) => (index < counts.length - 1 ? 1 : 0)), `lines shown: ${counts}`);
    await player.close();
  });

  test("reduced motion: all lines appear at once and nothing moves", async () => {
    const { player, counts, moved } = await round("calm", "reduce");
    assert.equal(counts.length, 1, `lines shown: ${counts}`);
    assert.deepEqual(moved, []);
    await player.close();
  });
});

/** Plays a round with two wagers and records the changes of the page. @param {string} table @param {"reduce" | "no-preference"} reducedMotion */
async function round(table, reducedMotion) {
  await stage.server.open(table, { book: "south-dakota", clocks: { between: 60 } });
  const player = await stage.player({ reducedMotion });
  const { page } = player;
  await page.addInitScript(() => {
    const records = /** @type {any} */ (globalThis);
    records.counts = [];
    records.buttons = [];
    records.moved = [];
    const record = () => {
      const count = document.querySelectorAll("#side-panel .lines .line").length;
      if (count > 0 && records.counts.at(-1) !== count) {
        records.counts.push(count);
        records.buttons.push(document.querySelectorAll(".envy-puck").length);
      }
      for (const animation of document.getAnimations()) {
        // Ignore animations that are too short to see.
        if (Number(animation.effect?.getComputedTiming().duration ?? 0) < 2) continue;
        const moving = animation instanceof CSSTransition ? [animation.transitionProperty]
          : animation.effect instanceof KeyframeEffect ? animation.effect.getKeyframes().flatMap((frame) => Object.keys(frame)) : [];
        records.moved.push(...moving);
      }
      requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
  });
  await player.sit(table, 1);
  await player.waitForPhase("wagers");
  await player.addChips(0, 25);
  await player.addChips(1, 5);
  await player.press(words.wager.go);
  await player.setHouseWay();
  await player.waitForResult();
  const { counts, buttons, moved } = await page.evaluate(() => {
    const { counts, buttons, moved } = /** @type {any} */ (globalThis);
    return { counts: /** @type {number[]} */ (counts), buttons: /** @type {number[]} */ (buttons), moved: /** @type {string[]} */ (moved) };
  });
  const timing = ["offset", "computedOffset", "easing", "composite"];
  const plain = (/** @type {string} */ name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^border-\w+-color$/, "border-color");
  return { player, counts, buttons, moved: [...new Set(moved.map(plain))].filter((name) => !FADES.includes(name) && !timing.map(plain).includes(name)) };
}
