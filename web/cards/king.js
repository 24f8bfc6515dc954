// Portrait of a king: crown, beard and ermine, with a scepter.

import { h } from "../dom.js";
import { COURT, CREAM, DARK_GOLD, GOLD, INK, LINEN } from "./colors.js";
import { arch, brows, disc, eyes, line, nose, shape } from "./portrait.js";
import { mark } from "./suits.js";

/** @param {import("./suits.js").Suit} suit */
export function king(suit) {
  const colors = COURT[suit];
  return [arch(colors.tint, colors.light), scepter(suit), robe(colors), head(colors), crown(colors), disc(65, 130, 6.5), mark(suit, 65, 130, 8, { fill: colors.deep })];
}

/** @param {import("./suits.js").Suit} suit */
function scepter(suit) {
  return [
    line(DARK_GOLD, 3.2, "M20 74V141"), line(GOLD, 1.4, "M20 74V141"), disc(20, 80, 3.4),
    mark(suit, 20, 68, 17, { fill: COURT[suit].robe, stroke: DARK_GOLD, "stroke-width": 5 }),
  ];
}

/** @param {import("./colors.js").CourtColors} colors */
function robe({ robe, deep, shade }) {
  return [
    shape(shade, "M45 58c-4 18-2 32 4 42h32c6-10 8-24 4-42Z"),
    shape(robe, "M6 142c2-22 22-32 44-40h30c22 8 30 18 34 40Z"),
    line(deep, 2, "M28 142c1-12 5-20 12-26M102 142c-1-12-5-20-12-26"),
    shape(deep, "M52 142l4-18 9 8 9-8 4 18Z"),
    line(GOLD, 1.4, "M56 124l9 8 9-8"),
    shape(CREAM, "M32 116c8-9 15-13 20-16h26c5 3 12 7 20 16l-7 11c-8-8-19-8-26 3-7-11-18-11-26-3Z", { stroke: LINEN, "stroke-width": 0.8 }),
    line(INK, 1.7, "M40 115l1.5 4M47 110l1.5 4M55 112l.8 4M90 115l-1.5 4M83 110l-1.5 4M75 112l-.8 4", { "stroke-linecap": "round" }),
  ];
}

/** @param {import("./colors.js").CourtColors} colors */
function head({ hair, shade, skin }) {
  return [
    shape(skin, "M50 57h30v17c0 13-8 21-15 21s-15-8-15-21Z"),
    shape(hair, "M49.5 69c1 7 5 9 10 7 3-1.2 8-1.2 11 0 5 2 9 0 10-7 2.6 17-3 31-15.5 39-12.5-8-18.1-22-15.5-39Z"),
    line(shade, 1.2, "M56 92c2 6 5 9 9 12M74 92c-2 6-5 9-9 12M65 90v15", { "stroke-linecap": "round", opacity: 0.8 }),
    shape(shade, "M65 76.5c-4-2.5-10-1-12.5 3.5 5 2 9.5 1.2 12.5-1 3 2.2 7.5 3 12.5 1-2.5-4.5-8.5-6-12.5-3.5Z"),
    line("#b5483f", 1.7, "M61.5 83q3.5 2.6 7 0", { "stroke-linecap": "round" }),
    brows(62, shade), eyes(66), nose(66),
  ];
}

/** @param {import("./colors.js").CourtColors} colors */
function crown({ robe }) {
  return [
    shape(GOLD, "M46 53L43 33l11 10L65 25l11 18 11-10L84 53Z", { stroke: DARK_GOLD, "stroke-linejoin": "round" }),
    line(DARK_GOLD, 1, "M50 50l-3-10M80 50l3-10M65 49V33", { "stroke-opacity": 0.55 }),
    disc(43, 32, 2.7, CREAM), disc(65, 24, 3.3, robe), disc(87, 32, 2.7, CREAM),
    shape(GOLD, "M45.5 52c12-3 27-3 39 0v8c-12-3-27-3-39 0Z", { stroke: DARK_GOLD }),
    h("g", { fill: robe }, h("circle", { cx: 53, cy: 55.2, r: 1.9 }), h("circle", { cx: 77, cy: 55.2, r: 1.9 }), h("path", { d: "M65 51.2l3 3.3-3 3.3-3-3.3Z" })),
  ];
}
