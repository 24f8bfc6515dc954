// Portrait of a jack: beret with a feather, with a halberd.

import { h } from "../dom.js";
import { COURT, CREAM, DARK_GOLD, GOLD, LINEN } from "./colors.js";
import { arch, brows, cheeks, disc, eyes, line, nose, shape } from "./portrait.js";
import { mark } from "./suits.js";

const STEEL = { stroke: "#7d838c", "stroke-width": 0.8 };

/** @param {import("./suits.js").Suit} suit */
export function jack(suit) {
  const colors = COURT[suit];
  return [arch(colors.tint, colors.light), halberd(), coat(colors), head(colors), beret(colors), disc(78, 50, 5.5), mark(suit, 78, 50, 7, { fill: colors.deep })];
}

function halberd() {
  return [
    line("#6b4a2b", 3, "M20 64V141"),
    shape("#cfd3d8", "M20 56l4 10-4 8-4-8Z", STEEL),
    shape("#dfe3e8", "M22 70c8-3 11-1 12 3-2 5-1 8 0 10-5 1-10-1-12-6ZM18 71c-5 0-8 2-9 5 3 1 6 2 9 1Z", STEEL),
    line(GOLD, 4, "M20 86v6"),
  ];
}

/** @param {import("./colors.js").CourtColors} colors */
function coat({ robe, deep, hair, skin }) {
  return [
    shape(hair, "M47 56c-4 16-3 30 2 38 6 4 26 4 32 0 5-8 6-22 2-38Z"),
    shape(skin, "M59 86h12v18H59Z"),
    shape("#000", "M59 90c4 3 8 3 12 0v4c-4 3-8 3-12 0Z", { opacity: 0.13 }),
    shape(robe, "M8 142c2-20 20-30 44-38h26c24 8 34 18 36 38Z"),
    line(GOLD, 1.5, "M30 142c0-10 3-18 8-24M40 142c0-12 2-20 6-27M100 142c0-10-3-18-8-24M90 142c0-12-2-20-6-27", { opacity: 0.85 }),
    shape(deep, "M56 112h18v30H56Z"),
    line(GOLD, 1, "M56 112v30M74 112v30"),
    h("g", { fill: GOLD }, [124, 134].map((cy) => h("circle", { cx: 65, cy, r: 2 }))),
    shape(CREAM, "M51 101l14 13 14-13 8 8-14 15-8-8-8 8-14-15Z", { stroke: LINEN, "stroke-width": 0.8, "stroke-linejoin": "round" }),
  ];
}

/** @param {import("./colors.js").CourtColors} colors */
function head({ hair, shade, skin }) {
  return [
    shape(skin, "M52 54h26v19c0 12-7 19-13 19s-13-7-13-19Z"),
    shape(hair, "M50 70c0-6 0-10 1-14h28c1 4 1 8 1 14-2-4-3-6-6-8-4 2-16 2-18-1-3 2-5 5-6 9Z"),
    cheeks(79, 2.8, 0.35), brows(68.5, shade), eyes(72), nose(71.5),
    line("#a8433c", 1.7, "M61 84q4 2.8 8-.4", { "stroke-linecap": "round" }),
  ];
}

/** @param {import("./colors.js").CourtColors} colors */
function beret({ robe, deep, light }) {
  return [
    shape(light, "M78 44c16-2 24-14 17-30-4 2-6 0-9 4-1 4-5 5-5 9-4 3-4 8-8 11Z", { stroke: deep, "stroke-width": 0.9, "stroke-linejoin": "round" }),
    line(deep, 0.9, "M77 44c10-6 15-15 17-27M84 36l8-1M81 40l7 2M87 30l7-3M86 34l-2-6M89 27l-2-6"),
    shape(robe, "M41 57c-5-13 8-24 25-24 18 0 28 11 23 23-6-4-14-6-24-6s-18 2-24 7Z"),
    line(light, 1.6, "M48 46c4-6 10-9 18-9", { "stroke-linecap": "round" }),
    shape(GOLD, "M44 56c12-7 30-7 42 0l-1 6c-12-6-28-6-40 0Z", { stroke: DARK_GOLD }),
  ];
}
