// Every view at 320 px and up to 1920: nothing to scroll sideways. Pictures of all of them are kept.

import assert from "node:assert/strict";
import { light, still } from "../kit/browser.js";
import { shoot } from "../kit/shots.js";
import { Stage } from "../kit/stage.js";
import { onTour } from "../kit/tour.js";

const stage = new Stage();
const SIZES = [[320, 640], [768, 1024], [1280, 800], [1920, 1080]];

onTour("nothing to scroll sideways", stage, async ({ page }, tour) => {
  /** @type {string[]} */
  const wide = [];
  for await (const { name, main } of tour) {
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await still(page);
      const { over, hidden, out } = await page.evaluate(sideways);
      if (over > 0 || out.length > 0) wide.push(`${name} at ${width}: ${over} px too wide: ${out.join(", ")}`);
      // Cutting off what is too wide would not be fitting.
      if (hidden) wide.push(`${name} at ${width}: what is too wide is hidden`);
      // Pictures take most of the time, and colours are the same at every width.
      const ends = width === 320 || width === 1280;
      if (main || ends) await shoot(page, `${name}-${width}-dark`);
      if (!main || !ends) continue;
      await light(page, "light");
      await shoot(page, `${name}-${width}-light`);
      await light(page, "dark");
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  assert.ok(wide.length === 0, wide.join("\n"));
});

/** How far the page goes beyond the window, and what is not all in it. In the page. */
function sideways() {
  const { clientWidth, scrollWidth } = document.documentElement;
  const hidden = [document.documentElement, document.body].some((one) => ["hidden", "clip"].includes(getComputedStyle(one).overflowX));
  /** What can be scrolled by itself is seen that way. @param {Element | null} one @returns {boolean} */
  const scrolls = (one) => one !== null && (["auto", "scroll"].includes(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  const out = [...document.body.querySelectorAll("*")].filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 0 && (left < -0.5 || right > clientWidth + 0.5) && !one.closest(".unseen, .skip, [aria-hidden=true]") && !scrolls(one);
  });
  return { over: scrollWidth - clientWidth, hidden, out: out.slice(0, 6).map((one) => `${one.localName}.${one.getAttribute("class")}`) };
}
