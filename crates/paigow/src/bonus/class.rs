//! Bonus classes: the classes of seven-card hands that a paytable can pay.
//!
//! A hand *contains* a class if some of its seven cards make it, with the joker used as its rule allows. The other
//! cards do not matter: four kings contain three of a kind and a pair, and a royal flush contains a straight flush, a
//! flush and a straight. A paytable pays the best-paying class that a hand contains. Classes therefore have no order
//! of their own. [`HandClass::IN_PLAY`] is the order of play.
//!
//! `holding.rs` finds the classes that a hand contains.

use crate::Rank;
use std::fmt;

macro_rules! classes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $title:literal;)*) => {
        /// A class of seven-card hands that a paytable can name.
        ///
        /// # Examples
        ///
        /// ```
        /// use paigow::{HandClass, Holdings, Joker, SevenCards};
        ///
        /// let hand: SevenCards = "Ks Kd Kc Qh Qs 7d 2c".parse()?;
        /// let classes = Holdings::of(Joker::SemiWild).classes_of(hand);
        /// assert_eq!(classes.first_of(&HandClass::IN_PLAY), HandClass::FullHouse);
        /// assert_eq!(HandClass::FullHouse.title(), "full house");
        /// # Ok::<(), paigow::CardFaults>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum HandClass { $($(#[$doc])* $variant,)* }

        impl HandClass {
            /// All classes, in the order in which paytables list them.
            pub const ALL: [HandClass; classes!(@count $($variant)*)] = [$(HandClass::$variant,)*];

            /// Names of the classes, in the order of [`HandClass::ALL`].
            const NAMES: [&'static str; HandClass::ALL.len()] = [$($name,)*];

            /// Returns the name used in files and responses.
            pub const fn name(self) -> &'static str {
                match self { $(HandClass::$variant => $name,)* }
            }

            /// Returns the display name.
            pub const fn title(self) -> &'static str {
                match self { $(HandClass::$variant => $title,)* }
            }
        }
    };
    (@count $($variant:ident)*) => { [$(HandClass::$variant),*].len() };
}

classes! {
    /// Seven consecutive cards of one suit, without the joker.
    Natural7CardStraightFlush = "natural_7_card_straight_flush", "natural 7-card straight flush";
    /// A royal flush, natural or with the joker, and a king and queen of one other suit (SD-8).
    RoyalFlushRoyalMatch = "royal_flush_royal_match", "royal flush + royal match";
    /// A royal flush, natural or with the joker, and an ace and queen of one other suit (EZ-5).
    RoyalFlushAceQueen = "royal_flush_ace_queen", "royal flush + ace-queen suited";
    /// Seven consecutive cards of one suit, one of them the joker.
    Wild7CardStraightFlush = "wild_7_card_straight_flush", "wild 7-card straight flush";
    /// Four aces and the joker.
    FiveAces = "five_aces", "five aces";
    /// Four cards of a rank and a fully wild joker.
    FiveOfAKind = "five_of_a_kind", "five of a kind";
    /// Ten to ace of one suit, natural or with the joker.
    RoyalFlush = "royal_flush", "royal flush";
    /// A Luhn Tao wheel, and an ace and queen of one other suit (EZ-5).
    LuhnTaoWheelAceQueen = "luhn_tao_wheel_ace_queen", "Luhn Tao wheel + ace-queen suited";
    /// Ace to five of one suit, in a hand without the joker (EZ-5).
    LuhnTaoWheel = "luhn_tao_wheel", "Luhn Tao wheel";
    /// Five consecutive cards of one suit, natural or with the joker.
    StraightFlush = "straight_flush", "straight flush";
    /// Four cards of a rank.
    FourOfAKind = "four_of_a_kind", "four of a kind";
    /// Three cards of a rank and two of another.
    FullHouse = "full_house", "full house";
    /// Five cards of one suit, natural or with the joker.
    Flush = "flush", "flush";
    /// Three cards of a rank.
    ThreeOfAKind = "three_of_a_kind", "three of a kind";
    /// Five consecutive cards, natural or with the joker.
    Straight = "straight", "straight";
    /// Two cards of each of three ranks.
    ThreePair = "three_pair", "three pair";
    /// Two cards of each of two ranks.
    TwoPair = "two_pair", "two pair";
    /// Two cards of a rank.
    Pair = "pair", "pair";
    /// A pai gow (seven ranks without a straight or flush, EZ-1) whose highest card is an ace.
    AceHigh = "ace_high", "ace-high pai gow";
    /// A pai gow whose highest card is a king.
    KingHigh = "king_high", "king-high pai gow";
    /// A pai gow whose highest card is a queen.
    QueenHigh = "queen_high", "queen-high pai gow";
    /// A pai gow whose highest card is a jack.
    JackHigh = "jack_high", "jack-high pai gow";
    /// A pai gow whose highest card is a ten.
    TenHigh = "ten_high", "ten-high pai gow";
    /// A pai gow whose highest card is a nine. No pai gow is lower: two to eight are seven consecutive ranks.
    NineHigh = "nine_high", "nine-high pai gow";
    /// None of the classes in question.
    Nothing = "nothing", "nothing";
}

impl HandClass {
    /// Classes that partition all hands by their rank in play, strongest first. A straight is above three of a kind.
    ///
    /// The list omits special forms of royal and straight flushes that only one document pays.
    pub const IN_PLAY: [HandClass; 21] = [
        HandClass::Natural7CardStraightFlush,
        HandClass::RoyalFlushRoyalMatch,
        HandClass::Wild7CardStraightFlush,
        HandClass::FiveAces,
        HandClass::FiveOfAKind,
        HandClass::RoyalFlush,
        HandClass::StraightFlush,
        HandClass::FourOfAKind,
        HandClass::FullHouse,
        HandClass::Flush,
        HandClass::Straight,
        HandClass::ThreeOfAKind,
        HandClass::ThreePair,
        HandClass::TwoPair,
        HandClass::Pair,
        HandClass::AceHigh,
        HandClass::KingHigh,
        HandClass::QueenHigh,
        HandClass::JackHigh,
        HandClass::TenHigh,
        HandClass::NineHigh,
    ];

    /// Classes from the rarest to the most common, as paytables value them.
    ///
    /// The first list has the made hands. The second has the pai gows, of which the lowest are the rarest.
    pub const BY_RARITY: [&'static [HandClass]; 2] = [
        &[
            HandClass::LuhnTaoWheelAceQueen,
            HandClass::Natural7CardStraightFlush,
            HandClass::RoyalFlushRoyalMatch,
            HandClass::RoyalFlushAceQueen,
            HandClass::Wild7CardStraightFlush,
            HandClass::FiveAces,
            HandClass::FiveOfAKind,
            HandClass::LuhnTaoWheel,
            HandClass::RoyalFlush,
            HandClass::StraightFlush,
            HandClass::FourOfAKind,
            HandClass::FullHouse,
            HandClass::Flush,
            HandClass::ThreeOfAKind,
            HandClass::Straight,
            HandClass::ThreePair,
            HandClass::TwoPair,
            HandClass::Pair,
        ],
        &[
            HandClass::NineHigh,
            HandClass::TenHigh,
            HandClass::JackHigh,
            HandClass::QueenHigh,
            HandClass::KingHigh,
            HandClass::AceHigh,
        ],
    ];

    /// The pai gow classes, highest first.
    pub const PAI_GOWS: [HandClass; 6] = [
        HandClass::AceHigh,
        HandClass::KingHigh,
        HandClass::QueenHigh,
        HandClass::JackHigh,
        HandClass::TenHigh,
        HandClass::NineHigh,
    ];

    /// Returns the pai gow class with this highest card, or `None` below a nine.
    pub fn of_high_card(highest: Rank) -> Option<HandClass> {
        HandClass::PAI_GOWS.get(Rank::Ace.index() - highest.index()).copied()
    }

    /// Names of the classes that a file can use: all except [`HandClass::Nothing`], which is the last.
    pub(crate) const NAMES_IN_FILES: &'static [&'static str] =
        HandClass::NAMES.split_at(HandClass::Nothing as usize).0;

    /// Returns the class with this name in files. [`HandClass::Nothing`] has none.
    pub fn from_name(name: &str) -> Option<HandClass> {
        HandClass::NAMES_IN_FILES.iter().position(|known| *known == name).map(|index| HandClass::ALL[index])
    }
}

impl fmt::Display for HandClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.title())
    }
}

/// A set of classes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ClassSet(u32);

impl ClassSet {
    /// The empty set.
    pub const EMPTY: ClassSet = ClassSet(0);

    /// Returns `true` if the set contains the class.
    pub const fn contains(self, class: HandClass) -> bool {
        self.0 >> class as u32 & 1 == 1
    }

    /// Returns this set with the class added.
    #[must_use]
    pub const fn with(self, class: HandClass) -> ClassSet {
        ClassSet(self.0 | 1 << class as u32)
    }

    /// Returns the classes that are in either set.
    #[must_use]
    pub const fn union(self, other: ClassSet) -> ClassSet {
        ClassSet(self.0 | other.0)
    }

    /// Returns the classes of this set that are not in the other.
    #[must_use]
    pub const fn difference(self, other: ClassSet) -> ClassSet {
        ClassSet(self.0 & !other.0)
    }

    /// Returns `true` if the set has no classes.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the classes in the order of [`HandClass::ALL`].
    pub fn iter(self) -> impl Iterator<Item = HandClass> {
        HandClass::ALL.into_iter().filter(move |class| self.contains(*class))
    }

    /// Returns the first class of `order` that is in the set, or [`HandClass::Nothing`].
    pub fn first_of(self, order: &[HandClass]) -> HandClass {
        order.iter().copied().find(|class| self.contains(*class)).unwrap_or(HandClass::Nothing)
    }
}

impl FromIterator<HandClass> for ClassSet {
    fn from_iter<I: IntoIterator<Item = HandClass>>(classes: I) -> ClassSet {
        classes.into_iter().fold(ClassSet::EMPTY, ClassSet::with)
    }
}

impl fmt::Debug for ClassSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(HandClass::name)).finish()
    }
}
