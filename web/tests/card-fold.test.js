import assert from "node:assert/strict";
import { test } from "node:test";
import { cornerOf, foldOf } from "../table/card-fold.js";

const CARD = { width: 100, height: 140 };
const near = (one, other, text) => assert.ok(Math.abs(one - other) < 1e-6, `${text ?? ""} ${one} is not ${other}`);
const area = (points) => Math.abs(points.reduce((sum, { x, y }, index) => {
  const next = points[(index + 1) % points.length];
  return sum + x * next.y - y * next.x;
}, 0)) / 2;
const apply = ([a, b, c, d, e, f], { x, y }) => ({ x: a * x + c * y + e, y: b * x + d * y + f });

test("a drag pulls the corner above the index over the card", () => {
  const corners = (right) => [[-1, 0], [0, 1], [-1, 1], [1, 0], [0, -1], [1, -1]].map(([x, y]) => cornerOf({ x, y }, right));
  assert.deepEqual(corners(false), ["top", "top", "top", "bottom", "bottom", "bottom"]);
  assert.deepEqual([[1, 0], [0, 1], [-1, 0], [0, -1]].map(([x, y]) => cornerOf({ x, y }, true)), ["top", "top", "bottom", "bottom"]);
});

test("the index follows the drag, and the flap is not mirrored", () => {
  for (const right of [false, true]) {
    for (const [x, y] of [[-95, 37], [-40, 0], [0, 60], [40, 0], [30, -20], [0, -50], [55, 12], [-8, 25]]) {
      const drag = { x, y };
      const corner = cornerOf(drag, right);
      const fold = foldOf(CARD, corner, right, drag);
      assert.ok(fold, `${x}, ${y}`);
      const index = apply(fold.matrix, { x: right ? 100 : 0, y: 0 });
      const grabbed = { x: (corner === "top") === right ? 0 : 100, y: corner === "top" ? 0 : 140 };
      const inward = { x: grabbed.x === 0 ? Math.max(0, x) : Math.min(0, x), y: corner === "top" ? Math.max(0, y) : Math.min(0, y) };
      near(index.x, grabbed.x + inward.x, `${x}, ${y}`);
      near(index.y, grabbed.y + inward.y, `${x}, ${y}`);
      const [a, b, c, d] = fold.matrix;
      near(a * d - b * c, 1, "the matrix is a rotation");
      near(area(fold.back) + area(fold.face), 14_000, "the card is cut in two");
      // The fold line is on both parts: the crease does not move.
      const crease = apply(fold.matrix, fold.crease);
      near(crease.x, grabbed.x + inward.x / 2);
      near(crease.y, grabbed.y + inward.y / 2);
    }
  }
});

test("the fold of the design: the right edge along the line from 45, 0 to 100, 140", () => {
  const { back, matrix, progress } = foldOf(CARD, "top", false, { x: -95.29, y: 37.44 });
  const line = back.filter(({ x, y }) => Math.abs((x - 45) * 140 - y * 55) < 60);
  assert.deepEqual(line.map(({ x, y }) => [Math.round(x), Math.round(y)]).slice(0, 2), [[45, 0], [100, 140]]);
  assert.deepEqual(matrix.map((value) => Number(value.toFixed(2))), [0.73, -0.68, 0.68, 0.73, 4.71, 37.44]);
  assert.ok(progress > 0.3 && progress < 0.4);
});

test("progress grows to 1 when the fold line leaves the card; a drag outward folds nothing", () => {
  near(foldOf(CARD, "top", false, { x: -100, y: 0 }).progress, 0.5);
  near(foldOf(CARD, "bottom", false, { x: 0, y: -280 }).progress, 1);
  assert.equal(foldOf(CARD, "top", false, { x: 20, y: -20 }), null);
});
