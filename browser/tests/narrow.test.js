// Every view at 320 px and up to 1920: nothing to scroll sideways. Pictures of all of them are kept.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { light, still } from "../kit/browser.js";
import { shoot } from "../kit/shots.js";
import { Stage } from "../kit/stage.js";
import { studies, tables } from "../kit/tour.js";

const stage = new Stage();
const SIZES = [[320, 640], [768, 1024], [1280, 800], [1920, 1080]];

describe("nothing to scroll sideways", { concurrency: true }, () => {
  test("at a table", async () => {
    const player = await stage.player();
    await look(player, tables(stage, player));
  });

  test("in what there is to study", async () => {
    const player = await stage.player();
    await look(player, studies(player));
  });
});

/** @param {import("../kit/player.js").Player} player @param {AsyncGenerator<import("../kit/tour.js").Stop>} tour */
async function look(player, tour) {
  const { page } = player;
  /** @type {string[]} */
  const wide = [];
  for await (const { name, main } of tour) {
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await still(page);
      const { over, hidden, text } = await page.evaluate(sideways);
      if (over > 0) wide.push(`${name} at ${width}: ${over} px too wide: ${text}`);
      // Cutting off what is too wide would not be fitting.
      if (hidden) wide.push(`${name} at ${width}: what is too wide is hidden`);
      await shoot(page, `${name}-${width}-dark`);
      if (!main) continue;
      await light(page, "light");
      await shoot(page, `${name}-${width}-light`);
      await light(page, "dark");
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  assert.ok(wide.length === 0, wide.join("\n"));
  await player.leave();
}

/** How far the page goes beyond the window, and by what. In the page. */
function sideways() {
  const { clientWidth, scrollWidth } = document.documentElement;
  const hidden = [document.documentElement, document.body].some((one) => ["hidden", "clip"].includes(getComputedStyle(one).overflowX));
  const out = [...document.body.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > clientWidth + 0.5);
  return { over: scrollWidth - clientWidth, hidden, text: out.slice(0, 4).map((one) => `${one.localName}.${one.getAttribute("class")}`).join(", ") };
}
