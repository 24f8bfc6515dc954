// Texts of the history of the player's rounds.

export const history = {
  title: "History",
  lead: "Your finished rounds at all tables, and how much of each result was expected, given away or luck. Other players cannot see this list.",
  noSession: "This browser has no session, so there are no rounds to show. A seat at a table begins one.",
  tables: "Go to the tables",
  none: "You have no finished rounds yet.",
  loading: (/** @type {number} */ rounds) => (rounds === 0 ? "Loading your rounds…" : `Loading your rounds: ${rounds} so far…`),
  loaded: (/** @type {number} */ rounds, /** @type {boolean} */ older) =>
    `${rounds === 1 ? "1 round" : `${rounds.toLocaleString("en")} rounds`} loaded.${older ? " There are older ones." : " These are all."}`,
  older: "Load older rounds",
  again: "Refresh",

  filters: "Which rounds",
  book: "Rule book",
  anyBook: "All rule books",
  table: "Table",
  anyTable: "All tables",
  otherTable: "A table without loaded rounds",
  result: "Result",
  results: { "": "All results", won: "Won", lost: "Lost", push: "Even" },
  given: "Only rounds in which my setting gave something away",
  noMatch: "No loaded round matches.",

  sums: (/** @type {number} */ some, /** @type {number} */ all) => (some === all ? `Sum of ${all === 1 ? "1 round" : `${all} rounds`}` : `Sum of ${some} of ${all} rounds`),
  rounds: "Rounds",
  staked: "Wagered",
  net: "Result",
  expected: "Expected",
  givenAway: "Given away",
  luck: "Luck",
  unjudged: "Not judged",
  adds: "Result = expected + given away + luck + not judged, to the cent.",
  terms: [
    ["Expected", "The exact odds of the wagers, less fees: for the base wager, the best setting of your seven cards against every hand that the dealer could have; for side wagers, their odds before the deal."],
    ["Given away", "Your setting compared with the best setting of the same cards."],
    ["Luck", "The rest of the result."],
    ["Not judged", "The part of the result without exact odds, such as wagers between players, and side wagers that the settings of both hands decide."],
  ],

  wagers: "By wager",
  wager: "Wager",
  total: "Total",
  times: (/** @type {number} */ times) => (times === 1 ? "once" : `${times} times`),

  graph: "Running totals",
  graphWhy: "From the oldest round to the latest. The distance between expected and with your settings is what you gave away. The distance from there to the result is luck, with the part that is not judged.",
  graphSays: (/** @type {number} */ rounds, /** @type {string} */ net, /** @type {string} */ expected, /** @type {string} */ played) =>
    `After ${rounds === 1 ? "1 round" : `${rounds} rounds`}: result ${net}, expected ${expected}, expected with your settings ${played}.`,
  lines: { net: "Result", expected: "Expected", played: "Expected with your settings" },
  graphTable: "Running totals as a table",
  afterRounds: "After rounds",

  list: "Rounds, latest first",
  where: "Table",
  round: "Round",
  when: "Ended",
  replay: "Replay",
  replayOf: (/** @type {number} */ round, /** @type {string} */ table) => ` of round ${round}, ${table}`,
  /** An amount that is not zero, but rounds to zero. */
  tiny: "under a cent",
  more: (/** @type {number} */ rounds) => `Show ${rounds} more`,
  csv: { id: "Table id", outcome: "Outcome", cents: (/** @type {string} */ title) => `${title} (cents)`, exact: (/** @type {string} */ title) => `${title} (exact cents)`, cards: "Cards", low: "Low hand", best: "Best low hand" },
};
