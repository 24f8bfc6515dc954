//! Rule books: what differs between houses and jurisdictions, as values with their citations.
//!
//! A [`Rulebook`] is read from a text file (`docs/rule-books.md` describes it) and checked whole: `spec.rs` says what may be
//! in it, `read.rs` turns it into values and checks what they mean together, `library.rs` finds books and house ways by
//! name. Code asks a book what the rule is; it never asks which book it is.

mod canonical;
mod library;
mod read;
mod spec;
mod words;

use crate::document::Document;
use crate::{Amount, HandClass, HouseWay, Joker, Paytable, Ranking};
use std::sync::Arc;

pub use library::{BuiltIn, LoadError, Shelf, stem};
pub use spec::RULE_BOOK_SPEC;
pub use words::Sentence;

/// An enum of words that files use.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// The words for it in files.
            pub(crate) const WORDS: &'static [&'static str] = &[$($word,)*];

            /// The one with this word.
            pub fn from_name(word: &str) -> Option<$name> {
                match word { $($word => Some($name::$variant),)* _ => None }
            }

            /// The word for it.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }
        }
    )*};
}

words! {
    /// What picks the place of the first hand.
    FirstHand {
        /// A throw of the dice.
        Dice = "dice",
        /// The banker's own place.
        Banker = "banker",
    }

    /// Which way round the table.
    Direction {
        /// To the dealer's right.
        CounterClockwise = "counter_clockwise",
        /// To the dealer's left.
        Clockwise = "clockwise",
    }

    /// Which spots are dealt a hand.
    Spots {
        /// All of them; those without a wager are discarded (EZ-10).
        Every = "every",
        /// Those with a wager (EZ-10, 8b).
        Active = "active",
    }

    /// Where the dealer's own hand comes in the order of dealing.
    DealerTurn {
        /// After the first seat (EZ-10).
        AfterFirstSeat = "after_first_seat",
        /// After all seats.
        Last = "last",
        /// The dealer has no hand (CA-3).
        None = "none",
    }

    /// What becomes of a player's hand whose front is higher than its back.
    PlayerFoul {
        /// It loses (SB-4).
        Loses = "loses",
        /// It is set the house way.
        HouseWay = "house_way",
    }

    /// What becomes of a banker's hand whose front is higher than its back.
    BankerFoul {
        /// It is set the house way (SB-4).
        HouseWay = "house_way",
        /// The banker sets it again.
        SetAgain = "set_again",
    }

    /// Who wins equal hands.
    Copies {
        /// The banker (SB-3, CA-10, EZ-11).
        Banker = "banker",
        /// The player.
        Player = "player",
    }

    /// How an amount that is no multiple of the unit is rounded.
    Rounding {
        /// To the nearest multiple, halves up.
        Nearest = "nearest",
        /// Up.
        Up = "up",
        /// Down.
        Down = "down",
    }

    /// What a banking seat pays commission on.
    BankerCommission {
        /// Every hand it wins.
        EachWin = "each_win",
        /// What it has won over the whole round, if anything.
        NetWin = "net_win",
    }

    /// Who may bank.
    Banker {
        /// The house's dealer.
        Dealer = "dealer",
        /// A player, against all others and the dealer (SB-7).
        Seat = "seat",
        /// A player in the player/dealer position (CA-4).
        PlayerDealer = "player_dealer",
    }

    /// How much of the action the banker must cover.
    Cover {
        /// All of it (SB-7).
        All = "all",
        /// Some or all; what is not covered has no action (CA-4).
        SomeOrAll = "some_or_all",
    }

    /// What uses up the cover.
    CoverUse {
        /// A dollar of it answers a dollar of a player's wager, whoever wins; a push uses none.
        EachDollarOnce = "each_dollar_once",
        /// Only what the banker pays out.
        LossesOnly = "losses_only",
    }

    /// Whether the bank goes round the table.
    Rotation {
        /// It does not.
        None = "none",
        /// Clockwise (CA-7).
        Clockwise = "clockwise",
    }

    /// What a side wager looks at.
    LooksAt {
        /// The best-paying class among the player's own seven cards.
        PlayerHand = "player_hand",
        /// The same among the dealer's.
        DealerHand = "dealer_hand",
        /// The dealer's five cards as set.
        DealerFiveCards = "dealer_five_cards",
        /// How many of the player's cards are of the chosen colour.
        Color = "color",
    }

    /// Who pays and collects a side wager.
    SettledBy {
        /// The house.
        House = "house",
        /// Whoever banks (CA-6).
        Banker = "banker",
    }

    /// What a payout maximum is counted over.
    Per {
        /// One hand.
        Hand = "hand",
        /// All hands of a round together.
        Round = "round",
    }
}

/// The rules of one house or jurisdiction.
#[derive(Clone, Debug)]
pub struct Rulebook {
    /// The name it goes by: its file's, without folder and ending.
    pub id: String,
    /// What it was asked for by: that name, or a path.
    pub reference: String,
    /// What it is called.
    pub title: String,
    /// The document it follows.
    pub source: String,
    /// Since when the document is in force, where it says.
    pub effective: Option<String>,
    /// When the book was last compared with the document.
    pub checked_on: String,
    /// How hands rank.
    pub ranking: Ranking,
    /// What the house may choose for the joker.
    pub joker_choices: Vec<Joker>,
    /// Who can be dealt a hand.
    pub seats: Seats,
    /// How hands are dealt.
    pub dealing: Dealing,
    /// What becomes of fouls.
    pub setting: Fouls,
    /// The base game.
    pub base_game: BaseGame,
    /// The commission.
    pub commission: Commission,
    /// The fee in place of a commission.
    pub collection: Option<Collection>,
    /// Who banks, and how far.
    pub banking: Banking,
    /// How the dealer sets.
    pub house_way: Arc<HouseWay>,
    /// Where the choice of house way comes from.
    pub house_way_cite: String,
    /// The side wagers, in the order of the file.
    pub wagers: Vec<SideWager>,
    /// Words and their senses.
    pub glossary: Vec<Entry>,
    /// Rules in plain words.
    pub duties: Vec<Entry>,
    /// What no document says, by path, with the reason.
    pub assumptions: Vec<(String, String)>,
    document: Document,
}

/// Who can be dealt a hand.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // docs/rule-books.md says what each key means, here and below
pub struct Seats {
    pub players: u8,
    pub dealer_hand: bool,
    pub hands_per_player: u8,
    pub cite: String,
}

/// How hands are dealt.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Dealing {
    pub first: FirstHand,
    pub order: Direction,
    pub spots: Spots,
    pub spots_choices: Vec<Spots>,
    pub dealer_hand: DealerTurn,
    pub action_pile: bool,
    pub cite: String,
}

/// What becomes of fouls.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Fouls {
    pub player: PlayerFoul,
    pub banker: BankerFoul,
    pub cite: String,
}

/// The base game.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct BaseGame {
    pub copies: Copies,
    pub dealer_push: Vec<HandClass>,
    pub limits: Limits,
    pub cite: String,
}

/// The least and the most of a wager.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Limits {
    pub min: Amount,
    pub max: Amount,
    pub cite: String,
}

/// The commission on winning base wagers.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Commission {
    /// In hundredths of a percent.
    pub basis_points: u32,
    pub banker: BankerCommission,
    pub rounding: Rounding,
    pub unit: Amount,
    pub cite: String,
}

/// A fee by the size of the wager.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Collection {
    pub schedule: Vec<Fee>,
    pub cite: String,
}

/// A row of a schedule of fees.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Fee {
    pub wager_from: Amount,
    pub player: Amount,
    pub banker: Amount,
}

/// Who banks, and how far.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Banking {
    pub bankers: Vec<Banker>,
    pub cover: Cover,
    pub cover_use: CoverUse,
    pub plays_dealer: bool,
    pub rounds_running_max: Option<u8>,
    pub rotation: Rotation,
    pub cite: String,
}

/// A side wager.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct SideWager {
    pub name: String,
    pub title: String,
    pub looks_at: LooksAt,
    pub player_must_beat: bool,
    pub settled_by: SettledBy,
    /// The name of the paytable that is posted unless another is.
    pub default: String,
    pub limits: Limits,
    pub envy: Option<Envy>,
    pub payout_max: Option<PayoutMax>,
    pub paytables: Vec<Paytable>,
    pub cite: String,
}

/// Who has a share in others' luck.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Envy {
    pub from: Amount,
    pub button: String,
    pub cite: String,
}

/// The most that is paid on odds.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct PayoutMax {
    /// Left out where the house may set one and has not.
    pub amount: Option<Amount>,
    pub per: Per,
    pub cite: String,
}

/// A word or a rule, and what the book says of it.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Entry {
    pub key: String,
    pub says: String,
    pub cite: String,
}

impl Rulebook {
    /// The side wager of a name.
    pub fn wager(&self, name: &str) -> Option<&SideWager> {
        self.wagers.iter().find(|wager| wager.name == name)
    }

    /// The book as a document: every value with its place.
    pub fn document(&self) -> &Document {
        &self.document
    }
}

impl SideWager {
    /// The paytable of a name.
    pub fn paytable(&self, name: &str) -> Option<&Paytable> {
        self.paytables.iter().find(|table| table.name == name)
    }
}
