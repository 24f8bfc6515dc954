// A table of data: for reading, for narrow screens and for spreadsheets, from one list of columns.

import { h } from "../dom.js";
import { words } from "../words.js";
import { csvText, save } from "./csv.js";

/** @typedef {import("../dom.js").Child} Child */

/**
 * @template T
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: T, place: number) => Child} [cell] what is shown; a column without it is for the file alone
 * @property {(row: T, place: number) => string | number | null | undefined} [csv] what the file has; a column without it is for reading alone
 * @property {boolean} [head] whether it names the row
 * @property {boolean} [number]
 * @property {string} [class]
 */

/**
 * Narrow, a row becomes a block with the names of the columns in it. The roles are said, because blocks would lose them.
 * @template T
 * @param {{ caption: string, columns: Column<T>[], rows: T[], key?: (row: T) => string | number, rowClass?: (row: T, place: number) => any, class?: string }} data
 */
export function table({ caption, columns, rows, key, rowClass, class: name }) {
  const shown = columns.filter((column) => column.cell);
  const classes = (/** @type {Column<T>} */ column) => [column.number && "num", column.class];
  return h("div", { class: "data-box" }, h("table", { role: "table", class: ["data", name] },
    h("caption", { class: "unseen" }, caption),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" },
      shown.map((column) => h("th", { role: "columnheader", scope: "col", class: classes(column) }, column.title)))),
    h("tbody", { role: "rowgroup" }, rows.map((row, place) => h("tr", { role: "row", key: key ? key(row) : place, class: rowClass?.(row, place) },
      shown.map((column) => h(column.head ? "th" : "td",
        { role: column.head ? "rowheader" : "cell", scope: column.head ? "row" : null, class: classes(column), "data-label": column.title },
        column.cell?.(row, place))))))));
}

/** The same for a file. @template T @param {Column<T>[]} columns @param {T[]} rows */
export function csvOf(columns, rows) {
  const kept = columns.filter((column) => column.csv);
  return csvText([kept.map((column) => column.title), ...rows.map((row, place) => kept.map((column) => column.csv?.(row, place)))]);
}

/** A button that gives somebody the file. @template T @param {string} name @param {Column<T>[]} columns @param {T[]} rows */
export function csvButton(name, columns, rows) {
  return h("button", { type: "button", class: "button slim plain", onclick: () => save(`${name}.csv`, csvOf(columns, rows)) },
    words.study.csv, h("span", { class: "unseen" }, `: ${name}`));
}

/** A button that shows exact fractions, or no longer. @param {boolean} on @param {() => void} act */
export function exactButton(on, act) {
  return h("button", { type: "button", class: "button slim plain", "aria-pressed": String(on), onclick: act }, words.study.exact);
}

/** A section with its title and what can be done with it. @param {string} id @param {string} title @param {Child} acts @param {...Child} children */
export function section(id, title, acts, ...children) {
  return h("section", { class: "panel study", key: id, "aria-labelledby": `${id}-title` },
    h("div", { class: "study-head" }, h("h2", { id: `${id}-title` }, title), h("div", { class: "row" }, acts)), children);
}
