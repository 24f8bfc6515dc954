// Which packet of seven goes to which place: what `crates/paigow/src/round/dealing.rs` does.

/**
 * @typedef {import("../protocol").DealingFacts} DealingFacts
 * @typedef {{ seats: number, dealerHand: boolean, dealing: DealingFacts }} DealingRules
 * @typedef {{ dice: number, pile: number | null, playing: number[], banker: number | null }} Played
 * @typedef {number | "dealer"} Place
 */

/** The number of places the dice choose from. @param {DealingRules} rules */
export const placesOf = ({ seats, dealerHand }) => seats + (dealerHand ? 1 : 0);

/**
 * The packet of each place that keeps a hand, numbered from 0; null where the rules give no deal.
 * @param {DealingRules} rules @param {Played} played @returns {Map<Place, number> | null}
 */
export function packetsOf(rules, played) {
  const order = orderOf(rules, played);
  if (!order) return null;
  const piles = order.length;
  const pile = played.pile === null ? 1 : played.pile;
  if (played.pile !== null && !(rules.dealing.action_pile && Number.isInteger(pile) && pile >= 1 && pile <= piles)) return null;
  /** @type {Map<Place, number>} */
  const packets = new Map();
  order.forEach((place, turn) => {
    // The pile the banker picked goes first, the others follow in turn. Hands without a wager are discarded.
    if (place === "dealer" || played.playing.includes(place)) packets.set(place, (pile - 1 + turn) % piles);
  });
  return [...packets.keys()].some((place) => place !== "dealer") ? packets : null;
}

/** The places that are dealt a packet, in order. @param {DealingRules} rules @param {Played} played @returns {Place[] | null} */
function orderOf(rules, { dice, playing, banker }) {
  const { seats, dealerHand, dealing } = rules;
  const first = firstPlace(rules, dice, banker);
  if (first === null) return null;
  const clockwise = dealing.order === "clockwise";
  // From the dealer the nearest seat comes first: seat 1 clockwise, the last one counter-clockwise.
  const from = first !== "dealer" ? first : clockwise ? 1 : seats;
  const around = Array.from({ length: seats }, (_, turn) => ((from - 1 + (clockwise ? turn : seats - turn)) % seats) + 1);
  /** @type {Place[]} */
  const order = around.filter((seat) => dealing.spots === "every" || playing.includes(seat));
  if (dealerHand) order.splice(first === "dealer" ? 0 : dealerTurn(dealing, order), 0, "dealer");
  return order;
}

/** The place where the deal begins. @param {DealingRules} rules @param {number} dice @param {number | null} banker @returns {Place | null} */
function firstPlace({ seats, dealerHand, dealing }, dice, banker) {
  if (dealing.first === "banker") return banker ?? "dealer";
  if (Number.isInteger(dice) && dice >= 1 && dice <= seats) return dice;
  return dealerHand && dice === seats + 1 ? "dealer" : null;
}

/** How many seats come before the dealer's hand. @param {DealingFacts} dealing @param {Place[]} order the seats in order */
function dealerTurn({ dealer_hand: turn, order: direction }, order) {
  if (turn === "after_first_seat") return Math.min(1, order.length);
  if (turn !== "in_order") return order.length;
  // The dealer's place is between seat 1 and the last seat: the hand comes after the seats on the way there.
  const beyond = order.findIndex((seat) => (direction === "clockwise" ? seat < order[0] : seat > order[0]));
  return beyond < 0 ? order.length : beyond;
}
