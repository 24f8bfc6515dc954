// Texts of the guide through the first hand.

export const guide = {
  label: "Your first hand",
  step: (/** @type {number} */ number, /** @type {number} */ all) => `Step ${number} of ${all}`,
  skip: "Skip",
  skipWhy: "Skip the guide",
  done: "Done",
  steps: {
    wager: "Tap the Pai Gow spot to wager the chip you hold.",
    deal: "Press Deal to get your seven cards.",
    turn: "Tap your cards to turn them, or press Turn all.",
    choose: "Choose two cards for the low hand. The other five must outrank them, or the hand is foul.",
    set: "This setting is legal. Press Set hand.",
    result: "Your result: win both hands to win, win one to push. Press Next hand to play on.",
  },
};
