//! What the rules say no to: one closed list, with codes that do not change.

use crate::{Amount, Card, Seat};

macro_rules! refusals {
    ($($(#[$doc:meta])* $variant:ident $({ $($field:ident: $type:ty),* })? = $code:literal, $message:literal;)*) => {
        /// Why the rules refuse something. Nothing has changed when one is given.
        #[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
        #[allow(missing_docs)] // the fields are named for what the message says of them
        pub enum Refusal { $($(#[$doc])* #[error($message)] $variant $({ $($field: $type),* })?,)* }

        /// The kind of a refusal, for programs.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum RefusalCode { $($(#[$doc])* $variant,)* }

        impl RefusalCode {
            /// The code as text. It does not change.
            pub const fn name(self) -> &'static str {
                match self { $(RefusalCode::$variant => $code,)* }
            }
        }

        impl Refusal {
            /// The kind of refusal, without what it is about.
            pub const fn kind(&self) -> RefusalCode {
                match self { $(Refusal::$variant $({ $($field: _),* })? => RefusalCode::$variant,)* }
            }
        }
    };
}

refusals! {
    /// The book offers no such wager.
    UnknownWager { wager: String } = "unknown_wager", "the book offers no wager `{wager}`";
    /// The book has the wager, and the table does not offer it (EZ-9).
    WagerNotOffered { wager: String } = "wager_not_offered", "this table does not offer the wager `{wager}`";
    /// The wager has no such paytable.
    UnknownPaytable { wager: String, paytable: String } = "unknown_paytable", "{wager} has no paytable `{paytable}`";
    /// The paytable stands in the book to be read, not to be played (WA-4).
    PaytableUnavailable { wager: String, paytable: String } = "paytable_unavailable", "paytable `{paytable}` of {wager} is not available";
    /// Two posted paytables want the joker used differently (CA-1).
    JokersDisagree = "jokers_disagree", "the posted paytables do not agree on what the joker may be";
    /// More side wagers than a table keeps.
    TooManyWagers = "too_many_wagers", "a table may offer at most eight side wagers";
    /// The table has no such seat.
    SeatOutOfRange { seat: u8, seats: u8 } = "seat_out_of_range", "there is no seat {seat}: the table has seats 1 to {seats}";
    /// A seat is named twice.
    SeatTwice { seat: Seat } = "seat_twice", "{seat} is there twice";
    /// A card is in two places.
    CardTwice { card: Card, places: String } = "card_twice", "{card} is in {places}";
    /// A wager below the table's least.
    BelowMinimum { seat: Seat, wager: String, amount: Amount, min: Amount } = "below_minimum", "{seat}: {wager} of ${amount:#} is below the minimum of ${min:#}";
    /// A wager above the table's most.
    AboveMaximum { seat: Seat, wager: String, amount: Amount, max: Amount } = "above_maximum", "{seat}: {wager} of ${amount:#} is above the maximum of ${max:#}";
    /// A side wager without a Pai Gow wager (SD-1).
    NoPaiGowWager { seat: Seat, wager: String } = "no_pai_gow_wager", "{seat}: {wager} needs a Pai Gow wager beside it";
    /// One wager of each kind a seat.
    WagerTwice { seat: Seat, wager: String } = "wager_twice", "{seat} has a {wager} wager already";
    /// A color wager without a color (EZ-8).
    ColorMissing { seat: Seat, wager: String } = "color_missing", "{seat}: {wager} needs a color, red or black";
    /// A color for a wager that takes none.
    ColorUnexpected { seat: Seat, wager: String } = "color_unexpected", "{seat}: {wager} takes no color";
    /// The book does not let this one bank.
    BankerNotAllowed { banker: String } = "banker_not_allowed", "{banker} may not be the banker in this book";
    /// The banker's seat has no hand.
    BankerWithoutHand { seat: Seat } = "banker_without_hand", "{seat} is the banker and has no hand";
    /// The banker does not play against itself.
    BankerWagers { seat: Seat } = "banker_wagers", "{seat} is the banker and places no wagers";
    /// No hand of a player plays against the player's own bank.
    OwnBank { seat: Seat, banker: Seat } = "own_bank", "{seat} and {banker} are seats of the same player, who cannot wager against themselves";
    /// More seats for one player than the book allows.
    TooManyHands { seat: Seat, most: u8 } = "too_many_hands", "{seat}: the player would have more hands than the maximum of {most}";
    /// There is one bank.
    BankTaken { seat: Seat } = "bank_taken", "{seat} is the banker already";
    /// A banker must cover every wager (SB-7).
    CoverShort { needed: Amount, covers: Amount } = "cover_short", "the banker covers ${covers:#} of ${needed:#}, and must cover all";
    /// A player/dealer must say how much it covers (CA-4).
    CoverMissing { seat: Seat } = "cover_missing", "{seat} is the banker and does not say how much is covered";
    /// A banker must have what side wagers and envy bonuses could cost beside the base wagers.
    ReserveExceeded { reserve: Amount, action: Amount, covers: Amount } = "reserve_exceeded", "side wagers and envy bonuses could come to ${reserve:#} beside base wagers of ${action:#}, and ${covers:#} is put up";
    /// A player banks for a limited number of rounds in a row (CA-7).
    BankedTooLong { seat: Seat, rounds: u8 } = "banked_too_long", "{seat} has been the banker for {rounds} rounds in a row, which is the maximum";
    /// The house's hand is needed.
    DealerHandMissing = "dealer_hand_missing", "the dealer's hand is missing";
    /// The house has no hand in this book (CA-3).
    DealerHandUnexpected = "dealer_hand_unexpected", "the dealer has no hand in this book";
    /// The house wagers only against a player who banks (SB-7).
    DealerWagerUnexpected = "dealer_wager_unexpected", "the dealer wagers only against a player who is the banker";
    /// What the house wagers is within the limits of the base game.
    DealerWagerOutOfLimits { amount: Amount, min: Amount, max: Amount } = "dealer_wager_out_of_limits", "the dealer's wager of ${amount:#} is not from ${min:#} to ${max:#}";
    /// No wager has been placed.
    NoWagers = "no_wagers", "no wager has been placed";
    /// A low hand that is not two of the hand's cards.
    NotTheirCards { place: String } = "not_their_cards", "{place}: the low hand is not two of the hand's seven cards";
    /// A seat that was dealt no hand.
    NoHand { seat: Seat } = "no_hand", "{seat} has no hand";
    /// A hand that is still to be set.
    NotSet { seat: Seat } = "not_set", "{seat} has not set its hand";
    /// A hand is set once.
    AlreadySet { seat: Seat } = "already_set", "{seat} has set its hand already";
    /// A banker's foul, in a book that has it set again.
    SetAgain { seat: Seat } = "set_again", "{seat}: the low hand is higher than the high hand; set it again";
    /// Too late or too early.
    WrongPhase { doing: &'static str, phase: &'static str } = "wrong_phase", "{doing} is not done {phase}";
    /// Not the 53 cards, each once.
    BadShuffle = "bad_shuffle", "a shuffle is all 53 cards, each once";
    /// No place has this number.
    DiceOutOfRange { number: u8, places: u8 } = "dice_out_of_range", "the dice say {number}, and the places are 1 to {places}";
    /// There are not so many piles, or the book has no action pile.
    BadActionPile { pile: u8 } = "bad_action_pile", "there is no pile {pile} to pick";
}

impl Refusal {
    /// The code for programs. It does not change.
    pub const fn code(&self) -> &'static str {
        self.kind().name()
    }

    /// The seat it is about, if it is about one.
    pub fn seat(&self) -> Option<Seat> {
        match self {
            Refusal::SeatOutOfRange { seat, .. } => Seat::new(*seat),
            Refusal::SeatTwice { seat }
            | Refusal::BelowMinimum { seat, .. }
            | Refusal::AboveMaximum { seat, .. }
            | Refusal::NoPaiGowWager { seat, .. }
            | Refusal::WagerTwice { seat, .. }
            | Refusal::ColorMissing { seat, .. }
            | Refusal::ColorUnexpected { seat, .. }
            | Refusal::BankerWithoutHand { seat }
            | Refusal::BankerWagers { seat }
            | Refusal::OwnBank { seat, .. }
            | Refusal::TooManyHands { seat, .. }
            | Refusal::CoverMissing { seat }
            | Refusal::BankTaken { seat }
            | Refusal::NotSet { seat }
            | Refusal::BankedTooLong { seat, .. }
            | Refusal::NoHand { seat }
            | Refusal::AlreadySet { seat }
            | Refusal::SetAgain { seat } => Some(*seat),
            _ => None,
        }
    }
}
