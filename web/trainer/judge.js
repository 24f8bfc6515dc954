// Whether a setting is the one that was asked for.

import { cardsOf, rankOf, sameCards } from "../cards/card-text.js";

/** @typedef {import("../lab/settings.js").Lab} Lab @typedef {import("../lab/settings.js").Setting} Setting */

/** The setting with these two in front; none where that is foul. @param {Lab} lab @param {string[]} low */
export const settingOf = (lab, low) => lab.settings.find((setting) => sameCards(cardsOf(setting.low), low));

/**
 * Suits do not matter where nothing hangs on them.
 * @param {Setting} one @param {Setting} other
 */
export function alike(one, other) {
  const ranks = (/** @type {Setting} */ setting) => cardsOf(setting.low).map(rankOf).sort().join(" ");
  return ranks(one) === ranks(other) && one.win === other.win && one.push === other.push;
}

/**
 * What was asked for, and whether it was given.
 * @param {Lab} lab @param {string} by `best` or a house way @param {string[]} low
 */
export function judge(lab, by, low) {
  const given = settingOf(lab, low);
  const way = lab.house_ways.find(({ house_way }) => house_way === by);
  // What a house way does is one of the settings.
  const wanted = lab.settings[way?.place ?? 0];
  const right = given !== undefined && (way ? alike(given, wanted) : given.best);
  return { given, wanted, way, right };
}
