//! A table: its state.

mod apply;
mod rules;
mod same;
mod secrets;

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
use std::collections::BTreeMap;
use std::sync::Arc;

/// A table.
#[derive(Clone)]
pub struct Table {
    pub(crate) config: Arc<Config>,
    pub(crate) table_rules: Arc<TableRules>,
    opened_with: OpenedWith,
    /// Secrets and signatures of its rounds. Without keys its rounds are of version 1 of fair deals.
    keys: Option<Arc<dyn RoundKeys>>,
    pub(crate) seats: BTreeMap<u8, SeatState>,
    /// How much those have changed since the last round began who have got up again.
    pub(crate) gone: BTreeMap<PlayerId, u16>,
    pub(crate) phase: TablePhase,
    pub(crate) round: Option<RoundState>,
    /// How many rounds have begun.
    pub(crate) rounds: u64,
    /// How many holds were ever placed: their names go on from there.
    pub(crate) holds: u64,
    pub(crate) last_bank: Option<LastBank>,
    pub(crate) paused: bool,
    pub(crate) closing: bool,
    pub(crate) closed: bool,
}

/// The rules a table was opened with.
#[derive(Clone, PartialEq, Eq, Debug)]
struct OpenedWith {
    /// Of the rules, in this form.
    digest: Arc<str>,
    form: RulesForm,
    /// Of the program.
    version: Arc<str>,
    /// How the rules at hand compare with them.
    rules: RulesMatch,
}

/// How the rules at hand compare with those a table was opened with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RulesMatch {
    /// They are the same.
    Same,
    /// Version 0.0.0 opened the table with a digest of sentences that cannot be made any more.
    Unverified,
    /// They are the same, and have the house pay for a bank that cannot: no table is played by them any more.
    Retired,
    /// They are others.
    Different,
}

impl RulesMatch {
    /// Compares the digest that a table was opened with, made of rules in this form, with the digest of the rules at hand.
    pub fn of(opened: &str, form: RulesForm, config: &Config, digest: &str) -> RulesMatch {
        let same = match form {
            RulesForm::CANONICAL => Some(opened == digest),
            // The digest of version 0.0.0 left out the rules of side wagers, so it says nothing about a book with changed values.
            RulesForm::SENTENCES if config.changes.is_empty() => {
                legacy::canonical_digest(opened, &config.book).map(|opened| opened == digest)
            }
            RulesForm::SENTENCES => None,
            // A form of a later program.
            RulesForm(_) => Some(false),
        };
        match same {
            Some(true) => RulesMatch::Same,
            Some(false) => RulesMatch::Different,
            None => RulesMatch::Unverified,
        }
    }
}

/// A player at a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SeatState {
    pub(crate) player: PlayerId,
    pub(crate) out: bool,
    pub(crate) leaving: bool,
    /// For how many rounds running it has wagered nothing.
    pub(crate) missed: u8,
    /// The first round it can take part in: what lies at the seat from before is not its own.
    pub(crate) first_round: u64,
    /// How much it has changed since the last round began.
    pub(crate) changes: u16,
    /// When the wagers were opened with which it last paid for playing time.
    pub(crate) time_paid: Option<Time>,
}

/// Who banked in the round settled last. It is a person who may not bank too long (CA-7), and a place from which the bank goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LastBank {
    pub(crate) player: PlayerId,
    pub(crate) seat: u8,
    /// For how many rounds running. It stays at the most it can count: the limits of books are far below.
    pub(crate) rounds: u8,
}

/// How far a table has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablePhase {
    /// Nobody plays.
    Waiting,
    /// The bank is offered.
    Offering {
        /// To whom.
        seat: u8,
        /// Until when.
        until: Time,
    },
    /// Wagers are open.
    Wagers {
        /// Until when.
        until: Time,
    },
    /// Wagers are closed, and seats reveal their bytes.
    Revealing {
        /// Until when.
        until: Time,
    },
    /// Hands are being set.
    Settings {
        /// Until when.
        until: Time,
    },
    /// The round is over.
    Between {
        /// When the next one begins.
        until: Time,
    },
}

/// A round at a table.
#[derive(Clone)]
pub(crate) struct RoundState {
    pub(crate) number: u64,
    /// The secret; `None` while it is not shown and its key is not at hand.
    pub(crate) secret: Option<Secret>,
    pub(crate) commitment: Commitment,
    /// How the secret is derived, in version 2 of fair deals.
    pub(crate) derived: Option<Derivation>,
    /// Commitments of seats to their bytes. Once wagers are closed they are fixed.
    pub(crate) commitments: BTreeMap<u8, Commitment>,
    /// The signature of the commitments, once wagers are closed.
    pub(crate) closed: Option<Signature>,
    /// The shuffle, once hands are dealt and the secret is known; of version 2 alone.
    pub(crate) shuffle: Option<Arc<Shuffle>>,
    /// Low hands that players have set before the secret was known, as positions in their packets.
    pub(crate) positions: BTreeMap<u8, [u8; 2]>,
    /// Seats the bank was offered to in vain.
    pub(crate) passed: Vec<u8>,
    pub(crate) bank: Option<BankHold>,
    /// The pile the bank has picked.
    pub(crate) pile: Option<u8>,
    pub(crate) wagers: BTreeMap<(u8, String), PlacedWager>,
    pub(crate) bytes: BTreeMap<u8, SeatBytes>,
    pub(crate) ready: Vec<u8>,
    /// The round by the rules, once hands are dealt.
    pub(crate) dealt: Option<Round>,
    pub(crate) dice: u8,
    pub(crate) set_by: BTreeMap<u8, SetBy>,
    /// The settlement as it is stored.
    pub(crate) lines: Option<Arc<[LineRecord]>>,
    /// When it was settled.
    pub(crate) settled_at: Option<Time>,
    pub(crate) over: bool,
    /// Why it is void, if it is.
    pub(crate) voided: Option<VoidReason>,
    /// Who had banked before it was settled.
    pub(crate) bank_before: Option<LastBank>,
    /// When wagers were opened.
    pub(crate) wagers_from: Option<Time>,
    /// The seats that have paid for playing time in this round, with when they had before.
    pub(crate) time_paid_before: Vec<(u8, Option<Time>)>,
}

/// The bank a seat has taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BankHold {
    pub(crate) seat: u8,
    pub(crate) cents: u64,
    /// Held with it for the house's fees.
    pub(crate) fee_cents: u64,
    pub(crate) hold: TransferId,
}

/// A wager that lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlacedWager {
    pub(crate) cents: u64,
    /// Held with it for the house's fee.
    pub(crate) fee_cents: u64,
    pub(crate) color: Option<ColorName>,
    pub(crate) hold: TransferId,
}

/// A stored event that does not fit what came before it: the log is not what this table wrote.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the event does not fit: {0}")]
pub struct InvalidEvent(pub String);

/// How long seats have to reveal their bytes, in milliseconds. It is part of version 2 of fair deals.
pub(crate) const REVEAL_MS: u64 = 3_000;

/// The name of the base game among wagers.
pub(crate) const BASE_GAME: &str = "pai-gow";

impl BankHold {
    /// All that is held: what is put up, and the fees.
    pub(crate) const fn held(&self) -> u64 {
        self.cents + self.fee_cents
    }
}

impl PlacedWager {
    /// All that is held: the stake, and the fee.
    pub(crate) const fn held(&self) -> u64 {
        self.cents + self.fee_cents
    }
}

impl SeatState {
    fn change(&mut self) {
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
    /// The table of a first event and the rules it names.
    ///
    /// # Errors
    /// The event is another.
    pub fn open(first: &TableEvent, table_rules: Arc<TableRules>) -> Result<Table, InvalidEvent> {
        let TableEvent::Opened { config, rules, form, version } = first else {
            return Err(InvalidEvent("a table begins with being opened".to_owned()));
        };
        if *form == RulesForm::SENTENCES && version != legacy::VERSION {
            return Err(InvalidEvent(format!("version {version} names the form of its rules")));
        }
        Ok(Table {
            config: Arc::new(config.clone()),
            table_rules,
            opened_with: OpenedWith {
                digest: rules.as_str().into(),
                form: *form,
                version: version.as_str().into(),
                rules: RulesMatch::Same,
            },
            keys: None,
            seats: BTreeMap::new(),
            gone: BTreeMap::new(),
            phase: TablePhase::Waiting,
            round: None,
            rounds: 0,
            holds: 0,
            last_bank: None,
            paused: false,
            closing: false,
            closed: false,
        })
    }

    /// Compares the rules with those the table was opened with, by their digest ([`TableRules::digest`]). Unless they are the same,
    /// the table is not played at, and they are not asked about what has happened there: the house may void the round and
    /// close it, so that all money goes back.
    #[must_use]
    pub fn held_to(mut self, digest: &str) -> Table {
        let OpenedWith { digest: opened, form, .. } = &self.opened_with;
        self.opened_with.rules = match RulesMatch::of(opened, *form, &self.config, digest) {
            RulesMatch::Same if self.table_rules.book().guarantees_banks() => RulesMatch::Retired,
            found => found,
        };
        self
    }

    /// How the rules compare with those it was opened with.
    pub fn rules_match(&self) -> RulesMatch {
        self.opened_with.rules
    }

    /// The same table, its rules taken for those it was opened with: for an audit of a table whose rules are
    /// [unverified](RulesMatch::Unverified) or [retired](RulesMatch::Retired), which finds out whether everything stored follows
    /// from them.
    #[must_use]
    pub fn assume_rules_match(mut self) -> Table {
        self.opened_with.rules = RulesMatch::Same;
        self
    }

    /// The digest of the rules it was opened with.
    pub fn opened_with(&self) -> &str {
        &self.opened_with.digest
    }

    /// The form that the digest of its rules was made of.
    pub fn rules_form(&self) -> RulesForm {
        self.opened_with.form
    }

    /// The version of the program it was opened with.
    pub fn opened_by(&self) -> &str {
        &self.opened_with.version
    }

    /// Whether the rules are others than those it was opened with, cannot be compared with them, or are played no more.
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

    /// Its name.
    pub fn id(&self) -> &TableId {
        &self.config.table
    }

    /// What it was opened with.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The rules it plays by.
    pub fn table_rules(&self) -> &Arc<TableRules> {
        &self.table_rules
    }

    /// How far it has come.
    pub fn phase(&self) -> TablePhase {
        self.phase
    }

    /// Whether it is closed.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Who sits where.
    pub fn players(&self) -> impl Iterator<Item = (u8, &PlayerId)> {
        self.seats.iter().map(|(seat, sitting)| (*seat, &sitting.player))
    }

    /// The seats a player has.
    pub fn seats_of(&self, player: &PlayerId) -> impl Iterator<Item = u8> {
        self.players().filter(move |(_, other)| *other == player).map(|(seat, _)| seat)
    }

    /// How much a player has changed since the last round began, at all seats together and at those given up.
    pub(crate) fn changes_of(&self, player: &PlayerId) -> u16 {
        let here = self.seats.values().filter(|sitting| sitting.player == *player);
        let changes = here.map(|sitting| sitting.changes).chain(self.gone.get(player).copied());
        changes.fold(0, u16::saturating_add)
    }

    /// The number of the round that goes on or was the last.
    pub fn round_number(&self) -> u64 {
        self.rounds
    }

    /// The holds that are open: what the table's escrow must have.
    pub fn open_holds(&self) -> impl Iterator<Item = (&TransferId, u64)> {
        let round = self.round.iter().filter(|round| !round.over);
        round.flat_map(|round| {
            let wagers = round.wagers.values().map(|placed| (&placed.hold, placed.held()));
            wagers.chain(round.bank.iter().map(|bank| (&bank.hold, bank.held())))
        })
    }

    /// When something is due that the clock must see to.
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

    /// When the clock must act, seen from `now`. A deadline out of reach counts as a deadline at the end of a whole phase from `now`.
    pub fn due_from(&self, now: Time) -> Option<Time> {
        let whole = now.plus(self.phase_ms());
        self.due().map(|due| if self.is_out_of_reach(due, now) { whole } else { due })
    }

    /// Whether a deadline is further away than its whole phase lasts: the clock that set it was ahead. Without this rule the table would
    /// wait until time gets there.
    pub(crate) fn is_out_of_reach(&self, until: Time, now: Time) -> bool {
        until > now.plus(self.phase_ms())
    }

    /// How long the whole phase lasts, in milliseconds.
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

    /// Whether nothing is left to do at the table but to close it.
    pub(crate) fn only_closes(&self) -> bool {
        self.closing && matches!(self.phase, TablePhase::Waiting | TablePhase::Between { .. })
    }

    /// The seats that take part in rounds.
    pub(crate) fn active(&self) -> impl Iterator<Item = u8> {
        self.seats.iter().filter(|(_, sitting)| !sitting.out && !sitting.leaving).map(|(seat, _)| *seat)
    }

    /// The seats that let rounds pass and are not about to be free, and who sits there.
    pub fn out(&self) -> impl Iterator<Item = (u8, &PlayerId)> {
        let out = self.seats.iter().filter(|(_, sitting)| sitting.out && !sitting.leaving);
        out.map(|(seat, sitting)| (*seat, &sitting.player))
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

    /// The version of fair deals.
    pub(crate) const fn protocol(&self) -> u8 {
        if self.derived.is_some() { 2 } else { 1 }
    }

    /// The seats that did not reveal their bytes, once hands are dealt.
    pub(crate) fn silent(&self) -> Vec<u8> {
        let silent = self.commitments.keys().filter(|seat| !self.bytes.contains_key(seat));
        silent.filter(|_| self.dice > 0).copied().collect()
    }

    /// Whether it is settled, and still stands.
    pub(crate) fn is_settled(&self) -> bool {
        self.lines.is_some() && self.voided.is_none()
    }

    /// Whether a seat has a base wager, or banks.
    pub(crate) fn plays(&self, seat: u8) -> bool {
        self.wagers.contains_key(&(seat, BASE_GAME.to_owned()))
            || self.bank.as_ref().is_some_and(|bank| bank.seat == seat)
    }

    /// The seats that were dealt a hand and have not set it.
    pub(crate) fn unset(&self) -> Vec<u8> {
        let Some(deal) = self.dealt.as_ref().and_then(Round::deal) else { return Vec::new() };
        let dealt = (1..).zip(deal.hands).filter(|(_, hand)| hand.is_some()).map(|(seat, _)| seat);
        dealt.filter(|seat| !self.set_by.contains_key(seat)).collect()
    }
}
