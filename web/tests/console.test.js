import assert from "node:assert/strict";
import { test } from "node:test";
import { CommandIds } from "../console/command-ids.js";
import { filterOf, requestOf } from "../console/journal-filter.js";
import { metric, metricsOf } from "../console/metrics.js";
import { detailFields, isRepeatedRead, withOutcomes } from "../console/outcomes.js";
import { groupsOf, sumOf, sumsByCurrency, unlikely } from "../console/report-sums.js";
import { decisionNeeds, sectionOf, sectionsFor } from "../console/sections.js";
import { secondsUntil, tableMatches } from "../console/table-search.js";
import { fromBase64url, toBase64url } from "../webauthn.js";
import { addressOf } from "../study/address.js";

test("each role sees the sections that it may open", () => {
  const of = (...may) => sectionsFor(may).map(({ id }) => id);
  assert.ok(!of("read").includes("chips"));
  assert.ok(!of("read", "tables").includes("chips"));
  assert.ok(of("read", "chips").includes("chips"));
  assert.equal(of("read", "tables", "chips", "administer").length, 11);
  assert.deepEqual(of(), []);
  assert.equal(sectionOf("nothing"), null);
  assert.deepEqual([decisionNeeds("chips"), decisionNeeds("void")], ["chips", "tables"]);
});

test("a retry of the same request has the same command id until it succeeds", () => {
  let count = 0;
  const ids = new CommandIds(() => String(++count));
  const request = { player: "ann", cents: 500 };
  assert.equal(ids.idFor(request), "1");
  assert.equal(ids.idFor({ ...request }), "1");
  assert.equal(ids.idFor({ ...request, cents: 600 }), "2");
  ids.done(request);
  assert.equal(ids.idFor(request), "3");
});

test("outcomes are merged into their acts", () => {
  const act = (place, what, detail) => ({ place, at: place, operator: "boss", what, detail: JSON.stringify(detail) });
  const entries = withOutcomes([
    act(1, "outcome", { of: 0, outcome: "done" }), act(2, "table.command", { table: "ez", command: { do: "pause" } }), act(3, "tables", { outcome: "done" }),
    act(4, "outcome", { of: 2, outcome: "table_closed" }), act(5, "chips", { cents: 5 }), { ...act(6, "x", 0), detail: "no JSON" },
  ]);
  assert.deepEqual(entries.map(({ place, what, outcome }) => [place, what, outcome]),
    [[1, "outcome", "done"], [2, "table.command", "table_closed"], [3, "tables", "done"], [5, "chips", null], [6, "x", null]]);
  assert.deepEqual(detailFields(entries[1].detail), [["table", "ez"], ["command", '{"do":"pause"}']]);
  assert.deepEqual(entries[4].detail, { detail: "no JSON" });
  assert.deepEqual(entries.filter(isRepeatedRead).map(({ place }) => place), [3]);
  assert.ok(!isRepeatedRead({ ...entries[2], outcome: "not_allowed" }));
});

test("the filters of the journal become a request", () => {
  const filter = filterOf(new URLSearchParams("player=ann&purpose=issue&from=2026-11-17&to=2026-11-18&other=1"));
  assert.equal(addressOf("journal", requestOf(filter)), `journal?player=ann&purpose=issue&from=${Date.UTC(2026, 10, 17)}&to=${Date.UTC(2026, 10, 19)}`);
  assert.equal(addressOf("journal", requestOf(filterOf(new URLSearchParams("from=yesterday")))), "journal");
});

const row = (some) => ({
  day: "2026-11-18", table: "ez", currency: "PRACTICE", wager: "pai-gow", title: "Pai Gow", wagers: 10, voided: 0, handle_cents: 10_000, win_cents: 300, hold: "3/100",
  judged_wagers: 10, judged_win_cents: 300, expected: "200/3", deviation_cents: "30.000000", deviations: "7.7777", ...some,
});

test("reports are summed exactly", () => {
  const sum = sumOf([row({}), row({ win_cents: -500, judged_win_cents: -500, expected: "100/3", deviation_cents: "40", voided: 2 }), row({ win_cents: 100, judged_wagers: 0, judged_win_cents: 0, expected: null, deviation_cents: null, deviations: null })]);
  assert.deepEqual({ ...sum, deviations: Number(sum.deviations) }, {
    wagers: 30, voided: 2, handle_cents: 30_000, win_cents: -100, hold: "-100/30000", judged_wagers: 20, judged_win_cents: -200, expected: "100/1",
    deviation_cents: "50.000000000000", deviations: -6,
  });
  const none = sumOf([row({ handle_cents: 0, win_cents: 0, judged_wagers: 0, judged_win_cents: 0, expected: null, deviation_cents: null })]);
  assert.deepEqual([none.hold, none.expected, none.deviation_cents, none.deviations], [null, null, null, null]);
});

test("reports are grouped by day, table and currency", () => {
  const rows = [row({}), row({ wager: "fortune" }), row({ table: "vip", currency: "USD" }), row({ day: "2026-11-19" })];
  assert.deepEqual(groupsOf(rows).map(({ day, table, currency, rows: all, sum }) => [day, table, currency, all.length, sum.win_cents]),
    [["2026-11-18", "ez", "PRACTICE", 2, 600], ["2026-11-18", "vip", "USD", 1, 300], ["2026-11-19", "ez", "PRACTICE", 1, 300]]);
  assert.deepEqual(sumsByCurrency(rows).map(([currency, sum]) => [currency, sum.win_cents]), [["PRACTICE", 900], ["USD", 300]]);
});

test("results beyond three standard deviations are unlikely", () => {
  assert.deepEqual(["3.0000", "3.0001", "-3.0001", "-2.9", null].map(unlikely), [null, "above", "below", null, null]);
});

test("metrics are summed over their labels", () => {
  const metrics = metricsOf('# TYPE paigow_requests counter\npaigow_requests_total{status="200",path="/a b"} 7\npaigow_requests_total{status="404"} 2\npaigow_tables 3\npaigow_request_seconds_bucket{le="1.0"} 9\n# EOF\n');
  assert.equal(metric(metrics, "requests_total"), 9);
  assert.equal(metric(metrics, "tables"), 3);
  assert.equal(metric(metrics, "request_seconds_bucket"), null);
});

test("tables are found by id, name, book and player", () => {
  const table = { table: "vip-1", name: "High limit", book: "ez", seats: [{ seat: 1, player: "guest-7", name: "Ann" }] };
  for (const text of ["", "VIP", "limit", "ez", "ann", "guest-7 "]) assert.ok(tableMatches(table, text), text);
  assert.ok(!tableMatches(table, "bert"));
  assert.deepEqual([secondsUntil(5001, 4000), secondsUntil(5000, 4000), secondsUntil(5000, 9000)], [2, 1, 0]);
});

test("bytes of passkeys are base64url", () => {
  const bytes = Uint8Array.from([251, 255, 254, 0, 1]);
  assert.equal(toBase64url(bytes), "-__-AAE");
  assert.deepEqual([...fromBase64url("-__-AAE")], [...bytes]);
  assert.deepEqual([...fromBase64url("-__-AAE=")], [...bytes]);
});
