//! Helpers of the tests of settlement: the settlement in the form of the reference, and rounds with chosen cards.

use super::reference::{
    LineAmounts, LineKey, LineKind, LineParty, ReferenceSettlement, Round, reference_settlement,
};
use paigow::{
    Amount, Bank, BySeat, Color, Dealer, Net, Outcome, Party, Player, Reason, Seat, Settlement, SideStake,
    Stakes, TableRules, WagerRef,
};
use paigow_testkit::{amount, cards, hand, seat, table_rules};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// Settles a round, in the form of the reference implementation.
pub(super) fn settle(round: &Round<'_>) -> ReferenceSettlement {
    let showdown = round.showdown().unwrap_or_else(|refusals| panic!("{refusals:?}\n{}", describe(round)));
    in_reference_form(&Settlement::of(&showdown), round)
}

/// Sums the lines of a settlement by party, wager and kind, as the reference implementation does.
pub(super) fn in_reference_form(settlement: &Settlement, round: &Round<'_>) -> ReferenceSettlement {
    let nets = settlement.nets();
    let mut lines: BTreeMap<LineKey, LineAmounts> = BTreeMap::new();
    for line in settlement.lines() {
        let party = match line.who {
            Party::Dealer => LineParty::Dealer,
            Party::Seat(seat) => LineParty::Seat(seat.number()),
            Party::Banker => LineParty::Banker,
            Party::House => panic!("the house has no line of its own"),
        };
        let wager = match line.wager {
            WagerRef::PaiGow => None,
            WagerRef::Side(wager) => Some(usize::from(wager)),
        };
        let net = line.net.cents();
        let (fee, stake) = (line.fee.cents().cast_signed(), line.stake.cents().cast_signed());
        let without_stake = LineAmounts { outcome: None, stake: 0, net, fee };
        let (kind, amounts) = match line.outcome {
            Outcome::Envy => (LineKind::Envy, without_stake),
            Outcome::Commission => (LineKind::Commission, without_stake),
            Outcome::Collection => (LineKind::Collection, without_stake),
            Outcome::NoAction => match line.reason {
                Reason::EnvyUnpaid { unpaid, .. } => {
                    let stake = unpaid.cents().cast_signed();
                    (LineKind::Unpaid, LineAmounts { stake, ..without_stake })
                }
                _ => (LineKind::Returned, LineAmounts { stake, ..without_stake }),
            },
            outcome => (LineKind::Played, LineAmounts { outcome: Some(outcome), stake, net, fee }),
        };
        let earlier = lines.get(&(party, wager, kind)).copied();
        assert!(
            earlier.is_none() || amounts.outcome.is_none(),
            "{party:?} is settled twice\n{}",
            describe(round)
        );
        let sum = earlier.map_or(amounts, |earlier| LineAmounts {
            stake: earlier.stake + amounts.stake,
            net: earlier.net + amounts.net,
            fee: earlier.fee + amounts.fee,
            ..amounts
        });
        lines.insert((party, wager, kind), sum);
    }
    let is_empty = |kind: LineKind, amounts: &LineAmounts| {
        !matches!(kind, LineKind::Played | LineKind::Returned | LineKind::Unpaid)
            && (amounts.net, amounts.fee) == (0, 0)
    };
    lines.retain(|&(_, _, kind), amounts| !is_empty(kind, amounts));
    ReferenceSettlement {
        seats: nets.seats.map(Net::cents),
        banker: nets.banker.cents(),
        house: nets.house.cents(),
        lines,
    }
}

/// Differences between the settlement and the reference.
pub(super) fn differences(settled: &ReferenceSettlement, reference: &ReferenceSettlement) -> String {
    let nets = |settlement: &ReferenceSettlement| (settlement.seats, settlement.banker, settlement.house);
    let mut text = format!("settled   {:?}\nreference {:?}\n", nets(settled), nets(reference));
    let keys: BTreeSet<&LineKey> = settled.lines.keys().chain(reference.lines.keys()).collect();
    for key in keys {
        let (one, other) = (settled.lines.get(key), reference.lines.get(key));
        if one != other {
            let _ = writeln!(text, "{key:?}: settled {one:?}, reference {other:?}");
        }
    }
    text
}

/// Description of the round for failure messages.
pub(super) fn describe(round: &Round<'_>) -> String {
    let mut text = format!("{}: {:?}, first {}\n", round.table_rules.book().id, round.bank, round.first);
    for (number, player) in (1..).zip(&round.players) {
        if let Some(player) = player {
            let _ = writeln!(text, "seat {number}: {player:?}");
        }
    }
    let _ = write!(text, "dealer: {:?}", round.dealer);
    text
}

/// A round with chosen cards and wagers.
pub(super) struct RoundBuilder {
    table_rules: Arc<TableRules>,
    bank: Bank,
    first: Seat,
    players: BySeat<Option<Player>>,
    dealer: Option<Dealer>,
}

/// Seven cards, and the low hand.
pub(super) type Cards = (&'static str, &'static str);

impl RoundBuilder {
    pub(super) fn of(book: &str) -> RoundBuilder {
        RoundBuilder::with(book, &[], &[])
    }

    pub(super) fn with(book: &str, changes: &[(&str, &str)], posted: &[(&str, &str)]) -> RoundBuilder {
        let table_rules = table_rules(book, changes, posted);
        let players = [None; Seat::COUNT_MAX];
        RoundBuilder { table_rules, bank: Bank::Dealer, first: seat(1), players, dealer: None }
    }

    /// Adds the dealer. The house way must set its hand with this low hand.
    #[track_caller]
    pub(super) fn dealer(mut self, (seven, low): Cards, wager: &str) -> RoundBuilder {
        let hand = hand(seven);
        let setting = self.table_rules.house_way_setting(hand);
        assert_eq!(setting.low.cards(), cards(low), "the house way");
        self.dealer = Some(Dealer { hand, setting, wager: amount(wager) });
        self
    }

    /// Adds a seat with a base wager and side wagers.
    pub(super) fn seat(
        mut self,
        number: u8,
        (seven, low): Cards,
        pai_gow: &str,
        sides: &[(&str, &str)],
    ) -> RoundBuilder {
        let hand = hand(seven);
        let played = self.table_rules.played_hand(hand, cards(low), "the seat").expect("two of the seven");
        let mut stakes = Stakes { pai_gow: amount(pai_gow), ..Stakes::default() };
        for &(wager, stake) in sides {
            let (wager, color) = match wager.split_once(' ') {
                None => (wager, None),
                Some((wager, "red")) => (wager, Some(Color::Red)),
                Some((wager, _)) => (wager, Some(Color::Black)),
            };
            let index = self.table_rules.side_wager_index(wager).expect("a wager of the book");
            stakes.sides[index] = Some(SideStake { amount: amount(stake), color });
        }
        self.players[seat(number).index()] = Some(Player { hand, played, stakes });
        self
    }

    /// Adds the banking seat.
    pub(super) fn banks(self, number: u8, cards: Cards, covers: Option<&str>) -> RoundBuilder {
        let mut round = self.seat(number, cards, "0.00", &[]);
        round.bank = Bank::Seat { seat: seat(number), covers: covers.map(amount) };
        round
    }

    /// Sets the seat that is settled first.
    pub(super) fn first(mut self, number: u8) -> RoundBuilder {
        self.first = seat(number);
        self
    }

    /// Checks the net results of all parties.
    #[track_caller]
    pub(super) fn settles(self, expected: &str) {
        let RoundBuilder { table_rules, bank, first, players, dealer } = &self;
        let round = Round { table_rules, bank: *bank, first: *first, players: *players, dealer: *dealer };
        let settled = settle(&round);
        let mut nets = Vec::new();
        let mut net = |name: String, cents: i64| {
            let sign = if cents < 0 { "-" } else { "+" };
            nets.push(format!("{name} {sign}{}", Amount::from_cents(cents.unsigned_abs())));
        };
        for seat in Seat::up_to(7).filter(|seat| players[seat.index()].is_some()) {
            match bank {
                Bank::Seat { seat: banker, .. } if *banker == seat => {
                    assert_eq!(settled.seats[seat.index()], 0);
                }
                _ => net(seat.to_string(), settled.seats[seat.index()]),
            }
        }
        if let Bank::Seat { .. } = bank {
            net("banker".to_owned(), settled.banker);
        }
        net("house".to_owned(), settled.house);
        assert_eq!(nets.join(", "), expected);
        let reference = reference_settlement(&round);
        assert!(settled == reference, "{}", differences(&settled, &reference));
    }
}

// The hands from `KING_HIGH` to `FOUL` share no card.

/// A king-high pai gow, with low hand jack-nine.
pub(super) const KING_HIGH: Cards = ("Kh Jd 9c 7s 5h 3d 2c", "Jd 9c");
/// Wins both hands against `KING_HIGH`: aces, with low hand queen-ten.
pub(super) const WINS: Cards = ("As Ad Qc Tc 8d 6h 4s", "Qc Tc");
/// Loses both hands against `KING_HIGH`: queen high, with low hand ten-eight. Four of its cards are red.
pub(super) const LOSES: Cards = ("Qd Td 8h 6c 4h 3s 2s", "Td 8h");
/// Aces, with the same low hand as `KING_HIGH`.
pub(super) const COPIES_LOW: Cards = ("Ac Ah Jh 9d 8c 6d 4c", "Jh 9d");
/// The same high and low hand as `KING_HIGH`.
pub(super) const COPIES_BOTH: Cards = ("Ks Jc 9h 7d 5s 3c 2h", "Jc 9h");
/// Wins one hand and loses one against `KING_HIGH`: queens, with low hand eight-six.
pub(super) const ONE_EACH: Cards = ("Qs Qh Th 8s 6s 5d 3h", "8s 6s");
/// A foul: low hand king-ten with a nine-high high hand.
pub(super) const FOUL: Cards = ("Ts 9s 7c 5c 4d 2d Kd", "Kd Ts");

/// A queen-high pai gow, with low hand ten-eight.
pub(super) const QUEEN_HIGH: Cards = ("Qh Ts 8c 7d 5c 4d 2h", "Ts 8c");
/// Four eights, with low hand ace-king.
pub(super) const FOUR_EIGHTS: Cards = ("8c 8d 8h 8s Ac Kc 3s", "Ac Kc");

/// Wins both hands against `KING_HIGH`.
pub(super) const FULL_HOUSE: Cards = ("9d 9h 9s Kd Kc 4d 2d", "Kd Kc");
/// Wins one hand against `KING_HIGH`.
pub(super) const FLUSH: Cards = ("Ah Qh 8h 6h 4h Ts 2s", "Ts 2s");
