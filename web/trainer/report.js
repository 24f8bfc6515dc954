// The report of the trainer: figures, recent answers, weak spots, clauses to review.

import { h } from "../dom.js";
import { words } from "../words.js";
import { plainBar } from "../study/bars.js";
import { finePercent, share } from "../study/numbers.js";
import { csvButton, section, table } from "../study/table.js";
import { total, weakest } from "./progress.js";

/** @typedef {import("./progress.js").Progress} Progress */

/** Returns the average cost of the answers, as a percentage of the wager. @param {import("./progress.js").Tally} tally */
const meanCost = ({ asked, cost }) => finePercent((cost / asked).toFixed(8));

/** @param {Progress} progress */
export function numbers(progress) {
  const { trainer: say } = words;
  const all = total(progress);
  const tile = (/** @type {string} */ title, /** @type {import("../dom.js").Child[]} */ ...body) => h("div", { class: "tile", key: title }, h("dt", null, title), h("dd", null, body));
  const right = progress.last.filter(Boolean).length;
  return section("trainer-progress", say.progress, null,
    h("dl", { class: "tiles" },
      tile(say.hands, all.asked),
      tile(say.rightShare, all.asked ? share(all.right, all.asked, 0) : "–"),
      tile(say.streak, progress.streak, h("small", null, say.longest(progress.longest))),
      tile(say.mean, all.asked ? meanCost(all) : "–", h("small", null, say.meanWhy))),
    progress.last.length > 0 && h("figure", { class: "last" },
      h("figcaption", { class: "small" }, say.last(progress.last.length)),
      h("svg", { viewBox: `0 0 ${Math.max(20, progress.last.length) * 14} 30`, role: "img", "aria-label": say.lastSays(right, progress.last.length) },
        progress.last.map((correct, index) => (correct
          ? h("rect", { key: index, x: index * 14 + 1, y: 1, width: 12, height: 14, rx: 3, class: "was-right" })
          : h("path", { key: index, d: `M${index * 14 + 2} 17l10 10m0 -10l-10 10`, class: "was-wrong" })))),
      lastAnswers(progress.last)));
}

/** The recent answers as a table, for screen readers. @param {boolean[]} last */
function lastAnswers(last) {
  const { trainer: say } = words;
  /** @type {import("../study/table.js").Column<boolean>[]} */
  const columns = [
    { title: say.answer, head: true, cell: (_, index) => index + 1 },
    { title: say.judged, cell: (correct) => (correct ? say.right : say.notRight) },
  ];
  return h("div", { class: "unseen" }, table({ caption: say.last(last.length), columns, rows: last }));
}

/** @param {Progress} progress @param {(kind: import("./kinds.js").Kind) => void} practice */
export function weakSpots(progress, practice) {
  const { trainer: say } = words;
  const rows = weakest(progress);
  /** @type {import("../study/table.js").Column<typeof rows[number]>[]} */
  const columns = [
    { title: say.kind, head: true, cell: ({ kind }) => say.kinds[kind], csv: ({ kind }) => say.kinds[kind] },
    { title: say.asked, number: true, cell: ({ asked }) => asked, csv: ({ asked }) => asked },
    { title: say.rightShare, number: true, class: "return", csv: ({ right }) => right,
      cell: ({ asked, right }) => h("span", { class: "return-part" }, plainBar(right / asked), h("span", { class: "return-value" }, share(right, asked, 0))) },
    { title: say.mean, number: true, cell: meanCost, csv: ({ asked, cost }) => (cost / asked).toFixed(6) },
    { title: say.practice, number: true, class: "act", cell: ({ kind }) => h("button", { type: "button", class: "button slim", onclick: () => practice(kind) }, say.practice, h("span", { class: "unseen" }, `: ${say.kinds[kind]}`)) },
  ];
  return section("trainer-weak", say.weak, rows.length > 0 && csvButton("weak-spots", columns, rows),
    rows.length ? [h("p", { class: "small" }, say.weakWhy), table({ caption: say.weak, class: "returns", columns, rows, key: ({ kind }) => kind })] : h("p", null, say.none));
}

/** @param {Progress} progress */
export function clauses(progress) {
  const { trainer: say } = words;
  const rows = Object.values(progress.missed).filter(({ missed }) => missed > 0).sort((one, other) => other.missed - one.missed).slice(0, 6);
  /** @type {import("../study/table.js").Column<typeof rows[number]>[]} */
  const columns = [
    { title: say.clause, head: true, cell: ({ says }) => says, csv: ({ says }) => says },
    { title: say.missed, number: true, cell: ({ missed, asked }) => `${missed} / ${asked}`, csv: ({ missed }) => missed },
    { title: say.asked, csv: ({ asked }) => asked },
  ];
  return rows.length > 0 && section("trainer-clauses", say.clauses, csvButton("clauses", columns, rows), h("p", { class: "small" }, say.clausesWhy), table({ caption: say.clauses, class: "narrow", columns, rows }));
}
