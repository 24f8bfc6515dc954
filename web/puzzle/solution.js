// The solution of a puzzle, in the form of an analysis of the hand lab, and why a setting is better than another.

import { cardsOf, sameCards } from "../cards/card-text.js";
import { highHand, lowHand } from "../cards/evaluate.js";
import { highHandName, lowHandName } from "../cards/names.js";
import { share } from "../study/numbers.js";
import { words } from "../words.js";

/**
 * @typedef {import("../cards/evaluate.js").Ranking} Ranking
 * @typedef {import("../protocol").PuzzleAnswer} Puzzle
 * @typedef {import("../protocol").SolutionAnswer} Solution
 * @typedef {import("../protocol").WayCost} Way a house way, or a habit of players without an id
 * @typedef {import("../lab/settings.js").Analysis} Analysis
 * @typedef {{ win: number, push: number, lose: number }} Outcomes
 */

/** Returns the settings of a solution with the names of their hands. @param {Solution} solution @param {Ranking} ranking @returns {Analysis} */
export function analysisOf({ settings, dealer_hands: dealerHands }, ranking) {
  return {
    ranking,
    dealer_hands: dealerHands,
    settings: settings.map((setting) => ({
      ...setting, low_says: lowHandName(lowHand(cardsOf(setting.low), ranking)), high_says: highHandName(highHand(cardsOf(setting.high), ranking)),
    })),
  };
}

/** Returns the index of the setting with a low hand, or -1. @param {{ low: string }[]} settings @param {string[]} low */
export const indexOfLow = (settings, low) => settings.findIndex((setting) => sameCards(cardsOf(setting.low), low));

/**
 * Returns the sentence that says why the best setting is better than another one, from the numbers of dealer hands against which they win and lose.
 * @param {Outcomes} best @param {Outcomes} other
 */
export function whyBetter(best, other) {
  const { why: say } = words.puzzle;
  const all = best.win + best.push + best.lose;
  const wins = /** @type {[string, string]} */ (apart(best.win, other.win, all));
  const losses = /** @type {[string, string]} */ (apart(best.lose, other.lose, all));
  if (best.win > other.win && best.lose < other.lose) return say.both(...wins, ...losses);
  if (best.win > other.win) return best.lose > other.lose ? say.winsOutweigh(...wins, ...losses) : say.wins(...wins);
  if (best.lose < other.lose) return best.win < other.win ? say.lossesOutweigh(...losses, ...wins) : say.losses(...losses);
  return "";
}

/** Formats two shares with as many decimal digits as tell them apart. @param {number} one @param {number} other @param {number} all */
function apart(one, other, all) {
  for (let decimals = 2; ; decimals += 1) {
    const texts = [share(one, all, decimals), share(other, all, decimals)];
    if (texts[0] !== texts[1] || one === other || decimals === 10) return texts;
  }
}
