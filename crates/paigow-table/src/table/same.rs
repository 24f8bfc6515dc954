//! Equality of tables, used to compare a replay with the original.

use super::{RoundState, Table};
use paigow::{Round, Seat};

/// Two tables are equal if they have the same configuration and state.
impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        let Table {
            config,
            table_rules: _,
            opened_with,
            keys: _,
            seats,
            departed_changes,
            phase,
            round,
            rounds,
            protocol,
            holds,
            last_bank,
            paused,
            closing,
            closed,
        } = self;
        // The rules follow from the configuration.
        *config == other.config
            && *opened_with == other.opened_with
            && (seats, departed_changes) == (&other.seats, &other.departed_changes)
            && *phase == other.phase
            && *round == other.round
            && (*rounds, *protocol, *holds) == (other.rounds, other.protocol, other.holds)
            && *last_bank == other.last_bank
            && (*paused, *closing, *closed) == (other.paused, other.closing, other.closed)
    }
}

impl PartialEq for RoundState {
    fn eq(&self, other: &RoundState) -> bool {
        let RoundState {
            number,
            secret,
            commitment,
            derived,
            commitments,
            closed,
            // The shuffle follows from the secret.
            shuffle: _,
            positions,
            passed,
            bank,
            pile,
            wagers,
            bytes,
            ready,
            dealt,
            dice,
            set_by,
            lines,
            settled_at,
            over,
            voided,
            bank_before,
            wagers_from,
            time_paid_before,
        } = self;
        // The bank and the wagers of the round by the rules are compared below.
        let same_rules = |one: &Round, other: &Round| {
            one.phase() == other.phase()
                && one.deal() == other.deal()
                && one.dealer_setting() == other.dealer_setting()
                && one.settlement() == other.settlement()
                && Seat::up_to(Seat::COUNT_MAX as u8).all(|seat| one.played(seat) == other.played(seat))
        };
        let same_dealt = match (dealt, &other.dealt) {
            (Some(one), Some(other)) => same_rules(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_dealt
            && (*number, *secret, *commitment) == (other.number, other.secret, other.commitment)
            && (derived, commitments, closed) == (&other.derived, &other.commitments, &other.closed)
            && *positions == other.positions
            && (passed, ready, bank) == (&other.passed, &other.ready, &other.bank)
            && (wagers, bytes, set_by, lines) == (&other.wagers, &other.bytes, &other.set_by, &other.lines)
            && (voided, bank_before) == (&other.voided, &other.bank_before)
            && (wagers_from, time_paid_before) == (&other.wagers_from, &other.time_paid_before)
            && (*dice, *pile, *over) == (other.dice, other.pile, other.over)
            && *settled_at == other.settled_at
    }
}
