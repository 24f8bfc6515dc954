// <pg-figures>: the figures of the documents beside the exact values.

import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { define } from "../component.js";
import { askOnce } from "../api.js";
import { words } from "../words.js";
import { replaceQuery } from "../study/address.js";
import { QueryComponent } from "../study/query-component.js";
import { spaced } from "../study/numbers.js";
import { faultNote, waiting } from "../study/notes.js";
import { OpenSections, folds, matches } from "../study/fold.js";
import { csvButton, exactButton, table } from "../study/table.js";
import { figureName, filterFigures } from "../figures/names.js";

/** @typedef {import("../protocol").VerifiedFigure} Figure */

class Figures extends QueryComponent {
  /** @type {import("../protocol").VerifyAnswer | null} */
  answer = null;
  fault = "";
  seconds = 0;
  exact = false;
  filter = { source: "", status: "", find: "" };
  sections = new OpenSections();

  queryChanged() {
    const { query } = this;
    this.filter = { source: query.get("source") ?? "", status: query.get("status") ?? "", find: query.get("find") ?? "" };
    this.sections.search(this.#searching);
    this.update();
  }

  /** Whether the filter opens the groups it leaves. Most figures match their exact value, so a filter for these leaves the groups as they are. */
  get #searching() {
    return this.filter.find.trim() !== "" || !["", "matches"].includes(this.filter.status);
  }

  begin() {
    this.every(1000, () => { if (!this.answer && !this.fault && ++this.seconds > 1) this.update(); });
    this.#load();
  }

  async #load() {
    this.fault = "";
    this.update();
    try {
      /** @type {import("../protocol").VerifyAnswer} */
      const answer = await askOnce("/api/verify");
      if (answer.figures.length && !this.answer) this.sections.set(groupKey(answer.figures[0]), true);
      this.answer = answer;
    } catch (error) {
      this.fault = errorText(error);
    }
    this.update();
  }

  /** @param {Partial<{ source: string, status: string, find: string }>} some */
  #setFilter(some) {
    this.filter = { ...this.filter, ...some };
    this.sections.search(this.#searching);
    replaceQuery("/figures", this.filter);
    this.update();
  }

  view() {
    const { figures: say } = words;
    return h("div", { class: "page figures-page" },
      h("header", { class: "head" }, h("h1", null, say.title), h("p", null, say.lead)),
      faultNote(this.fault, () => this.#load()),
      !this.answer && !this.fault && waiting(this.seconds > 1 ? `${say.counting} ${say.waited(this.seconds)}` : words.app.loading),
      this.answer && this.#content(this.answer));
  }

  /** @param {NonNullable<Figures["answer"]>} answer */
  #content({ figures, summary, by_status: statuses, without_figures: without }) {
    const { figures: say } = words;
    const { filter } = this;
    const found = filterFigures(figures, filter);
    const sources = [...new Set(figures.map(({ source }) => source))];
    const tile = (/** @type {string} */ title, /** @type {number} */ many, /** @type {string} */ why, /** @type {string} */ name) => h("div", { class: "tile", key: title }, h("dt", null, title), h("dd", { class: name }, many, why && h("small", null, why)));
    const counts = Object.fromEntries(Object.keys(statuses).map((status) => [status, filterFigures(figures, { ...filter, status }).length]));
    return [
      h("dl", { class: "tiles", key: "tiles" }, tile(say.all, summary.figures, "", ""), tile(say.matches, summary.matches, say.matchesWhy, "good"), tile(say.explained, summary.explained, say.explainedWhy, "push"),
        tile(say.unexplained, summary.unexplained, "", summary.unexplained ? "bad" : "good")),
      h("form", { class: "panel fields", key: "fields", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
        h("label", { class: "field" }, say.source, h("select", { ".value": filter.source, onchange: (/** @type {any} */ event) => this.#setFilter({ source: event.target.value }) },
          h("option", { value: "" }, say.anySource), sources.map((source) => h("option", { value: source, key: source }, `${source} · ${say.sources[source] ?? source}`)))),
        h("label", { class: "field" }, say.find, h("input", { type: "search", placeholder: say.findLike, ".value": filter.find, oninput: (/** @type {any} */ event) => this.#setFilter({ find: event.target.value }) })),
        h("fieldset", { class: "chips-choice" }, h("legend", { class: "small" }, say.status),
          ["", ...Object.keys(statuses)].map((status) => h("button", { key: status || "all", type: "button", class: "button slim", "aria-pressed": String(filter.status === status), onclick: () => this.#setFilter({ status }) },
            status ? say.statuses[status] ?? status : say.anyStatus, h("span", { class: "small amount" }, status ? counts[status] : filterFigures(figures, { ...filter, status: "" }).length))))),
      this.#table(found, figures.length),
      Object.keys(without).length > 0 && h("section", { class: "panel stack", key: "without" }, h("h2", null, say.without),
        h("dl", { class: "rule-list" }, Object.entries(without).map(([source, why]) => h("div", { key: source }, h("dt", null, say.sources[source] ?? source), h("dd", null, why))))),
    ];
  }

  /** @param {Figure[]} found @param {number} all */
  #table(found, all) {
    const { figures: say } = words;
    /** @type {import("../study/table.js").Column<Figure>[]} */
    const columns = [
      { title: say.figure, head: true, class: "figure-name", cell: (figure) => [figureName(figure.id), h("span", { class: "small" }, figure.id)], csv: (figure) => figure.id },
      { title: say.location, csv: ({ place }) => place },
      { title: say.published, number: true, csv: ({ published }) => published, cell: ({ published }) => h("b", { class: "amount" }, published) },
      { title: say.exact, number: true, class: "figure-exact", csv: ({ exact }) => exact, cell: ({ exact, exact_fraction: fraction }) => [h("span", null, exact), this.exact && h("span", { class: "fraction" }, spaced(fraction))] },
      { title: say.fraction, csv: ({ exact_fraction: fraction }) => fraction },
      { title: say.status, csv: ({ status }) => status, cell: ({ status }) => h("span", { class: ["tag", `is-${status}`] }, status === "matches" && h("span", { "aria-hidden": "true" }, "✓"), say.statuses[status] ?? status) },
      { title: say.explanation, class: "figure-note", csv: ({ note }) => note, cell: ({ note }) => note ?? "" },
    ];
    /** @type {Map<string, Figure[]>} */
    const groups = new Map();
    for (const figure of found) {
      const key = groupKey(figure);
      groups.set(key, [...(groups.get(key) ?? []), figure]);
    }
    const parts = [...groups].map(([id, rows]) => {
      const title = `${say.sources[rows[0].source] ?? rows[0].source} · ${rows[0].place}`;
      const notes = rows.some(({ note }) => note);
      return { id, title, many: rows.length,
        body: table({ caption: title, class: notes ? "figures-table" : "figures-table no-notes", columns: notes ? columns : columns.slice(0, -1), rows, key: ({ id }) => id, rowClass: ({ status }) => ({ other: status !== "matches" }) }) };
    });
    return h("section", { class: "stack", key: "figures", "aria-labelledby": "figures-title" },
      h("div", { class: "study-head" }, h("h2", { id: "figures-title" }, say.found(found.length, all)),
        h("div", { class: "row" }, exactButton(this.exact, () => { this.exact = !this.exact; this.update(); }), csvButton("figures", columns, found))),
      matches(found.length < all, parts),
      folds(parts, this.sections, () => this.update(), "h3"));
  }
}

/** Returns the id of the group of a figure. @param {Figure} figure */
const groupKey = ({ source, place }) => `${source}-${place}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");

define("pg-figures", Figures);
