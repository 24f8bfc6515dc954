// Parts of the history: sums, results by wager, and the list of rounds.

import { h } from "../dom.js";
import { money, signed } from "../money.js";
import { words } from "../words.js";
import { csvButton, section, table } from "../study/table.js";
import { tableName } from "../study/table-name.js";
import { isTiny, shownResult, sumOf, wagerRows } from "./results.js";

/**
 * @typedef {import("./results.js").RoundResult} RoundResult
 * @typedef {import("../study/table.js").Column<RoundResult>} Column
 */

/** Returns the CSS class of an amount. @param {number} cents */
const tone = (cents) => (cents > 0 ? "good" : cents < 0 ? "bad" : "");

/** @param {number} cents @param {boolean} [tiny] whether the amount is not zero, but rounds to zero */
const amount = (cents, tiny = false) => h("span", { class: ["amount", tone(cents)] }, tiny ? words.history.tiny : signed(cents));

/** @param {RoundResult[]} results @param {number} all number of loaded rounds */
export function sums(results, all) {
  const { history: say } = words;
  const sum = sumOf(results);
  const tile = (/** @type {string} */ title, /** @type {import("../dom.js").Child} */ body) => h("div", { class: "tile", key: title }, h("dt", null, title), h("dd", null, body));
  return section("history-sums", say.sums(results.length, all), null,
    h("dl", { class: "tiles" },
      tile(say.rounds, sum.rounds), tile(say.staked, h("span", { class: "amount" }, money(sum.staked))), tile(say.net, amount(sum.net)),
      tile(say.expected, amount(sum.expected)), tile(say.givenAway, amount(sum.given)), tile(say.luck, amount(sum.luck)), tile(say.unjudged, amount(sum.unjudged))),
    h("p", { class: "small" }, say.adds),
    h("dl", { class: "history-terms" }, say.terms.map(([term, text]) => h("div", { key: term }, h("dt", null, term), h("dd", null, text)))));
}

/** @param {RoundResult[]} results */
export function wagers(results) {
  const { history: say } = words;
  const sum = sumOf(results);
  const judged = wagerRows(results);
  const none = { times: 0, staked: 0, expected: 0, given: 0, luck: 0, unjudged: 0 };
  const staked = sum.staked - judged.reduce((all, row) => all + row.staked, 0);
  const rows = [...judged,
    ...(sum.unjudged !== 0 || staked !== 0 ? [{ ...none, wager: "rest", title: say.unjudged, staked, net: sum.unjudged }] : []),
    { ...none, ...sum, wager: "total", title: say.total }];
  /** @type {import("../study/table.js").Column<typeof rows[number]>[]} */
  const columns = [
    { title: say.wager, head: true, csv: ({ title }) => title, cell: ({ title, times }) => [words.wagerTitle(title), times > 0 && h("span", { class: "small" }, " ", say.times(times))] },
    { title: say.staked, number: true, csv: ({ staked }) => staked, cell: ({ staked }) => h("span", { class: "amount" }, money(staked)) },
    { title: say.net, number: true, csv: ({ net }) => net, cell: ({ net }) => amount(net) },
    ...[[say.expected, "expected"], [say.givenAway, "given"], [say.luck, "luck"]].map(([title, part]) => ({
      title, number: true, csv: (/** @type {any} */ row) => row[part], cell: (/** @type {any} */ row) => (row.wager === "rest" ? "–" : amount(row[part])) })),
  ];
  return section("history-wagers", say.wagers, csvButton("history-wagers", columns.map((column, index) => (index === 0 ? column : { ...column, title: say.csv.cents(column.title) })), rows),
    table({ caption: say.wagers, class: "history-wagers", columns, rows, key: ({ wager }) => wager, rowClass: ({ wager }) => ({ total: wager === "total" }) }));
}

/** @param {RoundResult[]} results @param {string | null} player @param {{ rows: number, more: () => void }} shown number of rows */
export function list(results, player, { rows, more }) {
  const { history: say } = words;
  const nameOf = (/** @type {RoundResult} */ result) => tableName(result, player);
  const path = (/** @type {RoundResult} */ { table: id, round }) => `/replay/${encodeURIComponent(id)}/${round}`;
  /** @type {Column[]} */
  const columns = [
    { title: say.where, head: true, csv: nameOf, cell: (result) => [nameOf(result), result.outcome !== "settled" && h("span", { class: "tag" }, words.rounds.outcomes[/** @type {"voided"} */ (result.outcome)])] },
    { title: say.csv.id, csv: ({ table: id }) => id },
    { title: say.book, csv: ({ book }) => book },
    { title: say.round, number: true, csv: ({ round }) => round, cell: ({ round }) => round },
    { title: say.when, class: "when", csv: ({ ended_at: at }) => at && new Date(at).toISOString(), cell: ({ ended_at: at }) => at && h("time", { datetime: new Date(at).toISOString() }, words.replay.when(at)) },
    { title: say.csv.outcome, csv: ({ outcome }) => outcome },
    { title: say.staked, number: true, cell: ({ staked_cents: cents }) => h("span", { class: "amount" }, money(cents)) },
    { title: say.csv.cents(say.staked), csv: ({ staked_cents: cents }) => cents },
    { title: say.net, number: true, cell: ({ net_cents: cents }) => amount(cents) },
    { title: say.csv.cents(say.net), csv: ({ net_cents: cents }) => cents },
    { title: say.expected, number: true, cell: (result) => amount(shownResult(result).expected) },
    { title: say.csv.exact(say.expected), csv: ({ expected }) => expected },
    { title: say.givenAway, number: true, cell: (result) => amount(shownResult(result).given, isTiny(result.given_away)) },
    { title: say.csv.exact(say.givenAway), csv: ({ given_away: given }) => given },
    { title: say.luck, number: true, cell: (result) => amount(shownResult(result).luck) },
    { title: say.csv.exact(say.luck), csv: ({ luck }) => luck },
    { title: say.csv.cents(say.unjudged), csv: ({ unjudged_cents: cents }) => cents },
    { title: say.csv.cards, csv: ({ cards }) => cards },
    { title: say.csv.low, csv: ({ low }) => low },
    { title: say.csv.best, csv: ({ best_low: low }) => low },
    { title: say.replay, class: "act", cell: (result) => h("a", { class: "button slim", href: path(result) }, say.replay, h("span", { class: "unseen" }, say.replayOf(result.round, nameOf(result)))) },
  ];
  return section("history-list", say.list, csvButton("history", columns, results),
    table({ caption: say.list, class: "history-list", columns, rows: results.slice(0, rows), key: ({ table: id, round }) => `${id} ${round}` }),
    results.length > rows && h("button", { type: "button", class: "button slim", onclick: more }, say.more(Math.min(rows, results.length - rows))));
}
