// Texts shared by the hand lab, the odds, the trainer, the rules, the designer and the figures.

export const study = {
  csv: "Download CSV",
  exact: "Exact fractions",
  openAll: "Open all sections",
  closeAll: "Close all sections",
  entries: (/** @type {number} */ many) => (many === 1 ? "entry" : "entries"),
  found: (/** @type {number} */ many, /** @type {number} */ sections) =>
    (many === 0 ? "Nothing found." : `${many} ${many === 1 ? "match" : "matches"} in ${sections} ${sections === 1 ? "section" : "sections"}.`),
  book: "Rule book",
  /** Cost of a setting: its share of the wager, and the amount if there is a wager. */
  cost: (/** @type {string} */ share, /** @type {string} */ amount = "") =>
    (amount ? `Costs ${amount} against the best setting, ${share} of the wager.` : `Costs ${share} of the wager against the best setting.`),
  outcomes: { win: "Win", push: "Push", lose: "Lose" },
  joker: { semi_wild: "joker semi-wild", fully_wild: "joker fully wild" },
  departures: "This differs from the document's game",
  departuresWhy: "The document fixes these values, but they are changed:",
  posted: (/** @type {string} */ paytable) => (paytable === "posted" ? "the document's paytable" : paytable),
};
