// The rail while wagers are open: the chip tray, and the actions deal, undo, repeat and double.

import { h } from "../dom.js";
import { money, short } from "../money.js";
import { words } from "../words.js";
import { chip } from "./chip.js";
import { alt, amountText, goButton, say, sec } from "./rail-parts.js";
import * as stakes from "./stakes.js";

/**
 * @typedef {import("./scene.js").Scene & { state: import("./state.js").TableState }} Scene
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").WagerFacts} WagerFacts
 */

/** Keys of the chips. */
export const CHIP_KEYS = "QWERT";

/** @param {Scene} scene @param {import("../dom.js").Child} bankOffer @returns {import("./rail-parts.js").RailParts} */
export function wagersRail({ state, view, own }, bankOffer) {
  const { chips } = state;
  const { draft, faults } = chips;
  const some = stakes.total(draft) > 0;
  const { go } = words.board;
  if (isBust(state, view)) {
    return { middle: say(words.board.say.bust, words.board.say.bustWhy), alt: some ? alt(words.board.alt.undo, "Z", () => chips.undo()) : null, go: goButton(words.app.newChips, go.chips, () => state.moreChips()) };
  }
  const placed = own && stakes.same(draft, own.wagers);
  const text = own?.ready ? go.isReady : !some ? go.first : faults.length > 0 ? go.fault : placed ? go.amount(amountText(stakes.total(draft))) : go.placing;
  return {
    left: [
      sec(words.wager.again, "A", chips.previous() ? () => chips.repeat() : null, { key: "again" }),
      sec(words.wager.double, "D", some ? () => chips.double() : null, { key: "double" }),
      sec(words.wager.clear, "C", some ? () => chips.setDraft({}) : null, { key: "clear", class: "roomy" }),
      bankOffer,
    ],
    middle: tray(state, view, faults.length > 0 ? faults.map((fault) => faultText(fault, view)).join(" ") : ""),
    alt: alt(words.board.alt.undo, "Z", some ? () => chips.undo() : null),
    go: goButton(go.deal, text, some && faults.length === 0 && !own?.ready ? () => chips.confirm() : null),
  };
}

/** Whether the viewer cannot pay the smallest base wager. @param {import("./state.js").TableState} state @param {View} view */
export const isBust = (state, view) => state.chips.available < view.facts.wagers[0].min_cents;

/** @param {import("./state.js").TableState} state @param {View} view @param {string} fault */
export function tray(state, view, fault) {
  const highest = Math.max(...view.facts.wagers.map((facts) => facts.max_cents));
  return h("div", { class: "tray-box" },
    h("fieldset", { class: "tray" }, h("legend", { class: "unseen" }, words.wager.chips),
      stakes.CHIPS.filter((value) => value <= highest).map((value, index) => h("label", { key: value, class: ["tray-chip", { on: state.chips.chip === value }] },
        h("input", { type: "radio", name: "chip", class: "unseen", value, ".checked": state.chips.chip === value, "aria-label": money(value), "aria-keyshortcuts": CHIP_KEYS[index], onchange: () => state.chips.choose(value) }),
        chip(value)))),
    h("p", { class: "tray-fault bad", role: "status" }, fault));
}

/** @param {stakes.StakeFault} fault @param {View} view */
function faultText({ wager, fault }, view) {
  const facts = /** @type {WagerFacts} */ (view.facts.wagers.find((one) => one.wager === wager));
  const { faults } = words.wager;
  const title = words.wagerTitle(facts.title);
  return { low: faults.low(title, short(facts.min_cents)), high: faults.high(title, short(facts.max_cents)), base: faults.base(title), color: faults.color(title), funds: words.refused.insufficient_funds }[fault];
}
