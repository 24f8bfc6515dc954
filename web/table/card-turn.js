// The animation of a card that turns over: the back goes to the edge, then the face comes from it.

/** @typedef {(element: Element, frames: Keyframe[], options: KeyframeAnimationOptions) => Animation} Animate */

/** Time of a turn after a squeeze. The card is half turned already. */
const SQUEEZED_MS = 160;
const FADE_MS = 120;
const PERSPECTIVE = "perspective(700px)";
/** Scale of a card that is squeezed. */
export const LIFT_SCALE = 1.24;
/** Position of a card that is squeezed: above its neighbors, and larger. */
export const LIFT = `translateY(-16%) scale(${LIFT_SCALE}) rotate(-2deg)`;
const DOWN = "translateY(0%) scale(1) rotate(0deg)";

/** Turns a card over. The back is removed when it is at the edge. @param {Animate} animate @param {Element} card face up @param {Element | null} back @param {number} delay @param {number} length */
export function turnOver(animate, card, back, delay, length) {
  const half = length / 2;
  animate(card, [{ transform: `${PERSPECTIVE} rotateY(90deg)` }, { transform: `${PERSPECTIVE} rotateY(0deg)` }], { duration: half, delay: delay + half });
  if (!back) return;
  const from = back.classList.contains("squeeze") ? LIFT : DOWN;
  removeAfter(back, animate(back, [{ transform: `${PERSPECTIVE} ${from} rotateY(0deg)` }, { transform: `${PERSPECTIVE} ${DOWN} rotateY(-90deg)` }], { duration: half, delay, fill: "both", easing: "ease-in" }));
}

/** Turns an own card over, in the layer that lies above its face. A squeezed card turns faster, with its fold. @param {Animate} animate @param {Element} card face up @param {number} delay @param {number} length */
export function turnOwn(animate, card, delay, length) {
  const layer = card.parentElement?.querySelector(".turn-layer");
  const squeezed = layer?.querySelector(".squeeze");
  turnOver(animate, card, squeezed ?? backIn(layer), delay, squeezed ? SQUEEZED_MS : length);
}

/** Removes what is left of a squeeze over cards that have turned without motion. @param {Element} root */
export function clearTurned(root) {
  for (const left of root.querySelectorAll(".own-card:not(.down) > .turn-layer > .squeeze")) left.remove();
}

/** Fades from the back of an own card to its face. @param {Animate} animate @param {Element} card face up */
export function fadeOwn(animate, card) {
  const back = backIn(card.parentElement?.querySelector(".turn-layer"));
  if (back) removeAfter(back, animate(back, [{ opacity: 1 }, { opacity: 0 }], { duration: FADE_MS, easing: "linear" }));
}

/** Puts the back of a card into a layer. @param {Element | null | undefined} layer */
function backIn(layer) {
  if (!layer) return null;
  const back = document.createElement("pg-card");
  back.setAttribute("quiet", "");
  layer.replaceChildren(back);
  return back;
}

/** @param {Element} element @param {Animation} animation */
function removeAfter(element, animation) {
  const remove = () => element.remove();
  animation.finished.then(remove, remove);
}
