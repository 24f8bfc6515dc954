// <pg-guide>: the card of the guide. It lies on a part of the felt that the step does not need, and points at the part that it needs.

import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { words } from "../words.js";
import { STEPS } from "./guide.js";

/** @typedef {import("./guide.js").Step} Step */

/** The part of the felt that the card may cover, and the part that the card points at. In portrait, the clock is beside the boxes. @type {Record<Step, { over: string, portrait?: string, at: string }>} */
const POSITIONS = {
  wager: { over: ".box", portrait: ".top-cards", at: ".spot.base" },
  deal: { over: ".box", at: ".go" },
  turn: { over: ".wager-spots", at: ".box.high" },
  choose: { over: ".wager-spots", at: ".box.low" },
  set: { over: ".wager-spots", at: ".go" },
  result: { over: ".wager-spots", at: ".call" },
};
const WIDTH_MAX = 420;
/** Least distance of the arrow from the corners of the card. */
const CORNER = 18;

export class GuideCard extends Component {
  /** @type {Step | null} */
  #step = null;
  /** Ends the guide. */
  end = () => {};

  get step() {
    return this.#step;
  }

  set step(step) {
    this.#step = step;
    this.update();
  }

  begin() {
    // The next frame has the sizes that follow from container queries.
    const observer = new ResizeObserver(() => requestAnimationFrame(() => this.#place()));
    for (const element of [this, ...(this.parentElement?.querySelectorAll(".felt, .wager-spots, .box") ?? [])]) observer.observe(element);
    this.signal.addEventListener("abort", () => observer.disconnect());
  }

  view() {
    const { guide: say } = words;
    const step = this.#step;
    const last = step === "result";
    return [
      h("p", { class: "guide-text", role: "status", key: "text" }, step && [h("small", null, say.step(STEPS.indexOf(step) + 1, STEPS.length)), " ", h("span", null, say.steps[step])]),
      step && h("button", { class: "guide-end", key: "end", "aria-label": last ? null : say.skipWhy, onclick: () => this.end() }, last ? say.done : say.skip),
      step && h("i", { class: "guide-arrow", key: "arrow", "aria-hidden": "true" }),
    ];
  }

  updated() {
    this.#place();
  }

  /** Places the card in the middle of the part that it may cover, next to the part that it points at. */
  #place() {
    const step = this.#step;
    const board = this.parentElement;
    this.hidden = step === null;
    if (!step || !board) return;
    const origin = board.getBoundingClientRect();
    const position = POSITIONS[step];
    const over = union(board.querySelectorAll((origin.height > origin.width && position.portrait) || position.over));
    const at = union(board.querySelectorAll(position.at));
    // The boxes are as wide as the felt has room between the other seats.
    const column = union(board.querySelectorAll(".box"));
    if (!over || !at || !column) return;
    this.style.setProperty("width", `${Math.min(WIDTH_MAX, column.right - column.left)}px`);
    const { width, height } = this.getBoundingClientRect();
    const left = clamp((at.left + at.right - width) / 2, column.left, column.right - width);
    const above = at.top + at.bottom < over.top + over.bottom;
    const top = above ? over.top : over.bottom - height;
    const beside = at.left >= column.right && at.top < over.bottom;
    this.dataset.arrow = beside ? "right" : above ? "up" : "down";
    const arrow = beside ? clamp((at.top + at.bottom) / 2 - top, CORNER, height - CORNER) : clamp((at.left + at.right) / 2 - left, CORNER, width - CORNER);
    for (const [name, value] of Object.entries({ left: left - origin.left, top: top - origin.top, "--arrow": arrow })) this.style.setProperty(name, `${Math.round(value)}px`);
  }
}

/** Returns the rectangle around elements, or `null` if there are none. @param {NodeListOf<Element>} elements */
function union(elements) {
  const rects = [...elements].map((element) => element.getBoundingClientRect());
  if (rects.length === 0) return null;
  const [left, top] = /** @type {const} */ (["left", "top"]).map((side) => Math.min(...rects.map((rect) => rect[side])));
  const [right, bottom] = /** @type {const} */ (["right", "bottom"]).map((side) => Math.max(...rects.map((rect) => rect[side])));
  return { left, top, right, bottom };
}

/** @param {number} value @param {number} least @param {number} most */
const clamp = (value, least, most) => Math.max(least, Math.min(value, most));

define("pg-guide", GuideCard);
