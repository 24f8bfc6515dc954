// The sections of a rule book.

import { h } from "../dom.js";
import { short } from "../money.js";
import { words } from "../words.js";
import { addressOf } from "../study/address.js";
import { citation, kindTag } from "../study/notes.js";
import { csvButton, table } from "../study/table.js";
import { clauseFile, clauseList, filterClauses, numbered } from "./clauses.js";
import { matchesFilter } from "./find.js";
import { houseWayChoice } from "./house-way-choice.js";
import { paysText, rowName, rowReading } from "../study/rows.js";

/**
 * @typedef {import("./find.js").Filter} Filter
 * @typedef {import("../study/fold.js").Part} Part
 * @typedef {{ about: string, says: string, cite: string, assumed: boolean, kind?: string, allowed?: string | null }} Rule
 * @typedef {import("../protocol").SourcedValue} Value
 * @typedef {import("../protocol").WagerRules} WagerRules
 * @typedef {import("../protocol").PaytableRows} PaytableRows
 * @typedef {import("../protocol").PaytableRow} Row
 */

/** A list of rules by subject. @param {Rule[]} rules @param {string} [term] the book's term for the banker */
function list(rules, term = "banker") {
  const say = words.banker(term);
  return h("dl", { class: "rule-list" }, rules.map((rule, index) => h("div", { key: `${rule.about} ${index}` },
    h("dt", null, rule.about), h("dd", null, h("p", null, rule.says), citation({ ...rule, allowed: rule.allowed && say.inTerms(rule.allowed) })))));
}

/** @returns {import("../study/table.js").Column<Rule>[]} */
const ruleColumns = () => [
  { title: words.rules.rule, csv: ({ about }) => about }, { title: words.rules.says, csv: ({ says }) => says }, { title: words.rules.kind, csv: ({ kind }) => kind },
  { title: words.rules.cite, csv: ({ cite }) => cite }, { title: words.rules.allowedTitle, csv: ({ allowed }) => allowed },
];

/** @param {string} id @param {string} title @param {string} why @param {Rule[]} rules @param {Filter} filter @param {string} [term] the book's term for the banker @returns {Part | null} */
export function ruleSection(id, title, why, rules, filter, term) {
  const found = rules.filter((rule) => matchesFilter([rule.about, rule.says], rule, filter));
  if (!found.length) return null;
  return { id, title, many: found.length, actions: csvButton(id, ruleColumns(), rules), body: [why && h("p", { class: "small" }, why), list(found, term)] };
}

/** @param {WagerRules} wager @param {string} book @param {Filter} filter @returns {Part | null} */
export function wagerSection(wager, book, filter) {
  const { rules: say } = words;
  const rules = wager.rules.filter((rule) => matchesFilter([wager.title, rule.about, rule.says], rule, filter));
  const tables = wager.paytables.filter((one) => matchesFilter([wager.title, ...one.rows.flatMap((row) => [rowName(row.hand, row.cards), row.reading ?? ""])], one, filter));
  if (!rules.length && !tables.length) return null;
  return { id: `wager-${wager.wager}`, title: wager.title, many: rules.length + tables.length, actions: csvButton(`${book}-${wager.wager}`, ruleColumns(), wager.rules), body: [
    list(rules),
    tables.length > 0 && [h("h3", null, say.paytables),
      h("div", { class: "paytables" }, tables.map((one) => paytable(one, wager, book)))],
  ] };
}

/** @param {PaytableRows} one @param {WagerRules} wager @param {string} book */
function paytable(one, wager, book) {
  const { rules: say, study } = words;
  const envies = one.rows.some((row) => row.envy_cents);
  /** @type {import("../study/table.js").Column<Row>[]} */
  const columns = [
    { title: say.hand, head: true, cell: (row) => [rowName(row.hand, row.cards), rowReading(row)], csv: (row) => rowName(row.hand, row.cards) },
    { title: say.pays, number: true, cell: (row) => paysText(row.pays), csv: (row) => row.pays },
    ...(envies ? [{ title: say.envy, number: true, cell: (/** @type {Row} */ row) => (row.envy_cents ? short(row.envy_cents) : "–"), csv: (/** @type {Row} */ row) => (row.envy_cents ? row.envy_cents / 100 : "") }] : []),
  ];
  const title = `${wager.title} ${study.posted(one.paytable)}`;
  return h("details", { class: "paytable-card", key: one.paytable, open: one.paytable === wager.default },
    h("summary", null, h("b", null, study.posted(one.paytable)), h("span", { class: "small" }, [
      one.also && say.also(one.also), one.paytable === wager.default && wager.paytables.length > 1 && say.posted, !one.available && say.notPosted, one.joker === "fully_wild" && study.joker.fully_wild,
    ].filter(Boolean).join(" · "))),
    table({ caption: title, class: "narrow", columns, rows: one.rows }),
    h("div", { class: "row" }, citation(one),
      h("a", { class: "button slim", href: addressOf("/odds", { book, wager: wager.wager, paytable: one.paytable }) }, say.odds, h("span", { class: "unseen" }, `: ${title}`)),
      csvButton(`${wager.wager}-${one.paytable}`, [...columns, { title: say.reading, csv: (/** @type {Row} */ row) => row.reading }], one.rows)));
}

/** @param {import("../protocol").RulesAnswer} rules @param {Filter} filter @returns {Part | null} */
export function waySection(rules, filter) {
  const { house_way: way } = rules;
  const { rules: say } = words;
  const clauses = numbered(way.clauses);
  const found = filterClauses(clauses, filter);
  if (!found.length) return null;
  return { id: "house-way", title: say.houseWay(way.title), many: found.length, actions: clauseFile(way.id, clauses), body: [
    h("p", null, houseWayChoice(rules)), !way.changed && citation(way),
    h("p", { class: "small" }, way.source, ". ", say.houseWayWhy, " ", h("a", { href: "/rules" }, say.otherWays)),
    clauseList(found),
  ] };
}

/** @param {import("../protocol").Term[]} glossary @param {Filter} filter @returns {Part | null} */
export function glossarySection(glossary, filter) {
  return ruleSection("glossary", words.rules.glossary, "", glossary.map(({ word, means, cite, assumed }) => ({ about: word, says: means, cite, assumed })), filter);
}

/** Order of the kinds: values that a house can change come first. */
const KINDS = ["assumed", "option", "fixed"];

/** All values of the book, sorted by kind. @param {Value[]} values @param {import("../protocol").Kinds} kinds @param {Filter} filter @returns {Part | null} */
export function valuesSection(values, kinds, filter) {
  const { rules: say } = words;
  const sorted = KINDS.flatMap((kind) => values.filter((value) => value.kind === kind));
  const found = sorted.filter(({ value, is, because, cite, kind }) => matchesFilter([value, is, because ?? "", kind], { cite: cite ?? "", assumed: kind === "assumed" }, filter));
  if (!found.length) return null;
  /** @type {import("../study/table.js").Column<Value>[]} */
  const columns = [
    { title: say.value, head: true, cell: ({ value }) => h("code", null, value), csv: ({ value }) => value },
    { title: say.is, cell: ({ is }) => is, csv: ({ is }) => is },
    { title: say.kind, cell: ({ kind }) => kindTag(kind), csv: ({ kind }) => kind },
    { title: say.cite, cell: ({ because, cite, allowed }) => h("span", { class: "small" }, because, because && cite && " ", cite && h("cite", null, cite), allowed && ` \u00b7 ${say.allowed(allowed)}`),
      csv: ({ cite }) => cite },
    { title: say.because, csv: ({ because }) => because },
    { title: say.allowedTitle, csv: ({ allowed }) => allowed },
  ];
  return { id: "values", title: say.values, many: found.length, actions: csvButton("values", columns, sorted), body: [
    h("p", null, h("b", null, say.kindTotal(kinds)), "."), h("p", { class: "small" }, say.valuesWhy),
    table({ caption: say.values, class: "prose values", columns, rows: found, key: ({ value }) => value }),
  ] };
}
