import assert from "node:assert/strict";
import { test } from "node:test";
import { filterOf, filtered, queryOf } from "../history/filter.js";
import { gridOf } from "../history/graph.js";
import { gaveAway, isTiny, seriesOf, shownResult, sumOf, wagerRows } from "../history/results.js";
import { ZERO, fraction, plus, round } from "../study/fractions.js";

/** A round with a base wager and a side wager. Luck is the rest. */
function result(some = {}) {
  const { net = -500, expected = "-123/7", given = "-3/7", unjudged = 0, ...rest } = some;
  const [e, g] = [fraction(expected), fraction(given)];
  const luck = plus([BigInt(net - unjudged), 1n], plus([-e[0], e[1]], [-g[0], g[1]]));
  return {
    table: "ez", round: 1, book: "ez", title: "EZ", name: null, opened_by_player: false, ended_at: 0, outcome: "settled", staked_cents: 1500, net_cents: net,
    expected, given_away: given, luck: luck.join("/"), unjudged_cents: unjudged, cards: null, low: null, best_low: null,
    wagers: [
      { wager: "fortune", title: "Fortune", staked_cents: 500, net_cents: 0, expected: "-1/3", given_away: "0" },
      { wager: "pai-gow", title: "Pai gow", staked_cents: 1000, net_cents: net - unjudged, expected: plus(e, [1n, 3n]).join("/"), given_away: given },
      { wager: "tip", title: "Other", staked_cents: 0, net_cents: unjudged, expected: null, given_away: null },
    ], ...rest,
  };
}

const RESULTS = Array.from({ length: 40 }, (_, index) => result({
  round: 40 - index, table: index % 3 ? "ez" : "south-dakota", book: index % 3 ? "ez" : "south-dakota", net: (index * 37) % 11 * 100 - 500,
  expected: `${index * 13 - 260}/${index + 3}`, given: index % 4 ? "0" : `-${index + 1}/${index + 7}`, unjudged: index % 5 ? 0 : -100,
}));

test("sums add up to the cent", () => {
  for (const some of [RESULTS, RESULTS.slice(0, 1), RESULTS.slice(7, 20), []]) {
    const sum = sumOf(some);
    assert.equal(sum.net, some.reduce((net, { net_cents: cents }) => net + cents, 0));
    assert.equal(sum.expected + sum.given + sum.luck + sum.unjudged, sum.net);
    assert.equal(sum.expected, round(some.reduce((all, { expected }) => plus(all, fraction(expected)), ZERO)));
    // The remainder of the rounding is at most a cent.
    const luck = some.reduce((all, one) => plus(all, fraction(one.luck)), ZERO);
    assert.ok(Math.abs(sum.luck - round(luck)) <= 1);
  }
  const one = shownResult(result());
  assert.deepEqual(one, { net: -500, expected: -18, given: 0, unjudged: 0, luck: -482 });
});

test("the last point of the series equals the sums", () => {
  for (const some of [RESULTS, RESULTS.slice(3, 4), RESULTS.slice(5, 30)]) {
    const points = seriesOf(some);
    const sum = sumOf(some);
    assert.equal(points.length, some.length + 1);
    assert.deepEqual(points[0], { net: 0, expected: 0, played: 0 });
    assert.deepEqual(points.at(-1), { net: sum.net, expected: sum.expected, played: sum.expected + sum.given });
    // The oldest round comes first.
    assert.equal(points[1].net, some.at(-1)?.net_cents);
  }
  assert.deepEqual(seriesOf([]), [{ net: 0, expected: 0, played: 0 }]);
});

test("results by wager add up to the sums, the base wager first", () => {
  const rows = wagerRows(RESULTS);
  const sum = sumOf(RESULTS);
  assert.deepEqual(rows.map(({ wager, times }) => [wager, times]), [["pai-gow", 40], ["fortune", 40]]);
  const total = (/** @type {"net" | "expected" | "given" | "luck"} */ part) => rows.reduce((all, row) => all + row[part], 0);
  assert.equal(total("net") + sum.unjudged, sum.net);
  for (const part of /** @type {const} */ (["expected", "given", "luck"])) assert.equal(total(part), sum[part], part);
  for (const row of rows) assert.equal(row.expected + row.given + row.luck, row.net);
});

test("filters come from the address and return to it", () => {
  const filter = filterOf(new URLSearchParams("book=ez&table=ez&result=won&given=yes"));
  assert.deepEqual(filter, { book: "ez", table: "ez", result: "won", given: true });
  assert.deepEqual(queryOf(filter), { book: "ez", table: "ez", result: "won", given: "yes" });
  assert.deepEqual(filterOf(new URLSearchParams("result=best&given=1")), { book: "", table: "", result: "", given: false });
  const any = { book: "", table: "", result: /** @type {const} */ (""), given: false };
  assert.equal(filtered(RESULTS, any).length, 40);
  assert.ok(filtered(RESULTS, { ...any, table: "south-dakota" }).every(({ table }) => table === "south-dakota"));
  assert.ok(filtered(RESULTS, { ...any, result: "lost" }).every(({ net_cents: net }) => net < 0));
  assert.ok(filtered(RESULTS, { ...any, given: true }).every(gaveAway));
  const three = /** @type {const} */ (["won", "lost", "push"]).map((one) => filtered(RESULTS, { ...any, result: one }).length);
  assert.equal(three.reduce((sum, many) => sum + many, 0), 40);
});

test("an amount below a cent is not zero", () => {
  assert.deepEqual(["0", "-1/3", "-1/2", "-5", "0/7"].map(isTiny), [false, true, false, false, false]);
  assert.deepEqual([result({ given: "-1/1000" }), result({ given: "0" })].map(gaveAway), [true, false]);
});

test("the grid of the graph covers all amounts in round steps", () => {
  for (const [lowest, highest] of [[0, 0], [-500, 0], [-12_345, 67_890], [0, 7], [-99, 101], [-1_000_000, -5], [-54_500, 300]]) {
    const grid = gridOf(lowest, highest);
    assert.ok(grid[0] <= lowest && /** @type {number} */ (grid.at(-1)) >= highest && grid.length >= 2 && grid.length <= 8, `${lowest} to ${highest}: ${grid}`);
    const steps = new Set(grid.slice(1).map((amount, index) => amount - grid[index]));
    assert.equal(steps.size, 1);
    assert.match([...steps].join(), /^[125]0*$/);
    assert.ok(!grid.some((amount) => Object.is(amount, -0)));
  }
});
