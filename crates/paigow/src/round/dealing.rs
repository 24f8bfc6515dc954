//! Dealing: distribution of a shuffle to seats and dealer (EZ-10, CA-5).
//!
//! Hands are dealt as packets of seven cards. The first packet goes to the spot that the dice chose, the others follow
//! around the table. A [`Shuffle`] is a plain value; the caller provides the randomness.

use crate::rulebook::{DealerHandPosition, Direction, FirstHand, Rulebook, Spots};
use crate::{BySeat, Card, CardSet, PartialHand, Refusal, Seat, SevenCards};

/// All 53 cards in the order in which they are dealt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shuffle([Card; 53]);

impl Shuffle {
    /// Creates a shuffle with the cards in this order.
    ///
    /// # Errors
    /// The cards are not the 53 cards, each once.
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

/// Owner of a spot that can be dealt a packet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PacketOwner {
    /// A seat.
    Seat(Seat),
    /// The house's dealer.
    Dealer,
}

/// The values of a book that decide who gets which packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DealingRules {
    /// Number of seats.
    pub seats: u8,
    /// Whether the house's dealer has a hand.
    pub dealer_has_hand: bool,
    /// How the spot of the first packet is chosen.
    pub first: FirstHand,
    /// Direction of dealing.
    pub order: Direction,
    /// Spots that are dealt a packet.
    pub spots: Spots,
    /// Position of the dealer's hand in the order of dealing.
    pub dealer_hand: DealerHandPosition,
    /// Whether the banker picks the packet that is dealt first.
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

/// The dealt hands of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deal {
    /// Hand of each seat that plays.
    pub hands: BySeat<Option<SevenCards>>,
    /// Hand of the dealer; `None` if the book deals the dealer none.
    pub dealer: Option<SevenCards>,
    /// Seat that got the first hand. Settling starts there.
    pub first: Seat,
    /// Cards of hands without a wager, and undealt cards.
    pub discards: CardSet,
}

impl Deal {
    /// Deals a round.
    ///
    /// Spots have the numbers of their seats. The dealer's spot, if the dealer has a hand, has the number after the last
    /// seat.
    ///
    /// # Errors
    /// The dice or the action pile are out of range, or no seat plays.
    pub fn new(
        book: &Rulebook,
        shuffle: &Shuffle,
        dice: u8,
        action_pile: Option<u8>,
        plays: BySeat<bool>,
        banker: Option<Seat>,
    ) -> Result<Deal, Refusal> {
        Deal::with_rules(DealingRules::from(book), shuffle, dice, action_pile, plays, banker)
    }

    /// Deals a round by these values of a book.
    ///
    /// # Errors
    /// As [`Deal::new`].
    pub fn with_rules(
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
        for (i, owner) in order.into_iter().take(piles).enumerate() {
            // The pile that the banker picked is dealt first, the others follow in order (CA-5).
            let hand = shuffle.packet((pile + i) % piles);
            match owner {
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

/// Maximum number of spots: all seats and the dealer.
const SPOTS_MAX: usize = Seat::COUNT_MAX + 1;

/// Returns the owners of the spots that are dealt a packet, in order, and their number.
fn order(
    rules: DealingRules,
    dice: u8,
    plays: BySeat<bool>,
    banker: Option<Seat>,
) -> Result<([PacketOwner; SPOTS_MAX], usize), Refusal> {
    let seats = rules.seats;
    let spots = seats + u8::from(rules.dealer_has_hand);
    let (start, dealer_first) = match (rules.first, banker) {
        (FirstHand::Dice, _) if (1..=seats).contains(&dice) => (dice, false),
        (FirstHand::Dice, _) if dice == spots && rules.dealer_has_hand => (dice, true),
        (FirstHand::Dice, _) => return Err(Refusal::DiceOutOfRange { number: dice, spots }),
        (FirstHand::Banker, Some(seat)) => (seat.number(), false),
        (FirstHand::Banker, None) => (spots, true),
    };
    // After the dealer comes the adjacent seat: the last one counter-clockwise, seat 1 clockwise.
    let from = match (rules.order, dealer_first) {
        (_, false) => start,
        (Direction::CounterClockwise, true) => seats,
        (Direction::Clockwise, true) => 1,
    };
    let Some(from) = Seat::new(from) else { return Err(Refusal::DiceOutOfRange { number: dice, spots }) };
    let around = Seat::around(from, seats, rules.order);
    let dealt = around.filter(|seat| rules.spots == Spots::Every || plays[seat.index()]);
    let mut order = [PacketOwner::Dealer; SPOTS_MAX];
    let mut count = 0;
    for seat in dealt {
        order[count] = PacketOwner::Seat(seat);
        count += 1;
    }
    if rules.dealer_has_hand {
        let index = match rules.dealer_hand {
            _ if dealer_first => 0,
            // The dealer sits between seat 1 and the last seat. The hand follows the seats dealt before that spot.
            DealerHandPosition::InOrder => {
                let is_before = |owner: &PacketOwner| match rules.order {
                    Direction::CounterClockwise => *owner <= order[0],
                    Direction::Clockwise => *owner >= order[0],
                };
                order[..count].iter().take_while(|owner| is_before(owner)).count()
            }
            DealerHandPosition::AfterFirstSeat => 1.min(count),
            DealerHandPosition::Last | DealerHandPosition::None => count,
        };
        order.copy_within(index..count, index + 1);
        order[index] = PacketOwner::Dealer;
        count += 1;
    }
    Ok((order, count))
}
