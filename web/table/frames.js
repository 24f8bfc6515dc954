// Frames of a replay.

import { OVER, progressOf } from "./model.js";
import { reduce } from "./reduce.js";

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").SeenEvent} SeenEvent
 * A frame of a replay: the view, the event that led to it, and the progress of the settlement.
 * @typedef {{ view: View, event: SeenEvent | null, progress: import("./model.js").Progress, step: import("../protocol").StepView | null }} Frame
 */

/**
 * Returns the frames of a round: its opening, one for each later event, and one for each step of the settlement. The start shows the hands and
 * results of the round before, so it is no frame.
 * @param {View} start the view before the first event @param {SeenEvent[]} events @returns {Frame[]}
 */
export function framesOf(start, events) {
  const opening = events.findIndex(({ event }) => event === "round_opened");
  const later = events.slice(opening + 1);
  /** @type {Frame[]} */
  const frames = [{ view: opened(events.slice(0, opening + 1).reduce(reduce, start), later), event: events[opening] ?? null, progress: OVER, step: null }];
  for (const event of later) {
    const view = reduce(frames[frames.length - 1].view, event);
    const settles = event.event === "settled";
    frames.push({ view, event, progress: settles ? progressOf(view.round, 0) : OVER, step: null });
    if (settles) view.round?.steps?.forEach((step, index) => frames.push({ view, event, progress: progressOf(view.round, index + 1), step }));
  }
  return frames;
}

/**
 * Returns the view of a round that has just opened, in the round's first phase. The event leaves the table in the last phase of the round before.
 * @param {View} view @param {SeenEvent[]} later events after the opening @returns {View}
 */
function opened(view, later) {
  const first = later.find(({ event }) => event === "bank_offered" || event === "wagers_opened");
  return { ...view, phase: first?.event === "bank_offered" ? "offering" : "wagers", until: null, offered: null };
}
