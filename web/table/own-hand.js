// The hand of the acting seat: the chosen low hand, the house way, and the values of all settings.

import { best, houseWay, tableRules } from "../api.js";
import { announce } from "../announce.js";
import { cardsOf, sameCards, sorted } from "../cards/card-text.js";
import { words } from "../words.js";
import { changesOf } from "./ranking.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("../protocol").SetAnswer} HouseWay
 * @typedef {import("../protocol").SettingWorth} Worth
 */

export class OwnHand {
  /** The cards chosen for the low hand. @type {string[]} */
  low = [];
  /** The setting of the house way; `null` until requested. @type {HouseWay | null} */
  house = null;
  /** Values of all settings, for the coach. @type {{ cards: string, settings: Worth[] } | null} */
  worth = null;
  /** Whether the player has confirmed a foul once. */
  foulConfirmed = false;

  /** @param {TableState} state */
  constructor(state) {
    this.state = state;
  }

  newRound() {
    this.low = [];
    this.house = null;
    this.worth = null;
    this.foulConfirmed = false;
  }

  /** The hand in the view. */
  get #dealt() {
    return this.state.own?.hand ?? null;
  }

  /** The seven cards, in descending order. */
  get cards() {
    return sorted(cardsOf(this.#dealt?.cards));
  }

  /** Moves a card to the low hand or back. @param {string} card */
  toggle(card) {
    if (this.low.includes(card)) this.low = this.low.filter((other) => other !== card);
    else this.low = [...this.low, card].slice(-2);
    this.foulConfirmed = false;
    this.state.fault = "";
    this.state.changed();
  }

  clear() {
    this.low = [];
    this.foulConfirmed = false;
    this.state.changed();
  }

  /** Chooses the low hand of the house way, as a preview. */
  async askHouseWay() {
    if (!this.#dealt?.cards || this.#dealt.set) return;
    try {
      const question = await this.#question();
      const answer = await houseWay(question);
      if (this.#dealt?.cards !== question.cards) return;
      this.house = answer;
      this.low = cardsOf(answer.low);
      this.foulConfirmed = false;
      announce(`${words.set.houseSays} ${answer.says}`);
    } catch {
      // Without a preview, the server sets the hand.
      await this.state.send({ do: "house_way" });
    }
    this.state.changed();
  }

  /** Whether the chosen low hand is that of the house way. */
  isHouseWay() {
    return this.house !== null && sameCards(this.low, cardsOf(this.house.low));
  }

  /** Sets the hand. A foul must be confirmed twice. @param {boolean} legal by the page's own evaluation */
  async confirm(legal) {
    if (this.low.length !== 2 || !this.#dealt || this.#dealt.set) return;
    if (!legal && !this.foulConfirmed) {
      this.foulConfirmed = true;
      announce(words.set.foulSure, "assertive");
      return this.state.changed();
    }
    await this.state.send(this.isHouseWay() ? { do: "house_way" } : { do: "set", front: this.low.join(" ") });
  }

  /** Loads the values of all settings. */
  async loadWorth() {
    const cards = this.#dealt?.cards;
    if (!cards) return;
    try {
      const answer = await best(await this.#question());
      if (this.#dealt?.cards === cards) this.worth = { cards, settings: answer.settings };
    } catch {
      this.worth = null;
    }
    this.state.changed();
  }

  /** Returns a request about the hand under the rules of the table. Fails if the rules cannot be loaded. */
  async #question() {
    const cards = this.#dealt?.cards ?? "";
    const rules = this.state.rules ?? await tableRules(this.state.table);
    const { view } = this.state;
    return { cards, book: view?.book ?? "", ...(view ? changesOf(rules, view) : {}) };
  }
}
