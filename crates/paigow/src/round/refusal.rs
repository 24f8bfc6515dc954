//! Refusals of the rules: a closed list with stable codes.

use crate::{Amount, Card, Seat};

macro_rules! refusals {
    ($($(#[$doc:meta])* $variant:ident $({ $($field:ident: $type:ty),* })? = $code:literal, $message:literal;)*) => {
        /// Reason why the rules refuse an action. A refused action changes nothing.
        #[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
        #[allow(missing_docs)] // the messages explain the fields
        pub enum Refusal { $($(#[$doc])* #[error($message)] $variant $({ $($field: $type),* })?,)* }

        /// Kind of a refusal, without its data.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum RefusalCode { $($(#[$doc])* $variant,)* }

        impl RefusalCode {
            /// The stable code as text.
            pub const fn name(self) -> &'static str {
                match self { $(RefusalCode::$variant => $code,)* }
            }
        }

        impl Refusal {
            /// Kind of the refusal, without its data.
            pub const fn kind(&self) -> RefusalCode {
                match self { $(Refusal::$variant $({ $($field: _),* })? => RefusalCode::$variant,)* }
            }
        }
    };
}

refusals! {
    /// The book does not have the wager.
    UnknownWager { wager: String } = "unknown_wager", "the book offers no wager `{wager}`";
    /// The book has the wager but the table does not offer it (EZ-9).
    WagerNotOffered { wager: String } = "wager_not_offered", "this table does not offer the wager `{wager}`";
    /// The wager does not have the paytable.
    UnknownPaytable { wager: String, paytable: String } = "unknown_paytable", "{wager} has no paytable `{paytable}`";
    /// The book documents the paytable but tables may not post it (WA-4).
    PaytableUnavailable { wager: String, paytable: String } = "paytable_unavailable", "paytable `{paytable}` of {wager} is not available";
    /// Two posted paytables require different uses of the joker (CA-1).
    JokersDisagree = "jokers_disagree", "the posted paytables require different uses of the joker";
    /// The table offers too many side wagers.
    TooManyWagers = "too_many_wagers", "a table may offer at most eight side wagers";
    /// The table does not have the seat.
    SeatOutOfRange { seat: u8, seats: u8 } = "seat_out_of_range", "there is no seat {seat}: the table has seats 1 to {seats}";
    /// A seat is listed twice.
    SeatTwice { seat: Seat } = "seat_twice", "{seat} appears twice";
    /// A card is in more than one hand.
    CardTwice { card: Card, hands: String } = "card_twice", "{card} appears in more than one hand: {hands}";
    /// A wager is below the minimum.
    BelowMinimum { seat: Seat, wager: String, amount: Amount, min: Amount } = "below_minimum", "{seat}: {wager} of ${amount:#} is below the minimum of ${min:#}";
    /// A wager is above the maximum.
    AboveMaximum { seat: Seat, wager: String, amount: Amount, max: Amount } = "above_maximum", "{seat}: {wager} of ${amount:#} is above the maximum of ${max:#}";
    /// A side wager lacks its Pai Gow wager (SD-1).
    NoPaiGowWager { seat: Seat, wager: String } = "no_pai_gow_wager", "{seat}: {wager} requires a Pai Gow wager";
    /// The seat already has a wager of this kind.
    WagerTwice { seat: Seat, wager: String } = "wager_twice", "{seat} already has a {wager} wager";
    /// A color wager lacks its color (EZ-8).
    ColorMissing { seat: Seat, wager: String } = "color_missing", "{seat}: {wager} needs a color, red or black";
    /// A color is given for a wager without colors.
    ColorUnexpected { seat: Seat, wager: String } = "color_unexpected", "{seat}: {wager} takes no color";
    /// The book does not allow this party to bank.
    BankerNotAllowed { banker: String } = "banker_not_allowed", "{banker} may not be the banker in this book";
    /// The banker's seat has no hand.
    BankerWithoutHand { seat: Seat } = "banker_without_hand", "{seat} is the banker and has no hand";
    /// The banking seat has a wager that a banker may not make.
    BankerWagers { seat: Seat } = "banker_wagers", "{seat} is the banker and may not place this wager";
    /// A player's hand may not play against the same player's bank.
    OwnBank { seat: Seat, banker: Seat } = "own_bank", "{seat} and {banker} are seats of the same player, who cannot wager against themselves";
    /// A player has more seats than the book allows.
    TooManyHands { seat: Seat, max: u8 } = "too_many_hands", "{seat}: the player would have more hands than the maximum of {max}";
    /// Another seat already banks.
    BankTaken { seat: Seat } = "bank_taken", "{seat} is already the banker";
    /// A banker must cover every wager (SB-7).
    CoverShort { needed: Amount, covers: Amount } = "cover_short", "the banker covers ${covers:#} of ${needed:#}, and must cover all";
    /// A player/dealer must state the amount it covers (CA-4).
    CoverMissing { seat: Seat } = "cover_missing", "{seat} is the banker and must state the amount covered";
    /// A banker must put up the possible cost of side wagers and envy bonuses in addition to the base wagers.
    ReserveExceeded { reserve: Amount, action: Amount, covers: Amount } = "reserve_exceeded", "side wagers and envy bonuses could cost ${reserve:#} in addition to base wagers of ${action:#}, but only ${covers:#} is put up";
    /// The player has banked for the maximum number of rounds in a row (CA-7).
    BankedTooLong { seat: Seat, rounds: u8 } = "banked_too_long", "{seat} has been the banker for {rounds} rounds in a row, which is the maximum";
    /// The dealer's hand is missing.
    DealerHandMissing = "dealer_hand_missing", "the dealer's hand is missing";
    /// The dealer has no hand in this book (CA-3).
    DealerHandUnexpected = "dealer_hand_unexpected", "the dealer has no hand in this book";
    /// The house wagers only against a player who banks (SB-7).
    DealerWagerUnexpected = "dealer_wager_unexpected", "the dealer wagers only against a player who is the banker";
    /// The house's wager is outside the limits of the base game.
    DealerWagerOutOfLimits { amount: Amount, min: Amount, max: Amount } = "dealer_wager_out_of_limits", "the dealer's wager of ${amount:#} is outside the limits of ${min:#} to ${max:#}";
    /// No wager has been placed.
    NoWagers = "no_wagers", "no wager has been placed";
    /// The low hand is not two of the hand's cards.
    NotTheirCards { owner: String } = "not_their_cards", "{owner}: the low hand is not two of the hand's seven cards";
    /// The seat was dealt no hand.
    NoHand { seat: Seat } = "no_hand", "{seat} has no hand";
    /// The hand is not set yet.
    NotSet { seat: Seat } = "not_set", "{seat} has not set its hand";
    /// The hand is already set.
    AlreadySet { seat: Seat } = "already_set", "{seat} has already set its hand";
    /// The banker's hand is foul and the book has the banker set it again.
    SetAgain { seat: Seat } = "set_again", "{seat}: the low hand is higher than the high hand; set it again";
    /// The action is not allowed in this phase.
    WrongPhase { doing: &'static str, phase: &'static str } = "wrong_phase", "{doing} is not allowed {phase}";
    /// The shuffle is not the 53 cards, each once.
    BadShuffle = "bad_shuffle", "a shuffle must contain each of the 53 cards once";
    /// No spot has the number of the dice.
    DiceOutOfRange { number: u8, spots: u8 } = "dice_out_of_range", "the dice show {number}, but the spots are 1 to {spots}";
    /// The pile does not exist, or the book has no action pile.
    BadActionPile { pile: u8 } = "bad_action_pile", "there is no pile {pile} to pick";
}

impl Refusal {
    /// The stable code of the refusal.
    pub const fn code(&self) -> &'static str {
        self.kind().name()
    }

    /// The seat that the refusal concerns, if any.
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
