// Cold loads over a slow link stay within their targets. `npm run cold-load` measures them with more loads and another round trip.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VIEWS, coldLoad } from "../kit/cold-load.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();

/** Target at a round trip of 400 ms. */
const TARGET_MS = 4000;
/** Loads until one is within the target, because the machine may be building or testing something else. */
const TRIES = 5;

for (const [name, view] of Object.entries(VIEWS)) {
  test(`${name}: usable within ${TARGET_MS / 1000} s at a round trip of 400 ms`, { skip: process.env.PAIGOW_PAGE_FOLDER ? "the files of a folder are not joined" : false }, async () => {
    const times = [];
    do times.push((await coldLoad(stage.browser, stage.server, view, 400)).ms); while (times.length < TRIES && Math.min(...times) > TARGET_MS);
    assert.ok(Math.min(...times) <= TARGET_MS, `${times.map(Math.round)} ms`);
  });
}
