// Spaced repetition by Leitner's boxes (Sebastian Leitner, "So lernt man lernen", 1972).
//
// Each rule that is being learned lies in a box. A correct answer when the rule is due moves it to the next box. A wrong answer moves it back to the
// first box. Each box waits longer than the one before: the first three for a number of hands, so that a mistake is repeated within the same
// session, and the others for a number of days.

/** @typedef {{ box: number, hand: number, at: number }} BoxItem index of the box; number of the last hand with this rule, and its time in milliseconds */

const DAY_MS = 86_400_000;
/** Hands that the first box waits. */
const FIRST_HANDS = 2;

/** Time that each box waits: hands or days since the last answer. @type {({ hands: number } | { days: number })[]} */
export const BOXES = [{ hands: FIRST_HANDS }, { hands: 5 }, { hands: 12 }, { days: 1 }, { days: 3 }, { days: 7 }, { days: 21 }];

/** An item of a new rule. It is due at once. @param {number} hand number of the last hand @param {number} at @returns {BoxItem} */
export const newItem = (hand, at) => ({ box: 0, hand: hand - FIRST_HANDS, at });

/** Returns the time until an item is due: hands or days; 0 or less if it is due. @param {BoxItem} item @param {{ hand: number, at: number }} now number of the last hand, and the time @returns {{ hands: number } | { days: number }} */
export function untilDue({ box, hand, at }, now) {
  const wait = BOXES[box];
  return "hands" in wait ? { hands: wait.hands - (now.hand - hand) } : { days: wait.days - (now.at - at) / DAY_MS };
}

/** Whether an item is due. @param {BoxItem} item @param {{ hand: number, at: number }} now */
export function isDue(item, now) {
  const until = untilDue(item, now);
  return ("hands" in until ? until.hands : until.days) <= 0;
}

/** Returns an item after an answer. A correct answer before the item is due does not move it. @param {BoxItem} item @param {boolean} right @param {{ hand: number, at: number }} now @returns {BoxItem} */
export function answered(item, right, now) {
  if (!right) return { box: 0, ...now };
  return isDue(item, now) ? { box: Math.min(item.box + 1, BOXES.length - 1), ...now } : item;
}
