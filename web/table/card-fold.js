// The fold of a card that lies face down. A corner is pulled over the back, and the flap shows the face below it.
//
// Coordinates are pixels of the card, from its top left corner. The face is printed on the underside, so a point of the face lies below its mirror
// image. The flap is the folded part of the face, reflected across the fold line: two reflections make a rotation.

/**
 * @typedef {{ x: number, y: number }} Point
 * @typedef {{ width: number, height: number }} Size
 * @typedef {"top" | "bottom"} Corner the corner above the index: one at the top, or the opposite one if the card lies the other way round
 * @typedef {object} Fold
 * @property {number} progress 0 without a fold, 1 when the whole card is folded over
 * @property {Point[]} back the part of the back that is left
 * @property {Point[]} face the part of the face on the flap, in coordinates of the face
 * @property {[number, number, number, number, number, number]} matrix from the face to the flap
 * @property {Point} crease a point of the fold line, in coordinates of the face
 * @property {number} angle of the direction from the corner to the fold line, in radians, in coordinates of the face
 */

/** Returns the corner that a drag pulls over the card. @param {Point} drag @param {boolean} indexRight whether the index is at the right of the face @returns {Corner} */
export function cornerOf({ x, y }, indexRight) {
  return y + (indexRight ? x : -x) > 0 ? "top" : "bottom";
}

/** Returns the fold after a drag of a corner; `null` if the drag does not lead over the card. @param {Size} size @param {Corner} corner @param {boolean} indexRight @param {Point} drag @returns {Fold | null} */
export function foldOf({ width, height }, corner, indexRight, drag) {
  const top = corner === "top";
  const grabbed = { x: top === indexRight ? 0 : width, y: top ? 0 : height };
  // Only the part of the drag that leads over the card.
  const inward = { x: grabbed.x === 0 ? Math.max(0, drag.x) : Math.min(0, drag.x), y: top ? Math.max(0, drag.y) : Math.min(0, drag.y) };
  const length = Math.hypot(inward.x, inward.y);
  if (length === 0) return null;
  const unit = { x: inward.x / length, y: inward.y / length };
  const middle = { x: grabbed.x + inward.x / 2, y: grabbed.y + inward.y / 2 };
  const beyond = (/** @type {Point} */ { x, y }) => (x - middle.x) * unit.x + (y - middle.y) * unit.y;
  // The mirror image of a point of the face on the back, and the other way round.
  const mirrored = (/** @type {Point} */ { x, y }) => (top ? { x: width - x, y } : { x, y: height - y });
  const onFlap = (/** @type {Point} */ point) => {
    const at = mirrored(point);
    const distance = 2 * beyond(at);
    return { x: at.x - distance * unit.x, y: at.y - distance * unit.y };
  };
  const card = [{ x: 0, y: 0 }, { x: width, y: 0 }, { x: width, y: height }, { x: 0, y: height }];
  const [origin, right, down] = [{ x: 0, y: 0 }, { x: 1, y: 0 }, { x: 0, y: 1 }].map(onFlap);
  return {
    progress: length / (2 * (Math.abs(unit.x) * width + Math.abs(unit.y) * height)),
    back: cut(card, beyond),
    face: cut(card, (point) => -beyond(point)).map(mirrored),
    matrix: [right.x - origin.x, right.y - origin.y, down.x - origin.x, down.y - origin.y, origin.x, origin.y],
    crease: mirrored(middle),
    angle: top ? Math.atan2(unit.y, -unit.x) : Math.atan2(-unit.y, unit.x),
  };
}

/** Returns the part of a polygon whose points have a distance of zero or more. @param {Point[]} polygon @param {(point: Point) => number} distance */
function cut(polygon, distance) {
  return polygon.flatMap((point, index) => {
    const next = polygon[(index + 1) % polygon.length];
    const [here, there] = [distance(point), distance(next)];
    const kept = here >= 0 ? [point] : [];
    if (here * there >= 0) return kept;
    const share = here / (here - there);
    return [...kept, { x: point.x + (next.x - point.x) * share, y: point.y + (next.y - point.y) * share }];
  });
}
