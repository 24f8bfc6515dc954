// Colors of the drawn cards. They are the same in both themes and in the four-color deck.

export const INK = "#191b20";
export const GOLD = "#d9ae57";
export const DARK_GOLD = "#a97a2c";
export const CREAM = "#fffaf0";
export const LINEN = "#cdbf9f";
export const BRASS = "#e6c98d";

/** Colors of the court cards of each suit. */
export const COURT = {
  s: { robe: "#22345f", deep: "#14203f", light: "#4a66a8", hair: "#2b211c", shade: "#18120f", skin: "#e8c29c", tint: "#dfe5f2" },
  h: { robe: "#b32433", deep: "#7d1220", light: "#e0646c", hair: "#6e3b1e", shade: "#4b2612", skin: "#f1cfae", tint: "#f8e1dc" },
  d: { robe: "#c65a2e", deep: "#8c3413", light: "#f0a261", hair: "#c99a45", shade: "#9b7129", skin: "#f4d8bb", tint: "#fae7d2" },
  c: { robe: "#1f6048", deep: "#113c2d", light: "#4d9a7a", hair: "#1d1713", shade: "#0d0a08", skin: "#b98257", tint: "#dcebe1" },
};

/** @typedef {typeof COURT.s} CourtColors */
