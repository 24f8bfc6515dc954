// A round checked step by step against what its deal must follow from. `docs/fairness.md` is the specification.

import { cardsOf, sameCards } from "../cards/card-text.js";
import { BASE } from "../table/reduce.js";
import { NoWebCrypto, hasWebCrypto } from "./bytes.js";
import { publicKey } from "./keys.js";
import { packetsOf, placesOf } from "./packets.js";
import { seenRounds } from "./seen.js";
import { closedMessage, openedMessage, verifies } from "./signed.js";
import { commitment, dice, seatCommitment, seatsOf, shuffle } from "./verify.js";

/**
 * @typedef {"browser" | "receipt" | "keys" | "opening" | "first" | "closing" | "list" | "secret" | "commitment" | "reveals" | "own" | "silent" | "dice" | "cards" | "hands"} Step
 * @typedef {import("./signed.js").Verdict} Verdict
 * @typedef {{ step: Step, right: Verdict }} Checked
 * @typedef {import("./seen.js").Seen} Seen
 * @typedef {import("../table/view-types.js").SeatView} SeatView
 * @typedef {import("../table/view-types.js").RoundView} RoundView
 * @typedef {import("../table/view-types.js").Facts} Facts
 */

/**
 * All that is shown of a round, from a view, a record or a receipt.
 * @typedef {object} Evidence
 * @property {1 | 2} protocol
 * @property {string} table
 * @property {number} round
 * @property {string} rules digest of the table's rules
 * @property {boolean} over whether everything must be shown
 * @property {boolean} settled
 * @property {string} commitment
 * @property {number | null} openedAt
 * @property {string | null | undefined} publicKey of the key that opening and closing are signed with: null where the house lists none, undefined where that is not known
 * @property {string | null} openedSignature
 * @property {Record<string, string>} commitments
 * @property {string | null} closedSignature
 * @property {Record<string, string>} bytes
 * @property {number[]} silent
 * @property {string | null} secret
 * @property {import("./packets.js").DealingRules} rulesOfDealing
 * @property {number[]} playing
 * @property {boolean} certain whether these are known to be all that played
 * @property {number | null} banker
 * @property {number | null} pile
 * @property {number | null} dice
 * @property {string | null} cards all 53, where they are shown
 * @property {Record<string, string | null>} hands of the seats that are shown
 * @property {string | null} dealer
 */

/**
 * Checks a round that is over, as a view or a record shows it. Nothing is said of a round that is not over.
 * @param {string} table @param {RoundView} round @param {SeatView[]} seats @param {Facts} facts
 * @param {{ seen?: Seen | null, publicKey?: (key: string) => Promise<string | null | undefined> }} [known] what this page has seen of the round, and the keys of the house
 * @returns {Promise<Checked[]>}
 */
export async function checkRound(table, round, seats, facts, known = {}) {
  if (!round.secret && !round.voided) return [];
  const { seen = seenRounds.of(table, round.round), publicKey: keyOf = publicKey } = known;
  const evidence = evidenceOf(table, round, seats, facts);
  if (round.key) evidence.publicKey = await keyOf(round.key);
  return explained(await checkDeal(evidence, seen));
}

/** @param {string} table @param {RoundView} round @param {SeatView[]} seats @param {Facts} facts @returns {Evidence} */
export function evidenceOf(table, round, seats, facts) {
  const banker = round.bank?.seat ?? null;
  // A seat that left after the settlement is not among the seats any more; what it won or lost still is.
  const playing = new Set(seats.filter(({ seat, wagers }) => wagers[BASE] || seat === banker).map(({ seat }) => seat).concat(seatsOf(round.net_cents ?? {})));
  const hands = seats.filter(({ seat, hand }) => hand || playing.has(seat)).map(({ seat, hand }) => [seat, hand?.cards ?? null]);
  return {
    protocol: round.protocol === 2 ? 2 : 1, table, round: round.round, rules: facts.rules, over: true, settled: Boolean(round.net_cents ?? round.lines),
    commitment: round.commitment, openedAt: round.opened_at, publicKey: null, openedSignature: round.signature,
    commitments: round.commitments, closedSignature: round.closed_signature, bytes: round.bytes, silent: round.silent,
    secret: round.secret, rulesOfDealing: { seats: facts.seats, dealerHand: facts.dealer_hand, dealing: facts.dealing },
    // Of a round that was settled and then voided, seats that left meanwhile are not known; they matter where only seats that play get a packet.
    playing: [...playing], certain: !round.voided || facts.dealing.spots === "every", banker, pile: round.pile, dice: round.dice, cards: null,
    hands: Object.fromEntries(hands), dealer: round.dealer?.cards ?? null,
  };
}

/** Checks everything that is shown. @param {Evidence} evidence @param {Seen | null} seen what this page has seen of the round @returns {Promise<Checked[]>} */
export async function checkDeal(evidence, seen) {
  /** @type {Checked[]} */
  const checked = [];
  const step = async (/** @type {Step} */ name, /** @type {() => Verdict | Promise<Verdict>} */ holds) => { checked.push({ step: name, right: await verdict(holds) }); };
  // A round that opened as one of version 2 is not checked as one of version 1.
  /** @type {Evidence} */
  const shown = { ...evidence, protocol: seen?.protocol === 2 ? 2 : evidence.protocol };
  const { protocol } = shown;
  const dealt = shown.dice !== null || isDealt(shown);
  if (protocol === 2) await step("opening", () => opening(shown));
  await step("first", () => (seen ? seen.commitment === shown.commitment : null));
  if (protocol === 2 && (shown.closedSignature || dealt)) {
    await step("closing", () => isListSigned(shown));
    await step("list", () => (seen?.closed ? sameList(seen.closed, shown.commitments) : null));
  }
  if (shown.over && shown.secret === null) await step("secret", () => false);
  if (shown.secret !== null) await step("commitment", async () => (await commitment({ ...shown, secret: shown.secret ?? "" })) === shown.commitment);
  if (protocol === 2 && shown.closedSignature) {
    await step("reveals", () => reveals(shown));
    checked.push(...own(shown, seen));
  }
  if (shown.secret === null || !dealt) return checked;
  const deal = { ...shown, secret: shown.secret };
  await step("dice", async () => shown.dice !== null && (await dice(deal, placesOf(shown.rulesOfDealing))) === shown.dice);
  if (shown.dice === null) return checked;
  const cards = shuffle(deal);
  if (shown.cards !== null) await step("cards", async () => (await cards).join(" ") === shown.cards);
  await step("hands", async () => hands(shown, await cards) || (shown.certain ? false : null));
  return checked;
}

/** Whether cards or a settlement are shown: then there must be dice. @param {Evidence} shown */
export const isDealt = ({ settled, cards, hands, dealer }) => settled || cards !== null || dealer !== null || Object.values(hands).some((hand) => hand !== null);

/** A step that cannot be computed does not hold; without WebCrypto it is not checked. @param {() => Verdict | Promise<Verdict>} holds @returns {Promise<Verdict>} */
async function verdict(holds) {
  try {
    return await holds();
  } catch (error) {
    return error instanceof NoWebCrypto ? null : false;
  }
}

/** The steps to show. Without WebCrypto: the reason, and the steps that do not need it. @param {Checked[]} checked @returns {Checked[]} */
export const explained = (checked) => (hasWebCrypto() ? checked : [{ step: "browser", right: null }, ...checked.filter(({ right }) => right !== null)]);

/** Whether the house signed the opening. @param {Evidence} shown */
function opening({ table, round, rules, commitment, openedAt, publicKey, openedSignature }) {
  if (publicKey === undefined) return null;
  if (!publicKey || !openedSignature || openedAt === null) return false;
  return verifies(publicKey, openedSignature, openedMessage({ table, round, rules, commitment, at: openedAt }));
}

/** @typedef {Pick<Evidence, "table" | "round" | "commitment" | "commitments" | "publicKey" | "closedSignature">} Closing */

/** Whether the house signed the list of commitments. @param {Closing} shown */
export const isListSigned = (shown) => verdict(() => closing(shown));

/** @param {Closing} shown */
function closing({ table, round, commitment, commitments, publicKey, closedSignature }) {
  if (publicKey === undefined) return null;
  if (!publicKey || !closedSignature) return false;
  return verifies(publicKey, closedSignature, closedMessage({ table, round, commitment, commitments }));
}

/** Whether every reveal matches its seat's commitment, and the seats without one are those listed as silent. @param {Evidence} shown */
async function reveals({ table, round, over, dice, commitments, bytes, silent }) {
  for (const seat of seatsOf(bytes)) if ((await seatCommitment({ table, round, seat, bytes: bytes[seat] })) !== commitments[seat]) return false;
  // A round that ends before the deal has no silent seats.
  const without = dice === null ? [] : seatsOf(commitments).filter((seat) => bytes[seat] === undefined);
  return !over || sameList(Object.fromEntries(without.map((seat) => [seat, ""])), Object.fromEntries(silent.map((seat) => [seat, ""])));
}

/** Whether the bytes of the viewer's own seats are in the deal, or why not. @param {Evidence} shown @param {Seen | null} seen @returns {Checked[]} */
function own({ commitments, bytes, silent, playing }, seen) {
  const made = Object.entries(seen?.seats ?? {}).filter(([, { accepted, listed }]) => accepted || listed).map(([seat, kept]) => ({ seat: Number(seat), ...kept }));
  if (made.length === 0) return [{ step: "own", right: null }];
  /** @type {Checked[]} */
  const checked = [];
  for (const { seat, shown, ...kept } of made) {
    const at = commitments[seat];
    // A seat without a wager loses its commitment.
    if (at === undefined) checked.push({ step: "own", right: playing.includes(seat) ? false : null });
    else if (at !== kept.commitment) checked.push({ step: "own", right: false });
    else if (silent.includes(seat)) checked.push({ step: "silent", right: shown ? false : null });
    else checked.push({ step: "own", right: bytes[seat] === undefined ? null : bytes[seat] === kept.bytes });
  }
  return worst(checked);
}

/** One answer a step: the worst of its seats. @param {Checked[]} checked @returns {Checked[]} */
function worst(checked) {
  const rank = (/** @type {Verdict} */ right) => (right === false ? 0 : right === null ? 1 : 2);
  /** @type {Map<Step, Verdict>} */
  const by = new Map();
  for (const { step, right } of checked) {
    const before = by.get(step);
    by.set(step, before === undefined || rank(right) < rank(before) ? right : before);
  }
  return [...by].map(([step, right]) => ({ step, right }));
}

/** Whether every hand is the packet that the rules give to its place. @param {Evidence} shown @param {string[]} cards as they were shuffled */
function hands(shown, cards) {
  const { rulesOfDealing, playing, banker, pile, dice } = shown;
  const packets = packetsOf(rulesOfDealing, { dice: dice ?? 0, pile, playing, banker });
  if (!packets) return false;
  const is = (/** @type {import("./packets.js").Place} */ place, /** @type {string | null} */ hand) => {
    const packet = packets.get(place);
    return packet !== undefined && sameCards(cards.slice(7 * packet, 7 * packet + 7), cardsOf(hand));
  };
  const dealer = packets.has("dealer") ? is("dealer", shown.dealer) : shown.dealer === null;
  return dealer && seatsOf(shown.hands).every((seat) => is(seat, shown.hands[seat]));
}

/** @param {Record<string, string>} one @param {Record<string, string>} other */
export function sameList(one, other) {
  const seats = seatsOf(one);
  return seats.length === seatsOf(other).length && seats.every((seat) => one[seat] === other[seat]);
}
