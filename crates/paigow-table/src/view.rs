//! What a viewer may see of a table. What it may not see is never put in.

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

/// Who looks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Viewer {
    /// A player, at a seat or not.
    Player(PlayerId),
    /// Anybody.
    Watcher,
    /// The house: it runs the table, and sees no more cards than anybody.
    Operator,
    /// Whoever checks what has happened: everything.
    Auditor,
}

/// A table as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)] // the fields are named for what they hold
pub struct View {
    pub table: TableId,
    pub book: String,
    pub currency: String,
    /// What does not change.
    pub facts: TableFacts,
    pub phase: PhaseName,
    #[schema(required)]
    pub until: Option<Time>,
    /// The seat the bank is offered to.
    #[schema(required)]
    pub offered: Option<u8>,
    pub paused: bool,
    pub closing: bool,
    pub closed: bool,
    /// Who looks, where it is a player.
    #[schema(required)]
    pub player: Option<PlayerId>,
    /// The first seat the viewer has.
    #[schema(required)]
    pub you: Option<u8>,
    /// All seats the viewer has; left out where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub yours: Vec<u8>,
    /// Who banked in the round settled last, and for how many rounds running.
    #[schema(required)]
    pub last_bank: Option<LastBankView>,
    pub seats: Vec<SeatView>,
    #[schema(required)]
    pub round: Option<RoundView>,
}

/// How far a round has come.
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

/// A seat that is taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)]
pub struct SeatView {
    pub seat: u8,
    pub player: PlayerId,
    pub out: bool,
    pub leaving: bool,
    pub ready: bool,
    pub wagers: BTreeMap<String, WagerView>,
    #[schema(required)]
    pub hand: Option<HandView>,
}

/// A wager that lies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)]
pub struct WagerView {
    pub cents: u64,
    #[schema(required)]
    pub color: Option<ColorName>,
    /// Whether it has an Envy button; omitted if it has none. The last of `steps` removes the button.
    #[serde(skip_serializing_if = "is_false")]
    pub button: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
pub(crate) const fn is_false(truth: &bool) -> bool {
    !*truth
}

/// A hand; its cards only for whom they are.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
#[allow(missing_docs)]
pub struct HandView {
    #[schema(required)]
    pub cards: Option<String>,
    #[schema(required)]
    pub low: Option<String>,
    #[schema(required)]
    pub high: Option<String>,
    #[schema(required)]
    pub foul: Option<bool>,
    pub set: bool,
    #[schema(required)]
    pub by: Option<SetBy>,
}

/// The round that goes on, or was the last.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)]
pub struct RoundView {
    pub round: u64,
    /// The version of fair deals: 1 or 2.
    pub protocol: u8,
    pub commitment: Commitment,
    /// When it opened, in version 2.
    #[schema(required)]
    pub opened_at: Option<Time>,
    /// The house's key, in version 2.
    #[schema(required)]
    pub key: Option<KeyId>,
    /// The house's signature of the opening, in version 2.
    #[schema(required)]
    pub signature: Option<Signature>,
    /// Commitments of seats to their bytes. Once wagers are closed they are fixed.
    pub commitments: BTreeMap<u8, Commitment>,
    /// The house's signature of the commitments, once wagers are closed.
    #[schema(required)]
    pub closed_signature: Option<Signature>,
    /// The seats that did not reveal their bytes, once hands are dealt.
    pub silent: Vec<u8>,
    /// Once the round is over.
    #[schema(required)]
    pub secret: Option<Secret>,
    /// The seats the bank was offered to in vain.
    pub passed: Vec<u8>,
    #[schema(required)]
    pub bank: Option<BankView>,
    /// The pile the bank has picked.
    #[schema(required)]
    pub pile: Option<u8>,
    /// What seats have revealed (version 2) or added (version 1).
    pub bytes: BTreeMap<u8, SeatBytes>,
    #[schema(required)]
    pub dice: Option<u8>,
    #[schema(required)]
    pub dealer: Option<HandView>,
    /// Why the round is void, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voided: Option<VoidReason>,
    /// What each seat has won or lost, once the round is settled.
    #[schema(required)]
    pub net_cents: Option<BTreeMap<u8, i64>>,
    /// The settlement line by line, once there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<LineView>>,
    /// When it was settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<Time>,
    /// The settlement step by step, once there is one and the rules are at hand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepView>,
}

/// The seat that banks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)]
pub struct BankView {
    pub seat: u8,
    /// What is put up.
    pub covers_cents: u64,
    /// What is wagered against it in the base game, by the house too.
    pub action_cents: u64,
    /// What side wagers and envy bonuses could cost at most, where the book has that held in reserve.
    #[schema(required)]
    pub reserve_cents: Option<u64>,
    /// What the base wagers and the reserve leave of what is put up.
    pub left_cents: u64,
}

/// Who banked in the round settled last.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)]
pub struct LastBankView {
    pub player: PlayerId,
    pub seat: u8,
    /// For how many rounds running.
    pub rounds: u8,
}

impl SeatView {
    /// A seat where nothing has been done.
    fn new(seat: u8, player: PlayerId) -> SeatView {
        let (out, leaving, ready) = (false, false, false);
        SeatView { seat, player, out, leaving, ready, wagers: BTreeMap::new(), hand: None }
    }
}

impl RoundView {
    /// A round in which nothing has been done.
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

    /// The bank of a round and what it still covers, if a seat has it.
    pub(crate) fn bank_view(&self, round: &RoundState) -> Option<BankView> {
        let bank = round.bank.as_ref()?;
        let (covers_cents, action_cents) = (bank.cents, self.action(round));
        let reserved = self.table_rules.book().banking.pays_from == PaysFrom::Reserved;
        let reserve_cents = reserved.then(|| self.table_rules.reserve(&self.stakes(round)).cents());
        let used = action_cents.saturating_add(reserve_cents.unwrap_or(0));
        let left_cents = covers_cents.saturating_sub(used);
        Some(BankView { seat: bank.seat, covers_cents, action_cents, reserve_cents, left_cents })
    }

    /// The wagers on the table as stakes of the rules.
    fn stakes(&self, round: &RoundState) -> BySeat<Stakes> {
        let mut stakes = [Stakes::default(); Seat::COUNT_MAX];
        for ((number, name), placed) in &round.wagers {
            let (Some(seat), Ok(wager)) = (Seat::new(*number), self.wager(name)) else { continue };
            let (amount, color) = (Amount::from_cents(placed.cents), placed.color.map(Into::into));
            match wager {
                WagerRef::PaiGow => stakes[seat.index()].pai_gow = amount,
                WagerRef::Side(place) => {
                    stakes[seat.index()].sides[usize::from(place)] = Some(SideStake { amount, color });
                }
            }
        }
        stakes
    }

    /// The table as somebody sees it.
    pub fn view(&self, viewer: &Viewer) -> View {
        let yours = self.seats_of_viewer(viewer);
        let round = self.round.as_ref();
        // When a round is over its secret is out, and with it every card.
        let all_shown = *viewer == Viewer::Auditor
            || round.is_some_and(|round| round.over)
            || planted(PlantedFault::ShowHandInView);
        let seats = self.seats.iter().map(|(seat, sitting)| {
            // What somebody left behind at the seat is not its new player's.
            let round = round.filter(|round| round.number >= sitting.first_round);
            SeatView {
                seat: *seat,
                player: sitting.player.clone(),
                out: sitting.out,
                leaving: sitting.leaving,
                ready: round.is_some_and(|round| round.ready.contains(seat)),
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

    /// Whether a wager of so many cents earns an Envy button.
    pub(crate) fn earns_button(&self, wager: &str, cents: u64) -> bool {
        let place = self.table_rules.place(wager);
        place.is_ok_and(|place| self.table_rules.wager(place).earns_button(Amount::from_cents(cents)))
    }
}

pub(crate) fn hand_of(round: &RoundState, number: u8, shown: bool) -> Option<HandView> {
    let seat = Seat::new(number)?;
    let rules = round.dealt.as_ref()?;
    let hand = rules.deal()?.hands[seat.index()]?;
    let by = round.set_by.get(&number).copied();
    Some(hand_view(hand, rules.laid(seat), shown, by))
}

fn hand_view(hand: SevenCards, laid: Option<PlayedHand>, shown: bool, by: Option<SetBy>) -> HandView {
    let set = laid.is_some();
    if !shown {
        return HandView { set, by, ..HandView::default() };
    }
    let (low, high, foul) = match laid {
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

/// The dealer's hand, where it has one.
pub(crate) fn dealer_of(round: &RoundState, shown: bool) -> Option<HandView> {
    let rules = round.dealt.as_ref()?;
    let hand = rules.deal()?.dealer?;
    Some(hand_view(hand, rules.dealer_setting().map(PlayedHand::Set), shown, None))
}

/// What each seat that played has won or lost.
pub(crate) fn nets_of(round: &RoundState) -> Option<BTreeMap<u8, i64>> {
    let dealt = round.dealt.as_ref().filter(|_| round.voided.is_none());
    Some(nets_by_seat(round, dealt.and_then(Round::settlement)?.nets()))
}

/// Nets of the seats that play; that of the banker is on the seat that banks.
pub(crate) fn nets_by_seat(round: &RoundState, nets: &Nets) -> BTreeMap<u8, i64> {
    let banker = round.bank.as_ref().map(|bank| bank.seat);
    let of = |seat: u8, own: i64| own + if banker == Some(seat) { nets.banker.cents() } else { 0 };
    let seats = (1..).zip(nets.seats).filter(|(seat, _)| round.plays(*seat));
    seats.map(|(seat, net)| (seat, of(seat, net.cents()))).collect()
}

fn round_view(round: &RoundState, everything: bool) -> RoundView {
    let shown = everything || round.over;
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
