// The graph of the running totals. Its numbers are also a table.

import { h } from "../dom.js";
import { short, signed } from "../money.js";
import { words } from "../words.js";
import { table } from "../study/table.js";

/** @typedef {import("./results.js").Point} Point */

const LINES = /** @type {const} */ (["net", "expected", "played"]);
/** Units of the drawing. The page stretches it, so lengths in it mean nothing. */
const SIZE = 1000;
/** Largest number of lines of the grid. */
const GRID_MAX = 6;

/** Returns the amounts of the grid: round steps that cover all amounts, and zero. @param {number} lowest in cents @param {number} highest */
export function gridOf(lowest, highest) {
  const span = Math.max(highest - lowest, 100);
  const power = 10 ** Math.floor(Math.log10(span / GRID_MAX));
  const step = Math.max(1, [1, 2, 5, 10, 20].map((factor) => factor * power).find((size) => span / size <= GRID_MAX - 1) ?? span);
  const [from, to] = [Math.floor(lowest / step), Math.max(Math.ceil(highest / step), Math.floor(lowest / step) + 1)];
  // Not `-0`, which would have a sign.
  return Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step || 0);
}

/** @param {Point[]} points @param {boolean} open whether the table is shown @param {(open: boolean) => void} toggle */
export function graph(points, open, toggle) {
  const { history: say } = words;
  const all = points.flatMap((point) => LINES.map((line) => point[line]));
  const grid = gridOf(Math.min(...all), Math.max(...all));
  const [lowest, highest] = [grid[0], grid[grid.length - 1]];
  const x = (/** @type {number} */ index) => (SIZE * index) / (points.length - 1);
  const y = (/** @type {number} */ cents) => (SIZE * (highest - cents)) / (highest - lowest);
  const last = points[points.length - 1];
  const rounds = points.length - 1;
  return [
    h("ul", { class: "legend graph-legend" }, LINES.map((line) => h("li", { key: line }, sample(line), say.lines[line], " ", h("b", { class: "amount" }, signed(last[line]))))),
    h("div", { class: "graph" },
      h("div", { class: "graph-amounts amount", "aria-hidden": "true" }, grid.map((cents) => h("span", { key: cents, style: { "--at": y(cents) / SIZE } }, short(cents)))),
      h("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, preserveAspectRatio: "none", role: "img", "aria-labelledby": "graph-t graph-d" },
        h("title", { id: "graph-t" }, say.graph),
        h("desc", { id: "graph-d" }, say.graphSays(rounds, signed(last.net), signed(last.expected), signed(last.played))),
        grid.map((cents) => h("line", { key: cents, x1: 0, x2: SIZE, y1: y(cents), y2: y(cents), class: cents === 0 ? "axis" : "grid" })),
        LINES.map((line) => h("polyline", { key: line, class: `is-${line}`, points: points.map((point, index) => `${x(index).toFixed(1)},${y(point[line]).toFixed(1)}`).join(" ") }))),
      h("div", { class: "graph-rounds amount", "aria-hidden": "true" }, h("span", null, 0), h("span", null, rounds))),
    h("details", { class: "graph-table", open, ontoggle: (/** @type {any} */ event) => toggle(event.target.open) },
      h("summary", null, say.graphTable),
      open && table({ caption: say.graphTable, class: "narrow", rows: points, columns: [
        { title: say.afterRounds, head: true, cell: (_, index) => index },
        ...LINES.map((line) => ({ title: say.lines[line], number: true, cell: (/** @type {Point} */ point) => signed(point[line]) }))] })),
  ];
}

/** A piece of a line for the legend. @param {string} line */
const sample = (line) => h("svg", { class: "graph-sample", viewBox: "0 0 28 10", "aria-hidden": "true" }, h("line", { x1: 1, x2: 27, y1: 5, y2: 5, class: `is-${line}` }));
