// Starts a server and a browser for a test file, and stops them afterwards.

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
      // Sequential: if the server failed to start, a running browser would keep the test process alive.
      this.server = await Server.start(...settings);
      this.browser = await launch();
    });
    after(async () => {
      await this.browser?.close();
      await this.server?.stop();
    });
  }

  /** Creates a new player. @param {import("playwright-core").BrowserContextOptions} [options] */
  player(options) {
    return Player.open(this.browser, this.server, options);
  }
}
