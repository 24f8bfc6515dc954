// The board: the felt with three bands, the other seats around it, and the rail.

import { h } from "../dom.js";
import { callLine } from "./call.js";
import { ownBoxes } from "./own-boxes.js";
import { seats } from "./seats.js";
import { text } from "./text.js";
import { topBand } from "./top-band.js";
import { wagerSpots } from "./wager-spots.js";

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("../dom.js").Child} Child
 */

/**
 * @param {Scene} scene @param {Child} rail
 * @param {{ asText: boolean, notices?: Child, guide?: Child, onfelt?: () => void }} options
 */
export function board(scene, rail, { asText, notices = null, guide = null, onfelt }) {
  return h("div", { class: ["board", { "as-text-board": asText }], "data-stage": scene.view.phase === "between" ? scene.moment.stage : scene.view.phase, key: "board" }, h("div", { class: "surface" },
    h("div", { class: "felt", onclick: (/** @type {any} */ event) => event.target.closest("button, a, dialog, .own-card") || onfelt?.() },
      h("div", { class: "cloth", "aria-hidden": "true", key: "cloth" }),
      asText ? text(scene) : seats(scene),
      h("div", { class: "bands", key: "bands" }, !asText && topBand(scene), callLine(scene), wagerSpots(scene), ownBoxes(scene)),
      h("div", { class: "notices", key: "notices" }, notices)),
    rail,
    guide,
    h("div", { class: "flights", "aria-hidden": "true", own: true, key: "flights" })));
}
