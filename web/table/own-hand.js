// The hand of the viewer: how they are about to set it, how the house would, and what every setting is worth.

import { best, houseWay, tableRules } from "../api.js";
import { announce } from "../announce.js";
import { cardsOf, sameCards, sorted } from "../cards/card-text.js";
import { words } from "../words.js";
import { changesOf } from "./ranking.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("../protocol").Set} HouseWay
 * @typedef {import("../protocol").SettingWorth} Worth
 */

export class OwnHand {
  /** The cards one wants in front. @type {string[]} */
  front = [];
  /** How the house would set it. @type {HouseWay | null} */
  house = null;
  /** What every setting is worth, for the coach. @type {{ cards: string, settings: Worth[] } | null} */
  worth = null;
  /** Whether a foul was confirmed once. */
  sure = false;

  /** @param {TableState} state */
  constructor(state) {
    this.state = state;
  }

  newRound() {
    this.front = [];
    this.house = null;
    this.worth = null;
    this.sure = false;
  }

  /** As it was dealt. */
  get #dealt() {
    return this.state.own?.hand ?? null;
  }

  /** The cards, from the highest down. */
  get cards() {
    return sorted(cardsOf(this.#dealt?.cards));
  }

  /** Puts a card in front or back again. @param {string} card */
  toggle(card) {
    if (this.front.includes(card)) this.front = this.front.filter((other) => other !== card);
    else this.front = [...this.front, card].slice(-2);
    this.sure = false;
    this.state.fault = "";
    this.state.changed();
  }

  clear() {
    this.front = [];
    this.sure = false;
    this.state.changed();
  }

  /** Sets the hand as the house would, to be looked at. */
  async askHouseWay() {
    if (!this.#dealt?.cards || this.#dealt.set) return;
    try {
      const question = await this.#question();
      const answer = await houseWay(question);
      if (this.#dealt?.cards !== question.cards) return;
      this.house = answer;
      this.front = cardsOf(answer.low);
      this.sure = false;
      announce(`${words.set.houseSays} ${answer.says}`);
    } catch {
      // Nobody to ask: the table sets it.
      await this.state.give({ do: "house_way" });
    }
    this.state.changed();
  }

  /** Whether the cards in front are those the house would put there. */
  isHouseWay() {
    return this.house !== null && sameCards(this.front, cardsOf(this.house.low));
  }

  /** Sets the hand. @param {boolean} legal as far as we know */
  async confirm(legal) {
    if (this.front.length !== 2 || !this.#dealt || this.#dealt.set) return;
    if (!legal && !this.sure) {
      this.sure = true;
      announce(words.set.foulSure, "assertive");
      return this.state.changed();
    }
    await this.state.give(this.isHouseWay() ? { do: "house_way" } : { do: "set", front: this.front.join(" ") });
  }

  /** Looks what every setting is worth. */
  async judge() {
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

  /** What a question about the hand says of the table. By other rules than the table's nothing is asked. */
  async #question() {
    const cards = this.#dealt?.cards ?? "";
    const rules = this.state.rules ?? await tableRules(this.state.table);
    const { view } = this.state;
    return { cards, book: view?.book ?? "", ...(view ? changesOf(rules, view) : {}) };
  }
}
