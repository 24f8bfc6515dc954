//! Dealing: a shuffle and a throw of the dice, and who gets which cards of it (EZ-10, CA-5).
//!
//! Hands are dealt as packets of seven. The first packet goes to the place the dice chose, the others follow round the
//! table. A shuffle is a value: where it comes from is somebody else's business.

use crate::rulebook::{DealerTurn, Direction, FirstHand, Rulebook, Spots};
use crate::{BySeat, Card, CardSet, PartialHand, Refusal, Seat, SevenCards};

/// All 53 cards in the order they will be dealt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shuffle([Card; 53]);

impl Shuffle {
    /// The shuffle with the cards in this order.
    ///
    /// # Errors
    /// They are not the 53 cards, each once.
    pub fn new(cards: [Card; 53]) -> Result<Shuffle, Refusal> {
        let all: CardSet = cards.into_iter().collect();
        if all == CardSet::DECK { Ok(Shuffle(cards)) } else { Err(Refusal::BadShuffle) }
    }

    /// The cards in order.
    pub fn cards(&self) -> &[Card; 53] {
        &self.0
    }

    fn packet(&self, number: usize) -> SevenCards {
        let cards = &self.0[7 * number..7 * number + 7];
        cards.iter().fold(PartialHand::EMPTY, |hand, &card| hand.with(card)).complete()
    }
}

/// A place that can be dealt a hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PacketOwner {
    /// A seat.
    Seat(Seat),
    /// The house's dealer.
    Dealer,
}

/// The values of a book that say who gets which packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DealingRules {
    /// How many seats there are.
    pub seats: u8,
    /// Whether the house's dealer has a hand.
    pub dealer_has_hand: bool,
    /// What picks the place of the first packet.
    pub first: FirstHand,
    /// The direction of dealing.
    pub order: Direction,
    /// The places that are dealt a packet.
    pub spots: Spots,
    /// The turn of the dealer's hand.
    pub dealer_hand: DealerTurn,
    /// Whether the banker picks the packet that goes first.
    pub action_pile: bool,
}

impl From<&Rulebook> for DealingRules {
    fn from(book: &Rulebook) -> DealingRules {
        let dealing = &book.dealing;
        DealingRules {
            seats: book.seats.players,
            dealer_has_hand: book.seats.dealer_hand,
            first: dealing.first,
            order: dealing.order,
            spots: dealing.spots,
            dealer_hand: dealing.dealer_hand,
            action_pile: dealing.action_pile,
        }
    }
}

/// Who was dealt what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deal {
    /// The hand of each seat that plays.
    pub hands: BySeat<Option<SevenCards>>,
    /// The dealer's hand, where it has one.
    pub dealer: Option<SevenCards>,
    /// The seat that got the first hand: settling starts there.
    pub first: Seat,
    /// Hands without a wager, and what was left over.
    pub discards: CardSet,
}

impl Deal {
    /// Deals a round.
    ///
    /// The places are numbered by their seats, and the dealer, where it has a hand, comes after the last.
    ///
    /// # Errors
    /// The dice name no place, there is no such pile, or nobody plays.
    pub fn new(
        book: &Rulebook,
        shuffle: &Shuffle,
        dice: u8,
        action_pile: Option<u8>,
        plays: BySeat<bool>,
        banker: Option<Seat>,
    ) -> Result<Deal, Refusal> {
        Deal::by(DealingRules::from(book), shuffle, dice, action_pile, plays, banker)
    }

    /// Deals a round by these values of a book.
    ///
    /// # Errors
    /// As [`Deal::new`].
    pub fn by(
        rules: DealingRules,
        shuffle: &Shuffle,
        dice: u8,
        action_pile: Option<u8>,
        plays: BySeat<bool>,
        banker: Option<Seat>,
    ) -> Result<Deal, Refusal> {
        let (order, piles) = order(rules, dice, plays, banker)?;
        let pile = match (action_pile, rules.action_pile) {
            (None, _) => 0,
            (Some(pile), true) if pile >= 1 && usize::from(pile) <= piles => usize::from(pile) - 1,
            (Some(pile), _) => return Err(Refusal::BadActionPile { pile }),
        };
        let mut deal = Deal {
            hands: [None; Seat::COUNT_MAX],
            dealer: None,
            first: Seat::FIRST,
            discards: CardSet::DECK,
        };
        let mut first = None;
        for (i, place) in order.into_iter().take(piles).enumerate() {
            // The pile the banker picked goes first, the others follow in turn (CA-5).
            let hand = shuffle.packet((pile + i) % piles);
            match place {
                PacketOwner::Dealer => deal.dealer = Some(hand),
                PacketOwner::Seat(seat) if plays[seat.index()] => {
                    deal.hands[seat.index()] = Some(hand);
                    first.get_or_insert(seat);
                }
                PacketOwner::Seat(_) => continue,
            }
            deal.discards = deal.discards.difference(hand.cards());
        }
        deal.first = first.ok_or(Refusal::NoWagers)?;
        Ok(deal)
    }
}

/// As many places as can ever be dealt a hand, and the dealer's.
const PLACES_MAX: usize = Seat::COUNT_MAX + 1;

/// The places that are dealt a hand, in order, and how many they are.
fn order(
    rules: DealingRules,
    dice: u8,
    plays: BySeat<bool>,
    banker: Option<Seat>,
) -> Result<([PacketOwner; PLACES_MAX], usize), Refusal> {
    let seats = rules.seats;
    let places = seats + u8::from(rules.dealer_has_hand);
    let (start, dealer_first) = match (rules.first, banker) {
        (FirstHand::Dice, _) if (1..=seats).contains(&dice) => (dice, false),
        (FirstHand::Dice, _) if dice == places && rules.dealer_has_hand => (dice, true),
        (FirstHand::Dice, _) => return Err(Refusal::DiceOutOfRange { number: dice, places }),
        (FirstHand::Banker, Some(seat)) => (seat.number(), false),
        (FirstHand::Banker, None) => (places, true),
    };
    // From the dealer the nearest seat comes first: the last one counter-clockwise, seat 1 clockwise.
    let from = match (rules.order, dealer_first) {
        (_, false) => start,
        (Direction::CounterClockwise, true) => seats,
        (Direction::Clockwise, true) => 1,
    };
    let Some(from) = Seat::new(from) else { return Err(Refusal::DiceOutOfRange { number: dice, places }) };
    let around = Seat::around(from, seats, rules.order);
    let dealt = around.filter(|seat| rules.spots == Spots::Every || plays[seat.index()]);
    let mut order = [PacketOwner::Dealer; PLACES_MAX];
    let mut count = 0;
    for seat in dealt {
        order[count] = PacketOwner::Seat(seat);
        count += 1;
    }
    if rules.dealer_has_hand {
        let turn = match rules.dealer_hand {
            _ if dealer_first => 0,
            // The dealer's place in the ring is between seat 1 and the last seat: the hand comes after the seats on the way there.
            DealerTurn::InOrder => {
                let passed = |place: &PacketOwner| match rules.order {
                    Direction::CounterClockwise => *place <= order[0],
                    Direction::Clockwise => *place >= order[0],
                };
                order[..count].iter().take_while(|place| passed(place)).count()
            }
            DealerTurn::AfterFirstSeat => 1.min(count),
            DealerTurn::Last | DealerTurn::None => count,
        };
        order.copy_within(turn..count, turn + 1);
        order[turn] = PacketOwner::Dealer;
        count += 1;
    }
    Ok((order, count))
}
