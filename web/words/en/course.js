// Texts of the trainer's course with a strategy card.

import { counted } from "./counted.js";

export const course = {
  group: "Strategy cards",
  option: (/** @type {number} */ rules, /** @type {string} */ book) => `a card of ${counted(rules, "rule", "rules")}, ${book}`,
  invite: "New to setting hands? Learn a strategy card: a short list of rules, taught one by one.",
  inviteCard: (/** @type {number} */ rules, /** @type {string} */ cost) => `${counted(rules, "rule", "rules")}, giving away ${cost}`,
  learned: (/** @type {number} */ some, /** @type {number} */ all) => `${some} of ${counted(all, "rule", "rules")} learned`,
  print: "Print the card",
  design: "Open in the designer",

  // A new rule.
  newRule: (/** @type {number} */ number, /** @type {number} */ all) => `New rule: ${number} of ${all}`,
  decidesShare: (/** @type {string} */ share, /** @type {string | null} */ oneIn) => (oneIn ? `It decides ${share} of all hands, one in ${oneIn}.` : `It decides ${share} of all hands.`),
  inOrder: "Rules are learned in the order of the card: a rule decides only the hands that the rules before it leave.",
  examples: "Examples",
  exampleLow: (/** @type {string} */ low, /** @type {string} */ high) => `${low} in the low hand, ${high} in the high hand`,
  without: (/** @type {number} */ next, /** @type {string} */ low, /** @type {string} */ high) => `Without this rule, rule ${next} would play ${low} in the low hand and ${high} in the high hand.`,
  saves: (/** @type {string} */ saved) => `The rule saves ${saved} of the wager here.`,
  loses: (/** @type {string} */ lost) => `Here that would be ${lost} of the wager better. The rule pays off over all its hands.`,
  sameWorth: "Here both are worth the same.",
  nothingElse: "No later rule would set this hand differently.",
  lastRule: "Every hand that no other rule decides.",
  practice: "Practice it",
  practiceAll: "I know this card: practice all rules",

  // A hand.
  ask: "Which two cards does the card put in the low hand?",
  why: {
    new: "Practice",
    due: "Repetition",
    missed: "Again: you missed this hand",
    mixed: "Another rule, until the missed one is due",
    dealt: "All rules learned: hands as they are dealt",
  },
  right: "Correct",
  wrong: "Not the card's setting",
  decides: (/** @type {number} */ number, /** @type {string} */ says) => `Rule ${number} decides: ${says}`,
  mistake: {
    minimum: (/** @type {number} */ number, /** @type {string} */ says) => `You probably applied rule ${number}. It fits the hand, but the low hand would be lower than it asks for: ${says}`,
    later: (/** @type {number} */ number, /** @type {number} */ first) => `You probably applied rule ${number}, which fits too. But rule ${first} comes first on the card, so it decides.`,
    unmet: (/** @type {number} */ number, /** @type {string} */ unmet) => `You probably applied rule ${number}. It does not fit this hand, because it asks for ${unmet}.`,
    none: "No rule of the card sets this hand as you did.",
  },
  yours: "Yours",
  cards: "The card",
  best: "The best setting",
  costs: (/** @type {string} */ card, /** @type {string} */ best) => `Your setting costs ${card} of the wager against the card's, and ${best} against the best.`,
  better: (/** @type {string} */ gain) => `Your setting is worth ${gain} of the wager more than the card's here. A short card cannot be right for every hand.`,
  cardCosts: (/** @type {string} */ cost) => `The card itself costs ${cost} of the wager against the best setting here.`,
  rulesLearned: (/** @type {number} */ many) => (many === 1 ? "The rule learned so far" : `The ${many} rules learned so far`),

  // The report.
  report: "Your progress with this card",
  handsSet: "Hands set",
  rightShare: "Correct",
  againstCard: "Mistakes, against the card",
  againstBest: "Mistakes, against the best settings",
  perHundred: "wagers per hundred hands",
  cardItself: "The card itself gives away",
  meaning: (/** @type {string} */ covered) => `If you set hands as in your last answers, your mistakes cost this many wagers in a hundred hands that are dealt. Each mistake has its exact cost. Each rule counts as often as it decides a hand at the table, so practicing rare rules does not change the figure. Your answers stand for ${covered} of all hands; on the others you are taken to make no mistake.`,
  noAnswers: "Set a hand to see what your mistakes cost.",
  rules: "Rules",
  rule: "Rule",
  dealt: "Of all hands",
  answers: "Correct",
  next: "Next",
  nextTimes: {
    notLearned: "not learned yet",
    now: "now",
    hands: (/** @type {number} */ hands) => `in ${counted(hands, "hand", "hands")}`,
    days: (/** @type {number} */ days) => (days === 1 ? "in a day" : `in ${days} days`),
  },
  wait: (/** @type {{ hands: number } | { days: number }} */ wait) => ("hands" in wait ? counted(wait.hands, "hand", "hands") : counted(wait.days, "day", "days")),
  repetition: (/** @type {string} */ first, /** @type {string[]} */ others) => `A rule that you miss is repeated after ${first}. Each correct answer when it is due makes the wait longer: ${others.join(", ")}.`,
  notStored: "The browser did not store your progress. It lasts until the page is closed.",
};
