// Loads a view with an empty cache over a slow link, and measures the time from the start of the navigation until a player can use it.

import { newContext } from "./browser.js";
import { SlowLink } from "./slow-link.js";

/** The line: 10 Mbit/s. */
export const LINE = { bytesPerMs: 1250 };

/** Views, each with the element that can be used last. */
export const VIEWS = {
  lobby: { path: "/", usable: ".plaque button:not(:disabled)" },
  table: { path: "/table/ez", usable: ".board button.sit" },
};

/**
 * Loads a view in a new browser context.
 * @param {import("playwright-core").Browser} browser @param {{ url: string }} server @param {{ path: string, usable: string }} view @param {number} roundTripMs
 */
export async function coldLoad(browser, server, view, roundTripMs) {
  const link = await SlowLink.start(server.url, { ...LINE, roundTripMs });
  const context = await newContext(browser);
  try {
    const page = await context.newPage();
    let requests = 0;
    page.on("request", () => { requests += 1; });
    // Measured in the page: waits of the test would add their own delays.
    await page.addInitScript((usable) => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector(usable)) return;
        observer.disconnect();
        // The second frame begins after the first one was painted.
        requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("usable")));
      }).observe(document, { childList: true, subtree: true, attributes: true });
    }, view.usable);
    await page.goto(link.url + view.path, { waitUntil: "commit" });
    await page.waitForFunction(() => performance.getEntriesByName("usable").length > 0);
    return { ms: await page.evaluate(() => performance.getEntriesByName("usable")[0].startTime), requests, connections: link.connections, bytes: link.received };
  } finally {
    await context.close();
    await link.stop();
  }
}
