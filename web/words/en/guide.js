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
    choose: "Choose two cards for the low hand. It may not be higher than the high hand of the other five.",
    set: "This setting is legal. Press Set hand.",
    result: "Win both hands: you win. Lose both: you lose. One each: push. The lines say why. Press Next hand to play on.",
  },
};
