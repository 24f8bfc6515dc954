// A round that is over as a row of places: one for each event, and one for each step of its settlement.

import { OVER, progressOf } from "./model.js";
import { reduce } from "./reduce.js";

/**
 * A place in the replay: the table, the event that led there, and how far the settlement has come.
 * @typedef {{ view: import("./view-types.js").View, event: import("./view-types.js").SeenEvent | null, progress: import("./model.js").Progress, step: import("../protocol").StepView | null }} Frame
 */

/** Every place of a round: one for each event, and one for each step of its settlement. @param {import("./view-types.js").View} start @param {import("./view-types.js").SeenEvent[]} events @returns {Frame[]} */
export function framesOf(start, events) {
  /** @type {Frame[]} */
  const frames = [{ view: start, event: null, progress: OVER, step: null }];
  for (const event of events) {
    const view = reduce(frames[frames.length - 1].view, event);
    const settles = event.event === "settled";
    frames.push({ view, event, progress: settles ? progressOf(view.round, 0) : OVER, step: null });
    if (settles) view.round?.steps?.forEach((step, place) => frames.push({ view, event, progress: progressOf(view.round, place + 1), step }));
  }
  return frames;
}
