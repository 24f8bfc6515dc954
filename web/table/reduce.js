// The reducer that applies events to the view of a table, for playing, watching and replaying.
// Port of `View::apply` of the paigow-table crate.

/**
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").SeatView} SeatView
 * @typedef {import("./view-types.js").RoundView} RoundView
 * @typedef {import("./view-types.js").HandView} HandView
 * @typedef {import("./view-types.js").SeenEvent} SeenEvent
 */

/** The base wager. */
export const BASE = "pai-gow";

/** Returns the view after an event. Does not change the view before it. @param {View} before @param {SeenEvent} event @returns {View} */
export function reduce(before, event) {
  const view = structuredClone(before);
  // A newer server may send events that this page does not know.
  const apply = /** @type {((view: View, event: SeenEvent) => void) | undefined} */ (HANDLERS[event.event]);
  apply?.(view, event);
  return view;
}

/** One handler for each event of the protocol. @type {{ [Name in SeenEvent["event"]]: (view: View, event: Extract<SeenEvent, { event: Name }>) => void }} */
const HANDLERS = {
  opened: (view, { table, book, currency, facts }) => Object.assign(view, { table, book, currency, facts }),
  sat: (view, { seat, player }) => {
    view.seats.push(newSeat(seat, player));
    view.seats.sort((one, other) => one.seat - other.seat);
    if (view.player === player) setViewerSeats(view, [...view.yours ?? [], seat].sort((one, other) => one - other));
  },
  leaving: (view, event) => updateSeat(view, event, (seat) => { seat.leaving = true; }),
  stood: (view, { seat }) => {
    // A seat given up before wagers close loses its commitment.
    if (view.phase === "wagers" || view.phase === "offering") updateRound(view, (round) => { delete round.commitments[seat]; });
    view.seats = view.seats.filter((sitting) => sitting.seat !== seat);
    setViewerSeats(view, (view.yours ?? []).filter((other) => other !== seat));
  },
  sat_out: (view, event) => updateSeat(view, event, (seat) => { seat.out = true; }),
  returned: (view, event) => updateSeat(view, event, (seat) => { seat.out = false; }),
  rested: (view) => {
    setPhase(view, "waiting", null);
    forgetNextRound(view);
  },
  paused: (view) => { view.paused = true; },
  resumed: (view) => { view.paused = false; },
  closing: (view) => { view.closing = true; },
  closed: (view) => {
    view.closed = true;
    setPhase(view, "waiting", null);
  },

  round_opened: (view, { round, protocol, commitment, opened_at = null, key = null, signature = null, secret = null }) => {
    view.round = { ...newRound(round, commitment), protocol, opened_at, key, signature, secret };
    view.seats = view.seats.map(({ seat, player, out, leaving }) => ({ ...newSeat(seat, player), out, leaving }));
  },
  bank_offered: (view, { seat, until }) => {
    setPhase(view, "offering", until);
    view.offered = seat;
  },
  bank_passed: (view, { seat }) => updateRound(view, (round) => { round.passed.push(seat); }),
  // Feeds recorded before 0.2.0 lack the remaining cover.
  bank_taken: (view, { seat, cents, bank }) => updateRound(view, (round) => {
    round.bank = bank ?? /** @type {RoundView["bank"]} */ ({ seat, covers_cents: cents });
  }),
  bank_given_back: (view) => {
    updateRound(view, (round) => Object.assign(round, { bank: null, pile: null }));
    for (const seat of view.seats) seat.ready = false;
  },
  pile_picked: (view, { pile }) => updateRound(view, (round) => { round.pile = pile; }),
  wagers_opened: (view, { until }) => setPhase(view, "wagers", until),
  wagered: (view, event) => {
    updateSeat(view, event, (seat) => {
      seat.wagers[event.wager] = { cents: event.cents, color: event.color, ...(event.button ? { button: true } : {}) };
      seat.ready = false;
    });
    updateBank(view, event);
  },
  cleared: (view, event) => {
    updateSeat(view, event, (seat) => {
      delete seat.wagers[event.wager];
      seat.ready = false;
    });
    updateBank(view, event);
  },
  bytes_added: (view, { seat, bytes }) => updateRound(view, (round) => { round.bytes[seat] = bytes; }),
  committed: (view, { seat, commitment }) => updateRound(view, (round) => { round.commitments[seat] = commitment; }),
  ready: (view, event) => updateSeat(view, event, (seat) => {
    if (view.phase === "between") seat.next = true;
    else seat.ready = true;
  }),
  wagers_closed: (view, { commitments, signature, until }) => {
    setPhase(view, "revealing", until);
    updateRound(view, (round) => Object.assign(round, { commitments: { ...commitments }, closed_signature: signature }));
  },
  revealed: (view, { seat, bytes }) => updateRound(view, (round) => { round.bytes[seat] = bytes; }),

  dealt: (view, { dice, until, seats, hands, dealer, silent }) => {
    setPhase(view, "settings", until);
    for (const seat of seats) updateSeat(view, { seat }, (sitting) => { sitting.hand = newHand(hands?.[seat]); });
    updateRound(view, (round) => {
      round.dice = dice;
      round.silent = silent ?? [];
      round.dealer = view.facts.dealer_hand ? newHand(dealer) : null;
    });
  },
  hand_set: (view, event) => updateSeat(view, event, (seat) => {
    const { low = null, high = null, foul = null, by } = event;
    seat.hand = { cards: seat.hand?.cards ?? null, low, high, foul, set: true, by };
  }),
  settled: (view, event) => {
    endRound(view, event);
    view.last_bank = event.last_bank;
    updateRound(view, (round) => Object.assign(round, { lines: event.settlement, net_cents: event.net_cents, settled_at: event.settled_at },
      event.steps?.length ? { steps: event.steps } : {}));
  },
  round_voided: (view, event) => {
    endRound(view, event);
    forgetNextRound(view);
    view.last_bank = event.last_bank;
    // A round voided after its settlement loses the settlement.
    updateRound(view, (round) => {
      delete round.lines;
      delete round.steps;
      delete round.settled_at;
      Object.assign(round, { voided: event.reason, net_cents: null });
    });
  },
  round_abandoned: (view, event) => endRound(view, event),
  // A message of the house does not change the view.
  noticed: () => {},
};

/** Ends the round and shows all hands and the secret. @param {View} view @param {{ secret: string | null, until: number, hands?: Record<string, HandView>, dealer?: HandView | null }} event */
function endRound(view, { secret, until, hands, dealer }) {
  setPhase(view, "between", until);
  for (const seat of view.seats) seat.hand = hands?.[seat.seat] ?? null;
  updateRound(view, (round) => Object.assign(round, { secret, dealer: dealer ?? null }));
}

/** Clears the seats' requests for the next round. @param {View} view */
function forgetNextRound(view) {
  for (const seat of view.seats) delete seat.next;
}

/** Sets the seats of the viewer. `you` is the first of them. @param {View} view @param {number[]} yours */
function setViewerSeats(view, yours) {
  view.you = yours[0] ?? null;
  if (yours.length > 0) view.yours = yours;
  else delete view.yours;
}

/** @param {View} view @param {import("./view-types.js").Phase} phase @param {number | null} until */
function setPhase(view, phase, until) {
  Object.assign(view, { phase, until, offered: null });
}

/** @param {View} view @param {{ seat: number }} event @param {(seat: SeatView) => void} change */
function updateSeat(view, event, change) {
  const seat = view.seats.find((sitting) => sitting.seat === event.seat);
  if (seat) change(seat);
}

/** Updates the cover of the bank after a wager. @param {View} view @param {{ bank?: RoundView["bank"] }} event */
function updateBank(view, { bank }) {
  if (bank) updateRound(view, (round) => { round.bank = bank; });
}

/** @param {View} view @param {(round: RoundView) => void} change */
function updateRound(view, change) {
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
