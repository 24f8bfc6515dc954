// Checks the deal of a round step by step. The specification is `docs/fairness.md`.

import { cardsOf, sameCards } from "../cards/card-text.js";
import { BASE } from "../table/reduce.js";
import { NoWebCrypto, hasWebCrypto } from "./bytes.js";
import { publicKey } from "./keys.js";
import { ownerCount, packetsOf } from "./packets.js";
import { seenRounds } from "./seen.js";
import { closedMessage, openedMessage, verifies } from "./signed.js";
import { commitment, dice, seatCommitment, seatsOf, shuffle } from "./verify.js";

/**
 * @typedef {"browser" | "receipt" | "keys" | "opening" | "first" | "closing" | "list" | "secret" | "commitment" | "reveals" | "own" | "silent" | "dice" | "cards" | "hands"} Step
 * @typedef {import("./signed.js").Verdict} Verdict
 * @typedef {{ step: Step, right: Verdict }} StepResult
 * @typedef {import("./seen.js").SeenRound} SeenRound
 * @typedef {import("../table/view-types.js").SeatView} SeatView
 * @typedef {import("../table/view-types.js").RoundView} RoundView
 * @typedef {import("../table/view-types.js").Facts} Facts
 */

/**
 * The public data of a round, from a view, a record or a receipt.
 * @typedef {object} Evidence
 * @property {1 | 2} protocol
 * @property {string} table
 * @property {number} round
 * @property {string} rules digest of the table's rules
 * @property {boolean} over whether the round is over and must show all its data
 * @property {boolean} settled
 * @property {string} commitment
 * @property {number | null} openedAt
 * @property {string | null | undefined} publicKey public key for the signatures of opening and closing: null if the house lists none, undefined if the keys could not be loaded
 * @property {string | null} openedSignature
 * @property {Record<string, string>} commitments
 * @property {string | null} closedSignature
 * @property {Record<string, string>} bytes
 * @property {number[]} silent
 * @property {string | null} secret
 * @property {import("./packets.js").DealingRules} rulesOfDealing
 * @property {number[]} playing seats that played
 * @property {boolean} certain whether `playing` is known to be complete
 * @property {number | null} banker
 * @property {number | null} pile
 * @property {number | null} dice
 * @property {string | null} cards all 53 cards, if shown
 * @property {Record<string, string | null>} hands by seat
 * @property {string | null} dealer
 */

/**
 * Checks a round of a view or a record. Returns no steps if the round is not over.
 * @param {string} table @param {RoundView} round @param {SeatView[]} seats @param {Facts} facts
 * @param {{ seen?: SeenRound | null, publicKey?: (key: string) => Promise<string | null | undefined> }} [known] the round as this page first saw it, and the keys of the house
 * @returns {Promise<StepResult[]>}
 */
export async function checkRound(table, round, seats, facts, known = {}) {
  if (!round.secret && !round.voided) return [];
  const { seen = seenRounds.of(table, round.round), publicKey: keyOf = publicKey } = known;
  const evidence = evidenceOf(table, round, seats, facts);
  if (round.key) evidence.publicKey = await keyOf(round.key);
  return displayed(await checkDeal(evidence, seen));
}

/** @param {string} table @param {RoundView} round @param {SeatView[]} seats @param {Facts} facts @returns {Evidence} */
export function evidenceOf(table, round, seats, facts) {
  const banker = round.bank?.seat ?? null;
  // A seat that left after the settlement is missing from `seats` but not from `net_cents`.
  const playing = new Set(seats.filter(({ seat, wagers }) => wagers[BASE] || seat === banker).map(({ seat }) => seat).concat(seatsOf(round.net_cents ?? {})));
  const hands = seats.filter(({ seat, hand }) => hand || playing.has(seat)).map(({ seat, hand }) => [seat, hand?.cards ?? null]);
  return {
    protocol: round.protocol === 2 ? 2 : 1, table, round: round.round, rules: facts.rules, over: true, settled: Boolean(round.net_cents ?? round.lines),
    commitment: round.commitment, openedAt: round.opened_at, publicKey: null, openedSignature: round.signature,
    commitments: round.commitments, closedSignature: round.closed_signature, bytes: round.bytes, silent: round.silent,
    secret: round.secret, rulesOfDealing: { seats: facts.seats, dealerHand: facts.dealer_hand, dealing: facts.dealing },
    // A round voided after its settlement has no `net_cents`, so seats that left are unknown. They matter only if packets go to active seats alone.
    playing: [...playing], certain: !round.voided || facts.dealing.spots === "every", banker, pile: round.pile, dice: round.dice, cards: null,
    hands: Object.fromEntries(hands), dealer: round.dealer?.cards ?? null,
  };
}

/** Runs all steps that the evidence allows. @param {Evidence} evidence @param {SeenRound | null} seen the round as this page first saw it @returns {Promise<StepResult[]>} */
export async function checkDeal(evidence, seen) {
  /** @type {StepResult[]} */
  const checked = [];
  const step = async (/** @type {Step} */ name, /** @type {() => Verdict | Promise<Verdict>} */ holds) => { checked.push({ step: name, right: await verdict(holds) }); };
  // A round that opened with version 2 is never checked with version 1.
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
  await step("dice", async () => shown.dice !== null && (await dice(deal, ownerCount(shown.rulesOfDealing))) === shown.dice);
  if (shown.dice === null) return checked;
  const cards = shuffle(deal);
  if (shown.cards !== null) await step("cards", async () => (await cards).join(" ") === shown.cards);
  await step("hands", async () => hands(shown, await cards) || (shown.certain ? false : null));
  return checked;
}

/** Whether the evidence shows cards or a settlement. Then it must show dice. @param {Evidence} shown */
export const isDealt = ({ settled, cards, hands, dealer }) => settled || cards !== null || dealer !== null || Object.values(hands).some((hand) => hand !== null);

/** Evaluates a step: `false` if it throws, `null` without WebCrypto. @param {() => Verdict | Promise<Verdict>} holds @returns {Promise<Verdict>} */
async function verdict(holds) {
  try {
    return await holds();
  } catch (error) {
    return error instanceof NoWebCrypto ? null : false;
  }
}

/** Returns the steps to display. Without WebCrypto, these are the reason and the steps that do not need it. @param {StepResult[]} checked @returns {StepResult[]} */
export const displayed = (checked) => (hasWebCrypto() ? checked : [{ step: "browser", right: null }, ...checked.filter(({ right }) => right !== null)]);

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

/** Whether every reveal matches its seat's commitment, and exactly the seats without a reveal are listed as silent. @param {Evidence} shown */
async function reveals({ table, round, over, dice, commitments, bytes, silent }) {
  for (const seat of seatsOf(bytes)) if ((await seatCommitment({ table, round, seat, bytes: bytes[seat] })) !== commitments[seat]) return false;
  // A round that ends before the deal has no silent seats.
  const without = dice === null ? [] : seatsOf(commitments).filter((seat) => bytes[seat] === undefined);
  return !over || sameList(Object.fromEntries(without.map((seat) => [seat, ""])), Object.fromEntries(silent.map((seat) => [seat, ""])));
}

/** Checks that the bytes of the viewer's seats are in the deal. @param {Evidence} shown @param {SeenRound | null} seen @returns {StepResult[]} */
function own({ commitments, bytes, silent, playing }, seen) {
  const committed = Object.entries(seen?.seats ?? {}).filter(([, { accepted, listed }]) => accepted || listed).map(([seat, stored]) => ({ seat: Number(seat), ...stored }));
  if (committed.length === 0) return [{ step: "own", right: null }];
  /** @type {StepResult[]} */
  const checked = [];
  for (const { seat, shown, ...stored } of committed) {
    const commitment = commitments[seat];
    // A seat without a wager loses its commitment.
    if (commitment === undefined) checked.push({ step: "own", right: playing.includes(seat) ? false : null });
    else if (commitment !== stored.commitment) checked.push({ step: "own", right: false });
    else if (silent.includes(seat)) checked.push({ step: "silent", right: shown ? false : null });
    else checked.push({ step: "own", right: bytes[seat] === undefined ? null : bytes[seat] === stored.bytes });
  }
  return worst(checked);
}

/** Merges the results of several seats: the worst one of each step. @param {StepResult[]} checked @returns {StepResult[]} */
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

/** Whether every hand is the packet that the rules assign to it. @param {Evidence} shown @param {string[]} cards in the order of the shuffle */
function hands(shown, cards) {
  const { rulesOfDealing, playing, banker, pile, dice } = shown;
  const packets = packetsOf(rulesOfDealing, { dice: dice ?? 0, pile, playing, banker });
  if (!packets) return false;
  const matches = (/** @type {import("./packets.js").PacketOwner} */ owner, /** @type {string | null} */ hand) => {
    const packet = packets.get(owner);
    return packet !== undefined && sameCards(cards.slice(7 * packet, 7 * packet + 7), cardsOf(hand));
  };
  const dealer = packets.has("dealer") ? matches("dealer", shown.dealer) : shown.dealer === null;
  return dealer && seatsOf(shown.hands).every((seat) => matches(seat, shown.hands[seat]));
}

/** Whether two lists of commitments are equal. @param {Record<string, string>} one @param {Record<string, string>} other */
export function sameList(one, other) {
  const seats = seatsOf(one);
  return seats.length === seatsOf(other).length && seats.every((seat) => one[seat] === other[seat]);
}
