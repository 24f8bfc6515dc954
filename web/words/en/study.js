// Words that the hand lab, the odds, the trainer, the rules and the figures share.

export const study = {
  csv: "Download CSV",
  exact: "Exact fractions",
  book: "Rule book",
  outcomes: { win: "Win", push: "Push", lose: "Lose" },
  joker: { semi_wild: "joker semi-wild", fully_wild: "joker fully wild" },
  departures: "This is no longer the document's game",
  departuresWhy: "These values are changed, although the document fixes them:",
  posted: (/** @type {string} */ paytable) => (paytable === "posted" ? "the document's paytable" : paytable),
};
