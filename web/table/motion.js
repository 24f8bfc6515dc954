// Motion and sound of the table. Compares the board before and after each render: cards are dealt, moved and turned, chips slide.
// Only transform and opacity are animated. With reduced motion nothing moves; own cards fade from back to face.

import { settings } from "../settings.js";
import { sound } from "../sound.js";
import { clearTurned, fadeOwn, turnOver, turnOwn } from "./card-turn.js";
import { linesOf, ownSeat } from "./model.js";
import { APART_MS, TURN_MS, reached } from "./reveal.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {{ left: number, top: number, width: number, height: number }} Rect
 * @typedef {object} Picture the board before a render
 * @property {boolean} still whether motion is reduced
 * @property {Map<Element, string | null>} faces
 * @property {Map<string, Rect>} own rectangles of the own cards
 * @property {Map<string, { cents: number, rect: Rect, chips: Element | null }>} spots
 * @typedef {{ round: number, phase: string, stage: string, verdict: boolean, legal: boolean | null, bottom: number, down: number, any: boolean }} BoardState state of the board after a render
 */

const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";
const CHIP_MS = 180;
const DEAL_MS = 320;
const DEAL_APART_MS = 45;
const OWN_APART_MS = 90;
const OWN_TURN_MS = 240;
const OWN_TURN_APART_MS = 60;
const MOVE_MS = 160;
const PAY_MS = 420;
const SPARKS = 28;
const SPARKS_MS = 1200;
/** A win of this multiple of its wager is a big win. */
const BIG_WIN = 10;

export class Motion {
  /** @type {Picture | null} */
  #before = null;
  /** State of the board after the last render. @type {BoardState} */
  #last = { round: 0, phase: "", stage: "", verdict: false, legal: null, bottom: 0, down: 0, any: false };
  /** @type {Set<Animation>} */
  #running = new Set();

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
  }

  /** Ends all running motion. */
  finish() {
    for (const animation of this.#running) animation.finish();
  }

  /** Takes the picture before a render. */
  before() {
    if (document.visibilityState !== "visible") {
      this.#before = null;
      return;
    }
    const rect = (/** @type {Element} */ one) => one.getBoundingClientRect();
    this.#before = {
      still: settings.reducedMotion(),
      faces: new Map([...this.root.querySelectorAll(".board pg-card")].map((card) => [card, card.getAttribute("card")])),
      own: new Map([...this.root.querySelectorAll(".own-card[data-card]")].map((card) => [card.getAttribute("data-card") ?? "", rect(card)])),
      spots: new Map([...this.root.querySelectorAll(".spot[data-wager]")].map((spot) => [spot.getAttribute("data-wager") ?? "",
        { cents: Number(spot.getAttribute("data-cents")), rect: rect(spot.querySelector(".spot-ring") ?? spot), chips: spot.querySelector(".stack:not(.paid)") }])),
    };
  }

  /** Animates the difference. @param {TableState} state */
  after(state) {
    const view = state.shown;
    if (!view) return;
    const last = this.#last;
    const { stage } = state.held ? { stage: "over" } : state.playback.moment;
    const now = { round: view.round?.round ?? 0, phase: view.phase, stage, verdict: view.phase === "between" && reached(state.playback.moment, "verdict"), legal: state.hand.setting?.legal ?? null, bottom: state.bottom, down: state.faceDown.count(state.bottom), any: true };
    this.#last = now;
    const before = this.#before;
    this.#before = null;
    if (!last.any) return;
    const dealt = now.phase === "settings" && last.phase !== "settings" && now.round === last.round && last.round > 0;
    const verdict = now.verdict && !last.verdict && now.round === last.round;
    this.#sounds(state, last, now, dealt, verdict);
    if (!before) return clearTurned(this.root);
    if (before.still) {
      for (const card of this.#turned(before)) if (card.closest(".own-card")) fadeOwn(this.#animate, card);
      return;
    }
    if (dealt) this.#deal(before);
    else this.#moveOwn(before);
    this.#turn(before);
    if (now.phase === "wagers" && last.phase === "wagers") this.#chips(before);
    if (verdict && !state.held) this.#pay(state, before);
  }

  /** @param {TableState} state @param {BoardState} last @param {BoardState} now @param {boolean} dealt @param {boolean} verdict */
  #sounds(state, last, now, dealt, verdict) {
    if (!settings.value.sound) return;
    const view = state.shown;
    const own = view && ownSeat(view);
    if (dealt) {
      sound.play("dice");
      for (let card = 0; card < 7; card += 1) setTimeout(() => sound.play("deal"), card * OWN_APART_MS);
    }
    if (now.phase !== last.phase && own && !own.out && now.phase === "wagers") sound.play("turn-to-act");
    if (now.legal !== last.legal && now.legal !== null && now.phase === "settings") sound.play(now.legal ? "legal" : "foul");
    if (now.stage !== last.stage && ["high", "low", "seats"].includes(now.stage) && now.phase === "between") sound.play("turn");
    if (now.round === last.round && now.bottom === last.bottom) for (let card = 0; card < last.down - now.down; card += 1) setTimeout(() => sound.play("turn"), card * OWN_TURN_APART_MS);
    if (!verdict || !own) return;
    const lines = linesOf(view.round?.lines ?? [], own.seat);
    const net = view.round?.net_cents?.[own.seat] ?? 0;
    if (lines.some((line) => line.net_cents < 0)) sound.play("taken");
    if (lines.some((line) => line.net_cents > 0)) setTimeout(() => sound.play("paid"), PAY_MS / 2);
    if (lines.some(isBigWin)) sound.play("big-win");
    else if (net > 0) sound.play("win");
    else if (net === 0) sound.play("push");
  }

  /** @type {import("./card-turn.js").Animate} */
  #animate = (element, frames, options) => {
    const animation = element.animate(frames, { easing: EASE, fill: "backwards", ...options });
    this.#running.add(animation);
    const done = () => this.#running.delete(animation);
    animation.finished.then(done, done);
    return animation;
  };

  get #layer() {
    return this.root.querySelector(".flights");
  }

  /** Adds an element to the layer of flying things, at a rectangle of the window. @param {HTMLElement | SVGElement} element @param {Rect} at */
  #fly(element, at) {
    const layer = this.#layer;
    const origin = layer?.getBoundingClientRect();
    if (!layer || !origin) return null;
    Object.assign(element.style, { position: "absolute", left: `${at.left - origin.left}px`, top: `${at.top - origin.top}px`, width: `${at.width}px`, height: `${at.height}px` });
    layer.append(element);
    return element;
  }

  /** A card face down in the layer of flying things. @param {Rect} at */
  #back(at) {
    const card = document.createElement("pg-card");
    card.setAttribute("quiet", "");
    card.style.setProperty("--card-w", `${at.width}px`);
    return this.#fly(card, at);
  }

  /** The rectangle that cards are dealt from: the shoe, or the top of the felt on small tables. @returns {Rect} */
  #shoe() {
    const shoe = this.root.querySelector(".shoe-deck")?.getBoundingClientRect();
    if (shoe && shoe.width > 0) return shoe;
    const top = this.root.querySelector(".top-band")?.getBoundingClientRect() ?? new DOMRect();
    return { left: top.right - 44, top: top.top, width: 44, height: 62 };
  }

  /** Deals new cards from the shoe. Own cards that do not stay face down turn when all are dealt. @param {Picture} before */
  #deal(before) {
    const shoe = this.#shoe();
    const fly = (/** @type {Element} */ card, /** @type {number} */ delay) =>
      this.#animate(card, [{ transform: `${between(card.getBoundingClientRect(), shoe)} rotate(140deg)`, opacity: 0 }, { opacity: 1, offset: 0.2 }, { transform: "none" }], { duration: DEAL_MS, delay });
    let order = 0;
    for (const card of this.root.querySelectorAll(".top-cards pg-card, .mini pg-card")) {
      if (before.faces.has(card)) continue;
      fly(card, order * DEAL_APART_MS);
      order += 1;
    }
    const own = [...this.root.querySelectorAll(".own-card")];
    const landed = own.length * OWN_APART_MS + DEAL_MS;
    own.forEach((card, index) => {
      fly(card, index * OWN_APART_MS);
      // The number of the card does not fly with it.
      this.#animate(card, [{ opacity: 0 }, { opacity: 0 }], { pseudoElement: "::after", duration: landed });
      const face = card.querySelector("pg-card[card]");
      if (face) turnOwn(this.#animate, face, landed + index * OWN_TURN_APART_MS, OWN_TURN_MS);
    });
  }

  /** Returns the cards that were face down and are face up now. @param {Picture} before */
  #turned({ faces }) {
    return [...this.root.querySelectorAll(".board pg-card[card]")].filter((card) => faces.has(card) && faces.get(card) === null);
  }

  /** Turns the cards that were face down and are face up now. @param {Picture} before */
  #turn(before) {
    /** @type {Map<Element | null, number>} */
    const groups = new Map();
    for (const card of this.#turned(before)) {
      const group = card.closest(".box-cards") ?? card.parentElement;
      const index = groups.get(group) ?? 0;
      groups.set(group, index + 1);
      const own = card.closest(".own-card");
      if (own) {
        // A card that is turned on its way from the shoe lands first.
        for (const animation of own.getAnimations()) animation.finish();
        turnOwn(this.#animate, card, index * OWN_TURN_APART_MS, OWN_TURN_MS);
      } else {
        const top = card.closest(".top-cards") !== null;
        turnOver(this.#animate, card, this.#back(card.getBoundingClientRect()), top ? index * APART_MS : 0, top ? TURN_MS : OWN_TURN_MS);
      }
    }
  }

  /** Slides own cards to their new places. @param {Picture} before */
  #moveOwn(before) {
    let moved = false;
    for (const card of this.root.querySelectorAll(".own-card[data-card]")) {
      const from = before.own.get(card.getAttribute("data-card") ?? "");
      const to = card.getBoundingClientRect();
      if (!from || Math.hypot(from.left - to.left, from.top - to.top) < 2) continue;
      if (!moved) this.finish();
      moved = true;
      this.#animate(card, [{ transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)` }, { transform: "none" }], { duration: MOVE_MS });
    }
  }

  /** Moves chips between the tray and the spots. @param {Picture} before */
  #chips(before) {
    const tray = this.root.querySelector(".tray-chip.on .chip");
    if (!tray) return;
    for (const spot of this.root.querySelectorAll(".spot[data-wager]")) {
      const was = before.spots.get(spot.getAttribute("data-wager") ?? "");
      const cents = Number(spot.getAttribute("data-cents"));
      if (!was || was.cents === cents) continue;
      sound.play("chip");
      const ring = (spot.querySelector(".spot-ring") ?? spot).getBoundingClientRect();
      const placed = cents > was.cents;
      const flying = this.#fly(/** @type {SVGElement} */ (tray.cloneNode(true)), tray.getBoundingClientRect());
      if (!flying) continue;
      const away = between(tray.getBoundingClientRect(), ring);
      const frames = [{ transform: "none", opacity: 1 }, { transform: `${away} translateY(-18px)`, offset: 0.7 }, { transform: `${away} scale(0.8)`, opacity: 0.9 }];
      const animation = this.#animate(flying, placed ? frames : frames.toReversed().map(({ offset: _, ...frame }) => frame), { duration: CHIP_MS });
      const remove = () => flying.remove();
      animation.finished.then(remove, remove);
      const top = spot.querySelector(".stack:not(.paid) .chip:last-child");
      if (placed && top) this.#animate(top, [{ opacity: 0 }, { opacity: 1, transform: "scale(1.06)", offset: 0.6 }, { transform: "none" }], { duration: CHIP_MS / 1.5, delay: CHIP_MS * 0.8 });
    }
  }

  /** Moves lost chips to the rack, and payouts from it. @param {TableState} state @param {Picture} before */
  #pay(state, before) {
    const rack = (this.root.querySelector(".top-plate") ?? this.root.querySelector(".top-band"))?.getBoundingClientRect();
    const top = this.root.querySelector(".top-band")?.getBoundingClientRect();
    const target = rack && rack.width > 0 ? rack : top;
    if (!target) return;
    for (const spot of this.root.querySelectorAll(".spot[data-wager]")) {
      const was = before.spots.get(spot.getAttribute("data-wager") ?? "");
      if (spot.classList.contains("lose") && was?.chips) {
        const flying = this.#fly(/** @type {HTMLElement} */ (was.chips.cloneNode(true)), was.rect);
        if (!flying) continue;
        const animation = this.#animate(flying, [{ transform: "none", opacity: 1 }, { transform: between(was.rect, target), opacity: 0 }], { duration: PAY_MS });
        const remove = () => flying.remove();
        animation.finished.then(remove, remove);
      }
      const paid = spot.querySelector(".stack.paid");
      if (paid) this.#animate(paid, [{ transform: between(paid.getBoundingClientRect(), target), opacity: 0 }, { opacity: 1, offset: 0.3 }, { transform: "none" }], { duration: PAY_MS, delay: PAY_MS / 2 });
    }
    const view = state.shown;
    for (const line of linesOf(view?.round?.lines ?? [], view?.you ?? 0).filter(isBigWin)) this.#sparks(this.root.querySelector(`.spot[data-wager="${CSS.escape(line.wager)}"] .spot-ring`));
  }

  /** Brass sparks from a spot. @param {Element | null} from */
  #sparks(from) {
    if (!from) return;
    const rect = from.getBoundingClientRect();
    for (let index = 0; index < SPARKS; index += 1) {
      const spark = document.createElement("i");
      spark.className = "spark";
      const flying = this.#fly(spark, { left: rect.left + rect.width / 2 - 4, top: rect.top + rect.height / 2 - 4, width: 8, height: 8 });
      if (!flying) return;
      const angle = (index / SPARKS) * 2 * Math.PI;
      const reach = 60 + 70 * Math.random();
      const animation = this.#animate(flying, [
        { transform: "scale(0.4)", opacity: 1 },
        { transform: `translate(${Math.cos(angle) * reach}px, ${Math.sin(angle) * reach - 20}px) scale(1)`, opacity: 1, offset: 0.5 },
        { transform: `translate(${Math.cos(angle) * reach * 1.2}px, ${Math.sin(angle) * reach + 40}px) scale(0.3)`, opacity: 0 },
      ], { duration: SPARKS_MS * (0.6 + 0.4 * Math.random()) });
      const remove = () => flying.remove();
      animation.finished.then(remove, remove);
    }
  }
}

/** @param {import("./view-types.js").Line} line */
const isBigWin = ({ net_cents: net, stake_cents: stake }) => stake > 0 && net >= BIG_WIN * stake;

/** The translation from the center of one rectangle to the center of another. @param {Rect} from @param {Rect} to */
function between(from, to) {
  return `translate(${to.left + to.width / 2 - from.left - from.width / 2}px, ${to.top + to.height / 2 - from.top - from.height / 2}px)`;
}
