// Texts of the front page.

import { counted } from "./counted.js";

export const front = {
  title: "Pai gow poker, dealt fairly",
  lead: "Set seven cards as two hands and beat the dealer with both. Play as a guest. You can check every deal, and every payment shows its rule.",
  play: "Play now",
  playOn: "Back to your seat",
  howTo: "How to play in one minute",
  practice: "Practice chips only. They are free and have no value.",
  live: (/** @type {number} */ players, /** @type {number} */ tables, /** @type {boolean} */ more) =>
    `${players === 0 ? "No players" : counted(players, "player", "players")} seated · ${more ? `more than ${tables} tables` : counted(tables, "table", "tables")} open`,
  puzzle: "Today's puzzle",
  puzzleWhy: "One hand a day. Find the best setting.",
  lab: "Any hand in the lab",
  labWhy: "Every setting of a hand, with its exact value.",
  study: "For casinos and mathematicians",
  studies: { odds: "Exact odds", rules: "Rule books", figures: "Figures" },
};
