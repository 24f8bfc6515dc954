//! Everything a settlement needs to know: who has what hand, set how, with what wagers, against which banker.
//!
//! A [`Showdown`] is checked whole when it is made, so that settling it cannot fail.

use crate::rulebook::{Banker, Cover, Limits, LooksAt, PlayerFoul};
use crate::settlement::check_reserve;
use crate::{
    Amount, Arrangement, BySeat, CardSet, Color, Foul, Owners, PayRow, Refusal, Seat, Setting, SevenCards,
    TableRules, WagerRef,
};

/// A seat's wagers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stakes {
    /// On the base game; nothing for the banker.
    pub pai_gow: Amount,
    /// On each side wager, by its place in the book.
    pub sides: [Option<SideStake>; TableRules::SIDE_WAGERS_MAX],
    /// Whether a fee for playing time is due with them.
    pub owes_time: bool,
}

/// A side wager.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideStake {
    /// How much.
    pub amount: Amount,
    /// On which color, where it is a color wager.
    pub color: Option<Color>,
}

/// A hand as it lies on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayedHand {
    /// Legally.
    Set(Setting),
    /// With the front higher than the back.
    Foul(Foul),
}

/// A seat that plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Player {
    /// What it was dealt.
    pub hand: SevenCards,
    /// How it set that.
    pub laid: PlayedHand,
    /// What it wagered.
    pub stakes: Stakes,
}

/// The house's own hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dealer {
    /// What it was dealt.
    pub hand: SevenCards,
    /// How the house way sets that.
    pub setting: Setting,
    /// What the house wagers against a player who banks (SB-7).
    pub wager: Amount,
}

/// Who covers the wagers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bank {
    /// The house.
    Dealer,
    /// A seat; with how much, or with as much as it takes.
    Seat {
        /// Which.
        seat: Seat,
        /// How much it puts up.
        covers: Option<Amount>,
    },
}

/// A round before it is settled.
pub struct Showdown<'a> {
    table_rules: &'a TableRules,
    bank: Bank,
    first: Seat,
    players: BySeat<Option<Player>>,
    dealer: Option<Dealer>,
    owners: Owners,
    reset: BySeat<Option<Foul>>,
}

impl<'a> Showdown<'a> {
    /// Puts a round together in which each seat has a player of its own.
    ///
    /// # Errors
    /// Everything the rules have against it.
    pub fn new(
        table_rules: &'a TableRules,
        bank: Bank,
        first: Seat,
        players: BySeat<Option<Player>>,
        dealer: Option<Dealer>,
    ) -> Result<Showdown<'a>, Vec<Refusal>> {
        Showdown::with_owners(table_rules, bank, first, players, dealer, Owners::default())
    }

    /// Puts a round together in which some seats may be one player's.
    ///
    /// # Errors
    /// Everything the rules have against it.
    pub fn with_owners(
        table_rules: &'a TableRules,
        bank: Bank,
        first: Seat,
        players: BySeat<Option<Player>>,
        dealer: Option<Dealer>,
        owners: Owners,
    ) -> Result<Showdown<'a>, Vec<Refusal>> {
        let reset = [None; Seat::COUNT_MAX];
        let showdown = Showdown { table_rules, bank, first, players, dealer, owners, reset };
        let refusals = showdown.refusals();
        if refusals.is_empty() { Ok(showdown) } else { Err(refusals) }
    }

    /// A round that may not be whole, put together only to hear what the rules have against what there is of it.
    pub(crate) fn unchecked(
        table_rules: &'a TableRules,
        bank: Bank,
        first: Seat,
        players: &BySeat<Option<Player>>,
        dealer: Option<Dealer>,
        owners: Owners,
    ) -> Showdown<'a> {
        let reset = [None; Seat::COUNT_MAX];
        Showdown { table_rules, bank, first, players: *players, dealer, owners, reset }
    }

    /// The round, with the fouls in whose place the house way was set. They change no line, only what is said about it.
    #[must_use]
    pub fn with_resets(mut self, reset: BySeat<Option<Foul>>) -> Showdown<'a> {
        self.reset = reset;
        self
    }

    /// How a seat set its hand, where that was foul and the house way was set in its place.
    pub fn reset(&self, seat: Seat) -> Option<Foul> {
        self.reset[seat.index()]
    }

    /// What is posted.
    pub fn table_rules(&self) -> &'a TableRules {
        self.table_rules
    }

    /// A row of the paytable posted for a side wager.
    ///
    /// # Panics
    /// If the base game is asked for, which has no paytable, or a row that is not there.
    pub fn row(&self, wager: WagerRef, row: u8) -> &'a PayRow {
        let WagerRef::Side(position) = wager else { panic!("the base game has no paytable") };
        self.table_rules.row(usize::from(position), row)
    }

    /// Who banks.
    pub fn bank(&self) -> Bank {
        self.bank
    }

    /// Where settling starts.
    pub fn first(&self) -> Seat {
        self.first
    }

    /// Which seats are one player's.
    pub fn owners(&self) -> &Owners {
        &self.owners
    }

    /// The seat that banks, if one does.
    pub fn banking_seat(&self) -> Option<Seat> {
        match self.bank {
            Bank::Dealer => None,
            Bank::Seat { seat, .. } => Some(seat),
        }
    }

    /// A seat's hand and wagers, if it plays.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.players[seat.index()].as_ref()
    }

    /// The dealer's hand, if it has one.
    pub fn dealer(&self) -> Option<&Dealer> {
        self.dealer.as_ref()
    }

    /// The seats in the order of settling, from the first on, the way hands are dealt (CA-4).
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        let book = self.table_rules.book();
        Seat::around(self.first, book.seats.players, book.dealing.order)
    }

    /// The banker's hand as set. A banker's foul is set the house way before it comes here (SB-4).
    pub fn banker_setting(&self) -> Option<Setting> {
        match self.bank {
            Bank::Dealer => self.dealer.map(|dealer| dealer.setting),
            Bank::Seat { seat, .. } => match self.player(seat)?.laid {
                PlayedHand::Set(setting) => Some(setting),
                PlayedHand::Foul(_) => None,
            },
        }
    }

    /// What a banking seat pays with: all it has put up. `None` where the house banks, where the banker covers whatever comes, and
    /// where the operator guarantees the bank.
    pub fn put_up(&self) -> Option<Amount> {
        match self.bank {
            Bank::Seat { covers, .. } if !self.table_rules.book().banking.is_guaranteed() => covers,
            _ => None,
        }
    }

    /// All that is wagered on the base game against the banker.
    pub fn action(&self) -> Amount {
        let house = self.dealer.map_or(0, |dealer| dealer.wager.cents());
        let seats: u64 = self.players.iter().flatten().map(|player| player.stakes.pai_gow.cents()).sum();
        Amount::from_cents(seats + house)
    }

    /// Everything the rules have against it.
    pub(crate) fn refusals(&self) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        let book = self.table_rules.book();
        let seats = book.seats.players;
        let out_of_range = |seat: Seat| Refusal::SeatOutOfRange { seat: seat.number(), seats };
        refusals.extend((self.first.number() > seats).then(|| out_of_range(self.first)));
        for (index, player) in self.players.iter().enumerate() {
            let (Some(player), Some(seat)) = (player, Seat::new(index as u8 + 1)) else { continue };
            if seat.number() > seats {
                refusals.push(out_of_range(seat));
            }
            let banks = self.banking_seat() == Some(seat);
            check_stakes(seat, &player.stakes, self.table_rules, banks, &mut refusals);
            self.check_owner(seat, player, &mut refusals);
        }
        self.check_cards(&mut refusals);
        self.check_bank(&mut refusals);
        let wagered = self.players.iter().flatten().any(|player| player.stakes.pai_gow > Amount::ZERO);
        refusals.extend((!wagered).then_some(Refusal::NoWagers));
        refusals
    }

    /// Whether a seat's player has no more hands than allowed, and none against the player's own bank.
    fn check_owner(&self, seat: Seat, player: &Player, refusals: &mut Vec<Refusal>) {
        let most = self.table_rules.book().seats.hands_per_player;
        let before =
            self.owners.seats_of(seat).filter(|other| *other < seat && self.player(*other).is_some());
        if before.count() >= usize::from(most) {
            refusals.push(Refusal::TooManyHands { seat, most });
        }
        if let Some(banker) = self.banking_seat().filter(|banker| *banker != seat)
            && self.owners.same(banker, seat)
            && player.stakes != Stakes::default()
        {
            refusals.push(Refusal::OwnBank { seat, banker });
        }
    }

    fn check_cards(&self, refusals: &mut Vec<Refusal>) {
        let hands = || {
            let seats = (1..)
                .zip(&self.players)
                .filter_map(|(number, player)| Some((Seat::new(number), player.as_ref()?.hand)));
            seats.chain(self.dealer.map(|dealer| (None, dealer.hand)))
        };
        let mut seen = CardSet::EMPTY;
        let mut twice = CardSet::EMPTY;
        for (_, hand) in hands() {
            twice = twice.union(seen.intersection(hand.cards()));
            seen = seen.union(hand.cards());
        }
        for card in twice.iter() {
            let holders = hands().filter(|(_, hand)| hand.cards().contains(card));
            let places =
                holders.map(|(seat, _)| seat.map_or("the dealer's hand".to_owned(), |seat| seat.to_string()));
            refusals.push(Refusal::CardTwice { card, places: places.collect::<Vec<_>>().join(" and ") });
        }
    }

    fn check_bank(&self, refusals: &mut Vec<Refusal>) {
        let book = self.table_rules.book();
        let banking = &book.banking;
        match (self.dealer, book.seats.dealer_hand) {
            (None, true) => refusals.push(Refusal::DealerHandMissing),
            (Some(_), false) => refusals.push(Refusal::DealerHandUnexpected),
            _ => {}
        }
        let dealer_wager = self.dealer.map_or(Amount::ZERO, |dealer| dealer.wager);
        if dealer_wager > Amount::ZERO {
            refusals.extend(check_dealer_wager(dealer_wager, &book.base_game.limits));
        }
        let allowed = |banker: Banker| banking.bankers.contains(&banker);
        match self.bank {
            Bank::Dealer => {
                if !allowed(Banker::Dealer) {
                    refusals.push(Refusal::BankerNotAllowed { banker: "the dealer".to_owned() });
                }
                if dealer_wager > Amount::ZERO {
                    refusals.push(Refusal::DealerWagerUnexpected);
                }
            }
            Bank::Seat { seat, covers } => {
                if !allowed(Banker::Seat) && !allowed(Banker::PlayerDealer) {
                    refusals.push(Refusal::BankerNotAllowed { banker: seat.to_string() });
                }
                if seat.number() > book.seats.players {
                    refusals.push(Refusal::SeatOutOfRange { seat: seat.number(), seats: book.seats.players });
                }
                match self.player(seat).map(|player| player.laid) {
                    None if seat.number() <= book.seats.players => {
                        refusals.push(Refusal::BankerWithoutHand { seat });
                    }
                    // A banker's foul is set anew before anything is settled (SB-4).
                    Some(PlayedHand::Foul(_)) => refusals.push(Refusal::SetAgain { seat }),
                    _ => {}
                }
                if !banking.plays_dealer && dealer_wager > Amount::ZERO {
                    refusals.push(Refusal::DealerWagerUnexpected);
                }
                match (banking.cover, covers) {
                    (Cover::All, Some(covers)) if covers < self.action() => {
                        refusals.push(Refusal::CoverShort { needed: self.action(), covers });
                    }
                    (Cover::SomeOrAll, None | Some(Amount::ZERO)) => {
                        refusals.push(Refusal::CoverMissing { seat });
                    }
                    _ => {}
                }
                let stakes =
                    self.players.map(|player| player.map(|player| player.stakes).unwrap_or_default());
                refusals.extend(check_reserve(self.table_rules, self.bank, &stakes, dealer_wager));
            }
        }
    }
}

impl Stakes {
    /// Everything the rules have against the wagers of a seat, which may be the one that banks.
    pub fn faults(&self, seat: Seat, table_rules: &TableRules, banks: bool) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        check_stakes(seat, self, table_rules, banks, &mut refusals);
        refusals
    }

    /// Whether a seat that banks may have these wagers: side wagers that the book allows it, and no base wager.
    pub(crate) fn suit_a_banker(&self, table_rules: &TableRules) -> bool {
        let may = |place: usize| place < table_rules.side_wagers() && table_rules.wager(place).banker_wagers;
        let mut sides = self.sides.iter().enumerate().filter(|(_, stake)| stake.is_some());
        self.pai_gow == Amount::ZERO && sides.all(|(place, _)| may(place))
    }
}

/// What the rules have against a seat's wagers (SD-1, EZ-8, EZ-9).
pub(crate) fn check_stakes(
    seat: Seat,
    stakes: &Stakes,
    table_rules: &TableRules,
    banks: bool,
    refusals: &mut Vec<Refusal>,
) {
    if banks && !stakes.suit_a_banker(table_rules) {
        refusals.push(Refusal::BankerWagers { seat });
        return;
    }
    let within = |wager: &str, amount: Amount, limits: &Limits, refusals: &mut Vec<Refusal>| {
        let wager = || wager.to_owned();
        if amount < limits.min {
            refusals.push(Refusal::BelowMinimum { seat, wager: wager(), amount, min: limits.min });
        } else if amount > limits.max {
            refusals.push(Refusal::AboveMaximum { seat, wager: wager(), amount, max: limits.max });
        }
    };
    let has_base = stakes.pai_gow > Amount::ZERO;
    if has_base {
        within("pai-gow", stakes.pai_gow, &table_rules.book().base_game.limits, refusals);
    }
    for (place, stake) in stakes.sides.iter().enumerate() {
        let Some(stake) = stake else { continue };
        if place >= table_rules.side_wagers() {
            refusals.push(Refusal::UnknownWager { wager: format!("number {}", place + 1) });
            continue;
        }
        let wager = table_rules.wager(place);
        let name = || wager.name.clone();
        if !has_base && !banks {
            refusals.push(Refusal::NoPaiGowWager { seat, wager: name() });
        }
        within(&wager.name, stake.amount, &wager.limits, refusals);
        match (wager.looks_at, stake.color) {
            (LooksAt::Color, None) => refusals.push(Refusal::ColorMissing { seat, wager: name() }),
            (looks_at, Some(_)) if looks_at != LooksAt::Color => {
                refusals.push(Refusal::ColorUnexpected { seat, wager: name() });
            }
            _ => {}
        }
    }
}

/// What the house wagers against a seat that banks keeps to the limits of the base game.
pub(crate) fn check_dealer_wager(amount: Amount, limits: &Limits) -> Option<Refusal> {
    let Limits { min, max, .. } = *limits;
    (amount < min || amount > max).then_some(Refusal::DealerWagerOutOfLimits { amount, min, max })
}

impl TableRules {
    /// A hand set the house way.
    pub fn house_way_setting(&self, hand: SevenCards) -> Setting {
        self.book().house_way.decide(hand, self.evaluator()).setting
    }

    /// The foul that a hand is with these cards as the low hand, if it is one.
    pub(crate) fn foul(&self, hand: SevenCards, front: CardSet) -> Option<Foul> {
        Arrangement::new(hand, front)?.set(self.evaluator()).err()
    }

    /// A player's hand as laid with these cards as the low hand; the house way where the book has a foul set so.
    ///
    /// # Errors
    /// The front is not two of the seven.
    pub fn lay(&self, hand: SevenCards, front: CardSet, place: &str) -> Result<PlayedHand, Refusal> {
        let offered = Arrangement::new(hand, front)
            .ok_or_else(|| Refusal::NotTheirCards { place: place.to_owned() })?;
        Ok(match (offered.set(self.evaluator()), self.book().setting.player) {
            (Ok(setting), _) => PlayedHand::Set(setting),
            (Err(foul), PlayerFoul::Loses) => PlayedHand::Foul(foul),
            (Err(_), PlayerFoul::HouseWay) => PlayedHand::Set(self.house_way_setting(hand)),
        })
    }
}
