// Frames of a replay.

import { OVER, progressOf } from "./model.js";
import { reduce } from "./reduce.js";

/**
 * A frame of a replay: the view, the event that led to it, and the progress of the settlement.
 * @typedef {{ view: import("./view-types.js").View, event: import("./view-types.js").SeenEvent | null, progress: import("./model.js").Progress, step: import("../protocol").StepView | null }} Frame
 */

/** Returns the frames of a round: the start, one for each event, and one for each step of the settlement. @param {import("./view-types.js").View} start @param {import("./view-types.js").SeenEvent[]} events @returns {Frame[]} */
export function framesOf(start, events) {
  /** @type {Frame[]} */
  const frames = [{ view: start, event: null, progress: OVER, step: null }];
  for (const event of events) {
    const view = reduce(frames[frames.length - 1].view, event);
    const settles = event.event === "settled";
    frames.push({ view, event, progress: settles ? progressOf(view.round, 0) : OVER, step: null });
    if (settles) view.round?.steps?.forEach((step, index) => frames.push({ view, event, progress: progressOf(view.round, index + 1), step }));
  }
  return frames;
}
