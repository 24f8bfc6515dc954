// Judges the answers of the trainer.

import { cardsOf, rankOf, sameCards } from "../cards/card-text.js";

/** @typedef {import("../lab/settings.js").Lab} Lab @typedef {import("../lab/settings.js").Setting} Setting */

/** Returns the setting with a low hand; undefined if it is a foul. @param {Pick<Lab, "settings">} lab @param {string[]} low */
export const settingOf = (lab, low) => lab.settings.find((setting) => sameCards(cardsOf(setting.low), low));

/**
 * Whether two settings differ only in suits that do not affect the result.
 * @param {Setting} one @param {Setting} other
 */
export function isEquivalent(one, other) {
  const ranks = (/** @type {Setting} */ setting) => cardsOf(setting.low).map(rankOf).sort().join(" ");
  return ranks(one) === ranks(other) && one.win === other.win && one.push === other.push;
}

/**
 * Returns the expected setting and whether the answer is correct.
 * @param {Lab} lab @param {string} by `best` or the id of a house way @param {string[]} low the low hand of the answer
 */
export function judge(lab, by, low) {
  const given = settingOf(lab, low);
  const way = lab.house_ways.find(({ house_way }) => house_way === by);
  // `place` is the index of the house way's setting; index 0 is the best setting.
  const wanted = lab.settings[way?.place ?? 0];
  const right = given !== undefined && (way ? isEquivalent(given, wanted) : given.best);
  return { given, wanted, way, right };
}
