// The one reducer: what a table looks like after something has happened. Playing, watching and replaying are all this.
// It does what `View::apply` of the paigow-table crate does.

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").SeatView} SeatView
 * @typedef {import("./view-types.js").RoundView} RoundView
 * @typedef {import("./view-types.js").HandView} HandView
 * @typedef {import("./view-types.js").SeenEvent} SeenEvent
 */

/** The base game among the wagers. */
export const BASE = "pai-gow";

/** A table after an event. The table before it is left as it was. @param {View} before @param {SeenEvent} event @returns {View} */
export function reduce(before, event) {
  const view = structuredClone(before);
  // A server that is newer than the page may say more than it knows.
  const step = /** @type {((view: View, event: SeenEvent) => void) | undefined} */ (STEPS[event.event]);
  step?.(view, event);
  return view;
}

/** What each event does: all that the server's types name. @type {{ [Name in SeenEvent["event"]]: (view: View, event: Extract<SeenEvent, { event: Name }>) => void }} */
const STEPS = {
  opened: (view, { table, book, currency, facts }) => Object.assign(view, { table, book, currency, facts }),
  sat: (view, { seat, player }) => {
    view.seats.push(newSeat(seat, player));
    view.seats.sort((one, other) => one.seat - other.seat);
    if (view.player === player) own(view, [...view.yours ?? [], seat].sort((one, other) => one - other));
  },
  leaving: (view, event) => at(view, event, (seat) => { seat.leaving = true; }),
  stood: (view, { seat }) => {
    // A seat that is given up before wagers close loses its commitment.
    if (view.phase === "wagers" || view.phase === "offering") inRound(view, (round) => { delete round.commitments[seat]; });
    view.seats = view.seats.filter((sitting) => sitting.seat !== seat);
    own(view, (view.yours ?? []).filter((other) => other !== seat));
  },
  sat_out: (view, event) => at(view, event, (seat) => { seat.out = true; }),
  returned: (view, event) => at(view, event, (seat) => { seat.out = false; }),
  rested: (view) => goesOn(view, "waiting", null),
  paused: (view) => { view.paused = true; },
  resumed: (view) => { view.paused = false; },
  closing: (view) => { view.closing = true; },
  closed: (view) => {
    view.closed = true;
    goesOn(view, "waiting", null);
  },

  round_opened: (view, { round, protocol, commitment, opened_at = null, key = null, signature = null, secret = null }) => {
    view.round = { ...newRound(round, commitment), protocol, opened_at, key, signature, secret };
    view.seats = view.seats.map(({ seat, player, out, leaving }) => ({ ...newSeat(seat, player), out, leaving }));
  },
  bank_offered: (view, { seat, until }) => {
    goesOn(view, "offering", until);
    view.offered = seat;
  },
  bank_passed: (view, { seat }) => inRound(view, (round) => { round.passed.push(seat); }),
  // A feed recorded before 0.2.0 does not say what the bank still covers.
  bank_taken: (view, { seat, cents, bank }) => inRound(view, (round) => {
    round.bank = bank ?? /** @type {RoundView["bank"]} */ ({ seat, covers_cents: cents });
  }),
  bank_given_back: (view) => {
    inRound(view, (round) => Object.assign(round, { bank: null, pile: null }));
    for (const seat of view.seats) seat.ready = false;
  },
  pile_picked: (view, { pile }) => inRound(view, (round) => { round.pile = pile; }),
  wagers_opened: (view, { until }) => goesOn(view, "wagers", until),
  wagered: (view, event) => {
    at(view, event, (seat) => {
      seat.wagers[event.wager] = { cents: event.cents, color: event.color, ...(event.button ? { button: true } : {}) };
      seat.ready = false;
    });
    bankIs(view, event);
  },
  cleared: (view, event) => {
    at(view, event, (seat) => {
      delete seat.wagers[event.wager];
      seat.ready = false;
    });
    bankIs(view, event);
  },
  bytes_added: (view, { seat, bytes }) => inRound(view, (round) => { round.bytes[seat] = bytes; }),
  committed: (view, { seat, commitment }) => inRound(view, (round) => { round.commitments[seat] = commitment; }),
  ready: (view, event) => at(view, event, (seat) => { seat.ready = true; }),
  wagers_closed: (view, { commitments, signature, until }) => {
    goesOn(view, "revealing", until);
    inRound(view, (round) => Object.assign(round, { commitments: { ...commitments }, closed_signature: signature }));
  },
  revealed: (view, { seat, bytes }) => inRound(view, (round) => { round.bytes[seat] = bytes; }),

  dealt: (view, { dice, until, seats, hands, dealer, silent }) => {
    goesOn(view, "settings", until);
    for (const seat of seats) at(view, { seat }, (sitting) => { sitting.hand = newHand(hands?.[seat]); });
    inRound(view, (round) => {
      round.dice = dice;
      round.silent = silent ?? [];
      round.dealer = view.facts.dealer_hand ? newHand(dealer) : null;
    });
  },
  hand_set: (view, event) => at(view, event, (seat) => {
    const { low = null, high = null, foul = null, by } = event;
    seat.hand = { cards: seat.hand?.cards ?? null, low, high, foul, set: true, by };
  }),
  settled: (view, event) => {
    isOver(view, event);
    view.last_bank = event.last_bank;
    inRound(view, (round) => Object.assign(round, { lines: event.settlement, net_cents: event.net_cents, settled_at: event.settled_at },
      event.steps?.length ? { steps: event.steps } : {}));
  },
  round_voided: (view, event) => {
    isOver(view, event);
    view.last_bank = event.last_bank;
    // A settled round that is void has no settlement any more.
    inRound(view, (round) => {
      delete round.lines;
      delete round.steps;
      delete round.settled_at;
      Object.assign(round, { voided: event.reason, net_cents: null });
    });
  },
  round_abandoned: (view, event) => isOver(view, event),
  // What the house says changes nothing.
  noticed: () => {},
};

/** The round is over: everything of it is shown. @param {View} view @param {{ secret: string | null, until: number, hands?: Record<string, HandView>, dealer?: HandView | null }} event */
function isOver(view, { secret, until, hands, dealer }) {
  goesOn(view, "between", until);
  for (const seat of view.seats) seat.hand = hands?.[seat.seat] ?? null;
  inRound(view, (round) => Object.assign(round, { secret, dealer: dealer ?? null }));
}

/** The seats of the viewer; the first is the one a view names. @param {View} view @param {number[]} yours */
function own(view, yours) {
  view.you = yours[0] ?? null;
  if (yours.length > 0) view.yours = yours;
  else delete view.yours;
}

/** @param {View} view @param {import("./view-types.js").Phase} phase @param {number | null} until */
function goesOn(view, phase, until) {
  Object.assign(view, { phase, until, offered: null });
}

/** @param {View} view @param {{ seat: number }} event @param {(seat: SeatView) => void} change */
function at(view, event, change) {
  const seat = view.seats.find((sitting) => sitting.seat === event.seat);
  if (seat) change(seat);
}

/** What a bank still covers, after a wager against it. @param {View} view @param {{ bank?: RoundView["bank"] }} event */
function bankIs(view, { bank }) {
  if (bank) inRound(view, (round) => { round.bank = bank; });
}

/** @param {View} view @param {(round: RoundView) => void} change */
function inRound(view, change) {
  if (view.round) change(view.round);
}

/** @param {number} seat @param {string} player @returns {SeatView} */
function newSeat(seat, player) {
  return { seat, player, out: false, leaving: false, ready: false, wagers: {}, hand: null };
}

/** @param {number} round @param {string} commitment @returns {RoundView} */
function newRound(round, commitment) {
  return {
    round, protocol: 1, commitment, opened_at: null, key: null, signature: null, commitments: {}, closed_signature: null, silent: [], secret: null, passed: [], bank: null, pile: null, bytes: {}, dice: null, dealer: null, net_cents: null,
  };
}

/** @param {string | null} [cards] @returns {HandView} */
function newHand(cards) {
  return { cards: cards ?? null, low: null, high: null, foul: null, set: false, by: null };
}
