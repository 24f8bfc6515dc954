// Parts of the course with a strategy card: the introduction of a rule, and the judgement of an answer.

import { h } from "../dom.js";
import { cardsOf, sorted } from "../cards/card-text.js";
import { cardName } from "../cards/names.js";
import { settings as preferences } from "../settings.js";
import { words } from "../words.js";
import { costText, worthText } from "../lab/settings.js";
import { addressOf } from "../study/address.js";
import { difference, finePercent, oneIn, ratio } from "../study/numbers.js";
import { waiting } from "../study/notes.js";
import { settingCards, smallCards } from "../study/small-cards.js";
import { lineParts } from "../strategy/line.js";
import { settingOf } from "./judge.js";

/**
 * @typedef {import("../protocol").CardEntry} CardEntry
 * @typedef {import("../protocol").Exercise} Exercise
 * @typedef {import("../lab/settings.js").Setting} Setting
 */

/** Number of examples of a new rule. */
const EXAMPLES = 2;

/** Returns the card's setting of a hand. @param {Exercise} exercise */
export const cardSetting = (exercise) => /** @type {Setting} */ (settingOf(exercise, cardsOf(exercise.low)));

/** The name of the card, the rules learned, and links. @param {CardEntry} card @param {number} learned */
export function courseHead(card, learned) {
  const { course: say } = words;
  const all = card.lines.length;
  return h("div", { class: "panel course-head", key: "head" },
    h("div", { class: "course-learned" },
      h("label", { for: "course-learned" }, h("b", null, card.title), h("span", { class: "small" }, say.learned(learned, all))),
      h("progress", { id: "course-learned", max: all, value: learned }, say.learned(learned, all))),
    h("div", { class: "row" },
      h("a", { class: "button slim", href: `/cards/${card.id}` }, say.print),
      h("a", { class: "button slim", href: addressOf("/designer", { way: card.id, book: card.book, side: card.side }) }, say.design)));
}

/** The sentence of a rule, its condition in bold. @param {CardEntry} card @param {number} number */
function ruleText(card, number) {
  const { when, then } = lineParts(card.lines[number - 1].says);
  return [when && [h("b", null, when, ":"), " "], then];
}

/** A new rule with examples. @param {CardEntry} card @param {number} number @param {Exercise[]} examples @param {{ practice: () => void, practiceAll: () => void }} act */
export function introduction(card, number, examples, act) {
  const { course: say, trainer } = words;
  const { hands } = card.lines[number - 1];
  const often = say.decidesShare(finePercent(ratio(BigInt(hands), BigInt(card.hands))), hands * 2 < card.hands ? oneIn(`${hands}/${card.hands}`) : null);
  const remark = number === card.lines.length ? say.lastRule : number === 1 ? say.inOrder : "";
  return h("section", { class: "panel course-rule", key: "rule", "aria-labelledby": "course-rule-title" },
    h("h2", { id: "course-rule-title" }, say.newRule(number, card.lines.length)),
    h("p", { class: "course-says" }, ruleText(card, number)),
    h("p", { class: "small" }, often, " ", remark),
    h("h3", null, say.examples),
    h("div", { key: "examples" }, examples.length ? h("ul", { class: "course-examples" }, examples.map((exercise) => example(card, exercise))) : waiting(trainer.loading)),
    h("div", { class: "row", key: "act" },
      h("button", { type: "button", class: "button primary course-practice", "aria-disabled": examples.length ? null : "true", onclick: act.practice }, say.practice, preferences.value.keys && h("kbd", { "aria-hidden": "true" }, trainer.key)),
      h("button", { type: "button", class: "button plain", onclick: act.practiceAll }, say.practiceAll)));
}

/** A hand that a rule decides, and what the rule saves. @param {CardEntry} card @param {Exercise} exercise */
function example(card, exercise) {
  const { course: say } = words;
  const wanted = cardSetting(exercise);
  const cards = sorted(cardsOf(exercise.cards));
  return h("li", { key: exercise.cards },
    h("p", { class: "course-hand" }, smallCards(cards), h("span", { class: "unseen" }, cards.map((one) => cardName(one)).join(", "))),
    h("p", { class: "course-arrow", "aria-hidden": "true" }, "→"),
    h("div", { class: "course-set" }, settingCards(exercise, card.ranking), h("p", null, say.exampleLow(wanted.low_says, wanted.high_says)), h("p", { class: "small" }, gain(exercise))));
}

/** The setting of a hand without the rule that decides it; undefined if it is the same. @param {Exercise} exercise */
function withoutRule(exercise) {
  const next = exercise.lines.find(({ line }) => line === exercise.next_line);
  const setting = exercise.contested && next?.low ? settingOf(exercise, cardsOf(next.low)) : undefined;
  return next && setting ? { line: next.line, setting, saved: difference(cardSetting(exercise).ev_exact, setting.ev_exact) } : undefined;
}

/** Returns the hands on which a rule saves most, the largest saving first. @param {Exercise[]} hands */
export function bestExamples(hands) {
  const saved = (/** @type {Exercise} */ exercise) => Number(withoutRule(exercise)?.saved ?? 0);
  return [...hands].sort((one, other) => saved(other) - saved(one)).slice(0, EXAMPLES);
}

/** Describes the value that a rule saves on a hand. @param {Exercise} exercise */
function gain(exercise) {
  const { course: say } = words;
  const other = withoutRule(exercise);
  if (!other) return say.nothingElse;
  const { line, setting, saved } = other;
  const worth = Number(saved) > 0 ? say.saves(finePercent(saved)) : Number(saved) < 0 ? say.loses(finePercent(saved.replace("-", ""))) : say.sameWorth;
  return `${say.without(line, setting.low_says, setting.high_says)} ${worth}`;
}

/** Why the rule that the learner probably applied does not decide. @param {CardEntry} card @param {Exercise} exercise @param {import("./mistake.js").Mistake | null} mistake */
export function mistakeText(card, exercise, mistake) {
  const { course: { mistake: say }, phraseWords } = words;
  if (!mistake) return say.none;
  const { kind, line, unmet } = mistake;
  if (kind === "minimum") return say.minimum(line, lineParts(card.lines[line - 1].says).then);
  return kind === "later" ? say.later(line, exercise.line) : say.unmet(line, new Intl.ListFormat("en").format(unmet.map(phraseWords)));
}

/** The judgement of an answer. @param {CardEntry} card @param {Exercise} exercise @param {import("./card-course.js").CourseVerdict} verdict */
export function judgement(card, exercise, { given, wanted, right, mistake }) {
  const { course: say, trainer } = words;
  const best = exercise.settings[0];
  const row = (/** @type {string} */ title, /** @type {Setting} */ setting) => h("div", { class: "judged-row", key: title },
    h("dt", null, title), h("dd", null, settingCards(setting, card.ranking), h("span", null, setting.low_says, " · ", setting.high_says), h("span", { class: "small amount" }, trainer.worth(worthText(setting)))));
  const over = difference(wanted.ev_exact, given.ev_exact);
  const cost = Number(over) < 0 ? say.better(finePercent(over.replace("-", ""))) : say.costs(finePercent(over), costText(exercise, given));
  return h("section", { class: ["panel", "judged", right ? "is-right" : "is-wrong"], key: "judged", "aria-labelledby": "judged-title" },
    h("h2", { id: "judged-title", class: right ? "good" : "bad" }, h("span", { "aria-hidden": "true" }, right ? "✓ " : "✗ "), right ? say.right : say.wrong),
    h("p", { class: "judged-why" }, say.decides(exercise.line, card.lines[exercise.line - 1].says)),
    !right && h("p", { class: "course-mistake" }, mistakeText(card, exercise, mistake)),
    h("dl", null, !right && row(say.yours, given), row(say.cards, wanted), !wanted.best && row(say.best, best)),
    !right && h("p", null, cost),
    !wanted.best && h("p", { class: "small" }, say.cardCosts(costText(exercise, wanted))),
    h("p", null, h("a", { href: addressOf("/lab", { cards: exercise.cards, book: card.book }) }, trainer.lab)));
}

/** The rules learned so far, to look up. @param {CardEntry} card @param {number[]} learned */
export function rulesLearned(card, learned) {
  const { course: say } = words;
  return learned.length > 0 && h("details", { class: "panel course-rules", key: "rules" }, h("summary", null, say.rulesLearned(learned.length)),
    h("ol", null, learned.map((number) => h("li", { key: number, value: number }, ruleText(card, number)))));
}
