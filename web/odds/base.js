// Odds of the base game: outcomes, hand against hand, and by house way.

import { h } from "../dom.js";
import { short } from "../money.js";
import { words } from "../words.js";
import { outcomeBar, outcomeLegend, plainBar } from "../study/bars.js";
import { decimal, percent, share, spaced, thousands } from "../study/numbers.js";
import { csvButton, exactButton, section, table } from "../study/table.js";

const KINDS = /** @type {const} */ (["win", "push", "lose"]);

/** @param {import("../protocol").BaseGameOdds} game @param {{ way: string, term: string, exact: boolean, toggle: () => void }} shown term: the book's term for the banker */
export function base(game, { way, term, exact, toggle }) {
  const { odds: say, study } = words;
  const fraction = (/** @type {string} */ text) => exact && h("small", { class: "fraction" }, spaced(text));
  const tile = (/** @type {string} */ title, /** @type {import("../dom.js").Child[]} */ ...body) => h("div", { class: "tile", key: title }, h("dt", null, title), h("dd", null, body));
  const stake = game.at_stake;
  /** @type {import("../study/table.js").Column<"win" | "push" | "lose">[]} */
  const columns = [
    { title: say.outcome, head: true, cell: (kind) => study.outcomes[kind], csv: (kind) => study.outcomes[kind] },
    { title: say.deals, number: true, cell: (kind) => thousands(game[kind]), csv: (kind) => game[kind] },
    { title: say.share, number: true, cell: (kind) => share(game[kind], game.deals, 4), csv: (kind) => share(game[kind], game.deals, 8) },
  ];
  const highRows = /** @type {const} */ (["higher_behind", "copy_behind", "lower_behind"]);
  const lowColumns = /** @type {const} */ (["higher_in_front", "copy_in_front", "lower_in_front"]);
  /** @type {import("../study/table.js").Column<typeof highRows[number]>[]} */
  const against = [
    { title: say.highHand, head: true, cell: (row) => say.high[row], csv: (row) => say.high[row] },
    ...lowColumns.map((column) => ({ title: say.low[column], number: true, csv: (/** @type {typeof highRows[number]} */ row) => game.compared[row][column],
      cell: (/** @type {typeof highRows[number]} */ row) => [share(game.compared[row][column], game.deals, 3), exact && h("span", { class: "fraction" }, thousands(game.compared[row][column]))] })),
  ];
  return [
    h("dl", { class: "tiles", key: "tiles" },
      tile(say.edge, percent(game.edge, { decimals: 3 }), fraction(game.edge_exact), h("small", null, say.edgeBase(way))),
      tile(say.before, percent(game.edge_before_commission, { decimals: 3 }), fraction(game.edge_before_commission_exact)),
      tile(say.commission, percent(game.commission_part, { decimals: 3 }), fraction(game.commission_part_exact)),
      tile(say.copies, percent(game.copies_part, { decimals: 3 }), fraction(game.copies_part_exact), h("small", null, say.copiesWhy)),
      tile(say.deviation, decimal(game.standard_deviation, { decimals: 3 }), h("small", null, say.deviationWhy)),
      game.as_banker && tile(words.banker(term).odds, percent(game.as_banker.edge, { decimals: 3 }), fraction(game.as_banker.edge_exact), h("small", null, words.banker(term).oddsWhy)),
      stake && tile(say.atStake(short(stake.stake_cents)), percent(stake.edge, { decimals: 3 }), fraction(stake.edge_exact), !stake.within_limits && h("small", null, say.outside))),
    section("odds-outcomes", say.outcomes, [exactButton(exact, toggle), csvButton("outcomes", columns, [...KINDS])],
      outcomeBar(game), outcomeLegend(),
      table({ caption: say.outcomes, columns, rows: [...KINDS] }),
      game.dealer_push > 0 && h("p", { class: "small" }, say.dealerPush(thousands(game.dealer_push), share(game.dealer_push, game.deals, 3)))),
    section("odds-compared", say.compared, csvButton("hand-against-hand", against, [...highRows]),
      h("p", { class: "small" }, say.comparedWhy), table({ caption: say.compared, columns: against, rows: [...highRows] })),
  ];
}

/**
 * @param {{ ways: { id: string, title: string }[], counted: Map<string, import("../protocol").BaseGameOdds>, counting: string, book: string, exact: boolean,
 *   begin: () => void, stop: () => void, toggle: () => void }} shown
 */
export function underWays({ ways, counted, counting, book, exact, begin, stop, toggle }) {
  const { odds: say, study } = words;
  const rows = [...ways].sort((one, other) => Number(counted.get(one.id)?.edge ?? 9) - Number(counted.get(other.id)?.edge ?? 9));
  const largest = Math.max(...[...counted.values()].map(({ edge }) => Number(edge)), 0);
  const oddsOf = (/** @type {{ id: string }} */ way) => counted.get(way.id);
  /** @type {import("../study/table.js").Column<{ id: string, title: string }>[]} */
  const columns = [
    { title: say.way, head: true, csv: (way) => way.title, cell: (way) => [way.title, " ", way.id === book && h("span", { class: "tag on" }, say.thisBook)] },
    ...KINDS.map((kind) => ({ title: study.outcomes[kind], number: true, csv: (/** @type {{ id: string }} */ way) => oddsOf(way)?.[kind], cell: (/** @type {{ id: string }} */ way) => {
      const game = oddsOf(way);
      return game && share(game[kind], game.deals);
    } })),
    { title: say.edge, number: true, class: "return", csv: (way) => oddsOf(way)?.edge, cell: (way) => {
      const game = oddsOf(way);
      return game ? h("span", { class: "return-part" }, plainBar(Number(game.edge) / (largest || 1)), h("span", { class: "return-value" }, percent(game.edge, { decimals: 4 })), exact && h("span", { class: "fraction" }, spaced(game.edge_exact)))
        : h("span", { class: "small" }, way.id === counting ? say.counting : say.notYet);
    } },
    { title: `${say.edge} (${study.exact})`, csv: (way) => oddsOf(way)?.edge_exact },
  ];
  return section("odds-ways", say.ways, [exactButton(exact, toggle), csvButton("house-ways", columns, rows)],
    h("p", { class: "small" }, say.waysWhy),
    counted.size < ways.length && h("div", { class: "row" },
      counting ? h("button", { type: "button", class: "button", onclick: stop }, say.stop) : h("button", { type: "button", class: "button primary", onclick: begin }, say.count),
      h("span", { class: "small", role: "status" }, counting ? say.progress(counted.size, ways.length) : say.countWhy(ways.length)),
      counting && h("progress", { max: ways.length, value: counted.size, "aria-label": say.ways })),
    table({ caption: say.ways, class: "returns", columns, rows, key: (way) => way.id }));
}
