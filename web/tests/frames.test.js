import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { framesOf } from "../table/frames.js";
import { reduce } from "../table/reduce.js";

/** Loads a recorded feed of one round and returns it as the second round of its table, which starts with the results of the first. */
function secondRound(name) {
  const { start, events } = JSON.parse(readFileSync(new URL(`feeds/${name}.json`, import.meta.url), "utf8"));
  const all = events.map(({ event }) => event);
  const first = all.slice(0, all.findIndex(({ event }) => event === "settled") + 1);
  const opening = first.findIndex(({ event }) => event === "round_opened");
  const second = first.slice(opening).filter(({ event }) => !["sat", "stood"].includes(event)).map((event) => (event.event === "round_opened" ? { ...event, round: event.round + 1, commitment: "second" } : event));
  return { start: first.reduce((view, event) => reduce(view, event), start), events: second };
}

for (const [name, phase] of [["side-wagers", "wagers"], ["banking", "offering"]]) {
  test(`replay begins with its own round: ${name}`, () => {
    const { start, events } = secondRound(name);
    assert.ok(start.round.net_cents && start.seats.some(({ hand }) => hand), "the start shows the results of the round before");
    const frames = framesOf(start, events);
    assert.deepEqual([frames[0].event.event, frames[0].view.phase, frames[0].view.until], ["round_opened", phase, null]);
    assert.ok(frames.length > events.length);
    const dealt = frames.findIndex(({ event }) => event.event === "dealt");
    for (const { view, event } of frames.slice(0, dealt)) {
      const { round, commitment, net_cents: net, lines, dealer, dice } = view.round;
      assert.deepEqual([round, commitment, net, lines, dealer, dice], [start.round.round + 1, "second", null, undefined, null, null], event.event);
      assert.deepEqual(view.seats.filter(({ hand }) => hand), [], event.event);
    }
    assert.deepEqual(frames[0].view.seats.flatMap(({ wagers }) => Object.keys(wagers)), []);
  });
}

test("events before the round change the seats but are no frames", () => {
  const { start, events } = secondRound("side-wagers");
  const [free] = [1, 2, 3, 4, 5, 6].filter((number) => !start.seats.some(({ seat }) => seat === number));
  const frames = framesOf(start, [{ event: "sat", seat: free, player: "late" }, ...events]);
  assert.equal(frames[0].event.event, "round_opened");
  assert.ok(frames[0].view.seats.some(({ player }) => player === "late"));
});
