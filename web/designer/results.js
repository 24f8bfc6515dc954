// The result of a house way: proof, edge, costliest hands, changed hands.

import { h } from "../dom.js";
import { words } from "../words.js";
import { cardsOf } from "../cards/card-text.js";
import { highHand, lowHand } from "../cards/evaluate.js";
import { cardName, highHandName, lowHandName } from "../cards/names.js";
import { decimal, difference, finePercent, percent, share, spaced, thousands } from "../study/numbers.js";
import { settingCards, smallCards } from "../study/small-cards.js";
import { waiting } from "../study/notes.js";
import { csvButton, table } from "../study/table.js";

/**
 * @typedef {import("../protocol").DesignAnswer} DesignAnswer
 * @typedef {import("../cards/evaluate.js").Ranking} Ranking
 * @typedef {import("../dom.js").Child} Child
 */

/** Number of hands of seven cards. */
export const HANDS = 154_143_080;

/** Formats an edge. @param {string} edge */
export const edgeText = (edge) => percent(edge, { decimals: 4 });

/** Formats a change of the edge, with its sign. @param {string} change */
export function changeText(change) {
  return Number(change) === 0 ? words.designer.changeNone : Math.abs(Number(change)) >= 0.000_001 ? percent(change, { decimals: 4, sign: true }) : finePercent(change, { sign: true });
}

/** Returns the label of the edge of a side. @param {string} side @param {string} term the book's term for the banker */
const edgeLabel = (side, term) => (side === "banker" ? words.designer.edgeBanker(term) : words.designer.edge);

/** Returns the cost of the version before against best play: the difference of the edges. @param {DesignAnswer} answer */
export function costBefore({ best, compared, side }) {
  if (!best || !compared) return null;
  const [one, other] = side === "dealer" ? [best, compared.before] : [compared.before, best];
  return difference(one.edge_exact, other.edge_exact);
}

/** Returns the sentence that summarizes an answer. @param {DesignAnswer} answer @param {{ version: string, term: string, over?: string }} names name of the version before, the book's term for the banker, and the budget if it is exceeded */
export function summaryText(answer, { version, term, over }) {
  const { summary: say } = words.designer;
  const { compared, faults } = answer;
  const proof = faults.length ? say.faults(faults.length) : say.proved;
  const edge = say.edge(edgeLabel(answer.side, term), edgeText(answer.odds.edge));
  if (!compared) return `${proof} ${edge}`;
  const same = compared.hands === 0;
  const change = same ? say.same(version) : say.change(changeText(compared.edge_change), version, compared.hands === null ? "" : thousands(compared.hands));
  return [proof, edge, change, over && say.over(over)].filter(Boolean).join(" ");
}

/** The progress of a table of worths that the server prepares. @param {import("../protocol").PreparationProgress} progress */
export function preparation(progress) {
  const { designer: say } = words;
  return h("div", { class: "design-preparation", key: "preparing" }, waiting(say.preparing(progress)),
    h("progress", { max: 100, value: progress.percent, "aria-label": say.preparingLabel }));
}

/** Key figures. @param {DesignAnswer} answer @param {{ version: string, term: string, exact: boolean, budget: { text: string, isExceeded: boolean } | null }} shown */
export function tiles({ odds, price, best, faults, compared, side }, { version, term, exact, budget }) {
  const { designer: say } = words;
  const tile = (/** @type {string} */ title, /** @type {Child} */ value, /** @type {Child} */ small, /** @type {string | undefined} */ fraction) =>
    h("div", { class: "tile", key: title }, h("dt", null, title), h("dd", null, value, small && h("small", null, small), exact && fraction && h("span", { class: "fraction" }, spaced(fraction))));
  return h("dl", { class: "tiles" },
    tile(say.proof, faults.length ? h("span", { class: "bad" }, say.faulty(faults.length)) : h("span", { class: "good" }, say.proved), faults.length ? say.faultyWhy : say.provedWhy, undefined),
    tile(edgeLabel(side, term), edgeText(odds.edge), null, odds.edge_exact),
    compared && tile(say.change, changeText(compared.edge_change), [say.againstVersion(version), budget && h("b", { class: budget.isExceeded ? "bad" : "good" }, (budget.isExceeded ? say.overBudget : say.withinBudget)(budget.text))], compared.edge_change_exact),
    compared && compared.hands !== null && tile(say.changed, thousands(compared.hands), say.ofAll(share(compared.hands, HANDS, 3)), undefined),
    price && tile(say.cost, finePercent(price.cost), best && say.costWhy(edgeText(best.edge)), price.cost_exact),
    price && tile(say.worse, thousands(price.hands_set_worse), say.ofAll(share(price.hands_set_worse, HANDS)), undefined));
}

/** The first hands on which the house way fails. @param {DesignAnswer} answer */
export function failingHands({ faults }) {
  const { designer: say } = words;
  return faults.length > 0 && h("section", { class: "design-faults", key: "failing", "aria-labelledby": "design-faults-title" },
    h("h3", { id: "design-faults-title" }, say.faults),
    h("ul", null, faults.map((fault, index) => h("li", { key: index }, h("p", null, faultText(fault)), fault.cards && handCards(fault.cards)))));
}

/** Returns the sentence for a fault of the proof. @param {import("../protocol").DesignFault} fault */
export function faultText({ code, clause, decided_by: by }) {
  const texts = /** @type {Record<string, (clause: any, by: any) => string>} */ (words.designer.fault);
  return texts[code]?.(clause, by) ?? code;
}

/** Seven cards, with their names for screen readers. @param {string} cards */
const handCards = (cards) => [smallCards(cards), h("span", { class: "unseen" }, cardsOf(cards).map((card) => cardName(card)).join(", "))];

/** A labeled setting as cards, with its names. @param {string} label @param {{ low: string, high: string }} setting @param {Ranking} ranking @param {string} [note] */
function setting(label, { low, high }, ranking, note) {
  const name = `${lowHandName(lowHand(cardsOf(low), ranking))} · ${highHandName(highHand(cardsOf(high), ranking))}`;
  return h("div", { class: "design-setting" }, h("dt", null, label), h("dd", null, settingCards({ low, high }, ranking), h("span", { class: "small" }, [name, note].filter(Boolean).join(" · "))));
}

/** A labeled low hand as cards, with its name and its clause. @param {string} label @param {string} low @param {Ranking} ranking @param {number} clause */
function lowCards(label, low, ranking, clause) {
  const rank = lowHand(cardsOf(low), ranking);
  return h("div", { class: "design-setting" }, h("dt", null, label), h("dd", null, smallCards(low, rank.joker), h("span", { class: "small" }, `${lowHandName(rank)} · ${words.designer.byClause(clause)}`)));
}

/** A kind of hands: its cards, its figures and its settings. @param {number} key @param {string} cards @param {string} facts @param {...Child} settings */
function kind(key, cards, facts, ...settings) {
  return h("li", { key }, h("p", { class: "design-kind-head" }, h("span", null, handCards(cards)), h("span", { class: "small amount" }, facts)), h("dl", null, settings));
}

/** The kinds of hands with the largest parts in the cost. @param {DesignAnswer} answer @param {Ranking} ranking */
export function costliest({ price }, ranking) {
  const { designer: say } = words;
  if (!price) return null;
  /** @type {import("../study/table.js").Column<import("../protocol").CostlyHands>[]} */
  const columns = [
    { title: say.hand, csv: ({ cards }) => cards }, { title: say.hands, csv: ({ hands }) => hands }, { title: say.byClauseTitle, csv: ({ clause }) => clause },
    { title: say.thisWay, csv: ({ low, high }) => `${low} | ${high}` }, { title: say.best, csv: ({ best_low: low, best_high: high }) => `${low} | ${high}` }, { title: say.part, csv: ({ part }) => part },
  ];
  return { id: "design-costliest", title: say.costliest, many: price.costliest.length, actions: csvButton("costliest-hands", columns, price.costliest),
    body: [h("p", { class: "small" }, say.costliestWhy), h("ul", { class: "design-kinds" }, price.costliest.map((one, index) => kind(index, one.cards, say.costlyFacts(thousands(one.hands), finePercent(one.part)),
      setting(say.thisWay, one, ranking, say.byClause(one.clause)), setting(say.best, { low: one.best_low, high: one.best_high }, ranking))))] };
}

/** The kinds of hands that the two versions set differently. @param {DesignAnswer} answer @param {Ranking} ranking */
export function changedHands({ compared, price }, ranking) {
  const { designer: say } = words;
  if (!compared || !price) return null;
  const { kinds, hands: changed } = compared;
  /** @type {import("../study/table.js").Column<import("../protocol").ChangedHands>[]} */
  const columns = [
    { title: say.hand, csv: ({ cards }) => cards }, { title: say.hands, csv: ({ hands }) => hands },
    { title: say.lowBefore, csv: ({ low_before: low }) => low }, { title: say.clauseBefore, csv: ({ clause_before: clause }) => clause },
    { title: say.lowNow, csv: ({ low }) => low }, { title: say.clauseNow, csv: ({ clause }) => clause }, { title: say.effect, csv: ({ part }) => part },
  ];
  const facts = (/** @type {import("../protocol").ChangedHands} */ { hands, part }) =>
    say.changedFacts(thousands(hands), Number(part) === 0 ? say.noEffect : part.startsWith("-") ? say.costsLess(finePercent(part.slice(1))) : say.costsMore(finePercent(part)));
  return { id: "design-changed", title: say.changedTitle, many: kinds.length, actions: kinds.length > 0 && csvButton("changed-hands", columns, kinds),
    body: kinds.length === 0 ? h("p", null, changed ? say.changedEqual : say.changedNone) : [h("p", { class: "small" }, say.changedWhy(kinds.length)),
      h("ul", { class: "design-kinds" }, kinds.map((one, index) => kind(index, one.cards, facts(one), lowCards(say.before, one.low_before, ranking, one.clause_before), lowCards(say.now, one.low, ranking, one.clause))))] };
}

/**
 * Two versions side by side: their figures and their clauses.
 * @param {DesignAnswer} answer @param {{ version: string, term: string, before: import("./way.js").Way | null, now: import("./way.js").Clause[] }} ways
 * @returns {import("../study/fold.js").Part | null}
 */
export function sideBySide(answer, { version, term, before, now }) {
  const { designer: say } = words;
  const { compared, odds, price } = answer;
  if (!compared) return null;
  const cost = costBefore(answer);
  const count = (/** @type {number} */ one, /** @type {number} */ other) => decimal(String(other - one), { decimals: 0, sign: true });
  /** @typedef {{ title: string, before: string, now: string, change: string }} Row */
  /** @type {Row[]} */
  const rows = [
    { title: edgeLabel(answer.side, term), before: edgeText(compared.before.edge), now: edgeText(odds.edge), change: changeText(compared.edge_change) },
    ...(cost && price ? [{ title: say.cost, before: finePercent(cost), now: finePercent(price.cost), change: changeText(difference(price.cost_exact, exactOf(cost))) }] : []),
    ...(/** @type {const} */ (["win", "push", "lose"])).map((key) => ({ title: say.outcomes(answer.side === "banker" ? term : say.player)[key], before: thousands(compared.before[key]), now: thousands(odds[key]), change: count(compared.before[key], odds[key]) })),
    ...(before ? [{ title: say.clauses, before: String(before.clauses.length), now: String(now.length), change: count(before.clauses.length, now.length) }] : []),
  ];
  /** @type {import("../study/table.js").Column<Row>[]} */
  const columns = [
    { title: say.figure, head: true, cell: ({ title }) => title, csv: ({ title }) => title },
    { title: say.before, number: true, cell: (row) => row.before, csv: (row) => row.before },
    { title: say.now, number: true, cell: (row) => row.now, csv: (row) => row.now },
    { title: say.difference, number: true, cell: (row) => row.change, csv: (row) => row.change },
  ];
  return { id: "design-two", title: say.sideBySide(version), many: rows.length, body: [
    table({ caption: say.sideBySide(version), columns, rows, key: ({ title }) => title }),
    before ? clausePair(before.clauses, now) : h("p", { class: "small" }, say.beforeUnread),
  ] };
}

/** Returns a decimal with twelve digits as a fraction. @param {string} decimalText */
function exactOf(decimalText) {
  const [whole, part = ""] = decimalText.split(".");
  return `${BigInt(whole + part)}/${10n ** BigInt(part.length)}`;
}

/** @param {{ when: string, set: string[] }} clause */
const ruleOf = ({ when, set }) => `${when} → ${set.join("; ")}`;

/** The clauses of two versions, with those of one version only and those that have moved. @param {import("./way.js").Clause[]} before @param {import("./way.js").Clause[]} now */
function clausePair(before, now) {
  const { designer: say } = words;
  const [one, other] = [before.map(ruleOf), now.map(ruleOf)];
  const kept = new Set(longestCommon(one, other));
  const list = (/** @type {string} */ title, /** @type {string[]} */ rules, /** @type {string[]} */ others, /** @type {string} */ only) =>
    h("div", null, h("h3", null, title), h("ol", { class: "design-list" }, rules.map((rule, index) => {
      const mark = !others.includes(rule) ? only : kept.has(rule) ? "" : say.movedClause;
      return h("li", { key: index, class: { differs: mark } }, mark && [h("b", { class: "kind" }, mark), " "], rule);
    })));
  return h("div", { class: "design-pair" }, list(say.before, one, other, say.onlyBefore), list(say.now, other, one, say.onlyNow));
}

/** Returns a longest common subsequence. @param {string[]} one @param {string[]} other @returns {string[]} */
export function longestCommon(one, other) {
  const length = one.map(() => new Array(other.length + 1).fill(0));
  length.push(new Array(other.length + 1).fill(0));
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) length[i][j] = one[i] === other[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
  }
  /** @type {string[]} */
  const common = [];
  for (let [i, j] = [0, 0]; i < one.length && j < other.length;) {
    if (one[i] === other[j]) { common.push(one[i]); i += 1; j += 1; } else if (length[i + 1][j] >= length[i][j + 1]) i += 1;
    else j += 1;
  }
  return common;
}
