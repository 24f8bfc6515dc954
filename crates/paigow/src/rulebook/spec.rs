//! What a rule book's file may contain. `docs/rule-books.md` says the same in sentences.

use super::{
    Banker, BankerCommission, BankerFoul, BonusOrder, Copies, Cover, CoverUse, DealerTurn, Direction,
    FirstHand, LooksAt, PaysFrom, Per, PlayerFoul, Rotation, Rounding, SettledBy, Spots, Taken,
};
use crate::HandClass;
use crate::document::spec::{descriptive, optional, required};
use crate::document::{Kind, Spec};
use crate::house_way::{JOKER, JOKERS, WHEEL};

/// What a rule book's file may contain.
pub static RULE_BOOK_SPEC: Spec = Spec {
    about: "The rules of one house or jurisdiction.",
    cited: false,
    fields: &[
        descriptive(required("title", Kind::Text, "what the book is called")),
        descriptive(required("source", Kind::Text, "the document, as one would ask for it")),
        descriptive(optional("effective", Kind::Date, "since when the document is in force")),
        descriptive(required("checked_on", Kind::Date, "when the file was last compared with the document")),
        descriptive(optional("extends", Kind::Text, "the book this one starts from")),
        descriptive(optional("without", Kind::Texts, "what of that book is left out, by path")),
        required("deck", Kind::Table(&DECK), "the cards"),
        required("ranking", Kind::Table(&RANKING), "how hands rank"),
        required("seats", Kind::Table(&SEATS), "who can be dealt a hand"),
        required("dealing", Kind::Table(&DEALING), "how hands are dealt"),
        required("setting", Kind::Table(&SETTING), "what becomes of fouls"),
        required("base_game", Kind::Table(&BASE_GAME), "the base game"),
        required("commission", Kind::Table(&COMMISSION), "the commission on winning base wagers"),
        optional("collection", Kind::Table(&COLLECTION), "a fee in place of a commission"),
        required("banking", Kind::Table(&BANKING), "who banks, and how far"),
        required("house_way", Kind::Table(&HOUSE_WAY), "how the dealer sets"),
        optional("wagers", Kind::Named(&WAGER), "the side wagers by name"),
        descriptive(optional("glossary", Kind::Named(&TERM), "words and their senses")),
        descriptive(optional("duties", Kind::Named(&DUTY), "rules in plain words")),
        descriptive(optional("notes", Kind::Named(&DUTY), "what the document says and no value expresses")),
        descriptive(optional("terms", Kind::Table(&TERMS), "the words of the book for parts of the game")),
    ],
};

static DECK: Spec = Spec {
    about: "The cards.",
    cited: true,
    fields: &[required("cards", Kind::Count(53, 53), "52 and one joker")],
};

static RANKING: Spec = Spec { about: "How hands rank.", cited: true, fields: &[JOKER, WHEEL] };

static SEATS: Spec = Spec {
    about: "Who can be dealt a hand.",
    cited: true,
    fields: &[
        required("players", Kind::Count(1, 7), "how many seats can be dealt a hand"),
        required("dealer_hand", Kind::Bool, "whether the house's dealer has a hand of its own"),
        optional("hands_per_player", Kind::Count(1, 7), "how many seats one player may have; left out: 1"),
    ],
};

static DEALING: Spec = Spec {
    about: "How hands are dealt.",
    cited: true,
    fields: &[
        required("first", Kind::Choice(FirstHand::WORDS), "what picks the place of the first hand"),
        required("order", Kind::Choice(Direction::WORDS), "which way round the table"),
        required("spots", Kind::Choice(Spots::WORDS), "which spots are dealt a hand"),
        required(
            "dealer_hand",
            Kind::Choice(DealerTurn::WORDS),
            "where the dealer's hand comes in the order",
        ),
        required("action_pile", Kind::Bool, "whether the banker picks which pile goes first"),
    ],
};

static SETTING: Spec = Spec {
    about: "What becomes of a hand whose front is higher than its back.",
    cited: true,
    fields: &[
        required("player_foul", Kind::Choice(PlayerFoul::WORDS), "a player's"),
        required("banker_foul", Kind::Choice(BankerFoul::WORDS), "the banker's"),
    ],
};

static BASE_GAME: Spec = Spec {
    about: "The base game.",
    cited: true,
    fields: &[
        optional("wins", Kind::Choice(&["both_hands"]), "what wins the wager; one hand won is a push"),
        optional("pays", Kind::Count(1, 1), "what a winning wager is paid to one"),
        required("copies", Kind::Choice(Copies::WORDS), "who wins equal hands"),
        optional(
            "dealer_push",
            Kind::ChoicesOrNone(HandClass::NAMES_IN_FILES),
            "classes of the dealer's hand that make every wager push",
        ),
        optional("dealer_push_fouls", Kind::Bool, "whether that push also saves a foul hand"),
        optional(
            "bonus_wagers_settled",
            Kind::Choice(BonusOrder::WORDS),
            "whether side wagers are settled after all base wagers or seat by seat",
        ),
        required("limits", Kind::Table(&LIMITS), "of the Pai Gow wager"),
    ],
};

static LIMITS: Spec = Spec {
    about: "The least and the most of a wager.",
    cited: true,
    fields: &[required("min", Kind::Amount, "the least"), required("max", Kind::Amount, "the most")],
};

static COMMISSION: Spec = Spec {
    about: "The commission on winning base wagers.",
    cited: true,
    fields: &[
        required("percent", Kind::Percent, "of what is won; \"0\" for none"),
        required("banker", Kind::Choice(BankerCommission::WORDS), "what a banking seat pays it on"),
        required("rounding", Kind::Choice(Rounding::WORDS), "to a multiple of the unit"),
        required("unit", Kind::Amount, "what it is rounded to"),
    ],
};

static COLLECTION: Spec = Spec {
    about: "A fee in place of a commission.",
    cited: true,
    fields: &[
        required("schedule", Kind::Rows(&FEE), "fees by the size of the wager, from the smallest up"),
        optional("bonus", Kind::Rows(&FEE), "fees on side wagers, by their size"),
        optional("taken", Kind::Choice(Taken::WORDS), "whether fees are taken first or last"),
        optional("time_minutes", Kind::Count(1, 1440), "how many minutes a fee by time is for"),
        optional("time_fee", Kind::Amount, "what a player pays for each such time, in advance"),
    ],
};

static FEE: Spec = Spec {
    about: "The fee from a wager of this size on.",
    cited: false,
    fields: &[
        required("wager_from", Kind::Amount, "the least wager it is for"),
        required("player", Kind::Amount, "what a player pays"),
        required("banker", Kind::Amount, "what the banker pays"),
    ],
};

static BANKING: Spec = Spec {
    about: "Who banks, and how far.",
    cited: true,
    fields: &[
        required("bankers", Kind::Choices(Banker::WORDS), "who may bank, the first by default"),
        required("cover", Kind::Choice(Cover::WORDS), "how much of the action the banker must cover"),
        required("cover_use", Kind::Choice(CoverUse::WORDS), "what uses up the cover"),
        optional("pays_from", Kind::Choice(PaysFrom::WORDS), "what a banking seat pays with"),
        required("plays_dealer", Kind::Bool, "whether a banking seat also plays the dealer's hand"),
        optional("rounds_running_max", Kind::Count(1, 100), "how many rounds running one may bank"),
        required("rotation", Kind::Choice(Rotation::WORDS), "whether the bank goes round"),
        optional("uncovered", Kind::Choice(&["returned"]), "what becomes of wagers that are not covered"),
    ],
};

static HOUSE_WAY: Spec = Spec {
    about: "How the dealer sets.",
    cited: true,
    fields: &[required("way", Kind::Text, "a house way's name, or a path")],
};

static WAGER: Spec = Spec {
    about: "A side wager.",
    cited: true,
    fields: &[
        descriptive(required("title", Kind::Text, "what it is called")),
        optional("offered", Kind::Bool, "whether tables offer it; they do where left out"),
        required("looks_at", Kind::Choice(LooksAt::WORDS), "what decides it"),
        optional("player_must_beat", Kind::Bool, "whether the player's five cards must beat the dealer's"),
        required("settled_by", Kind::Choice(SettledBy::WORDS), "who pays and collects"),
        optional("banker_wagers", Kind::Bool, "whether a banking seat may make the wager"),
        required("default", Kind::Text, "the paytable posted unless another is"),
        required("limits", Kind::Table(&LIMITS), "of the wager"),
        optional("envy", Kind::Table(&ENVY), "who shares in others' luck"),
        optional("payout_max", Kind::Table(&PAYOUT_MAX), "the most that is paid on odds"),
        required("paytables", Kind::Named(&PAYTABLE), "the paytables by name"),
    ],
};

static ENVY: Spec = Spec {
    about: "Who shares in others' luck.",
    cited: true,
    fields: &[
        required("from", Kind::Amount, "the least wager that earns the button"),
        descriptive(required("button", Kind::Text, "what the button is called")),
        optional(
            "paid",
            Kind::Choice(&["each_other_hand"]),
            "what it is paid for: each other player's hand that has a bonus",
        ),
        optional("when", Kind::Choice(&["end_of_round"]), "when it is paid: after all wagers"),
        optional("banker_hand", Kind::Bool, "whether a banking player's hand earns others a bonus"),
    ],
};

static PAYOUT_MAX: Spec = Spec {
    about: "The most that is paid on odds; envy bonuses are never limited.",
    cited: true,
    fields: &[
        optional("amount", Kind::Amount, "the most; left out where none is set"),
        required("per", Kind::Choice(Per::WORDS), "what it is counted over"),
        optional("shared", Kind::Choice(&["pro_rata"]), "how hands share a maximum for the round"),
    ],
};

static PAYTABLE: Spec = Spec {
    about: "A paytable.",
    cited: true,
    fields: &[
        required("pays", Kind::Rows(&ROW), "the rows, best first"),
        optional("available", Kind::Bool, "whether it may be posted"),
        optional("joker", Kind::Choice(JOKERS), "what the joker must be where it is posted"),
        descriptive(optional("also", Kind::Text, "another name it is printed with")),
    ],
};

static ROW: Spec = Spec {
    about: "What a hand pays.",
    cited: false,
    fields: &[
        optional("hand", Kind::Choice(HandClass::NAMES_IN_FILES), "the class of hand"),
        optional("cards", Kind::Count(1, 7), "how many cards of the chosen color"),
        required("pays", Kind::Pays, "so many to one, or \"push\""),
        optional("envy", Kind::Amount, "what it pays to others with a button"),
        descriptive(optional(
            "reading",
            Kind::Text,
            "what counts as this hand where the document can be read in several ways",
        )),
        descriptive(optional("intended", Kind::Bool, "that it pays less than a commoner hand on purpose")),
    ],
};

static TERM: Spec = Spec {
    about: "A word and its sense.",
    cited: true,
    fields: &[required("means", Kind::Text, "what it means")],
};

static TERMS: Spec = Spec {
    about: "The words of the book for parts of the game.",
    cited: true,
    fields: &[
        optional("banker", Kind::Text, "the one who banks"),
        optional("color", Kind::Text, "the color of a card"),
    ],
};

static DUTY: Spec = Spec {
    about: "A rule in plain words.",
    cited: true,
    fields: &[required("says", Kind::Text, "the rule")],
};
