// The rail while hands are set: how many cards are up, what both hands are, whether the setting is legal, and the actions set, house way and start over.

import { settings } from "../settings.js";
import { h } from "../dom.js";
import { highHandName, lowHandName } from "../cards/names.js";
import { words } from "../words.js";
import { handNames } from "./hand.js";
import { alt, goButton, say, sec } from "./rail-parts.js";

/** @typedef {import("./scene.js").Scene & { state: import("./state.js").TableState }} Scene */

/** @param {Scene} scene @returns {import("./rail-parts.js").RailParts} */
export function handRail({ state, view, own }) {
  const hand = own?.hand;
  const { go, say: text } = words.board;
  if (hand?.set) {
    const names = handNames(hand, state.ranking);
    const unset = view.seats.filter((seat) => seat.hand && !seat.hand.set).length;
    return {
      middle: say(words.set.by[hand.by ?? "player"], [names && `${names[0]} / ${names[1]}. `, unset > 0 && words.set.waits(unset)]),
      alt: alt(words.board.alt.house, "H", null), go: goButton(go.set, go.others, null),
    };
  }
  const down = state.faceDown.count(own?.seat);
  if (own && down > 0) return turningRail(state, own.seat, down);
  const { setting, low } = state.hand;
  const house = state.hand.isHouseWay() ? state.hand.house : null;
  const keys = h("q", { class: "for-keys" }, setting ? text.keysShort : text.keysHint);
  const middle = !setting ? say(low.length === 0 ? text.two : text.one, [text.hint, keys, text.rest])
    : setting.legal ? say(text.legal(lowHandName(setting.low), highHandName(setting.high)), house ? words.set.asHouse(house.says, house.cite) : [text.legalHint, keys, text.end])
      : say(text.foul(lowHandName(setting.low), highHandName(setting.high)), state.hand.foulConfirmed ? words.set.foulSure : text.foulHint, "bad");
  const label = state.hand.foulConfirmed && setting && !setting.legal ? words.set.foulAnyway : go.set;
  return {
    left: sec(words.set.clear, "C", low.length > 0 ? () => state.hand.clear() : null, { key: "clear" }),
    middle,
    alt: alt(words.board.alt.house, "H", () => state.hand.askHouseWay()),
    go: goButton(label, setting ? (setting.legal ? go.legal : state.hand.foulConfirmed ? go.sure : go.foul) : low.length === 1 ? go.one : go.two, setting ? () => state.hand.confirm() : null),
  };
}

/** The rail while cards lie face down. @param {Scene["state"]} state @param {number} seat @param {number} down number of cards face down @returns {import("./rail-parts.js").RailParts} */
function turningRail({ faceDown, hand }, seat, down) {
  const { go, say: text, alt: second, space } = words.board;
  const turnAll = () => faceDown.turnAll(seat);
  return {
    middle: say(text.turned(hand.cards.length - down, down), [settings.reducedMotion() ? text.tap : text.squeeze, h("q", { class: "for-keys" }, text.nextKey)]),
    alt: alt(second.turnAll, space, turnAll), go: goButton(go.set, go.allUp, null, { keyAction: turnAll }),
  };
}
