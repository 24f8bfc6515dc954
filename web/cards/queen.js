// Portrait of a queen: fan collar, tiara and necklace, with a flower.

import { h } from "../dom.js";
import { COURT, CREAM, DARK_GOLD, GOLD, INK } from "./colors.js";
import { arch, brows, cheeks, disc, eyes, line, nose, shape } from "./portrait.js";
import { mark } from "./suits.js";

const RIBS = 10;

/** @param {import("./suits.js").Suit} suit */
export function queen(suit) {
  const colors = COURT[suit];
  return [arch(colors.tint, colors.light), flower(colors), collar(colors), dress(colors), head(colors), tiara(suit), disc(65, 122, 6), mark(suit, 65, 122, 7.4, { fill: colors.deep })];
}

/** @param {import("./colors.js").CourtColors} colors */
function flower({ robe, light }) {
  const petals = (/** @type {string} */ fill, /** @type {number} */ from, /** @type {import("../dom.js").Props} */ size) =>
    h("g", { fill }, [0, 72, 144, 216, 288].map((turn) => h("ellipse", { cx: 0, transform: `rotate(${turn + from})`, ...size })));
  return [
    line("#3f6b46", 2.2, "M21 92c-1 18 0 34 2 50"),
    shape("#4d8055", "M22 112c-7-1-10-5-11-9 6 0 10 3 11 9ZM22 122c6-2 9-6 9-10-6 1-9 4-9 10Z"),
    h("g", { transform: "translate(21 82)" },
      petals(robe, 0, { cy: -7, rx: 5.4, ry: 7 }), petals(light, 36, { cy: -4, rx: 3, ry: 4.2 }), h("circle", { r: 3.2, fill: GOLD })),
  ];
}

/** @param {import("./colors.js").CourtColors} colors */
function collar({ deep }) {
  const tips = Array.from({ length: RIBS + 1 }, (_, index) => {
    const angle = Math.PI * (0.02 + (0.96 * index) / RIBS);
    return [(65 + Math.cos(angle) * 33).toFixed(1), (102 - Math.sin(angle) * 40).toFixed(1)];
  });
  return [
    shape(deep, "M31 104A34 41 0 0 1 99 104Z"),
    line(GOLD, 1, tips.map(([x, y]) => `M65 104L${x} ${y}`).join(""), { opacity: 0.75 }),
    h("g", { fill: GOLD }, tips.map(([cx, cy]) => h("circle", { cx, cy, r: 2.3 }))),
  ];
}

/** @param {import("./colors.js").CourtColors} colors */
function dress({ robe, deep, hair, skin }) {
  return [
    shape(hair, "M47 70c-5-20 5-29 18-29s23 9 18 29c3 12 2 22-2 28H49c-4-6-5-16-2-28Z"),
    shape(skin, "M60 82h10v18l-5 8-5-8Z"),
    shape("#000", "M60 88c3 3 7 3 10 0v4c-3 3-7 3-10 0Z", { opacity: 0.12 }),
    shape(robe, "M8 142c3-22 22-30 46-37 3 9 19 9 22 0 24 7 34 15 38 37Z"),
    shape(GOLD, "M54 105c3 9 19 9 22 0l4 2c-2 16-28 16-30 0Z", { stroke: DARK_GOLD, "stroke-width": 0.7 }),
    shape(deep, "M54 118l11 24 11-24c-6 4-16 4-22 0Z"),
    line(deep, 1.8, "M34 142c0-10 4-18 10-24M96 142c0-10-4-18-10-24"),
  ];
}

/** @param {import("./colors.js").CourtColors} colors */
function head({ hair, shade, skin }) {
  return [
    shape(skin, "M65 54c9 0 13.5 7 13.5 16 0 11-6.5 20-13.5 20s-13.5-9-13.5-20c0-9 4.5-16 13.5-16Z"),
    shape(hair, "M50 74c-2-15 6-24 15-24s17 9 15 24c-2-9-7-14-15-17-8 3-13 8-15 17Z"),
    line(shade, 1, "M65 51c-7 2-11 8-13 14M65 51c7 2 11 8 13 14", { opacity: 0.7 }),
    cheeks(77, 3, 0.4), brows(66.5, shade, 0.6),
    line(INK, 1.5, "M56 70.3c1.6-1.9 4.2-1.9 5.8 0M68.2 70.3c1.6-1.9 4.2-1.9 5.8 0", { "stroke-linecap": "round" }),
    eyes(70.8, 6, 1.3), nose(70),
    shape("#b92c3a", "M61.3 82.5c1.5-1.6 2.8-1.6 3.7-.8.9-.8 2.2-.8 3.7.8-1.6 2.9-5.8 2.9-7.4 0Z"),
    disc(50.8, 80.5, 2.1, GOLD, 0.6), disc(79.2, 80.5, 2.1, GOLD, 0.6),
  ];
}

/** @param {import("./suits.js").Suit} suit */
function tiara(suit) {
  return [
    shape(GOLD, "M49 52c5-1 8-6 9-11 2 3 5 1 7-9 2 10 5 12 7 9 1 5 4 10 9 11l-1.5 5c-9-5-20-5-29 0Z", { stroke: DARK_GOLD, "stroke-linejoin": "round" }),
    disc(65, 31, 2.8, CREAM, 0.8), disc(58, 40, 2, CREAM, 0.7), disc(72, 40, 2, CREAM, 0.7),
    mark(suit, 65, 47.5, 7, { fill: COURT[suit].robe }),
  ];
}
