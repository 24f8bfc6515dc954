import assert from "node:assert/strict";
import { test } from "node:test";
import { announcementOf } from "../table/announcements.js";
import { words } from "../words.js";

const view = { you: 2, yours: [2], seats: [], facts: { terms: { banker: "banker" } } };
const satOut = (by, seat = 2) => announcementOf({ event: "sat_out", seat, by }, view, { view });

test("a player whose seat sits out without a request learns how to return", () => {
  assert.deepEqual(satOut("clock"), { text: words.say.missed(2), how: "assertive" });
  assert.deepEqual(satOut({ operator: "house" }), { text: words.say.satOut(2), how: "assertive" });
  for (const text of [words.say.missed(2), words.say.satOut(2)]) assert.ok(text.includes(words.dock.comeBack), text);
  assert.equal(satOut({ player: "guest-1" }), null);
  assert.equal(satOut("clock", 3), null);
});
