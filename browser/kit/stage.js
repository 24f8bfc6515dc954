// What every file of tests begins with and ends with: a server and a browser of its own.

import { after, before } from "node:test";
import { launch } from "./browser.js";
import { Player } from "./player.js";
import { Server } from "./server.js";

export class Stage {
  /** @type {Server} */
  server = /** @type {any} */ (null);
  /** @type {import("playwright-core").Browser} */
  browser = /** @type {any} */ (null);

  /** @param {...string} settings flags of `serve` */
  constructor(...settings) {
    before(async () => {
      // One after the other: a browser whose server failed to start would keep the test from ending.
      this.server = await Server.start(...settings);
      this.browser = await launch();
    });
    after(async () => {
      await this.browser?.close();
      await this.server?.stop();
    });
  }

  /** Somebody new. @param {import("playwright-core").BrowserContextOptions} [how] */
  player(how) {
    return Player.come(this.browser, this.server, how);
  }
}
