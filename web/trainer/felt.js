// The felt of the trainer: seven cards, the names of both hands, and the buttons.

import { h } from "../dom.js";
import { settings as preferences } from "../settings.js";
import { words } from "../words.js";
import { waiting } from "../study/notes.js";
import { choiceCards, choiceWords } from "./choice.js";

/**
 * @typedef {object} Felt
 * @property {string} title the question
 * @property {import("../dom.js").Child} [note] a note above the question
 * @property {string[]} cards
 * @property {string[]} low the chosen cards
 * @property {import("../cards/evaluate.js").Ranking} ranking
 * @property {boolean} isFoul
 * @property {boolean} isJudged
 * @property {boolean} isLoaded whether the answer can be judged
 * @property {boolean} isWaiting whether a request is under way
 * @property {string} next label of the button after the answer
 * @property {{ toggle: (card: string) => void, confirm: () => void, clear: () => void, next: () => void }} act
 */

/** @param {Felt} felt */
export function felt({ title, note, cards, low, ranking, isFoul, isJudged, isLoaded, isWaiting, next, act }) {
  const { trainer: say } = words;
  const key = (/** @type {string} */ name) => preferences.value.keys && h("kbd", { "aria-hidden": "true" }, name);
  return h("section", { class: "lab-felt trainer-felt", key: "felt", "aria-label": say.title },
    h("div", null, note, h("h2", null, title), h("p", { class: "trainer-how" }, say.how)),
    choiceCards({ cards, low, ranking, fixed: isJudged, toggle: act.toggle }),
    choiceWords(cards, low, ranking),
    isFoul && h("p", { class: "trainer-foul", role: "alert" }, say.foul),
    h("div", { class: "row" },
      isJudged
        ? h("button", { key: "next", type: "button", class: "button primary trainer-next", onclick: act.next }, next, key(say.key))
        : h("button", { key: "set", type: "button", class: "button primary", disabled: low.length !== 2 || isFoul || !isLoaded, onclick: act.confirm }, say.confirm, key(say.key)),
      !isJudged && h("button", { key: "clear", type: "button", class: "button", disabled: !low.length, onclick: act.clear }, say.clear, key("C")),
      isWaiting && waiting(say.loading)));
}
