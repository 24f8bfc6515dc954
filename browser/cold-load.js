// Measures cold loads of the page over a slow link: `npm run cold-load`. Prints the median, best and worst of five loads for each view and round trip.

import { launch } from "./kit/browser.js";
import { LINE, VIEWS, coldLoad } from "./kit/cold-load.js";
import { Server } from "./kit/server.js";

const LOADS = 5;

const server = await Server.start();
const browser = await launch();
try {
  console.log(`${LINE.bytesPerMs * 8 / 1000} Mbit/s, HTTP/1.1, ${LOADS} loads each`);
  for (const roundTripMs of [150, 400]) {
    for (const view of Object.values(VIEWS)) {
      const loads = [];
      for (let load = 0; load < LOADS; load += 1) loads.push(await coldLoad(browser, server, view, roundTripMs));
      loads.sort((one, other) => one.ms - other.ms);
      const seconds = loads.map(({ ms }) => (ms / 1000).toFixed(2));
      const { requests, connections, bytes } = loads[LOADS >> 1];
      console.log(`${roundTripMs} ms  ${view.path.padEnd(22)} ${seconds[LOADS >> 1]} s (${seconds[0]} to ${seconds[LOADS - 1]}); ${requests} requests, ${connections} connections, ${Math.round(bytes / 1000)} KB`);
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
