// Offline and back: the page opens without a server, says so, and shows no amounts from memory. It can be installed.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
/** Files of a folder have no version, so the page does not store them. */
const skip = process.env.PAIGOW_PAGE_FOLDER ? "the files of a folder are not stored" : false;

describe("offline use", { skip }, () => {
  test("the page opens without a server and recovers", async () => {
    const player = await stage.player({ serviceWorkers: "allow" });
    const { page } = player;
    await player.sit(await stage.server.open("offline", { book: "south-dakota" }), 1);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    // Requests of a played round go through the worker too.
    await player.wager(25);
    await player.setHouseWay();
    await player.waitForResult();
    const stored = await page.evaluate(async () => {
      const names = await caches.keys();
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    assert.ok(stored.some((path) => path.endsWith("/page.js")) && stored.some((path) => path.endsWith("/later.js")), String(stored));
    assert.deepEqual(stored.filter((path) => !path.startsWith("/assets/") && !["/", "/how-to-play", "/lab"].includes(path)), [], "nothing but the page is stored");

    await stage.server.kill();
    await player.go("/how-to-play");
    await page.getByRole("heading", { name: words.titles.howToPlay }).first().waitFor();
    await player.go("/");
    await page.getByText(words.app.offline).waitFor();
    await page.getByRole("link", { name: words.front.howTo }).click();
    await page.getByRole("heading", { name: words.titles.howToPlay }).first().waitFor();
    await player.go("/");
    await page.getByText(words.app.offline).waitFor();
    assert.equal(await page.locator(".balance").count(), 0, "no amount is shown from memory");
    await player.go("/lab");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await player.context.setOffline(true);
    await page.getByText(words.app.offlineNow).waitFor();

    await stage.server.restart();
    await player.context.setOffline(false);
    await page.getByText(words.app.offlineNow).waitFor({ state: "detached" });
    await player.go("/");
    await page.locator(".plaque button:not(:disabled)").first().waitFor();
    await page.locator(".balance").waitFor();
    await player.close();
  });

  test("the page can be installed", async () => {
    const player = await stage.player({ serviceWorkers: "allow" });
    const { page } = player;
    await player.go("/");
    const href = await page.locator("link[rel=manifest]").getAttribute("href");
    const manifest = await (await player.context.request.get(stage.server.url + href)).json();
    assert.equal(manifest.display, "standalone");
    const client = await player.context.newCDPSession(page);
    const { installabilityErrors } = await client.send("Page.getInstallabilityErrors");
    // A context of a test is incognito, where nothing can be installed.
    assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"), []);
    const { errors } = await client.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
    await player.close();
  });
});
