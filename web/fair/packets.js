// Assigns packets of seven cards to the seats and the dealer. Port of `crates/paigow/src/round/dealing.rs`.

/**
 * @typedef {import("../protocol").DealingFacts} DealingFacts
 * @typedef {{ seats: number, dealerHand: boolean, dealing: DealingFacts }} DealingRules
 * @typedef {{ dice: number, pile: number | null, playing: number[], banker: number | null }} DealInputs
 * @typedef {number | "dealer"} PacketOwner a seat, or the dealer
 */

/** Returns the number of packet owners that the dice choose from. @param {DealingRules} rules */
export const ownerCount = ({ seats, dealerHand }) => seats + (dealerHand ? 1 : 0);

/**
 * Returns the index of each owner's packet, from 0, or `null` if the inputs are invalid under the rules.
 * @param {DealingRules} rules @param {DealInputs} inputs @returns {Map<PacketOwner, number> | null}
 */
export function packetsOf(rules, inputs) {
  const order = orderOf(rules, inputs);
  if (!order) return null;
  const piles = order.length;
  const pile = inputs.pile === null ? 1 : inputs.pile;
  if (inputs.pile !== null && !(rules.dealing.action_pile && Number.isInteger(pile) && pile >= 1 && pile <= piles)) return null;
  /** @type {Map<PacketOwner, number>} */
  const packets = new Map();
  order.forEach((owner, index) => {
    // The banker's pile goes first and the others follow in order. Packets of seats without a wager are discarded.
    if (owner === "dealer" || inputs.playing.includes(owner)) packets.set(owner, (pile - 1 + index) % piles);
  });
  return [...packets.keys()].some((owner) => owner !== "dealer") ? packets : null;
}

/** Returns the owners that are dealt a packet, in order. @param {DealingRules} rules @param {DealInputs} inputs @returns {PacketOwner[] | null} */
function orderOf(rules, { dice, playing, banker }) {
  const { seats, dealerHand, dealing } = rules;
  const first = firstOwner(rules, dice, banker);
  if (first === null) return null;
  const clockwise = dealing.order === "clockwise";
  // After the dealer, clockwise dealing starts at seat 1 and counter-clockwise dealing at the last seat.
  const from = first !== "dealer" ? first : clockwise ? 1 : seats;
  const around = Array.from({ length: seats }, (_, index) => ((from - 1 + (clockwise ? index : seats - index)) % seats) + 1);
  /** @type {PacketOwner[]} */
  const order = around.filter((seat) => dealing.spots === "every" || playing.includes(seat));
  if (dealerHand) order.splice(first === "dealer" ? 0 : dealerIndex(dealing, order), 0, "dealer");
  return order;
}

/** Returns the owner of the first packet. @param {DealingRules} rules @param {number} dice @param {number | null} banker @returns {PacketOwner | null} */
function firstOwner({ seats, dealerHand, dealing }, dice, banker) {
  if (dealing.first === "banker") return banker ?? "dealer";
  if (Number.isInteger(dice) && dice >= 1 && dice <= seats) return dice;
  return dealerHand && dice === seats + 1 ? "dealer" : null;
}

/** Returns the number of seats dealt before the dealer. @param {DealingFacts} dealing @param {PacketOwner[]} order the seats in order */
function dealerIndex({ dealer_hand: turn, order: direction }, order) {
  if (turn === "after_first_seat") return Math.min(1, order.length);
  if (turn !== "in_order") return order.length;
  // The dealer is between seat 1 and the last seat, and is dealt when the order passes that point.
  const beyond = order.findIndex((seat) => (direction === "clockwise" ? seat < order[0] : seat > order[0]));
  return beyond < 0 ? order.length : beyond;
}
