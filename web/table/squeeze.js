// Squeezing a card: a drag folds a corner of a card that lies face down. The fold follows the pointer.

import { settings } from "../settings.js";
import { sound } from "../sound.js";
import { LIFT, LIFT_SCALE } from "./card-turn.js";
import { cornerOf, foldOf } from "./card-fold.js";
import { START_PX, swallowClick } from "./drag.js";

/**
 * @typedef {import("./card-fold.js").Point} Point
 * @typedef {import("./card-fold.js").Size} Size
 * @typedef {{ root: HTMLElement, back: HTMLElement, flap: HTMLElement, shade: HTMLElement }} Parts elements of a folded card
 */

/** Progress of the fold at which the card turns. */
const TURN_AT = 0.55;
const FALL_MS = 140;
/** Distance between two noises, in pixels. */
const NOISE_PX = 10;
/** Distance between two noises at full volume: fast drags skip pixels. */
const LOUD_PX = 40;

/**
 * Lets the player squeeze cards that lie face down. With reduced motion, cards do not fold; a tap turns them.
 * @param {import("../component.js").Component} root
 * @param {{ cardAt: (key: number) => string | undefined, turn: (card: string) => void }} hand `cardAt` returns a card of the hand by its number from 1
 */
export function squeezeCards(root, { cardAt, turn }) {
  /** The pressed card. `squeeze` is `null` before the first movement and after the turn. @type {{ element: HTMLElement, card: string, pointer: number, start: Point, squeeze: Squeeze | null, moved: boolean } | null} */
  let held = null;

  const end = () => {
    held?.squeeze?.fall();
    held = null;
  };

  root.on(root, "pointerdown", (/** @type {PointerEvent} */ event) => {
    // The release of the earlier pointer may have been lost, for example while the page was hidden.
    end();
    const element = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button.own-card.down"));
    const card = cardAt(Number(element?.dataset.key));
    if (!element || !card || event.button !== 0 || !event.isPrimary || settings.reducedMotion()) return;
    held = { element, card, pointer: event.pointerId, start: { x: event.clientX, y: event.clientY }, squeeze: null, moved: false };
  });
  root.on(root, "pointermove", (/** @type {PointerEvent} */ event) => {
    if (!held || event.pointerId !== held.pointer) return;
    // The gesture, the clock, the keyboard or another window has turned the card.
    if (!held.element.classList.contains("down")) {
      held.squeeze = null;
      return;
    }
    const drag = { x: event.clientX - held.start.x, y: event.clientY - held.start.y };
    if (!held.squeeze) {
      if (held.moved || Math.hypot(drag.x, drag.y) < START_PX) return;
      held.moved = true;
      held.element.setPointerCapture(event.pointerId);
      held.squeeze = new Squeeze(held.element, held.card, drag);
    }
    if (held.squeeze.move(drag) < TURN_AT) return;
    held.squeeze = null;
    turn(held.card);
  });
  root.on(root, "pointerup", (/** @type {PointerEvent} */ event) => {
    if (!held || event.pointerId !== held.pointer) return;
    // The click that follows a drag must neither turn the card nor move a card that has just turned.
    if (held.moved) swallowClick(root);
    end();
  });
  root.on(root, "pointercancel", (/** @type {PointerEvent} */ event) => {
    if (event.pointerId === held?.pointer) end();
  });
}

/** A card with a folded corner, drawn over the card that lies face down. */
class Squeeze {
  /** @type {Parts} */
  #parts;
  /** @type {Size} */
  #size;
  #indexRight = document.documentElement.dataset.corners === "right";
  /** @type {import("./card-fold.js").Corner} */
  #corner;
  /** @type {Point} */
  #drag = { x: 0, y: 0 };
  /** Distance of the drag since the last noise. */
  #travel = 0;

  /** @param {HTMLElement} element @param {string} card @param {Point} drag the first movement, which decides the corner */
  constructor(element, card, drag) {
    const { offsetWidth: width, offsetHeight: height } = element;
    this.#size = { width, height };
    this.#corner = cornerOf(drag, this.#indexRight);
    this.#parts = parts(card);
    this.#parts.root.style.transform = LIFT;
    element.querySelector(".turn-layer")?.replaceChildren(this.#parts.root);
    this.#parts.root.animate([{ transform: "none" }, { transform: LIFT }], { duration: FALL_MS, easing: "ease-out" });
  }

  /** Folds the card. Returns the progress. @param {Point} drag in pixels of the window */
  move(drag) {
    const next = { x: drag.x / LIFT_SCALE, y: drag.y / LIFT_SCALE };
    this.#travel += Math.hypot(next.x - this.#drag.x, next.y - this.#drag.y);
    this.#drag = next;
    const progress = this.#draw();
    if (this.#travel >= NOISE_PX) {
      sound.play("squeeze", { gain: Math.min(1, this.#travel / LOUD_PX), pitch: 0.8 + progress });
      this.#travel = 0;
    }
    return progress;
  }

  /** Lets the corner fall back. */
  fall() {
    const from = this.#drag;
    const begun = performance.now();
    this.#parts.root.animate([{ transform: LIFT }, { transform: "none" }], { duration: FALL_MS, easing: "ease-in", fill: "forwards" });
    const step = () => {
      const left = 1 - (performance.now() - begun) / FALL_MS;
      // A card that turns meanwhile takes the folded card with it.
      if (!this.#parts.root.isConnected) return;
      if (left <= 0) return this.#parts.root.remove();
      this.#drag = { x: from.x * left, y: from.y * left };
      this.#draw();
      requestAnimationFrame(step);
    };
    step();
  }

  /** Returns the progress. */
  #draw() {
    const fold = foldOf(this.#size, this.#corner, this.#indexRight, this.#drag);
    const { back, flap, shade } = this.#parts;
    flap.hidden = !fold;
    back.style.clipPath = fold ? polygon(fold.back) : "none";
    if (!fold) return 0;
    flap.style.clipPath = polygon(fold.face);
    flap.style.transform = `matrix(${fold.matrix.map((value) => value.toFixed(4)).join(", ")})`;
    shade.style.transform = `translate(${fold.crease.x}px, ${fold.crease.y}px) rotate(${fold.angle}rad) translate(-100%, -50%)`;
    return fold.progress;
  }
}

/** @param {Point[]} points */
const polygon = (points) => `polygon(${points.map(({ x, y }) => `${x.toFixed(2)}px ${y.toFixed(2)}px`).join(", ")})`;

/** Creates the elements of a folded card. @param {string} card @returns {Parts} */
function parts(card) {
  const element = (/** @type {string} */ tag, /** @type {string} */ name) => Object.assign(document.createElement(tag), { className: name });
  const picture = (/** @type {string} */ face) => {
    const drawn = document.createElement("pg-card");
    drawn.setAttribute("quiet", "");
    if (face) drawn.setAttribute("card", face);
    return drawn;
  };
  const [root, back, lifted, flap, shade] = [element("span", "squeeze"), picture(""), element("span", "squeeze-lifted"), element("span", "squeeze-flap"), element("i", "squeeze-shade")];
  const lying = element("span", "squeeze-lying");
  lying.append(back);
  flap.append(picture(card), shade);
  lifted.append(flap);
  root.append(lying, lifted);
  return { root, back, flap, shade };
}
