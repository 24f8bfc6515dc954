// Words that the hand lab, the odds, the trainer, the rules and the figures share.

export const study = {
  csv: "Download CSV",
  exact: "Exact fractions",
  assumed: "Assumed",
  book: "Rule book",
  outcomes: { win: "Win", push: "Push", lose: "Lose" },
  joker: { semi_wild: "joker semi-wild", fully_wild: "joker fully wild" },
  className: (/** @type {string | null | undefined} */ hand, /** @type {number | null} */ cards = null) => {
    const counted = cards ?? Number(/^(\d+)_cards$/.exec(hand ?? "")?.[1] ?? 0);
    if (counted) return `${counted} cards of the colour`;
    const names = /** @type {Record<string, string>} */ ({
      natural_7_card_straight_flush: "7-card straight flush, natural",
      wild_7_card_straight_flush: "7-card straight flush with joker",
      royal_flush_royal_match: "Royal flush and royal match",
      royal_flush_ace_queen: "Royal flush with ace-queen suited",
      luhn_tao_wheel: "Luhn Tao wheel",
      luhn_tao_wheel_ace_queen: "Luhn Tao wheel with ace-queen suited",
    });
    const text = names[hand ?? ""] ?? (hand ?? "").replaceAll("_", " ").replace(/ high$/, "-high");
    return text && text[0].toUpperCase() + text.slice(1);
  },
  pays: (/** @type {number} */ pays) => (pays === 0 ? "push" : `${pays.toLocaleString("en")} to 1`),
  posted: (/** @type {string} */ paytable) => (paytable === "posted" ? "as posted" : paytable),
};
