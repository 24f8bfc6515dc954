//! State of a table.

mod apply;
mod checkpoint;
mod rules;
mod same;
mod secrets;

pub use checkpoint::{Checkpoint, InvalidCheckpoint};
pub(crate) use rules::{cards_of, set_action};

use crate::command::ColorName;
use crate::event::{RulesForm, SetBy};
use crate::legacy;
use crate::{
    Commitment, Config, Derivation, LineRecord, Owner, PlayerId, RoundKeys, SeatBytes, Secret, Signature,
    TableEvent, TableId, Time, TransferId, VoidReason,
};
use paigow::rulebook::Rotation;
use paigow::{Color, Round, Shuffle, TableRules};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A table and its state.
#[derive(Clone)]
pub struct Table {
    pub(crate) config: Arc<Config>,
    pub(crate) table_rules: Arc<TableRules>,
    opened_with: OpenedWith,
    /// Source of secrets and signatures. Without keys, new rounds use version 1 of the fair-deal protocol.
    keys: Option<Arc<dyn RoundKeys>>,
    pub(crate) seats: BTreeMap<u8, SeatState>,
    /// Number of events caused since the last round opened by players at seats that they have left.
    pub(crate) departed_changes: BTreeMap<PlayerId, u16>,
    pub(crate) phase: TablePhase,
    pub(crate) round: Option<RoundState>,
    /// Number of rounds opened so far.
    pub(crate) rounds: u64,
    /// Version of the fair-deal protocol of the last round opened, or 0 before the first. A restored table has it without
    /// the round.
    protocol: u8,
    /// Number of holds placed so far. The next hold's id contains the next number.
    pub(crate) holds: u64,
    pub(crate) last_bank: Option<LastBank>,
    pub(crate) paused: bool,
    pub(crate) closing: bool,
    pub(crate) closed: bool,
}

/// The rules a table was opened with.
#[derive(Clone, PartialEq, Eq, Debug)]
struct OpenedWith {
    /// Digest of the rules.
    digest: Arc<str>,
    /// Form of the rules that was hashed.
    form: RulesForm,
    /// Version of the program that opened the table.
    version: Arc<str>,
    /// Result of comparing the loaded rules with them.
    rules: RulesMatch,
    /// Whether an event contradicted rules that could not be compared.
    contradicted: bool,
}

/// Result of comparing the loaded rules with the rules that a table was opened with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RulesMatch {
    /// The rules are the same.
    Same,
    /// Unknown: version 0.0.0 opened the table with a digest of sentences that can no longer be generated.
    Unverified,
    /// The rules are the same, but they have the house pay for a bank that cannot. Tables with such rules are no longer
    /// played.
    Retired,
    /// The rules differ.
    Different,
}

impl RulesMatch {
    /// Compares `opened`, the digest of the rules in this form that a table was opened with, with the digest of the
    /// loaded rules.
    pub fn of(opened: &str, form: RulesForm, config: &Config, digest: &str) -> RulesMatch {
        let same = match form {
            RulesForm::CANONICAL => Some(opened == digest),
            // The digest of version 0.0.0 omits the rules of side wagers, so it cannot verify a book with overridden
            // values.
            RulesForm::SENTENCES if config.changes.is_empty() => {
                legacy::canonical_digest(opened, &config.book).map(|opened| opened == digest)
            }
            RulesForm::SENTENCES => None,
            // A form that a later program introduced.
            RulesForm(_) => Some(false),
        };
        match same {
            Some(true) => RulesMatch::Same,
            Some(false) => RulesMatch::Different,
            None => RulesMatch::Unverified,
        }
    }
}

/// State of a taken seat. Its fields are part of a [`Checkpoint`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatState {
    pub(crate) player: PlayerId,
    pub(crate) out: bool,
    pub(crate) leaving: bool,
    /// Whether the player asked for the next round, between two rounds.
    pub(crate) next: bool,
    /// Number of consecutive rounds without a base wager or the bank.
    pub(crate) missed: u8,
    /// First round that the player can take part in. Wagers and hands of earlier rounds at the seat belong to another
    /// player.
    pub(crate) first_round: u64,
    /// Number of events caused since the last round opened.
    pub(crate) changes: u16,
    /// Time at which wagers opened in the round in which the seat last paid the fee for playing time.
    pub(crate) time_paid: Option<Time>,
}

/// Banker of the round settled last. The limit of consecutive rounds (CA-7) applies to the player, and the bank rotates
/// from the seat. Its fields are part of a [`Checkpoint`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LastBank {
    pub(crate) player: PlayerId,
    pub(crate) seat: u8,
    /// Number of consecutive rounds. The counter saturates, far above the limit of any book.
    pub(crate) rounds: u8,
}

/// Phase of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablePhase {
    /// No round is in progress, and no deadline is set.
    Waiting,
    /// The bank is offered to a seat.
    Offering {
        /// The seat.
        seat: u8,
        /// Deadline to take the bank.
        until: Time,
    },
    /// Wagers are open.
    Wagers {
        /// Time at which wagers close.
        until: Time,
    },
    /// Wagers are closed, and seats reveal their bytes.
    Revealing {
        /// Deadline to reveal.
        until: Time,
    },
    /// Players set their hands.
    Settings {
        /// Deadline to set hands.
        until: Time,
    },
    /// The round is over.
    Between {
        /// Time at which the next round opens.
        until: Time,
    },
}

/// State of a round.
#[derive(Clone)]
pub(crate) struct RoundState {
    pub(crate) number: u64,
    /// The secret. `None` if it is not revealed yet and its key is not available.
    pub(crate) secret: Option<Secret>,
    pub(crate) commitment: Commitment,
    /// Derivation of the secret, in protocol version 2.
    pub(crate) derived: Option<Derivation>,
    /// Commitments of seats to their bytes. They are fixed once wagers are closed.
    pub(crate) commitments: BTreeMap<u8, Commitment>,
    /// Signature of the commitments, once wagers are closed.
    pub(crate) closed: Option<Signature>,
    /// The shuffle, once hands are dealt and the secret is known. Not set if the event contains the cards (protocol
    /// version 1).
    pub(crate) shuffle: Option<Arc<Shuffle>>,
    /// Low hands that players have set, as positions in their packets (protocol version 2).
    pub(crate) positions: BTreeMap<u8, [u8; 2]>,
    /// Seats that passed the bank.
    pub(crate) passed: Vec<u8>,
    pub(crate) bank: Option<BankHold>,
    /// Pile that the banker picked.
    pub(crate) pile: Option<u8>,
    pub(crate) wagers: BTreeMap<(u8, String), PlacedWager>,
    pub(crate) bytes: BTreeMap<u8, SeatBytes>,
    pub(crate) ready: Vec<u8>,
    /// State of the round by the rules of the game, once hands are dealt.
    pub(crate) dealt: Option<Round>,
    /// Number chosen by the dice. 0 until hands are dealt.
    pub(crate) dice: u8,
    pub(crate) set_by: BTreeMap<u8, SetBy>,
    /// Stored lines of the settlement.
    pub(crate) lines: Option<Arc<[LineRecord]>>,
    /// Time of the settlement.
    pub(crate) settled_at: Option<Time>,
    pub(crate) over: bool,
    /// Reason for the void, if the round is void.
    pub(crate) voided: Option<VoidReason>,
    /// Value of `Table::last_bank` before the settlement, to restore if the round is voided.
    pub(crate) bank_before: Option<LastBank>,
    /// Time at which wagers opened.
    pub(crate) wagers_from: Option<Time>,
    /// Seats that paid the fee for playing time in this round, each with its previous `SeatState::time_paid`.
    pub(crate) time_paid_before: Vec<(u8, Option<Time>)>,
}

/// Bank of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BankHold {
    pub(crate) seat: u8,
    pub(crate) cents: u64,
    /// Cents held with the cover for collection fees.
    pub(crate) fee_cents: u64,
    pub(crate) hold: TransferId,
}

/// A placed wager.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlacedWager {
    pub(crate) cents: u64,
    /// Cents held with the stake for the collection fee.
    pub(crate) fee_cents: u64,
    pub(crate) color: Option<ColorName>,
    pub(crate) hold: TransferId,
}

/// An event that does not fit the table's state, so this table cannot have written the log.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the event does not fit: {0}")]
pub struct InvalidEvent(pub String);

/// Time for seats to reveal their bytes, in milliseconds. Protocol version 2 fixes it.
pub(crate) const REVEAL_MS: u64 = 3_000;

/// Name of the wager on the base game.
pub(crate) const BASE_GAME: &str = "pai-gow";

impl BankHold {
    /// Total of the hold: the cover and the fees.
    pub(crate) const fn held(&self) -> u64 {
        self.cents + self.fee_cents
    }
}

impl PlacedWager {
    /// Total of the hold: the stake and the fee.
    pub(crate) const fn held(&self) -> u64 {
        self.cents + self.fee_cents
    }
}

impl SeatState {
    fn count_change(&mut self) {
        self.changes = self.changes.saturating_add(1);
    }
}

impl From<ColorName> for Color {
    fn from(color: ColorName) -> Color {
        match color {
            ColorName::Red => Color::Red,
            ColorName::Black => Color::Black,
        }
    }
}

impl Table {
    /// Creates a table from its first event, [`TableEvent::Opened`], and its rules.
    ///
    /// # Errors
    /// The event is not `Opened`, or it names no form of its rules although its version must.
    pub fn open(first: &TableEvent, table_rules: Arc<TableRules>) -> Result<Table, InvalidEvent> {
        let TableEvent::Opened { config, rules, form, version } = first else {
            return Err(InvalidEvent("the first event of a table is `opened`".to_owned()));
        };
        if *form == RulesForm::SENTENCES && version != legacy::VERSION {
            return Err(InvalidEvent(format!("version {version} must name the form of its rules")));
        }
        Ok(Table {
            config: Arc::new(config.clone()),
            table_rules,
            opened_with: OpenedWith {
                digest: rules.as_str().into(),
                form: *form,
                version: version.as_str().into(),
                rules: RulesMatch::Same,
                contradicted: false,
            },
            keys: None,
            seats: BTreeMap::new(),
            departed_changes: BTreeMap::new(),
            phase: TablePhase::Waiting,
            round: None,
            rounds: 0,
            protocol: 0,
            holds: 0,
            last_bank: None,
            paused: false,
            closing: false,
            closed: false,
        })
    }

    /// Returns the table with its rules compared: `digest`, that of the loaded rules ([`TableRules::digest`]), with the
    /// digest that the table was opened with. If they differ, the table takes no new commands and does not apply the
    /// rules to stored events. The house may still void the round and close the table, which returns all money.
    #[must_use]
    pub fn with_rules_digest(mut self, digest: &str) -> Table {
        let OpenedWith { digest: opened, form, .. } = &self.opened_with;
        self.opened_with.rules = match RulesMatch::of(opened, *form, &self.config, digest) {
            RulesMatch::Same if self.table_rules.book().guarantees_banks() => RulesMatch::Retired,
            RulesMatch::Unverified if self.opened_with.contradicted => RulesMatch::Different,
            found => found,
        };
        self
    }

    /// Result of comparing the rules with those that the table was opened with.
    pub fn rules_match(&self) -> RulesMatch {
        self.opened_with.rules
    }

    /// Treats the loaded rules as those that the table was opened with. An audit of a table whose rules are
    /// [unverified](RulesMatch::Unverified) or [retired](RulesMatch::Retired) uses this to check whether all stored
    /// events follow from them.
    #[must_use]
    pub fn assume_rules_match(mut self) -> Table {
        self.opened_with.rules = RulesMatch::Same;
        self
    }

    /// Digest of the rules that the table was opened with.
    pub fn opening_rules_digest(&self) -> &str {
        &self.opened_with.digest
    }

    /// Form of the rules that the digest was computed from.
    pub fn rules_form(&self) -> RulesForm {
        self.opened_with.form
    }

    /// Version of the program that opened the table.
    pub fn opening_version(&self) -> &str {
        &self.opened_with.version
    }

    /// Returns whether the rules differ from those that the table was opened with, cannot be compared with them, or are
    /// retired.
    pub fn rules_have_changed(&self) -> bool {
        self.opened_with.rules != RulesMatch::Same
    }

    /// Rotation of the bank. Tables of version 0.0.0 always rotate clockwise, as that version did.
    pub(crate) fn rotation(&self) -> Rotation {
        match self.opened_with.form {
            RulesForm::SENTENCES => Rotation::Clockwise,
            _ => self.table_rules.book().banking.rotation,
        }
    }

    /// Id of the table.
    pub fn id(&self) -> &TableId {
        &self.config.table
    }

    /// Configuration of the table.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Rules of the table.
    pub fn table_rules(&self) -> &Arc<TableRules> {
        &self.table_rules
    }

    /// Phase of the table.
    pub fn phase(&self) -> TablePhase {
        self.phase
    }

    /// Returns whether the table is closed.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Taken seats and their players.
    pub fn players(&self) -> impl Iterator<Item = (u8, &PlayerId)> {
        self.seats.iter().map(|(seat, state)| (*seat, &state.player))
    }

    /// Seats of a player.
    pub fn seats_of(&self, player: &PlayerId) -> impl Iterator<Item = u8> {
        self.players().filter(move |(_, other)| *other == player).map(|(seat, _)| seat)
    }

    /// Number of events caused by a player since the last round opened, at all seats including those left.
    pub(crate) fn changes_of(&self, player: &PlayerId) -> u16 {
        let seats = self.seats.values().filter(|state| state.player == *player);
        let changes = seats.map(|state| state.changes).chain(self.departed_changes.get(player).copied());
        changes.fold(0, u16::saturating_add)
    }

    /// Number of the current round, or of the last one between rounds.
    pub fn round_number(&self) -> u64 {
        self.rounds
    }

    /// Open holds and their amounts in cents. Together they equal the balance of the table's escrow.
    pub fn open_holds(&self) -> impl Iterator<Item = (&TransferId, u64)> {
        let round = self.round.iter().filter(|round| !round.over);
        round.flat_map(|round| {
            let wagers = round.wagers.values().map(|placed| (&placed.hold, placed.held()));
            wagers.chain(round.bank.iter().map(|bank| (&bank.hold, bank.held())))
        })
    }

    /// Returns the cents that a banking seat has put up in the open round, and those of the base wagers against it.
    pub fn seat_bank(&self) -> Option<(u64, u64)> {
        let round = self.round.as_ref().filter(|round| !round.over)?;
        round.bank.as_ref().map(|bank| (bank.cents, self.action(round)))
    }

    /// Returns whether the last round is settled and not voided. It can be voided until the next one opens.
    pub fn is_settled(&self) -> bool {
        self.round.as_ref().is_some_and(RoundState::is_settled)
    }

    /// Deadline of the current phase. `None` if the table is waiting, or if changed rules stop it.
    pub fn due(&self) -> Option<Time> {
        if self.rules_have_changed() && !self.only_closes() {
            return None;
        }
        match self.phase {
            TablePhase::Waiting => None,
            TablePhase::Offering { until, .. }
            | TablePhase::Wagers { until }
            | TablePhase::Revealing { until }
            | TablePhase::Settings { until }
            | TablePhase::Between { until } => Some(until),
        }
    }

    /// Time at which the clock must act. A deadline out of reach is replaced by `now` plus the length of the phase.
    pub fn due_from(&self, now: Time) -> Option<Time> {
        let phase_end = now.plus(self.phase_ms());
        self.due().map(|due| if self.is_out_of_reach(due, now) { phase_end } else { due })
    }

    /// Returns whether a deadline is further away than the length of its phase, because a fast clock set it. Without
    /// this check the table would wait for that time.
    pub(crate) fn is_out_of_reach(&self, until: Time, now: Time) -> bool {
        until > now.plus(self.phase_ms())
    }

    /// Length of the current phase, in milliseconds.
    fn phase_ms(&self) -> u64 {
        let clocks = &self.config.clocks;
        match self.phase {
            TablePhase::Waiting => 0,
            TablePhase::Offering { .. } => clocks.bank,
            TablePhase::Wagers { .. } => clocks.wagers,
            TablePhase::Revealing { .. } => REVEAL_MS,
            TablePhase::Settings { .. } => clocks.settings,
            TablePhase::Between { .. } => clocks.between,
        }
    }

    /// Returns whether closing is the only thing left for the table to do.
    pub(crate) fn only_closes(&self) -> bool {
        self.closing && matches!(self.phase, TablePhase::Waiting | TablePhase::Between { .. })
    }

    /// Seats that are neither sitting out nor leaving.
    pub(crate) fn active(&self) -> impl Iterator<Item = u8> {
        self.seats.iter().filter(|(_, state)| !state.out && !state.leaving).map(|(seat, _)| *seat)
    }

    /// Seats that are sitting out and not leaving, and their players.
    pub fn sitting_out(&self) -> impl Iterator<Item = (u8, &PlayerId)> {
        let out = self.seats.iter().filter(|(_, state)| state.out && !state.leaving);
        out.map(|(seat, state)| (*seat, &state.player))
    }

    /// Seats that play, had neither a base wager nor the bank in the last round, and have neither in the current one,
    /// and their players.
    pub fn missed_last_round(&self) -> impl Iterator<Item = (u8, &PlayerId)> {
        let plays = |seat: u8| self.round.as_ref().is_some_and(|round| round.plays(seat));
        let missed = move |seat: u8, state: &SeatState| {
            !state.out && !state.leaving && state.missed > 0 && !plays(seat)
        };
        self.seats
            .iter()
            .filter(move |(seat, state)| missed(**seat, state))
            .map(|(seat, state)| (*seat, &state.player))
    }

    pub(crate) fn escrow(&self) -> Owner {
        Owner::Escrow(self.config.table.clone())
    }
}

impl RoundState {
    fn new(
        number: u64,
        secret: Option<Secret>,
        commitment: Commitment,
        derived: Option<Derivation>,
    ) -> RoundState {
        RoundState {
            number,
            secret,
            commitment,
            derived,
            commitments: BTreeMap::new(),
            closed: None,
            shuffle: None,
            positions: BTreeMap::new(),
            passed: Vec::new(),
            bank: None,
            pile: None,
            wagers: BTreeMap::new(),
            bytes: BTreeMap::new(),
            ready: Vec::new(),
            dealt: None,
            dice: 0,
            set_by: BTreeMap::new(),
            lines: None,
            settled_at: None,
            over: false,
            voided: None,
            bank_before: None,
            wagers_from: None,
            time_paid_before: Vec::new(),
        }
    }

    /// Version of the fair-deal protocol.
    pub(crate) const fn protocol(&self) -> u8 {
        if self.derived.is_some() { 2 } else { 1 }
    }

    /// Seats that committed to bytes and did not reveal them. Empty until hands are dealt.
    pub(crate) fn silent(&self) -> Vec<u8> {
        let silent = self.commitments.keys().filter(|seat| !self.bytes.contains_key(seat));
        silent.filter(|_| self.dice > 0).copied().collect()
    }

    /// Returns whether the round is settled and not voided.
    pub(crate) fn is_settled(&self) -> bool {
        self.lines.is_some() && self.voided.is_none()
    }

    /// Returns whether a seat has a base wager or the bank.
    pub(crate) fn plays(&self, seat: u8) -> bool {
        self.wagers.contains_key(&(seat, BASE_GAME.to_owned()))
            || self.bank.as_ref().is_some_and(|bank| bank.seat == seat)
    }

    /// Seats that were dealt a hand and have not set it.
    pub(crate) fn unset(&self) -> Vec<u8> {
        let Some(deal) = self.dealt.as_ref().and_then(Round::deal) else { return Vec::new() };
        let dealt = (1..).zip(deal.hands).filter(|(_, hand)| hand.is_some()).map(|(seat, _)| seat);
        dealt.filter(|seat| !self.set_by.contains_key(seat)).collect()
    }
}
