//! Views of a table. A view contains only the data that its viewer may see.

mod apply;

use crate::table::{LastBank, RoundState, TablePhase};
use crate::{
    ColorName, Commitment, KeyId, LineView, PlantedFault, PlayerId, SeatBytes, Secret, SetBy, Signature,
    StepView, Table, TableFacts, TableId, Time, VoidReason, planted,
};
use paigow::rulebook::PaysFrom;
use paigow::{Amount, BySeat, Nets, PlayedHand, Round, Seat, SevenCards, SideStake, Stakes, WagerRef};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Viewer of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Viewer {
    /// A player, with or without a seat.
    Player(PlayerId),
    /// A viewer who is not a player.
    Watcher,
    /// An operator of the house, who sees no more cards than a watcher.
    Operator,
    /// An auditor, who sees everything.
    Auditor,
}

/// A table as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)] // the fields are named for what they hold
pub struct View {
    pub table: TableId,
    /// Id of the rule book.
    pub book: String,
    pub currency: String,
    /// Constant properties of the table.
    pub facts: TableFacts,
    pub phase: PhaseName,
    /// Deadline of the phase.
    #[schema(required)]
    pub until: Option<Time>,
    /// Seat that the bank is offered to.
    #[schema(required)]
    pub offered: Option<u8>,
    /// Whether the table is paused and opens no new rounds.
    pub paused: bool,
    /// Whether the table will close after the current round.
    pub closing: bool,
    pub closed: bool,
    /// Viewer, if the viewer is a player.
    #[schema(required)]
    pub player: Option<PlayerId>,
    /// First seat of the viewer.
    #[schema(required)]
    pub you: Option<u8>,
    /// All seats of the viewer. Omitted if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub yours: Vec<u8>,
    /// Banker of the round settled last.
    #[schema(required)]
    pub last_bank: Option<LastBankView>,
    /// Taken seats, in ascending order.
    pub seats: Vec<SeatView>,
    /// Current round, or the last one between rounds.
    #[schema(required)]
    pub round: Option<RoundView>,
}

/// Phase of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // as in `TablePhase`
pub enum PhaseName {
    Waiting,
    Offering,
    Wagers,
    Revealing,
    Settings,
    Between,
}

/// A taken seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)]
#[allow(clippy::struct_excessive_bools)] // independent facts, each a key of the JSON
pub struct SeatView {
    pub seat: u8,
    pub player: PlayerId,
    /// Whether the seat is sitting out.
    pub out: bool,
    /// Whether the player leaves the seat when the round is over.
    pub leaving: bool,
    /// Whether the seat has declared its wagers complete.
    pub ready: bool,
    /// Whether the seat has asked for the next round. Omitted if it has not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub next: bool,
    /// Placed wagers by name.
    pub wagers: BTreeMap<String, WagerView>,
    #[schema(required)]
    pub hand: Option<HandView>,
}

/// A placed wager.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)]
pub struct WagerView {
    pub cents: u64,
    #[schema(required)]
    pub color: Option<ColorName>,
    /// Whether the wager has an Envy button. Omitted if false. The last of `steps` removes the button.
    #[serde(skip_serializing_if = "is_false")]
    pub button: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
pub(crate) const fn is_false(value: &bool) -> bool {
    !*value
}

/// A hand. Its cards are `null` for viewers who may not see them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
#[allow(missing_docs)]
pub struct HandView {
    /// All seven cards.
    #[schema(required)]
    pub cards: Option<String>,
    /// The two cards of the low hand, once set.
    #[schema(required)]
    pub low: Option<String>,
    /// The five cards of the high hand, once set.
    #[schema(required)]
    pub high: Option<String>,
    /// Whether the hand is foul, once set.
    #[schema(required)]
    pub foul: Option<bool>,
    /// Whether the hand is set.
    pub set: bool,
    /// How the hand was set. `null` until then, and for the dealer's hand.
    #[schema(required)]
    pub by: Option<SetBy>,
}

/// The current round, or the last one between rounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)]
pub struct RoundView {
    /// Number of the round, from 1.
    pub round: u64,
    /// Version of the fair-deal protocol: 1 or 2.
    pub protocol: u8,
    /// Commitment of the house to its secret.
    pub commitment: Commitment,
    /// Time at which the round opened, in version 2.
    #[schema(required)]
    pub opened_at: Option<Time>,
    /// Id of the house's key, in version 2.
    #[schema(required)]
    pub key: Option<KeyId>,
    /// Signature of the opening by the house, in version 2.
    #[schema(required)]
    pub signature: Option<Signature>,
    /// Commitments of seats to their bytes. They are fixed once wagers are closed.
    pub commitments: BTreeMap<u8, Commitment>,
    /// Signature of the commitments by the house, once wagers are closed.
    #[schema(required)]
    pub closed_signature: Option<Signature>,
    /// Seats that committed to bytes and did not reveal them. Empty until hands are dealt.
    pub silent: Vec<u8>,
    /// The house's secret, once the round is over.
    #[schema(required)]
    pub secret: Option<Secret>,
    /// Seats that passed the bank.
    pub passed: Vec<u8>,
    /// Bank of a seat. `null` if no seat has the bank.
    #[schema(required)]
    pub bank: Option<BankView>,
    /// Pile that the banker picked, from 1.
    #[schema(required)]
    pub pile: Option<u8>,
    /// Bytes that seats revealed (version 2) or added (version 1).
    pub bytes: BTreeMap<u8, SeatBytes>,
    /// Number chosen by the dice, once hands are dealt.
    #[schema(required)]
    pub dice: Option<u8>,
    /// Hand of the house's dealer.
    #[schema(required)]
    pub dealer: Option<HandView>,
    /// Reason for the void, if the round is void.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voided: Option<VoidReason>,
    /// Net win of each seat that played, once the round is settled. Negative for a loss.
    #[schema(required)]
    pub net_cents: Option<BTreeMap<u8, i64>>,
    /// Lines of the settlement, once the round is settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<LineView>>,
    /// Time of the settlement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<Time>,
    /// Steps of the settlement, once the round is settled and if the rules are available.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepView>,
}

/// The bank of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)]
pub struct BankView {
    pub seat: u8,
    /// Amount that the banker put up.
    pub covers_cents: u64,
    /// Total of base wagers against the bank, including the house's.
    pub action_cents: u64,
    /// Maximum cost of side wagers and envy bonuses, if the book requires a reserve for them.
    #[schema(required)]
    pub reserve_cents: Option<u64>,
    /// Part of the amount put up that neither base wagers nor the reserve need.
    pub left_cents: u64,
}

/// Banker of the round settled last.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)]
pub struct LastBankView {
    pub player: PlayerId,
    pub seat: u8,
    /// Number of consecutive rounds as banker.
    pub rounds: u8,
}

impl SeatView {
    /// Creates a seat without wagers and hand.
    fn new(seat: u8, player: PlayerId) -> SeatView {
        let (out, leaving, ready, next) = (false, false, false, false);
        SeatView { seat, player, out, leaving, ready, next, wagers: BTreeMap::new(), hand: None }
    }
}

impl RoundView {
    /// Creates a round of protocol version 1 that has just opened.
    fn new(round: u64, commitment: Commitment) -> RoundView {
        RoundView {
            round,
            protocol: 1,
            commitment,
            opened_at: None,
            key: None,
            signature: None,
            commitments: BTreeMap::new(),
            closed_signature: None,
            silent: Vec::new(),
            secret: None,
            passed: Vec::new(),
            bank: None,
            pile: None,
            bytes: BTreeMap::new(),
            dice: None,
            dealer: None,
            voided: None,
            net_cents: None,
            lines: None,
            settled_at: None,
            steps: Vec::new(),
        }
    }
}

impl Table {
    pub(crate) fn seats_of_viewer(&self, viewer: &Viewer) -> Vec<u8> {
        let Viewer::Player(player) = viewer else { return Vec::new() };
        self.seats_of(player).collect()
    }

    pub(crate) fn last_bank_view(&self) -> Option<LastBankView> {
        let LastBank { player, seat, rounds } = self.last_bank.clone()?;
        Some(LastBankView { player, seat, rounds })
    }

    /// Returns the bank of a round, if a seat has it.
    pub(crate) fn bank_view(&self, round: &RoundState) -> Option<BankView> {
        let bank = round.bank.as_ref()?;
        let (covers_cents, action_cents) = (bank.cents, self.action(round));
        let reserved = self.table_rules.book().banking.pays_from == PaysFrom::Reserved;
        let reserve_cents = reserved.then(|| self.table_rules.reserve(&self.stakes(round)).cents());
        let used = action_cents.saturating_add(reserve_cents.unwrap_or(0));
        let left_cents = covers_cents.saturating_sub(used);
        Some(BankView { seat: bank.seat, covers_cents, action_cents, reserve_cents, left_cents })
    }

    /// Converts the placed wagers to stakes of the rules.
    fn stakes(&self, round: &RoundState) -> BySeat<Stakes> {
        let mut stakes = [Stakes::default(); Seat::COUNT_MAX];
        for ((number, name), placed) in &round.wagers {
            let (Some(seat), Ok(wager)) = (Seat::new(*number), self.wager(name)) else { continue };
            let (amount, color) = (Amount::from_cents(placed.cents), placed.color.map(Into::into));
            match wager {
                WagerRef::PaiGow => stakes[seat.index()].pai_gow = amount,
                WagerRef::Side(index) => {
                    stakes[seat.index()].sides[usize::from(index)] = Some(SideStake { amount, color });
                }
            }
        }
        stakes
    }

    /// Returns the table as a viewer sees it.
    pub fn view(&self, viewer: &Viewer) -> View {
        let yours = self.seats_of_viewer(viewer);
        let round = self.round.as_ref();
        // When a round is over, its secret is revealed, and with it every card.
        let all_shown = *viewer == Viewer::Auditor
            || round.is_some_and(|round| round.over)
            || planted(PlantedFault::ShowHandInView);
        let seats = self.seats.iter().map(|(seat, state)| {
            // Wagers and hands of the previous player at the seat are not shown.
            let round = round.filter(|round| round.number >= state.first_round);
            SeatView {
                seat: *seat,
                player: state.player.clone(),
                out: state.out,
                leaving: state.leaving,
                ready: round.is_some_and(|round| round.ready.contains(seat)),
                next: state.next,
                wagers: round.map(|round| self.wagers_of(round, *seat)).unwrap_or_default(),
                hand: round.and_then(|round| hand_of(round, *seat, all_shown || yours.contains(seat))),
            }
        });
        let seats = seats.collect();
        View {
            table: self.id().clone(),
            book: self.table_rules.book().id.clone(),
            currency: self.config.currency.to_string(),
            facts: self.facts(),
            phase: match self.phase {
                TablePhase::Waiting => PhaseName::Waiting,
                TablePhase::Offering { .. } => PhaseName::Offering,
                TablePhase::Wagers { .. } => PhaseName::Wagers,
                TablePhase::Revealing { .. } => PhaseName::Revealing,
                TablePhase::Settings { .. } => PhaseName::Settings,
                TablePhase::Between { .. } => PhaseName::Between,
            },
            until: self.due(),
            offered: match self.phase {
                TablePhase::Offering { seat, .. } => Some(seat),
                _ => None,
            },
            paused: self.paused,
            closing: self.closing,
            closed: self.closed,
            player: match viewer {
                Viewer::Player(player) => Some(player.clone()),
                Viewer::Watcher | Viewer::Operator | Viewer::Auditor => None,
            },
            you: yours.first().copied(),
            yours,
            last_bank: self.last_bank_view(),
            seats,
            round: round.map(|round| RoundView {
                lines: round.lines.as_ref().filter(|_| round.is_settled()).map(|stored| self.lines(stored)),
                steps: if round.is_settled() { self.steps(round) } else { Vec::new() },
                bank: self.bank_view(round),
                ..round_view(round, *viewer == Viewer::Auditor)
            }),
        }
    }
}

impl Table {
    fn wagers_of(&self, round: &RoundState, seat: u8) -> BTreeMap<String, WagerView> {
        let theirs = round.wagers.iter().filter(|((other, _), _)| *other == seat);
        let view = theirs.map(|((_, wager), placed)| {
            let button = self.earns_button(wager, placed.cents);
            (wager.clone(), WagerView { cents: placed.cents, color: placed.color, button })
        });
        view.collect()
    }

    /// Returns whether a wager of this amount earns an Envy button.
    pub(crate) fn earns_button(&self, wager: &str, cents: u64) -> bool {
        let index = self.table_rules.side_wager_index(wager);
        index.is_ok_and(|index| self.table_rules.wager(index).earns_button(Amount::from_cents(cents)))
    }
}

/// Returns the hand of a seat, with its cards if they are shown.
pub(crate) fn hand_of(round: &RoundState, number: u8, shown: bool) -> Option<HandView> {
    let seat = Seat::new(number)?;
    let rules = round.dealt.as_ref()?;
    let hand = rules.deal()?.hands[seat.index()]?;
    let by = round.set_by.get(&number).copied();
    Some(hand_view(hand, rules.played(seat), shown, by))
}

fn hand_view(hand: SevenCards, played: Option<PlayedHand>, shown: bool, by: Option<SetBy>) -> HandView {
    let set = played.is_some();
    if !shown {
        return HandView { set, by, ..HandView::default() };
    }
    let (low, high, foul) = match played {
        Some(PlayedHand::Set(setting)) => (Some(setting.low), Some(setting.high), Some(false)),
        Some(PlayedHand::Foul(foul)) => (Some(foul.0.low), Some(foul.0.high), Some(true)),
        None => (None, None, None),
    };
    HandView {
        cards: Some(hand.to_string()),
        low: low.map(|cards| cards.to_string()),
        high: high.map(|cards| cards.to_string()),
        foul,
        set,
        by,
    }
}

/// Returns the dealer's hand, with its cards if they are shown.
pub(crate) fn dealer_of(round: &RoundState, shown: bool) -> Option<HandView> {
    let rules = round.dealt.as_ref()?;
    let hand = rules.deal()?.dealer?;
    Some(hand_view(hand, rules.dealer_setting().map(PlayedHand::Set), shown, None))
}

/// Returns the net win of each seat that played in a settled round.
pub(crate) fn nets_of(round: &RoundState) -> Option<BTreeMap<u8, i64>> {
    let dealt = round.dealt.as_ref().filter(|_| round.voided.is_none());
    Some(nets_by_seat(round, dealt.and_then(Round::settlement)?.nets()))
}

/// Returns the net wins of the playing seats. The banking seat includes the banker's.
pub(crate) fn nets_by_seat(round: &RoundState, nets: &Nets) -> BTreeMap<u8, i64> {
    let banker = round.bank.as_ref().map(|bank| bank.seat);
    let net_of = |seat: u8, own: i64| own + if banker == Some(seat) { nets.banker.cents() } else { 0 };
    let seats = (1..).zip(nets.seats).filter(|(seat, _)| round.plays(*seat));
    seats.map(|(seat, net)| (seat, net_of(seat, net.cents()))).collect()
}

/// Returns the view of a round without `bank`, `lines` and `steps`.
fn round_view(round: &RoundState, sees_all: bool) -> RoundView {
    let shown = sees_all || round.over;
    RoundView {
        round: round.number,
        protocol: round.protocol(),
        commitment: round.commitment,
        opened_at: round.derived.map(|derived| derived.at),
        key: round.derived.map(|derived| derived.key),
        signature: round.derived.map(|derived| derived.signature),
        commitments: round.commitments.clone(),
        closed_signature: round.closed,
        silent: round.silent(),
        secret: round.secret.filter(|_| shown),
        passed: round.passed.clone(),
        bank: None,
        pile: round.pile,
        bytes: round.bytes.clone(),
        dice: Some(round.dice).filter(|dice| *dice > 0),
        dealer: dealer_of(round, shown),
        voided: round.voided.clone(),
        net_cents: nets_of(round),
        lines: None,
        settled_at: round.settled_at.filter(|_| round.is_settled()),
        steps: Vec::new(),
    }
}
