// Parts of the puzzle page: the facts of a puzzle, the common ways to set it, and the player's record.

import { h } from "../dom.js";
import { words } from "../words.js";
import { cardsOf } from "../cards/card-text.js";
import { shortTitle } from "../study/book-title.js";
import { finePercent, share } from "../study/numbers.js";
import { settingCards } from "../study/small-cards.js";
import { csvButton, section, table } from "../study/table.js";
import { counts, rating, streaks } from "./record.js";
import { indexOfLow } from "./solution.js";

/**
 * @typedef {import("./solution.js").Puzzle} Puzzle
 * @typedef {import("./solution.js").Way} Way
 * @typedef {import("./record.js").Answers} Answers
 */

const LEVELS = 5;

/** @param {Puzzle} puzzle */
export function facts({ book, title, house_way: way, house_way_title: wayTitle, difficulty, ways, ways_wrong: wrong }) {
  const { puzzle: say } = words;
  const fact = (/** @type {string} */ name, /** @type {import("../dom.js").Child[]} */ ...body) => h("div", { key: name }, h("dt", null, name), h("dd", null, body));
  return h("dl", { class: "panel puzzle-facts" },
    fact(say.game, h("a", { href: `/rules/${encodeURIComponent(book)}` }, shortTitle(title))),
    fact(say.dealer, h("a", { href: `/house-ways/${encodeURIComponent(way)}` }, say.dealerSets(wayTitle))),
    fact(say.difficulty,
      h("span", { class: "levels", "aria-hidden": "true" }, Array.from({ length: LEVELS }, (_, index) => h("i", { key: index, class: { on: index < difficulty } }))),
      h("span", null, say.level(difficulty)), h("p", { class: "small" }, say.wrongWays(wrong, ways))));
}

/** @param {Way[]} ways @param {import("../lab/settings.js").Analysis} analysis */
export function commonWays(ways, analysis) {
  const { puzzle: say } = words;
  const isWrong = (/** @type {Way} */ { cost }) => Number(cost) > 0;
  const rows = [...ways].sort((one, other) => Number(other.cost) - Number(one.cost));
  const [wrong, right] = [rows.filter(isWrong), rows.filter((way) => !isWrong(way))];
  const link = (/** @type {Way} */ { house_way: way, title }) => (way ? h("a", { href: `/house-ways/${encodeURIComponent(way)}` }, title) : title);
  const settingOf = (/** @type {Way} */ { low }) => analysis.settings[indexOfLow(analysis.settings, cardsOf(low))];
  /** @type {import("../study/table.js").Column<Way>[]} */
  const columns = [
    { title: say.columns.way, head: true, csv: ({ title }) => title, cell: link },
    { title: say.columns.low, csv: ({ low }) => low },
    { title: say.columns.setting, class: "cards", cell: (way) => {
      const setting = settingOf(way);
      return setting && [settingCards(setting, analysis.ranking), h("span", { class: "small lab-says" }, setting.low_says, " · ", setting.high_says)];
    } },
    { title: say.columns.cost, number: true, csv: ({ cost }) => cost, cell: ({ cost }) => h("b", { class: "bad amount" }, finePercent(cost)) },
  ];
  return section("puzzle-ways", say.ways, csvButton("puzzle-ways", columns, rows),
    h("p", null, say.wrongWays(wrong.length, ways.length)),
    wrong.length > 0 && [h("p", { class: "small" }, say.waysWhy), table({ caption: say.ways, class: "puzzle-ways", columns, rows: wrong, key: ({ title }) => title })],
    right.length > 0 && [h("p", null, say.rightWays), h("ul", { class: "right-ways" }, right.map((way) => h("li", { key: way.title }, link(way))))]);
}

/** @param {Answers} answers @param {string} today */
export function record(answers, today) {
  const { puzzle: say } = words;
  const { current, longest } = streaks(answers, today);
  const { answered, best } = counts(answers);
  const tile = (/** @type {string} */ title, /** @type {import("../dom.js").Child[]} */ ...body) => h("div", { class: "tile", key: title }, h("dt", null, title), h("dd", null, body));
  return section("puzzle-record", say.record, null,
    h("dl", { class: "tiles" },
      tile(say.streak, current, h("small", null, say.longest(longest))),
      tile(say.rating, Math.round(rating(answers)), h("small", null, say.ratingWhy)),
      tile(say.answered, answered),
      tile(say.best, answered ? share(best, answered, 0) : "–", answered > 0 && h("small", null, `${best} / ${answered}`))),
    h("p", { class: "small" }, say.kept));
}
