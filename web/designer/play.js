// The button that opens a practice table with the house way in the editor.

import { h } from "../dom.js";
import { words } from "../words.js";

/**
 * @param {{ isFaulty: boolean, isBusy: boolean, isOpening: boolean, dealerBanks: boolean }} state `isFaulty`: the house way is not proved; `isBusy`: the result is not that of the current text
 * @param {() => void} play
 */
export function playPart({ isFaulty, isBusy, isOpening, dealerBanks }, play) {
  const { play: say } = words.designer;
  return h("div", { class: "design-play", key: "play" },
    h("button", { type: "button", class: "button primary", disabled: isFaulty || isBusy || isOpening, "aria-describedby": "design-play-why", onclick: play }, isOpening ? say.opening : say.button),
    h("p", { class: "small", id: "design-play-why" }, isFaulty ? say.faulty : dealerBanks ? say.why : say.whyBanker));
}
