// Odds of a side wager: key figures, the editable table of returns, and the edge by number of players.

import { h } from "../dom.js";
import { money, short } from "../money.js";
import { words } from "../words.js";
import { columnChart, plainBar } from "../study/bars.js";
import { decimal, finePercent, oneIn, percent, spaced, thousands } from "../study/numbers.js";
import { csvButton, exactButton, section, table } from "../study/table.js";
import { rowKey } from "./edits.js";
import { rowName } from "../study/rows.js";

/**
 * @typedef {import("./edits.js").Row} Row
 * @typedef {{ value: import("../protocol").WagerOddsAnswer, printed: import("../protocol").WagerOddsAnswer, rows: Row[], edits: import("./edits.js").Edits, exact: boolean, edited: boolean, busy: boolean, faults: Record<string, string>,
 *   pay: (row: Row, text: string) => void, envy: (row: Row, text: string) => void, reset: () => void, toggle: () => void }} Display
 */

/** The key figures. @param {Display} shown */
export function figures({ value, printed, exact, edited }) {
  const { odds: say } = words;
  const was = (/** @type {string} */ now, /** @type {string} */ before) => edited && now !== before && h("small", null, say.was(before));
  const fraction = (/** @type {string} */ text) => exact && h("small", { class: "fraction" }, spaced(text));
  const often = oneIn(value.hit_frequency_exact);
  const stake = value.at_stake;
  const tile = (/** @type {string} */ title, /** @type {import("../dom.js").Child[]} */ ...body) => h("div", { class: "tile", key: title }, h("dt", null, title), h("dd", null, body));
  return h("dl", { class: "tiles" },
    tile(say.edge, percent(value.edge, { decimals: 3 }), was(percent(value.edge, { decimals: 3 }), percent(printed.edge, { decimals: 3 })), fraction(value.edge_exact), h("small", null, say.edgeWhy)),
    tile(say.hit, percent(value.hit_frequency, { decimals: 3 }), was(percent(value.hit_frequency, { decimals: 3 }), percent(printed.hit_frequency, { decimals: 3 })),
      fraction(value.hit_frequency_exact), often && h("small", null, say.oneIn(often))),
    tile(say.deviation, decimal(value.standard_deviation, { decimals: 3 }), h("small", null, say.deviationWhy)),
    value.envy_from_cents !== null && tile(say.envyReturn, percent(value.envy_return, { decimals: 3, sign: true }),
      was(percent(value.envy_return, { decimals: 3, sign: true }), percent(printed.envy_return, { decimals: 3, sign: true })), fraction(value.envy_return_exact), h("small", null, say.envyWhy(short(value.envy_from_cents)))),
    stake && tile(say.atStake(short(stake.stake_cents)), percent(stake.edge, { decimals: 3 }), fraction(stake.edge_exact),
      h("small", null, stake.payout_max_cents ? say.withMax(short(stake.payout_max_cents), say.per[/** @type {"hand"} */ (stake.payout_max_per)]) : say.noMax, !stake.within_limits && ` · ${say.outside}`)));
}

/** @param {Display} shown */
export function returns(shown) {
  const { odds: say } = words;
  const { value, rows, exact, edited } = shown;
  const all = value.hands ?? value.deals ?? 0;
  const largest = Math.max(...value.rows.map((row) => Number(row.return)), 0);
  const envies = value.envy_from_cents !== null;
  const oddsOf = (/** @type {Row} */ row) => value.rows.find((one) => one.hand === rowKey(row));
  const name = (/** @type {Row} */ row) => rowName(row.hand, row.cards);
  const input = (/** @type {string} */ id, /** @type {string} */ label, /** @type {string} */ text, /** @type {boolean} */ changed, /** @type {(text: string) => void} */ change) => h("span", { class: "edit" },
    h("input", { id, class: ["amount-in", { changed }], inputmode: "decimal", autocomplete: "off", "aria-label": label, ".value": text, "aria-invalid": shown.faults[id] ? "true" : null, "aria-describedby": shown.faults[id] ? `${id}-fault` : null,
      onfocus: (/** @type {any} */ event) => event.target.select(), onchange: (/** @type {any} */ event) => change(event.target.value), oninput: (/** @type {any} */ event) => change(event.target.value) }),
    shown.faults[id] && h("small", { class: "fault", id: `${id}-fault`, role: "alert" }, shown.faults[id]));
  /** @type {import("../study/table.js").Column<Row>[]} */
  const columns = [
    { title: say.hand, head: true, cell: name, csv: name },
    { title: say.combinations, number: true, cell: (row) => thousands(oddsOf(row)?.combinations ?? 0), csv: (row) => oddsOf(row)?.combinations },
    { title: say.probability, number: true, csv: (row) => oddsOf(row)?.probability,
      cell: (row) => [finePercent(oddsOf(row)?.probability ?? "0"), exact && h("span", { class: "fraction" }, spaced(oddsOf(row)?.probability_exact ?? ""))] },
    { title: say.pays, number: true, class: "edit-cell", csv: (row) => row.pays, cell: (row) => input(`pay-${rowKey(row)}`, say.payOf(name(row)), inputText(shown, `pay-${rowKey(row)}`, row.pays), rowKey(row) in shown.edits.pays, (typed) => shown.pay(row, typed)) },
    ...(envies ? [{ title: say.envy, number: true, class: "edit-cell", csv: (/** @type {Row} */ row) => (row.envy_cents ? row.envy_cents / 100 : ""),
      cell: (/** @type {Row} */ row) => input(`envy-${rowKey(row)}`, say.envyOf(name(row)), inputText(shown, `envy-${rowKey(row)}`, (row.envy_cents ?? 0) / 100), rowKey(row) in shown.edits.envy, (typed) => shown.envy(row, typed)) }] : []),
    { title: say.returned, number: true, class: "return", csv: (row) => oddsOf(row)?.return,
      cell: (row) => h("span", { class: "return-part" }, plainBar(Number(oddsOf(row)?.return ?? 0) / (largest || 1)),
        h("span", { class: "return-value" }, percent(oddsOf(row)?.return ?? "0", { decimals: 3 })), exact && h("span", { class: "fraction" }, spaced(oddsOf(row)?.return_exact ?? ""))) },
  ];
  return section("odds-returns", say.returns, [
    edited && h("span", { class: "tag on" }, say.edited),
    h("button", { type: "button", class: "button slim", disabled: !edited && !Object.keys(shown.faults).length, onclick: shown.reset }, say.reset),
    exactButton(exact, shown.toggle), csvButton(`${value.wager}-${value.paytable}`, columns, rows),
  ],
    h("p", { class: "small" }, say.returnsWhy(thousands(all), value.deals !== undefined), edited && ` ${say.editedWhy}`),
    h("div", { class: { stale: shown.busy } }, table({ caption: say.returns, class: "returns", columns, rows, key: rowKey })),
    h("p", { class: "small" }, `${say.losing}: ${thousands(value.losing)}`));
}

/** Returns the text of a field: the value, or the text being typed if it is invalid or equal to the value. @param {Display} shown @param {string} id @param {number} value */
function inputText(shown, id, value) {
  const field = document.getElementById(id);
  if (field instanceof HTMLInputElement && (shown.faults[id] || (document.activeElement === field && Number(field.value.replace(/[$,]/g, "")) === value))) return field.value;
  return String(value);
}

/** @param {Display} shown */
export function byPlayers({ value, exact, toggle }) {
  const { odds: say } = words;
  const rows = Object.keys(value.edge_by_players).map((players) => ({ players, edge: value.edge_by_players[players], fraction: value.edge_by_players_exact[players] }));
  if (value.envy_from_cents === null) return section("odds-players", say.players, null, h("p", null, say.playersFlat));
  const label = (/** @type {{ edge: string }} */ row) => percent(row.edge, { decimals: 2 });
  /** @type {import("../study/table.js").Column<typeof rows[number]>[]} */
  const columns = [
    { title: say.player, head: true, cell: (row) => row.players, csv: (row) => row.players },
    { title: say.edge, number: true, cell: (row) => [percent(row.edge, { decimals: 3 }), exact && h("span", { class: "fraction" }, spaced(row.fraction))], csv: (row) => row.edge },
    { title: words.study.exact, csv: (row) => row.fraction },
  ];
  return section("odds-players", say.players, [exactButton(exact, toggle), csvButton("edge-by-players", columns, rows)],
    h("p", { class: "small" }, say.playersWhy(money(value.envy_from_cents))),
    h("div", { class: "beside" },
      columnChart({ id: "players-chart", title: say.players, says: say.playersSays(label(rows[0]), label(rows[rows.length - 1]), rows.length),
        columns: rows.map((row) => ({ name: row.players, value: Number(row.edge), label: label(row).replace("\u202f%", "") })) }),
      table({ caption: say.players, class: "narrow", columns, rows })));
}
