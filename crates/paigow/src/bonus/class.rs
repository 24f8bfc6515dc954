//! Bonus classes: what a paytable can pay for among seven cards.
//!
//! A hand *contains* a class when some of its seven cards, the joker used as its rule allows, make it,
//! whatever else the hand holds: four kings contain three of a kind and a pair, a royal flush contains a
//! straight flush, a flush and a straight. A paytable pays the best-paying class a hand contains, so
//! nothing here puts one class above another except [`HandClass::IN_PLAY`], the order in play.
//!
//! Which classes a hand contains is found in `holding.rs`.

use crate::Rank;
use std::fmt;

macro_rules! classes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $title:literal;)*) => {
        /// A class of seven-card hands that a paytable can name.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum HandClass { $($(#[$doc])* $variant,)* }

        impl HandClass {
            /// All classes, as the tables list them.
            pub const ALL: [HandClass; classes!(@count $($variant)*)] = [$(HandClass::$variant,)*];

            /// Their names, in the same order.
            const NAMES: [&'static str; HandClass::ALL.len()] = [$($name,)*];

            /// The name used in files and answers.
            pub const fn name(self) -> &'static str {
                match self { $(HandClass::$variant => $name,)* }
            }

            /// The name for people.
            pub const fn title(self) -> &'static str {
                match self { $(HandClass::$variant => $title,)* }
            }
        }
    };
    (@count $($variant:ident)*) => { [$(HandClass::$variant),*].len() };
}

classes! {
    /// Seven cards of one suit in a row, without the joker.
    Natural7CardStraightFlush = "natural_7_card_straight_flush", "natural 7-card straight flush";
    /// A royal flush, perhaps completed by the joker, beside a king and a queen of one suit (SD-8).
    RoyalFlushRoyalMatch = "royal_flush_royal_match", "royal flush + royal match";
    /// A royal flush, perhaps completed by the joker, beside an ace and a queen of one suit (EZ-5).
    RoyalFlushAceQueen = "royal_flush_ace_queen", "royal flush + ace-queen suited";
    /// Seven cards of one suit in a row, one of them the joker.
    Wild7CardStraightFlush = "wild_7_card_straight_flush", "wild 7-card straight flush";
    /// Four aces and the joker.
    FiveAces = "five_aces", "five aces";
    /// Four of a rank and a fully wild joker.
    FiveOfAKind = "five_of_a_kind", "five of a kind";
    /// Ten to ace of one suit, perhaps completed by the joker.
    RoyalFlush = "royal_flush", "royal flush";
    /// A Luhn Tao wheel beside an ace and a queen of one suit (EZ-5).
    LuhnTaoWheelAceQueen = "luhn_tao_wheel_ace_queen", "Luhn Tao wheel + ace-queen suited";
    /// Ace to five of one suit in a hand without the joker (EZ-5).
    LuhnTaoWheel = "luhn_tao_wheel", "Luhn Tao wheel";
    /// Five of one suit in a row, perhaps completed by the joker.
    StraightFlush = "straight_flush", "straight flush";
    /// Four of a rank.
    FourOfAKind = "four_of_a_kind", "four of a kind";
    /// Three of a rank and two of another.
    FullHouse = "full_house", "full house";
    /// Five of one suit, perhaps completed by the joker.
    Flush = "flush", "flush";
    /// Three of a rank.
    ThreeOfAKind = "three_of_a_kind", "three of a kind";
    /// Five in a row, perhaps completed by the joker.
    Straight = "straight", "straight";
    /// Two of each of three ranks.
    ThreePair = "three_pair", "three pair";
    /// Two of each of two ranks.
    TwoPair = "two_pair", "two pair";
    /// Two of a rank.
    Pair = "pair", "pair";
    /// A pai gow, seven ranks without a straight or a flush (EZ-1), whose highest card is an ace.
    AceHigh = "ace_high", "ace-high pai gow";
    /// A pai gow whose highest card is a king.
    KingHigh = "king_high", "king-high pai gow";
    /// A pai gow whose highest card is a queen.
    QueenHigh = "queen_high", "queen-high pai gow";
    /// A pai gow whose highest card is a jack.
    JackHigh = "jack_high", "jack-high pai gow";
    /// A pai gow whose highest card is a ten.
    TenHigh = "ten_high", "ten-high pai gow";
    /// A pai gow whose highest card is a nine: two to eight are seven in a row, so none is lower.
    NineHigh = "nine_high", "nine-high pai gow";
    /// None of the classes that were asked about.
    Nothing = "nothing", "nothing";
}

impl HandClass {
    /// The classes that share out all hands between them by their rank in play, strongest first: a
    /// straight above three of a kind. The classes left out are finer forms of a royal or a straight
    /// flush that only one document pays for.
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

    /// The classes from the rarest to the commonest, as paytables value them, in two lists: hands that are good to hold,
    /// and pai gows, of which the lowest are the rarest.
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

    /// The pai gows, highest first.
    pub const PAI_GOWS: [HandClass; 6] = [
        HandClass::AceHigh,
        HandClass::KingHigh,
        HandClass::QueenHigh,
        HandClass::JackHigh,
        HandClass::TenHigh,
        HandClass::NineHigh,
    ];

    /// The pai gow of a high card; none is lower than a nine.
    pub fn of_high_card(highest: Rank) -> Option<HandClass> {
        HandClass::PAI_GOWS.get(Rank::Ace.index() - highest.index()).copied()
    }

    /// The names of the classes that a file can ask for: all but [`HandClass::Nothing`], which is the last.
    pub(crate) const NAMES_IN_FILES: &'static [&'static str] =
        HandClass::NAMES.split_at(HandClass::Nothing as usize).0;

    /// The class a file means by this name.
    pub fn from_name(name: &str) -> Option<HandClass> {
        HandClass::NAMES_IN_FILES.iter().position(|known| *known == name).map(|place| HandClass::ALL[place])
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
    /// No class.
    pub const EMPTY: ClassSet = ClassSet(0);

    /// Whether the class is in it.
    pub const fn contains(self, class: HandClass) -> bool {
        self.0 >> class as u32 & 1 == 1
    }

    /// This set and the class.
    #[must_use]
    pub const fn with(self, class: HandClass) -> ClassSet {
        ClassSet(self.0 | 1 << class as u32)
    }

    /// The classes in either.
    #[must_use]
    pub const fn union(self, other: ClassSet) -> ClassSet {
        ClassSet(self.0 | other.0)
    }

    /// The classes of this set that are not in the other.
    #[must_use]
    pub const fn difference(self, other: ClassSet) -> ClassSet {
        ClassSet(self.0 & !other.0)
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The classes in the order of [`HandClass::ALL`].
    pub fn iter(self) -> impl Iterator<Item = HandClass> {
        HandClass::ALL.into_iter().filter(move |class| self.contains(*class))
    }

    /// The first class of a list that is in the set, or [`HandClass::Nothing`].
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
