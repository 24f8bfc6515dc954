// The hand of the acting seat: the chosen low hand, the house way, and the values of all settings.

import { best, houseWay, tableRules } from "../api.js";
import { announce } from "../announce.js";
import { highHand, isLegalSetting, lowHand } from "../cards/evaluate.js";
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
  /** Values of all settings of a hand, for the coach, by its cards. A player may have several hands, and may look at an earlier round. @type {Map<string, Worth[]>} */
  #worth = new Map();
  /** Whether the player has confirmed a foul once. */
  foulConfirmed = false;
  /** Whether the command that sets the hand is under way. */
  #confirming = false;

  /** @param {TableState} state */
  constructor(state) {
    this.state = state;
  }

  newRound() {
    this.low = [];
    this.house = null;
    this.foulConfirmed = false;
    this.#confirming = false;
  }

  /** The hand in the view. */
  get #dealt() {
    return this.state.own?.hand ?? null;
  }

  /** The seven cards, in descending order. */
  get cards() {
    return sorted(cardsOf(this.#dealt?.cards));
  }

  /** Whether the player can set the hand: all its cards are up, and it is not set. */
  get #isOpen() {
    return this.#dealt !== null && !this.#dealt.set && this.state.faceDown.count(this.state.own?.seat) === 0;
  }

  /** Whether the player can move a card. @param {string} card */
  #canMove(card) {
    return this.#isOpen && this.cards.includes(card);
  }

  /** Moves a card to the low hand or back. @param {string} card */
  toggle(card) {
    if (!this.#canMove(card)) return;
    if (this.low.includes(card)) this.low = this.low.filter((other) => other !== card);
    else this.low = [...this.low, card].slice(-2);
    this.foulConfirmed = false;
    this.state.fault = "";
    this.state.changed();
  }

  /** Moves a card to a hand. A card that the low hand has no place for swaps with the other card, or with the older card of the low hand. @param {string} card @param {"low" | "high"} hand @param {string} [other] the card it is dropped on */
  move(card, hand, other) {
    if (!this.#canMove(card)) return;
    const inLow = this.low.includes(card);
    if (hand === "low" && inLow) return;
    if (other && this.#canMove(other) && other !== card && this.low.includes(other) !== inLow) {
      const [out, into] = inLow ? [card, other] : [other, card];
      this.low = this.low.map((one) => (one === out ? into : one));
      this.foulConfirmed = false;
      this.state.fault = "";
      return this.state.changed();
    }
    if ((hand === "low") !== inLow) this.toggle(card);
  }

  clear() {
    this.low = [];
    this.foulConfirmed = false;
    this.state.changed();
  }

  /** Chooses the low hand of the house way, as a preview. */
  async askHouseWay() {
    if (!this.#dealt?.cards || !this.#isOpen) return;
    try {
      const question = await this.#question();
      const answer = await houseWay(question);
      if (this.#dealt?.cards !== question.cards) return;
      this.house = answer;
      this.low = cardsOf(answer.low);
      this.foulConfirmed = false;
      announce(`${words.set.houseSays} ${answer.says}`);
    } catch {
      // The hand stays as it is: a preview never sets it.
      this.state.fault = words.board.say.houseFailed;
    }
    this.state.changed();
  }

  /** Ranks of both hands and whether the setting is legal; `null` unless two cards are chosen. */
  get setting() {
    if (this.low.length !== 2 || this.cards.length !== 7) return null;
    const { ranking } = this.state;
    const low = lowHand(this.low, ranking);
    const high = highHand(this.cards.filter((card) => !this.low.includes(card)), ranking);
    return { low, high, legal: isLegalSetting(high, low) };
  }

  /** Whether the chosen low hand is that of the house way. */
  isHouseWay() {
    return this.house !== null && sameCards(this.low, cardsOf(this.house.low));
  }

  /** Sets the hand. A foul, by the page's own evaluation, must be confirmed twice. */
  async confirm() {
    const { setting } = this;
    if (!setting || !this.#dealt || this.#dealt.set || this.#confirming) return;
    if (!setting.legal && !this.foulConfirmed) {
      this.foulConfirmed = true;
      announce(words.set.foulSure, "assertive");
      return this.state.changed();
    }
    this.#confirming = true;
    await this.state.send(this.isHouseWay() ? { do: "house_way" } : { do: "set", front: this.low.join(" ") });
    this.#confirming = false;
  }

  /** Returns the values of all settings of a seat's hand, best first; `null` until loaded. @param {import("./view-types.js").SeatView | null} seat */
  worthOf(seat) {
    return this.#worth.get(seat?.hand?.cards ?? "") ?? null;
  }

  /** Loads the values of all settings of a hand. @param {string | null} [cards] */
  async loadWorth(cards = this.#dealt?.cards) {
    if (!cards || this.#worth.has(cards)) return;
    try {
      this.#worth.set(cards, (await best(await this.#question(cards))).settings);
    } catch {
      // The coach shows no values.
    }
    this.state.changed();
  }

  /** Returns a request about seven cards under the rules of the table. Fails if the rules cannot be loaded. @param {string} cards */
  async #question(cards = this.#dealt?.cards ?? "") {
    const rules = this.state.rules ?? await tableRules(this.state.table);
    const { view } = this.state;
    return { cards, book: view?.book ?? "", ...(view ? changesOf(rules, view) : {}) };
  }
}
