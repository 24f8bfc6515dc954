// Texts shared by the hand lab, the odds, the trainer, the rules and the figures.

export const study = {
  csv: "Download CSV",
  exact: "Exact fractions",
  book: "Rule book",
  outcomes: { win: "Win", push: "Push", lose: "Lose" },
  joker: { semi_wild: "joker semi-wild", fully_wild: "joker fully wild" },
  departures: "This differs from the document's game",
  departuresWhy: "The document fixes these values, but they are changed:",
  posted: (/** @type {string} */ paytable) => (paytable === "posted" ? "the document's paytable" : paytable),
};
