//! Input of a settlement: the hands, settings and wagers of a round, and its banker.
//!
//! A [`Showdown`] is validated when it is created, so settling it cannot fail.

use crate::rulebook::{Banker, Cover, DecidingCards, Limits, PlayerFoul};
use crate::settlement::check_reserve;
use crate::{
    Amount, Arrangement, BySeat, CardSet, Color, Foul, Owners, PayRow, Refusal, Seat, Setting, SevenCards,
    TableRules, WagerRef,
};

/// Wagers of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stakes {
    /// Wager on the base game. Zero for the banker.
    pub pai_gow: Amount,
    /// Side wagers, by their index among the offered ones.
    pub sides: [Option<SideStake>; TableRules::SIDE_WAGERS_MAX],
    /// Whether the seat owes a fee for playing time.
    pub owes_time: bool,
}

/// Amount and color placed on a side wager.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideStake {
    /// Amount of the wager.
    pub amount: Amount,
    /// Chosen color, for a color wager.
    pub color: Option<Color>,
}

/// A hand as played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayedHand {
    /// Set legally.
    Set(Setting),
    /// Foul: the low hand is higher than the high hand.
    Foul(Foul),
}

/// Hand and wagers of a seat that plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Player {
    /// Dealt cards.
    pub hand: SevenCards,
    /// Hand as played.
    pub played: PlayedHand,
    /// Wagers of the seat.
    pub stakes: Stakes,
}

/// The house's own hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dealer {
    /// Dealt cards.
    pub hand: SevenCards,
    /// Setting by the house way.
    pub setting: Setting,
    /// Wager of the house against a player who banks (SB-7).
    pub wager: Amount,
}

/// Banker of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bank {
    /// The house.
    Dealer,
    /// A seat.
    Seat {
        /// The banking seat.
        seat: Seat,
        /// Amount it puts up; `None` to cover every wager.
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
    /// Creates a showdown in which each seat has its own player.
    ///
    /// # Errors
    /// All violations of the rules.
    pub fn new(
        table_rules: &'a TableRules,
        bank: Bank,
        first: Seat,
        players: BySeat<Option<Player>>,
        dealer: Option<Dealer>,
    ) -> Result<Showdown<'a>, Vec<Refusal>> {
        Showdown::with_owners(table_rules, bank, first, players, dealer, Owners::default())
    }

    /// Creates a showdown in which several seats may belong to the same player.
    ///
    /// # Errors
    /// All violations of the rules.
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

    /// Creates a showdown that may be incomplete, to collect the rule violations of its parts.
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

    /// Sets the fouls that the house way replaced. They change the reasons and citations of lines, not
    /// the amounts.
    #[must_use]
    pub fn with_resets(mut self, reset: BySeat<Option<Foul>>) -> Showdown<'a> {
        self.reset = reset;
        self
    }

    /// Returns the foul of a seat that the house way replaced, if any.
    pub fn reset(&self, seat: Seat) -> Option<Foul> {
        self.reset[seat.index()]
    }

    /// Rules of the table.
    pub fn table_rules(&self) -> &'a TableRules {
        self.table_rules
    }

    /// Returns a row of the posted paytable of a side wager.
    ///
    /// # Panics
    /// If `wager` is the base game, which has no paytable, or the row does not exist.
    pub fn row(&self, wager: WagerRef, row: u8) -> &'a PayRow {
        let WagerRef::Side(index) = wager else { panic!("the base game has no paytable") };
        self.table_rules.row(usize::from(index), row)
    }

    /// Banker of the round.
    pub fn bank(&self) -> Bank {
        self.bank
    }

    /// Seat where settling starts.
    pub fn first(&self) -> Seat {
        self.first
    }

    /// Grouping of seats by player.
    pub fn owners(&self) -> &Owners {
        &self.owners
    }

    /// The banking seat; `None` if the dealer banks.
    pub fn banking_seat(&self) -> Option<Seat> {
        match self.bank {
            Bank::Dealer => None,
            Bank::Seat { seat, .. } => Some(seat),
        }
    }

    /// Hand and wagers of a seat; `None` if it does not play.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.players[seat.index()].as_ref()
    }

    /// Hand of the dealer; `None` if there is none.
    pub fn dealer(&self) -> Option<&Dealer> {
        self.dealer.as_ref()
    }

    /// Iterates over the seats in the order of settling: from the first seat, in the direction of dealing (CA-4).
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        let book = self.table_rules.book();
        Seat::around(self.first, book.seats.players, book.dealing.order)
    }

    /// Setting of the banker's hand. A banker's foul is set the house way before the showdown (SB-4).
    pub fn banker_setting(&self) -> Option<Setting> {
        match self.bank {
            Bank::Dealer => self.dealer.map(|dealer| dealer.setting),
            Bank::Seat { seat, .. } => match self.player(seat)?.played {
                PlayedHand::Set(setting) => Some(setting),
                PlayedHand::Foul(_) => None,
            },
        }
    }

    /// Amount that a banking seat has put up, from which it pays.
    ///
    /// `None` if the house banks, if the banker covers every wager, or if the operator guarantees the bank.
    pub fn put_up(&self) -> Option<Amount> {
        match self.bank {
            Bank::Seat { covers, .. } if !self.table_rules.book().banking.is_guaranteed() => covers,
            _ => None,
        }
    }

    /// Sum of all base wagers against the banker.
    pub fn action(&self) -> Amount {
        let house = self.dealer.map_or(0, |dealer| dealer.wager.cents());
        let seats: u64 = self.players.iter().flatten().map(|player| player.stakes.pai_gow.cents()).sum();
        Amount::from_cents(seats + house)
    }

    /// Returns all violations of the rules.
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

    /// Checks that a player has no more hands than allowed and none against the player's own bank.
    fn check_owner(&self, seat: Seat, player: &Player, refusals: &mut Vec<Refusal>) {
        let max = self.table_rules.book().seats.hands_per_player;
        let before =
            self.owners.seats_of(seat).filter(|other| *other < seat && self.player(*other).is_some());
        if before.count() >= usize::from(max) {
            refusals.push(Refusal::TooManyHands { seat, max });
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
        for card in twice {
            let holders = hands().filter(|(_, hand)| hand.cards().contains(card));
            let names =
                holders.map(|(seat, _)| seat.map_or("the dealer's hand".to_owned(), |seat| seat.to_string()));
            refusals.push(Refusal::CardTwice { card, hands: names.collect::<Vec<_>>().join(" and ") });
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
                match self.player(seat).map(|player| player.played) {
                    None if seat.number() <= book.seats.players => {
                        refusals.push(Refusal::BankerWithoutHand { seat });
                    }
                    // A banker's foul must be set again before the settlement (SB-4).
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
    /// Returns all rule violations of the wagers of a seat. `banks` tells whether the seat banks.
    pub fn violations(&self, seat: Seat, table_rules: &TableRules, banks: bool) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        check_stakes(seat, self, table_rules, banks, &mut refusals);
        refusals
    }

    /// Returns whether a banking seat may have these wagers: no base wager, and only side wagers allowed to the banker.
    pub(crate) fn allowed_to_banker(&self, table_rules: &TableRules) -> bool {
        let is_allowed =
            |index: usize| index < table_rules.side_wager_count() && table_rules.wager(index).banker_wagers;
        let mut sides = self.sides.iter().enumerate().filter(|(_, stake)| stake.is_some());
        self.pai_gow == Amount::ZERO && sides.all(|(index, _)| is_allowed(index))
    }
}

/// Collects the rule violations of a seat's wagers (SD-1, EZ-8, EZ-9).
pub(crate) fn check_stakes(
    seat: Seat,
    stakes: &Stakes,
    table_rules: &TableRules,
    banks: bool,
    refusals: &mut Vec<Refusal>,
) {
    if banks && !stakes.allowed_to_banker(table_rules) {
        refusals.push(Refusal::BankerWagers { seat });
        return;
    }
    let check_limits = |wager: &str, amount: Amount, limits: &Limits, refusals: &mut Vec<Refusal>| {
        let wager = || wager.to_owned();
        if amount < limits.min {
            refusals.push(Refusal::BelowMinimum { seat, wager: wager(), amount, min: limits.min });
        } else if amount > limits.max {
            refusals.push(Refusal::AboveMaximum { seat, wager: wager(), amount, max: limits.max });
        }
    };
    let has_base = stakes.pai_gow > Amount::ZERO;
    if has_base {
        check_limits("pai-gow", stakes.pai_gow, &table_rules.book().base_game.limits, refusals);
    }
    for (index, stake) in stakes.sides.iter().enumerate() {
        let Some(stake) = stake else { continue };
        if index >= table_rules.side_wager_count() {
            refusals.push(Refusal::UnknownWager { wager: format!("number {}", index + 1) });
            continue;
        }
        let wager = table_rules.wager(index);
        let name = || wager.name.clone();
        if !has_base && !banks {
            refusals.push(Refusal::NoPaiGowWager { seat, wager: name() });
        }
        check_limits(&wager.name, stake.amount, &wager.limits, refusals);
        match (wager.looks_at, stake.color) {
            (DecidingCards::Color, None) => refusals.push(Refusal::ColorMissing { seat, wager: name() }),
            (looks_at, Some(_)) if looks_at != DecidingCards::Color => {
                refusals.push(Refusal::ColorUnexpected { seat, wager: name() });
            }
            _ => {}
        }
    }
}

/// Checks that the house's wager against a banking seat is within the limits of the base game.
pub(crate) fn check_dealer_wager(amount: Amount, limits: &Limits) -> Option<Refusal> {
    let Limits { min, max, .. } = *limits;
    (amount < min || amount > max).then_some(Refusal::DealerWagerOutOfLimits { amount, min, max })
}

impl TableRules {
    /// Returns the setting of a hand by the house way.
    pub fn house_way_setting(&self, hand: SevenCards) -> Setting {
        self.book().house_way.decide(hand, self.evaluator()).setting
    }

    /// Returns the foul that results from these cards as the low hand, or `None` if the setting is legal.
    pub(crate) fn foul(&self, hand: SevenCards, low: CardSet) -> Option<Foul> {
        Arrangement::new(hand, low)?.set(self.evaluator()).err()
    }

    /// Returns a player's hand as played with these cards as the low hand.
    ///
    /// A foul is set the house way in books with [`PlayerFoul::HouseWay`].
    ///
    /// # Errors
    /// The low hand is not two of the seven cards. The refusal names `owner`.
    pub fn played_hand(&self, hand: SevenCards, low: CardSet, owner: &str) -> Result<PlayedHand, Refusal> {
        let offered =
            Arrangement::new(hand, low).ok_or_else(|| Refusal::NotTheirCards { owner: owner.to_owned() })?;
        Ok(match (offered.set(self.evaluator()), self.book().setting.player) {
            (Ok(setting), _) => PlayedHand::Set(setting),
            (Err(foul), PlayerFoul::Loses) => PlayedHand::Foul(foul),
            (Err(_), PlayerFoul::HouseWay) => PlayedHand::Set(self.house_way_setting(hand)),
        })
    }
}
