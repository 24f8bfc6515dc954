// Renders the steps of a check as a list.

import { h } from "../dom.js";
import { words } from "../words.js";

/** @param {import("./check.js").StepResult[]} checked */
export function steps(checked) {
  return h("ul", { class: "small checks" }, checked.map(({ step, right }) => {
    const [holds, fails, unknown] = words.fair.steps[step];
    if (right === null) return h("li", { key: step, class: "unknown" }, "– ", unknown);
    return h("li", { key: step, class: right ? "good" : "bad" }, right ? "✓ " : "✗ ", right ? holds : fails);
  }));
}
