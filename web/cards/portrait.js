// Parts that the portraits of the court cards and of the joker share. Portraits are drawn in a box of 100 × 140, around x = 65.

import { h } from "../dom.js";
import { DARK_GOLD, GOLD, INK } from "./colors.js";

const SKIN_LINE = "#8a5a3a";
const RAYS = 12;

/** Describes a filled shape. @param {string} fill @param {string} d @param {import("../dom.js").Props} [attributes] */
export const shape = (fill, d, attributes) => h("path", { fill, d, ...attributes });

/** Describes a line. @param {string} stroke @param {number} width @param {string} d @param {import("../dom.js").Props} [attributes] */
export const line = (stroke, width, d, attributes) => h("path", { fill: "none", stroke, "stroke-width": width, d, ...attributes });

/** Describes a gold disc with a dark rim. @param {number} cx @param {number} cy @param {number} r @param {string} [fill] @param {number} [rim] */
export const disc = (cx, cy, r, fill = GOLD, rim = 0.9) => h("circle", { cx, cy, r, fill, stroke: DARK_GOLD, "stroke-width": rim });

/** The arch behind a portrait, with rays. @param {string} tint @param {string} ray */
export function arch(tint, ray) {
  const rays = Array.from({ length: RAYS + 1 }, (_, index) => `M65.5 92L${archPoint((Math.PI * index) / RAYS)}`).join("");
  return [
    shape(tint, "M35 141V57a30.5 30.5 0 0 1 61 0V141Z"),
    line(ray, 1.6, rays, { "stroke-opacity": 0.22 }),
    line(DARK_GOLD, 1.1, "M35 141V57a30.5 30.5 0 0 1 61 0V141"),
    line(GOLD, 0.6, "M37.4 141V57a28.1 28.1 0 0 1 56.2 0V141", { "stroke-opacity": 0.7 }),
  ];
}

/** Returns the point of the arch that a ray from (65.5, 92) meets. @param {number} angle */
function archPoint(angle) {
  const [dx, dy] = [Math.cos(angle), -Math.sin(angle)];
  // The half circle has its center 35 above the origin of the rays; the walls are 30.5 to each side.
  const toCircle = -35 * dy + Math.sqrt((35 * dy) ** 2 - 35 ** 2 + 30.5 ** 2);
  const toWall = 30.5 / Math.abs(dx);
  const length = toWall * -dy <= 35 ? toWall : toCircle;
  return `${(65.5 + dx * length).toFixed(1)} ${(92 + dy * length).toFixed(1)}`;
}

/** @param {number} y @param {number} [apart] @param {number} [width] */
export function eyes(y, apart = 6.4, width = 1.55) {
  return h("g", { fill: INK }, [65 - apart, 65 + apart].map((cx) => h("ellipse", { cx, cy: y, rx: width, ry: 1.7 })));
}

/** @param {number} y @param {string} color @param {number} [lift] */
export const brows = (y, color, lift = 0) => line(color, 1.5, `M55 ${y}q3.4 ${-2.4 - lift} 7 -.4M68 ${y - 0.4}q3.6 ${-2 - lift} 7 .4`, { "stroke-linecap": "round" });

/** @param {number} y */
export const nose = (y) => line(SKIN_LINE, 1.05, `M65.6 ${y}c.4 3 1.6 5.4 1.5 7-.9 1-2.6 1-3.6.3`, { "stroke-linecap": "round" });

/** @param {number} y @param {number} radius @param {number} opacity */
export function cheeks(y, radius, opacity) {
  return h("g", { fill: "#e58b80", opacity }, [57, 73].map((cx) => h("circle", { cx, cy: y, r: radius })));
}
