// The rule that a learner probably applied instead of the one that decides.

import { cardsOf } from "../cards/card-text.js";
import { isEquivalent, settingOf } from "./judge.js";

/**
 * @typedef {import("../protocol").Exercise} Exercise
 * @typedef {import("../lab/settings.js").Setting} Setting
 * @typedef {{ kind: "minimum" | "later" | "unmet", line: number, unmet: string[] }} Mistake
 * minimum: the rule fits, but its low hand is lower than it asks for; later: the rule fits, but another one comes first; unmet: a condition of the rule does not hold
 */

/**
 * Returns the rule that sets a hand as the learner did, if it is for hands with the same pairs, threes and fours; `null` if no rule does. A rule that
 * fits is more likely than one that does not, and of those a rule with fewer unmet conditions, near the one that decides.
 * @param {Exercise} exercise @param {Setting} given @returns {Mistake | null}
 */
export function probableMistake(exercise, given) {
  const sets = (/** @type {string | null} */ low) => {
    const setting = low === null ? undefined : settingOf(exercise, cardsOf(low));
    return setting !== undefined && isEquivalent(setting, given);
  };
  /** @type {(Mistake & { order: number })[]} */
  const found = [];
  for (const { line, same_pattern: samePattern, unmet, low, low_without_minimum: open } of exercise.lines) {
    if (line === exercise.line || !samePattern) continue;
    const near = Math.abs(line - exercise.line);
    // A learner who goes down the card meets the rules before the one that decides first.
    if (!unmet.length && low === null && sets(open)) found.push({ kind: "minimum", line, unmet, order: (line < exercise.line ? 0 : 2000) + near });
    else if (!unmet.length && sets(low)) found.push({ kind: "later", line, unmet, order: 1000 + near });
    else if (unmet.length && sets(low)) found.push({ kind: "unmet", line, unmet, order: 1000 * (2 + unmet.length) + near });
  }
  const [first] = found.sort((one, other) => one.order - other.order);
  return first ? { kind: first.kind, line: first.line, unmet: first.unmet } : null;
}
