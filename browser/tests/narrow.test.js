// No view scrolls horizontally at widths from 320 to 1920 px. Takes screenshots of all views.

import assert from "node:assert/strict";
import { setColorScheme, waitForAnimations } from "../kit/browser.js";
import { screenshot } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";
import { testEveryView } from "../kit/tour.js";

const stage = new Stage();
const SIZES = [[320, 640], [768, 1024], [1280, 800], [1920, 1080]];

testEveryView("no horizontal scrolling", stage, async ({ page }, tour) => {
  /** @type {string[]} */
  const wide = [];
  for await (const { name, main } of tour) {
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await waitForAnimations(page);
      const { over, hidden, out } = await page.evaluate(measureOverflow);
      if (over > 0 || out.length > 0) wide.push(`${name} at ${width}: ${over} px too wide: ${out.join(", ")}`);
      // Hidden overflow would pass the check above.
      if (hidden) wide.push(`${name} at ${width}: overflow is hidden`);
      // Screenshots take most of the time, so the light scheme is covered only at two widths.
      const ends = width === 320 || width === 1280;
      if (main || ends) await screenshot(page, `${name}-${width}-dark`);
      if (!main || !ends) continue;
      await setColorScheme(page, "light");
      await screenshot(page, `${name}-${width}-light`);
      await setColorScheme(page, "dark");
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  assert.ok(wide.length === 0, wide.join("\n"));
});

/** Measures the horizontal overflow of the page and lists the elements outside the viewport. Runs in the page. */
function measureOverflow() {
  const { clientWidth, scrollWidth } = document.documentElement;
  const hidden = [document.documentElement, document.body].some((one) => ["hidden", "clip"].includes(getComputedStyle(one).overflowX));
  /** Whether an element is in a container that scrolls horizontally. @param {Element | null} one @returns {boolean} */
  const scrolls = (one) => one !== null && (["auto", "scroll"].includes(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  const out = [...document.body.querySelectorAll("*")].filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 0 && (left < -0.5 || right > clientWidth + 0.5) && !one.closest(".unseen, .skip, [aria-hidden=true]") && !scrolls(one);
  });
  return { over: scrollWidth - clientWidth, hidden, out: out.slice(0, 6).map((one) => `${one.localName}.${one.getAttribute("class")}`) };
}
