//! Rule books: what differs between houses and jurisdictions, as values with their citations.
//!
//! A [`Rulebook`] is read from a text file (`docs/rule-books.md` describes it) and checked whole: `spec.rs` says what may be
//! in it, `read.rs` turns it into values and checks what they mean together, `library.rs` finds books and house ways by
//! name. Code asks a book what the rule is; it never asks which book it is.

mod canonical;
mod library;
mod overlay;
mod read;
mod spec;
mod table_rules;
mod terms;
mod values;
mod words;

use crate::document::{Document, Node, Provenance};
use crate::{Amount, HandClass, HouseWay, Joker, Paytable, Ranking};
use std::sync::Arc;

pub use library::{BookSource, BuiltIn, LoadError, stem};
pub use overlay::Departure;
pub use spec::RULE_BOOK_SPEC;
pub use table_rules::TableRules;
pub use values::{BookValue, KindCounts};
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

            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

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
        /// In its place in the ring, between seat 1 and the last seat: counter-clockwise after seat 1 (EZ-10).
        InOrder = "in_order",
        /// Second, after whichever seat is dealt first: the other reading of EZ-10.
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
        /// A dollar of it answers a dollar of a base wager, whoever wins; a push uses none. What is left of the money after payments answers side wagers.
        EachDollarOnce = "each_dollar_once",
        /// Only what the banker pays out.
        LossesOnly = "losses_only",
        /// A dollar of it answers one dollar in all, of base wagers, side wagers and envy bonuses, whoever wins; a push uses none.
        OnceInAll = "once_in_all",
    }

    /// What a seat that banks pays with.
    PaysFrom {
        /// What it has put up, and nothing else: what that does not reach has no action.
        PutUp = "put_up",
        /// What it has put up. A wager that could be owed more than that is refused.
        Reserved = "reserved",
        /// What it has put up, then its account, then the operator: as versions before 0.2.0 did.
        Guaranteed = "guaranteed",
    }

    /// When fees are taken.
    Taken {
        /// Before any wager is settled, from money that is held beside the wager; by what has action.
        First = "first",
        /// By the whole wager. The lines come first; the money is taken after everything else, as far as there is any.
        Last = "last",
    }

    /// When side wagers are settled.
    BonusOrder {
        /// After all base wagers, seat by seat.
        AfterBaseWagers = "after_base_wagers",
        /// Each seat's after its base wager.
        SeatBySeat = "seat_by_seat",
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
        /// How many of the player's cards are of the chosen color.
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
    /// What the house may choose for the joker, in an edition of an earlier release whose digest has it.
    pub joker_choices: Vec<Joker>,
    /// Who can be dealt a hand.
    pub seats: Seats,
    /// How hands are dealt.
    pub dealing: Dealing,
    /// What becomes of fouls.
    pub setting: Fouls,
    /// The base game.
    pub base_game: BaseGameRules,
    /// The commission.
    pub commission: Commission,
    /// The fee in place of a commission.
    pub collection: Option<Collection>,
    /// Who banks, and how far.
    pub banking: Banking,
    /// How the dealer sets.
    pub house_way: Arc<HouseWay>,
    /// The side wagers, in the order of the file.
    pub wagers: Vec<SideWager>,
    /// Words and their senses.
    pub glossary: Vec<Definition>,
    /// Rules in plain words.
    pub duties: Vec<Definition>,
    /// What the document says and no value expresses.
    pub notes: Vec<Definition>,
    /// The words of the book for parts of the game.
    pub terms: Terms,
    /// Changed values that the document does not allow, where the book was read with changes.
    pub departures: Vec<Departure>,
    document: Document,
}

/// The words of a book for parts of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The one who banks: `banker` or `player/dealer`.
    pub banker: String,
    /// The color of a card: `color` or `colour`.
    pub color: String,
}

/// Who can be dealt a hand.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // docs/rule-books.md says what each key means, here and below
pub struct Seats {
    pub players: u8,
    pub dealer_hand: bool,
    pub hands_per_player: u8,
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
}

/// What becomes of fouls.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Fouls {
    pub player: PlayerFoul,
    pub banker: BankerFoul,
}

/// The base game.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct BaseGameRules {
    pub copies: Copies,
    pub dealer_push: Vec<HandClass>,
    pub dealer_push_fouls: bool,
    pub bonus_wagers_settled: BonusOrder,
    pub limits: Limits,
}

/// The least and the most of a wager.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Limits {
    pub min: Amount,
    pub max: Amount,
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
}

/// A fee by the size of the wager.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Collection {
    pub schedule: Vec<Fee>,
    /// Fees on side wagers; empty where there are none.
    pub bonus: Vec<Fee>,
    pub taken: Taken,
    /// A fee for playing time, where there is one.
    pub time: Option<TimeFee>,
}

/// A fee for playing time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeFee {
    /// How long it is for.
    pub minutes: u16,
    /// What a player pays.
    pub player: Amount,
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
    pub pays_from: PaysFrom,
    pub plays_dealer: bool,
    pub rounds_running_max: Option<u8>,
    pub rotation: Rotation,
}

/// A side wager.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct SideWager {
    pub name: String,
    pub title: String,
    /// Whether tables offer it.
    pub offered: bool,
    pub looks_at: LooksAt,
    pub player_must_beat: bool,
    pub settled_by: SettledBy,
    pub banker_wagers: bool,
    /// The name of the paytable that is posted unless another is.
    pub default: String,
    pub limits: Limits,
    pub envy: Option<Envy>,
    pub payout_max: Option<PayoutMax>,
    pub paytables: Vec<Paytable>,
}

/// Who has a share in others' luck.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Envy {
    pub from: Amount,
    pub button: String,
    pub banker_hand: bool,
}

/// The most that is paid on odds.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct PayoutMax {
    /// Left out where the house may set one and has not.
    pub amount: Option<Amount>,
    pub per: Per,
}

/// A word or a rule, and what the book says of it.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Definition {
    pub key: String,
    pub says: String,
    pub cite: String,
}

impl Rulebook {
    /// The side wager of a name.
    pub fn wager(&self, name: &str) -> Option<&SideWager> {
        self.wagers.iter().find(|wager| wager.name == name)
    }

    /// Whether the document bars this paytable.
    pub fn bars(&self, wager: &str, paytable: &str) -> bool {
        let mut tables = self.wager(wager).into_iter().flat_map(|wager| &wager.paytables);
        tables.any(|table| table.name == paytable && !table.available)
    }

    /// Whether the house pays for a player who banks and cannot pay, as releases before 0.2.0 had it.
    pub fn guarantees_banks(&self) -> bool {
        let players = self.banking.bankers.iter().any(|banker| *banker != Banker::Dealer);
        players && self.banking.is_guaranteed()
    }

    /// The book as a document: every value with its place.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Where the value at a path of keys comes from; `None` where the book does not say.
    pub fn provenance(&self, path: &[&str]) -> Option<Provenance> {
        let (key, tables) = path.split_last()?;
        let mut table = &self.document.root;
        for name in tables {
            table = table.get(name).and_then(Node::table)?;
        }
        let provenance = table.provenance(key)?;
        Some(match RULE_BOOK_SPEC.kind_at(path) {
            Some(kind) => provenance.for_kind(kind),
            None => provenance,
        })
    }
}

impl Banking {
    /// Whether the operator stands in for a bank that cannot pay, as releases before 0.2.0 had it.
    pub fn is_guaranteed(&self) -> bool {
        self.pays_from == PaysFrom::Guaranteed
    }
}

impl SideWager {
    /// The paytable of a name.
    pub fn paytable(&self, name: &str) -> Option<&Paytable> {
        self.paytables.iter().find(|table| table.name == name)
    }
}
