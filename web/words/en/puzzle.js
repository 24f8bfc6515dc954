// Texts of the puzzle of the day.

/** @param {number} streak */
const streakText = (streak) => (streak > 0 ? ` Streak ${streak}.` : "");

export const puzzle = {
  title: "Puzzle of the day",
  lead: "One hand a day, the same for everyone. Find the best setting. Your first answer counts.",
  name: (/** @type {number} */ number, /** @type {string} */ day) => `Puzzle ${number}, ${day}`,
  loading: "Loading the puzzle…",
  missing: "There is no puzzle for this day.",
  game: "Game",
  dealer: "Dealer",
  dealerSets: (/** @type {string} */ way) => `sets by the house way of ${way}`,
  difficulty: "Difficulty",
  level: (/** @type {number} */ level) => `${level} of 5`,
  wrongWays: (/** @type {number} */ wrong, /** @type {number} */ all) => (wrong === 0 ? `All ${all} common ways to set a hand get it right.` : `${wrong} of ${all} common ways to set a hand get it wrong.`),
  next: (/** @type {string} */ time) => `Next puzzle in ${time}. The day changes at midnight UTC.`,
  newDay: (/** @type {number} */ number) => `A new day has begun. This is puzzle ${number}.`,
  past: "A past puzzle. Your answer is kept, but it changes neither your streak nor your rating.",
  today: "Today's puzzle",
  before: "Previous puzzle",
  after: "Next puzzle",
  archive: "Archive",

  ask: "Which two cards make the low hand?",
  how: "Choose two cards; the other five are the high hand. You can answer once.",
  legal: "Legal: the high hand ranks at least as high as the low hand.",
  foul: "Foul: the low hand ranks higher than the high hand.",
  confirm: "Give answer",
  judging: "Playing against 53,524,680 hands…",
  yours: "Your setting",
  ranked: (/** @type {number} */ rank) => `Setting number ${rank}`,

  right: "Best setting",
  wrong: "Not the best setting",
  rightWhy: "No setting is better.",
  rank: (/** @type {number} */ rank, /** @type {number} */ all) => `It ranks number ${rank} of ${all}.`,
  nextBest: (/** @type {string} */ cost) => `The next best setting costs ${cost} of the wager.`,
  /** Why the best setting is better than another one: shares of the dealer's hands. */
  why: {
    both: (/** @type {string} */ win, /** @type {string} */ otherWin, /** @type {string} */ lose, /** @type {string} */ otherLose) =>
      `The best setting wins more often, ${win} instead of ${otherWin}, and loses less often, ${lose} instead of ${otherLose}.`,
    wins: (/** @type {string} */ win, /** @type {string} */ otherWin) => `The best setting wins more often, ${win} instead of ${otherWin}, and loses as often.`,
    losses: (/** @type {string} */ lose, /** @type {string} */ otherLose) => `The best setting loses less often, ${lose} instead of ${otherLose}, and wins as often.`,
    winsOutweigh: (/** @type {string} */ win, /** @type {string} */ otherWin, /** @type {string} */ lose, /** @type {string} */ otherLose) =>
      `The best setting wins more often, ${win} instead of ${otherWin}. That outweighs that it also loses more often, ${lose} instead of ${otherLose}.`,
    lossesOutweigh: (/** @type {string} */ lose, /** @type {string} */ otherLose, /** @type {string} */ win, /** @type {string} */ otherWin) =>
      `The best setting loses less often, ${lose} instead of ${otherLose}. That outweighs that it also wins less often, ${win} instead of ${otherWin}.`,
  },
  ways: "Common ways to set it",
  waysWhy: "How these house ways and habits of players set the hand, and what that gives away against the best setting, as a percentage of the wager.",
  rightWays: "These choose a best setting:",
  columns: { way: "Way", setting: "Low hand and high hand", low: "Low hand", cost: "Gives away" },
  lab: "See this hand in the hand lab",

  record: "Your record",
  streak: "Streak",
  longest: (/** @type {number} */ many) => `longest ${many}`,
  rating: "Rating",
  ratingWhy: "starts at 1200",
  answered: "Answered",
  best: "Best settings",
  kept: "Your answers are stored only in this browser. Streak and rating count answers that were given on the day of the puzzle.",

  share: "Share",
  shareWhy: "Neither the text nor the picture shows a card or a setting.",
  shareText: {
    best: (/** @type {number} */ number, /** @type {number} */ streak) => `Paigow puzzle ${number}: best setting.${streakText(streak)}`,
    cost: (/** @type {number} */ number, /** @type {string} */ cost, /** @type {number} */ streak) => `Paigow puzzle ${number}: my setting costs ${cost} of the wager.${streakText(streak)}`,
  },
  shareButton: "Share text",
  copy: "Copy text",
  copied: "Copied",
  copiedSay: "The text is copied.",
  notCopied: "The text could not be copied. Select it and copy it yourself.",
  picture: {
    title: (/** @type {number} */ number) => `Paigow puzzle ${number}`,
    cost: (/** @type {string} */ cost) => `Costs ${cost} of the wager`,
    streak: (/** @type {number} */ streak) => `Streak ${streak}`,
    says: (/** @type {string} */ text) => `Picture: seven cards face down. ${text}`,
    named: "With my name",
    name: "Name in the picture",
    share: "Share picture",
    save: "Download picture",
    failed: "The picture could not be shared. You can download it.",
  },

  archiveTitle: "Puzzle archive",
  archiveLead: "All puzzles so far. Answers to past puzzles are kept, but change neither your streak nor your rating.",
  number: (/** @type {number} */ number) => `Puzzle ${number}`,
  states: { best: "best setting", cost: (/** @type {string} */ cost) => `costs ${cost}`, open: "not answered" },
  isToday: "today",
};
