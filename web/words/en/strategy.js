// Texts of the strategy cards: their list, their pages, and the card on paper.

import { counted } from "./counted.js";

export const strategy = {
  title: "Strategy cards",
  lead: "A card is a short list of rules for setting any hand. Each states exactly what it gives away against best play. Read one, learn it in the trainer, or print it for the table.",
  loading: "Loading the cards…",
  rules: (/** @type {number} */ many) => counted(many, "rule", "rules"),
  side: "For",
  sides: (/** @type {string} */ term) => ({ player: "a player", banker: `a seat as ${term}`, dealer: "the dealer" }),
  against: "Against",
  houseWay: (/** @type {string} */ way) => `the ${way} house way`,
  edge: { player: "House edge", banker: "Expected loss", dealer: "House edge" },
  cost: "Gives away",
  costWhy: "of the wager against best play",
  open: "Read and print",
  learn: "Learn it",
  designer: "Open in the designer",
  print: "Print",
  paper: "Paper",
  papers: { a6: "A6, for the pocket", a4: "A4" },
  /** A sentence on the printed size. */
  fits: (/** @type {string} */ paper, /** @type {number} */ points) => `Prints on one side of ${paper}, in type of ${points} points.`,
  fitsNot: (/** @type {string} */ paper, /** @type {number} */ rules, /** @type {number} */ points) => `${rules} rules do not fit on ${paper} in type of ${points} points or larger, so the card prints on A4.`,
  fitsNowhere: "The card is too long for one side of A4 in legible type. It prints on several sheets.",
  measuring: "Measuring the card…",
  all: "All strategy cards",
  missing: "There is no such strategy card.",
  linked: "Strategy cards are short lists of rules for players, with their exact cost.",
  listWhy: "The more rules, the less a card gives away.",

  /** The card on paper. */
  paperTitle: "Pai Gow Poker",
  paperRules: (/** @type {number} */ many) => `How to set every hand, in ${counted(many, "rule", "rules")}`,
  how: "Go down the list: the first rule that fits and can be set as it says, decides.",
  sums: "Ranks add up with J 11, Q 12, K 13, A 14.",
  single: "A single card is the only one of its rank.",
  joker: { semi_wild: "The joker is an ace, or completes a straight or flush.", fully_wild: "The joker is any card." },
  wheel: { lowest: "A-2-3-4-5 is the lowest straight.", second_highest: "A-2-3-4-5 is the second highest straight." },
  for: (/** @type {string} */ side, /** @type {string} */ book, /** @type {string} */ against) => `For ${side} under ${book} rules, against ${against}.`,
  gives: (/** @type {string} */ cost) => `Gives away ${cost} of the wager against best play`,
  exactly: (/** @type {string} */ exact) => `(exactly ${exact}).`,
  often: (/** @type {string} */ share) => `${share} of hands`,
};
