// Data tables. One list of columns serves the table on the page, the narrow layout and the CSV file.

import { h } from "../dom.js";
import { words } from "../words.js";
import { csvText, save } from "./csv.js";

/** @typedef {import("../dom.js").Child} Child */

/**
 * @template T
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: T, index: number) => Child} [cell] content of the cell; a column without it is only in the file
 * @property {(row: T, index: number) => string | number | null | undefined} [csv] value in the file; a column without it is only on the page
 * @property {boolean} [head] whether the column is the row header
 * @property {boolean} [number]
 * @property {string} [class]
 */

/**
 * A table. On narrow screens each row becomes a block with column titles. The ARIA roles are explicit because `display: block` removes them.
 * @template T
 * @param {{ caption: string, columns: Column<T>[], rows: T[], key?: (row: T) => string | number, rowClass?: (row: T, index: number) => any, class?: string }} data
 */
export function table({ caption, columns, rows, key, rowClass, class: name }) {
  const shown = columns.filter((column) => column.cell);
  const classes = (/** @type {Column<T>} */ column) => [column.number && "num", column.class];
  return h("div", { class: "data-box" }, h("table", { role: "table", class: ["data", name] },
    h("caption", { class: "unseen" }, caption),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" },
      shown.map((column) => h("th", { role: "columnheader", scope: "col", class: classes(column) }, column.title)))),
    h("tbody", { role: "rowgroup" }, rows.map((row, index) => h("tr", { role: "row", key: key ? key(row) : index, class: rowClass?.(row, index) },
      shown.map((column) => h(column.head ? "th" : "td",
        { role: column.head ? "rowheader" : "cell", scope: column.head ? "row" : null, class: classes(column), "data-label": column.title },
        column.cell?.(row, index))))))));
}

/** Formats the rows as CSV. @template T @param {Column<T>[]} columns @param {T[]} rows */
function csvOf(columns, rows) {
  const exported = columns.filter((column) => column.csv);
  return csvText([exported.map((column) => column.title), ...rows.map((row, index) => exported.map((column) => column.csv?.(row, index)))]);
}

/** A button that downloads the rows as CSV. @template T @param {string} name @param {Column<T>[]} columns @param {T[]} rows */
export function csvButton(name, columns, rows) {
  return h("button", { type: "button", class: "button slim plain", onclick: () => save(`${name}.csv`, csvOf(columns, rows)) },
    words.study.csv, h("span", { class: "unseen" }, `: ${name}`));
}

/** A button that toggles exact fractions. @param {boolean} on @param {() => void} toggle */
export function exactButton(on, toggle) {
  return h("button", { type: "button", class: "button slim plain", "aria-pressed": String(on), onclick: toggle }, words.study.exact);
}

/** A section with a title and actions. @param {string} id @param {string} title @param {Child} actions @param {...Child} children */
export function section(id, title, actions, ...children) {
  return h("section", { class: "panel study", key: id, "aria-labelledby": `${id}-title` },
    h("div", { class: "study-head" }, h("h2", { id: `${id}-title` }, title), h("div", { class: "row" }, actions)), children);
}
