// The page shows a settlement step by step and the Envy button until the last step. With reduced motion it shows everything at once.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
/** What may still fade: none of it goes anywhere. */
const FADES = ["color", "background-color", "border-color", "opacity", "outline-color", "box-shadow", "fill", "stroke", "visibility"];

describe("motion", { concurrency: true }, () => {
  test("as it is, lines come one after the other", async () => {
    const { player, counts, buttons } = await round("moving", "no-preference");
    assert.ok(counts.length > 1 && counts.every((count, place) => place === 0 || count > counts[place - 1]), `lines shown: ${counts}`);
    // The button lies beside every line but the last.
    assert.deepEqual(buttons, counts.map((_, place) => (place < counts.length - 1 ? 1 : 0)), `lines shown: ${counts}`);
    await player.leave();
  });

  test("reduced, all lines are there at once and nothing moves", async () => {
    const { player, counts, moved } = await round("calm", "reduce");
    assert.equal(counts.length, 1, `lines shown: ${counts}`);
    assert.deepEqual(moved, []);
    await player.leave();
  });
});

/** Plays a round with two wagers while the page writes down how it changes. @param {string} table @param {"reduce" | "no-preference"} reducedMotion */
async function round(table, reducedMotion) {
  await stage.server.open(table, { book: "south-dakota", clocks: { between: 60 } });
  const player = await stage.player({ reducedMotion });
  const { page } = player;
  await page.addInitScript(() => {
    const seen = /** @type {any} */ (globalThis);
    seen.counts = [];
    seen.buttons = [];
    seen.moved = [];
    const look = () => {
      const count = document.querySelectorAll("#side-panel .lines .line").length;
      if (count > 0 && seen.counts.at(-1) !== count) {
        seen.counts.push(count);
        seen.buttons.push(document.querySelectorAll(".envy-puck").length);
      }
      for (const animation of document.getAnimations()) {
        // What takes no time is not seen to move.
        if (Number(animation.effect?.getComputedTiming().duration ?? 0) < 2) continue;
        const moving = animation instanceof CSSTransition ? [animation.transitionProperty]
          : animation.effect instanceof KeyframeEffect ? animation.effect.getKeyframes().flatMap((frame) => Object.keys(frame)) : [];
        seen.moved.push(...moving);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await player.sit(table, 1);
  await player.at("wagers");
  await player.chips(0, 25);
  await player.chips(1, 5);
  await player.press(words.wager.go);
  await player.houseWay();
  await player.settled();
  const { counts, buttons, moved } = await page.evaluate(() => {
    const { counts, buttons, moved } = /** @type {any} */ (globalThis);
    return { counts: /** @type {number[]} */ (counts), buttons: /** @type {number[]} */ (buttons), moved: /** @type {string[]} */ (moved) };
  });
  const timing = ["offset", "computedOffset", "easing", "composite"];
  const plain = (/** @type {string} */ name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^border-\w+-color$/, "border-color");
  return { player, counts, buttons, moved: [...new Set(moved.map(plain))].filter((name) => !FADES.includes(name) && !timing.map(plain).includes(name)) };
}
