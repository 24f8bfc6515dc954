// Portrait of the joker: a jester with a cap of two colors.

import { CREAM, DARK_GOLD, GOLD, LINEN } from "./colors.js";
import { arch, disc, line, shape } from "./portrait.js";

const VIOLET = "#5a2f86";
const DEEP_VIOLET = "#381a58";
const TEAL = "#1f7a6b";
const RED = "#c23143";

export function joker() {
  return [arch("#ece2f3", "#7a4fb0"), coat(), face(), cap(), bells()];
}

function coat() {
  return [
    shape("#f1cfae", "M60 84h10v20H60Z"),
    shape(VIOLET, "M8 142c3-20 22-29 46-36h22c24 7 34 16 38 36Z"),
    shape(TEAL, "M65 106h11c24 7 34 16 38 36H65Z"),
    shape(CREAM, "M65 104L51 100l-12 6-7 12 12-1 4 12 9-9 8 12 8-12 9 9 4-12 12 1-7-12-12-6Z", { stroke: LINEN, "stroke-width": 0.8, "stroke-linejoin": "round" }),
    shape(RED, "M65 104l-14-4-12 6-7 12 12-1 4 12 9-9 8 12Z"),
  ];
}

function face() {
  return [
    shape("#f4d8bb", "M51 56h28v16c0 13-7 21-14 21s-14-8-14-21Z"),
    shape(DEEP_VIOLET, "M58.5 70l2.2 4.3-2.2 4.3-2.2-4.3ZM71.5 70l2.2 4.3-2.2 4.3-2.2-4.3Z"),
    line(DEEP_VIOLET, 1.4, "M55 69q3.5-3 7-.6M68 68.4q3.5-2.4 7 .6", { "stroke-linecap": "round" }),
    line("#8a5a3a", 1, "M65 75c.4 2 1.5 4 1.3 5.2-.8.7-2 .7-2.8.2", { "stroke-linecap": "round" }),
    shape("#a8283a", "M57.5 82c4 5.6 11 5.6 15 0-1 6-4 8.5-7.5 8.5s-6.5-2.5-7.5-8.5Z"),
    shape("#fff", "M59.5 83.6c3.6 2.6 7.4 2.6 11 0l-.8 1.7c-3 1.6-6.4 1.6-9.4 0Z"),
  ];
}

function cap() {
  return [
    shape(VIOLET, "M50 58C34 58 24 66 20 80c8-4 12-2 14 4 4-10 10-14 18-15Z"),
    shape(TEAL, "M80 58c14 0 20 6 22 18-7-3-10-1-12 4-3-7-6-10-12-11Z"),
    shape(VIOLET, "M48 64c-5-16-2-30 14-40-1 8 4 12 12 12 8 2 11 14 8 28-10-7-24-7-34 0Z"),
    shape(TEAL, "M62 24c-1 8 4 12 12 12 8 2 11 14 8 28-5-3.5-11-5.2-17-5.2Z"),
    shape(GOLD, "M46.5 63c11-7 26-7 37 0l-1.5 6c-10-6-24-6-34 0Z", { stroke: DARK_GOLD }),
  ];
}

/** The bells of the cap and of the collar. */
function bells() {
  const collar = [[32, 119], [48, 130], [65, 133], [82, 130], [98, 119]];
  return [disc(34, 86, 3.8), disc(90, 82, 3.6), disc(62, 22, 4.4), collar.map(([x, y]) => disc(x, y, 2.5, GOLD, 0.7))];
}
