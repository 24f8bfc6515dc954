//! Rule books: the rules that differ between houses and jurisdictions, as values with citations.
//!
//! A [`Rulebook`] is parsed from a text file, whose format is described in `docs/rule-books.md`, and validated as a
//! whole. `spec.rs` defines the keys of the file, `read.rs` converts them to values and checks that the values are
//! consistent, and `library.rs` finds books and house ways by name. Code reads the values of a book and never branches
//! on its name.

mod canonical;
mod library;
mod overlay;
mod read;
mod spec;
mod table_rules;
mod terms;
mod values;
mod words;

use crate::document::{Document, DocumentTable, Node, Provenance};
use crate::{Amount, HandClass, HouseWay, Joker, Paytable, Ranking};
use std::sync::Arc;

pub use library::{BookSource, BuiltIn, LoadError, stem};
pub use overlay::Departure;
pub use spec::RULE_BOOK_SPEC;
pub use table_rules::TableRules;
pub use values::{BookValue, KindCounts};
pub use words::Sentence;

/// Defines enums whose variants have fixed names in rule-book files.
macro_rules! named_enums {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// Names of all variants in files.
            pub(crate) const NAMES: &'static [&'static str] = &[$($text,)*];

            /// All variants.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// Returns the variant with this name, or `None` if there is none.
            pub fn from_name(name: &str) -> Option<$name> {
                match name { $($text => Some($name::$variant),)* _ => None }
            }

            /// Name of the variant in files.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    )*};
}

named_enums! {
    /// How the spot that is dealt the first hand is chosen.
    FirstHand {
        /// By a throw of the dice.
        Dice = "dice",
        /// The banker is dealt the first hand.
        Banker = "banker",
    }

    /// Direction around the table.
    Direction {
        /// To the dealer's right.
        CounterClockwise = "counter_clockwise",
        /// To the dealer's left.
        Clockwise = "clockwise",
    }

    /// Spots that are dealt a hand.
    Spots {
        /// Every spot. Hands without a wager are discarded (EZ-10).
        Every = "every",
        /// Spots with a wager (EZ-10, 8b).
        Active = "active",
    }

    /// Position of the dealer's hand in the order of dealing.
    DealerHandPosition {
        /// In table order, between seat 1 and the last seat: counter-clockwise it follows seat 1 (EZ-10).
        InOrder = "in_order",
        /// Second, after the seat that is dealt first: the other reading of EZ-10.
        AfterFirstSeat = "after_first_seat",
        /// After all seats.
        Last = "last",
        /// The dealer has no hand (CA-3).
        None = "none",
    }

    /// Consequence of a player's foul, a low hand higher than the high hand.
    PlayerFoul {
        /// The hand loses (SB-4).
        Loses = "loses",
        /// The dealer sets the hand the house way.
        HouseWay = "house_way",
    }

    /// Consequence of a banker's foul.
    BankerFoul {
        /// The hand is set the house way (SB-4).
        HouseWay = "house_way",
        /// The banker sets the hand again.
        SetAgain = "set_again",
    }

    /// Winner of a copy, a high or low hand equal to the other side's.
    CopyWinner {
        /// The banker (SB-3, CA-10, EZ-11).
        Banker = "banker",
        /// The player.
        Player = "player",
    }

    /// Rounding of an amount that is not a multiple of the unit.
    Rounding {
        /// To the nearest multiple, halves up.
        Nearest = "nearest",
        /// Up.
        Up = "up",
        /// Down.
        Down = "down",
    }

    /// Winnings on which a banking seat pays commission.
    BankerCommission {
        /// Each hand it wins.
        EachWin = "each_win",
        /// Its net win over the whole round, if positive.
        NetWin = "net_win",
    }

    /// Party that may be the banker.
    Banker {
        /// The house's dealer.
        Dealer = "dealer",
        /// A player, who plays against all other players and the dealer (SB-7).
        Seat = "seat",
        /// A player in the player/dealer position (CA-4).
        PlayerDealer = "player_dealer",
    }

    /// Part of the action that the banker must cover.
    Cover {
        /// All of it (SB-7).
        All = "all",
        /// Some or all. The uncovered part has no action (CA-4).
        SomeOrAll = "some_or_all",
    }

    /// Results that use up the banker's cover.
    CoverUse {
        /// Each dollar of cover is used once: by a dollar of a base wager that wins or loses. A push uses none. The
        /// money that remains after payments covers side wagers.
        EachDollarOnce = "each_dollar_once",
        /// Only payments by the banker use cover.
        LossesOnly = "losses_only",
        /// Each dollar of cover is used once in all: by a dollar of a base wager, a side wager or an envy bonus, whether
        /// it wins or loses. A push uses none.
        OnceInAll = "once_in_all",
    }

    /// Money from which a banking seat pays.
    PaysFrom {
        /// Only the amount it has put up. Wagers beyond that amount have no action.
        PutUp = "put_up",
        /// The amount it has put up. A wager is refused if the highest possible payments would exceed that amount.
        Reserved = "reserved",
        /// The amount it has put up, then its account, then the operator, as in releases before 0.2.0.
        Guaranteed = "guaranteed",
    }

    /// Time at which fees are taken.
    FeeTiming {
        /// Before any wager is settled, from money held in addition to the wager. The fee depends on the amount in
        /// action.
        First = "first",
        /// After all other payments, as far as money remains. The fee depends on the whole wager, and its lines come
        /// first.
        Last = "last",
    }

    /// Order in which side wagers are settled.
    BonusOrder {
        /// After all base wagers, seat by seat.
        AfterBaseWagers = "after_base_wagers",
        /// Seat by seat, right after the base wager of the seat.
        SeatBySeat = "seat_by_seat",
    }

    /// Rotation of the bank around the table.
    Rotation {
        /// The bank does not rotate.
        None = "none",
        /// Clockwise (CA-7).
        Clockwise = "clockwise",
    }

    /// Cards that decide a side wager.
    DecidingCards {
        /// The best-paying class among the player's own seven cards.
        PlayerHand = "player_hand",
        /// The best-paying class among the dealer's seven cards.
        DealerHand = "dealer_hand",
        /// The dealer's high hand as set.
        DealerFiveCards = "dealer_five_cards",
        /// The number of the player's cards of the chosen color.
        Color = "color",
    }

    /// Party that pays and collects a side wager.
    SettledBy {
        /// The house.
        House = "house",
        /// The banker (CA-6).
        Banker = "banker",
    }

    /// Scope of a payout maximum.
    PayoutScope {
        /// One hand.
        Hand = "hand",
        /// All hands of a round together.
        Round = "round",
    }
}

/// The rules of one house or jurisdiction.
///
/// # Examples
///
/// ```
/// use paigow::Rulebook;
/// use paigow::rulebook::BuiltIn;
///
/// let name = BuiltIn::book_names().next().expect("at least one built-in book");
/// let book = Rulebook::built_in(name)?;
/// println!("{}: base wagers from ${:#}", book.title, book.base_game.limits.min);
/// for sentence in book.sentences() {
///     println!("{} ({})", sentence.says, sentence.provenance);
/// }
/// # Ok::<(), paigow::rulebook::LoadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rulebook {
    /// File name without folder and extension.
    pub id: String,
    /// Name or path by which the book was loaded.
    pub reference: String,
    /// Title of the book.
    pub title: String,
    /// Document that the book follows.
    pub source: String,
    /// Date since which the document is in force; `None` if the document does not state one.
    pub effective: Option<String>,
    /// Date of the last comparison of the book with the document.
    pub checked_on: String,
    /// Ranking of hands.
    pub ranking: Ranking,
    /// Uses of the joker that the house may choose. Set only in editions of earlier releases, whose digest includes the
    /// choices.
    pub joker_choices: Vec<Joker>,
    /// Seats and hands.
    pub seats: Seats,
    /// Dealing rules.
    pub dealing: Dealing,
    /// Consequences of fouls.
    pub setting: Fouls,
    /// Rules of the base game.
    pub base_game: BaseGameRules,
    /// Commission on winning base wagers.
    pub commission: Commission,
    /// Collection fees, charged instead of a commission.
    pub collection: Option<Collection>,
    /// Banking rules.
    pub banking: Banking,
    /// House way by which the dealer sets hands.
    pub house_way: Arc<HouseWay>,
    /// Side wagers, in the order of the file.
    pub wagers: Vec<SideWager>,
    /// Definitions of terms.
    pub glossary: Vec<Definition>,
    /// Rules of the document as text, by their numbers.
    pub duties: Vec<Definition>,
    /// Other statements of the document that no value expresses.
    pub notes: Vec<Definition>,
    /// Names that the book uses for parts of the game.
    pub terms: Terms,
    /// Overrides that the document does not allow. Empty if the book was loaded without overrides.
    pub departures: Vec<Departure>,
    document: Document,
}

/// Names that a book uses for parts of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Name of the banker: `banker` or `player/dealer`.
    pub banker: String,
    /// Spelling of `color`: `color` or `colour`.
    pub color: String,
}

/// Seats and hands of a table.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // docs/rule-books.md describes the keys, here and below
pub struct Seats {
    pub players: u8,
    pub dealer_hand: bool,
    pub hands_per_player: u8,
}

/// Dealing rules of a book.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Dealing {
    pub first: FirstHand,
    pub order: Direction,
    pub spots: Spots,
    pub spots_choices: Vec<Spots>,
    pub dealer_hand: DealerHandPosition,
    pub action_pile: bool,
}

/// Consequences of fouls.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Fouls {
    pub player: PlayerFoul,
    pub banker: BankerFoul,
}

/// Rules of the base game.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct BaseGameRules {
    pub copies: CopyWinner,
    pub dealer_push: Vec<HandClass>,
    pub dealer_push_fouls: bool,
    pub bonus_wagers_settled: BonusOrder,
    pub limits: Limits,
}

/// Minimum and maximum of a wager.
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
    /// Rate in hundredths of a percent.
    pub basis_points: u32,
    pub banker: BankerCommission,
    pub rounding: Rounding,
    pub unit: Amount,
}

/// Collection fees, by the amount in action.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Collection {
    pub schedule: Vec<Fee>,
    /// Fees on side wagers. Empty if there are none.
    pub bonus: Vec<Fee>,
    pub taken: FeeTiming,
    /// Fee for playing time, if there is one.
    pub time: Option<TimeFee>,
}

/// A fee for playing time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeFee {
    /// Length of the interval that one fee pays for.
    pub minutes: u16,
    /// Amount that a player pays for each interval.
    pub player: Amount,
}

/// A row of a fee schedule.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Fee {
    pub wager_from: Amount,
    pub player: Amount,
    pub banker: Amount,
}

/// Banking rules of a book.
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
    /// Whether tables offer the wager.
    pub offered: bool,
    pub looks_at: DecidingCards,
    pub player_must_beat: bool,
    pub settled_by: SettledBy,
    pub banker_wagers: bool,
    /// Name of the paytable that is posted by default.
    pub default: String,
    pub limits: Limits,
    pub envy: Option<Envy>,
    pub payout_max: Option<PayoutMax>,
    pub paytables: Vec<Paytable>,
}

/// Envy bonus of a side wager.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Envy {
    pub from: Amount,
    pub button: String,
    pub banker_hand: bool,
}

/// Maximum payout of a side wager by its paytable. Envy bonuses are not limited.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct PayoutMax {
    /// The maximum; `None` if the house may set one and has not.
    pub amount: Option<Amount>,
    pub per: PayoutScope,
}

/// A term or rule and the text that the book gives for it.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Definition {
    pub key: String,
    pub says: String,
    pub cite: String,
}

impl Rulebook {
    /// Returns the side wager with this name, or `None` if there is none.
    pub fn wager(&self, name: &str) -> Option<&SideWager> {
        self.wagers.iter().find(|wager| wager.name == name)
    }

    /// Returns whether the document forbids tables to post this paytable.
    pub fn forbids_paytable(&self, wager: &str, paytable: &str) -> bool {
        let mut tables = self.wager(wager).into_iter().flat_map(|wager| &wager.paytables);
        tables.any(|table| table.name == paytable && !table.available)
    }

    /// Returns whether players may bank and the house pays for a banker who cannot, as in releases before 0.2.0.
    pub fn guarantees_banks(&self) -> bool {
        let players = self.banking.seats_may_bank();
        players && self.banking.is_guaranteed()
    }

    /// The book as a document: every value with its position in the text.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Returns the provenance of the value at a path of keys, or `None` if the book gives none.
    pub fn provenance(&self, path: &[&str]) -> Option<Provenance> {
        let (table, key) = self.table_and_key(path)?;
        let provenance = table.provenance(key)?;
        Some(match RULE_BOOK_SPEC.type_at(path) {
            Some(field_type) => provenance.for_type(field_type),
            None => provenance,
        })
    }

    /// Returns whether an override replaces the value at a path.
    pub fn is_overridden(&self, path: &[&str]) -> bool {
        let node = self.table_and_key(path).and_then(|(table, key)| table.get(key));
        node.is_some_and(|node| node.span.source.changed_key().is_some())
    }

    /// Returns the table of the document that has the value at a path, and the value's key.
    fn table_and_key<'a>(&self, path: &'a [&str]) -> Option<(&DocumentTable, &'a str)> {
        let (key, tables) = path.split_last()?;
        let mut table = &self.document.root;
        for name in tables {
            table = table.get(name).and_then(Node::table)?;
        }
        Some((table, key))
    }
}

impl Banking {
    /// Returns whether seats may bank.
    pub fn seats_may_bank(&self) -> bool {
        self.bankers.iter().any(|banker| *banker != Banker::Dealer)
    }

    /// Returns whether the operator pays for a banker who cannot, as in releases before 0.2.0.
    pub fn is_guaranteed(&self) -> bool {
        self.pays_from == PaysFrom::Guaranteed
    }
}

impl SideWager {
    /// Returns the paytable with this name, or `None` if there is none.
    pub fn paytable(&self, name: &str) -> Option<&Paytable> {
        self.paytables.iter().find(|table| table.name == name)
    }
}
