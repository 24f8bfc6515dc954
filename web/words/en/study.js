// Words that the hand lab, the odds, the trainer, the rules and the figures share.

export const study = {
  csv: "Download CSV",
  exact: "Exact fractions",
  book: "Rule book",
  outcomes: { win: "Win", push: "Push", lose: "Lose" },
  joker: { semi_wild: "joker semi-wild", fully_wild: "joker fully wild" },
  posted: (/** @type {string} */ paytable) => (paytable === "posted" ? "as posted" : paytable),
};
