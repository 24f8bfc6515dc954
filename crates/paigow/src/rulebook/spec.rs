//! What a rule book's file may contain. `docs/rule-books.md` says the same in sentences.

use super::{
    Banker, BankerCommission, BankerFoul, BonusOrder, Copies, Cover, CoverUse, DealerTurn, Direction,
    FirstHand, LooksAt, PaysFrom, Per, PlayerFoul, Rotation, Rounding, SettledBy, Spots, Taken,
};
use crate::HandClass;
use crate::document::spec::{descriptive, optional, required};
use crate::document::{FieldType, Spec};
use crate::house_way::{JOKER, JOKERS, WHEEL};

/// What a rule book's file may contain.
pub static RULE_BOOK_SPEC: Spec = Spec {
    about: "The rules of one house or jurisdiction.",
    cited: false,
    fields: &[
        descriptive(required("title", FieldType::Text, "what the book is called")),
        descriptive(required("source", FieldType::Text, "the document, as one would ask for it")),
        descriptive(optional("effective", FieldType::Date, "since when the document is in force")),
        descriptive(required(
            "checked_on",
            FieldType::Date,
            "when the file was last compared with the document",
        )),
        descriptive(optional("extends", FieldType::Text, "the book this one starts from")),
        descriptive(optional("without", FieldType::Texts, "what of that book is left out, by path")),
        required("deck", FieldType::Table(&DECK), "the cards"),
        required("ranking", FieldType::Table(&RANKING), "how hands rank"),
        required("seats", FieldType::Table(&SEATS), "who can be dealt a hand"),
        required("dealing", FieldType::Table(&DEALING), "how hands are dealt"),
        required("setting", FieldType::Table(&SETTING), "what becomes of fouls"),
        required("base_game", FieldType::Table(&BASE_GAME), "the base game"),
        required("commission", FieldType::Table(&COMMISSION), "the commission on winning base wagers"),
        optional("collection", FieldType::Table(&COLLECTION), "a fee in place of a commission"),
        required("banking", FieldType::Table(&BANKING), "who banks, and how far"),
        required("house_way", FieldType::Table(&HOUSE_WAY), "how the dealer sets"),
        optional("wagers", FieldType::Named(&WAGER), "the side wagers by name"),
        descriptive(optional("glossary", FieldType::Named(&TERM), "words and their senses")),
        descriptive(optional("duties", FieldType::Named(&DUTY), "rules in plain words")),
        descriptive(optional(
            "notes",
            FieldType::Named(&DUTY),
            "what the document says and no value expresses",
        )),
        descriptive(optional(
            "terms",
            FieldType::Table(&TERMS),
            "the words of the book for parts of the game",
        )),
    ],
};

static DECK: Spec = Spec {
    about: "The cards.",
    cited: true,
    fields: &[required("cards", FieldType::Count(53, 53), "52 and one joker")],
};

static RANKING: Spec = Spec { about: "How hands rank.", cited: true, fields: &[JOKER, WHEEL] };

static SEATS: Spec = Spec {
    about: "Who can be dealt a hand.",
    cited: true,
    fields: &[
        required("players", FieldType::Count(1, 7), "how many seats can be dealt a hand"),
        required("dealer_hand", FieldType::Bool, "whether the house's dealer has a hand of its own"),
        optional(
            "hands_per_player",
            FieldType::Count(1, 7),
            "how many seats one player may have; left out: 1",
        ),
    ],
};

static DEALING: Spec = Spec {
    about: "How hands are dealt.",
    cited: true,
    fields: &[
        required("first", FieldType::Choice(FirstHand::WORDS), "what picks the place of the first hand"),
        required("order", FieldType::Choice(Direction::WORDS), "which way round the table"),
        required("spots", FieldType::Choice(Spots::WORDS), "which spots are dealt a hand"),
        required(
            "dealer_hand",
            FieldType::Choice(DealerTurn::WORDS),
            "where the dealer's hand comes in the order",
        ),
        required("action_pile", FieldType::Bool, "whether the banker picks which pile goes first"),
    ],
};

static SETTING: Spec = Spec {
    about: "What becomes of a hand whose front is higher than its back.",
    cited: true,
    fields: &[
        required("player_foul", FieldType::Choice(PlayerFoul::WORDS), "a player's"),
        required("banker_foul", FieldType::Choice(BankerFoul::WORDS), "the banker's"),
    ],
};

static BASE_GAME: Spec = Spec {
    about: "The base game.",
    cited: true,
    fields: &[
        optional("wins", FieldType::Choice(&["both_hands"]), "what wins the wager; one hand won is a push"),
        optional("pays", FieldType::Count(1, 1), "what a winning wager is paid to one"),
        required("copies", FieldType::Choice(Copies::WORDS), "who wins equal hands"),
        optional(
            "dealer_push",
            FieldType::ChoicesOrNone(HandClass::NAMES_IN_FILES),
            "classes of the dealer's hand that make every wager push",
        ),
        optional("dealer_push_fouls", FieldType::Bool, "whether that push also saves a foul hand"),
        optional(
            "bonus_wagers_settled",
            FieldType::Choice(BonusOrder::WORDS),
            "whether side wagers are settled after all base wagers or seat by seat",
        ),
        required("limits", FieldType::Table(&LIMITS), "of the Pai Gow wager"),
    ],
};

static LIMITS: Spec = Spec {
    about: "The least and the most of a wager.",
    cited: true,
    fields: &[
        required("min", FieldType::Amount, "the least"),
        required("max", FieldType::Amount, "the most"),
    ],
};

static COMMISSION: Spec = Spec {
    about: "The commission on winning base wagers.",
    cited: true,
    fields: &[
        required("percent", FieldType::Percent, "of what is won; \"0\" for none"),
        required("banker", FieldType::Choice(BankerCommission::WORDS), "what a banking seat pays it on"),
        required("rounding", FieldType::Choice(Rounding::WORDS), "to a multiple of the unit"),
        required("unit", FieldType::Amount, "what it is rounded to"),
    ],
};

static COLLECTION: Spec = Spec {
    about: "A fee in place of a commission.",
    cited: true,
    fields: &[
        required("schedule", FieldType::Rows(&FEE), "fees by the size of the wager, from the smallest up"),
        optional("bonus", FieldType::Rows(&FEE), "fees on side wagers, by their size"),
        optional("taken", FieldType::Choice(Taken::WORDS), "whether fees are taken first or last"),
        optional("time_minutes", FieldType::Count(1, 1440), "how many minutes a fee by time is for"),
        optional("time_fee", FieldType::Amount, "what a player pays for each such time, in advance"),
    ],
};

static FEE: Spec = Spec {
    about: "The fee from a wager of this size on.",
    cited: false,
    fields: &[
        required("wager_from", FieldType::Amount, "the least wager it is for"),
        required("player", FieldType::Amount, "what a player pays"),
        required("banker", FieldType::Amount, "what the banker pays"),
    ],
};

static BANKING: Spec = Spec {
    about: "Who banks, and how far.",
    cited: true,
    fields: &[
        required("bankers", FieldType::Choices(Banker::WORDS), "who may bank, the first by default"),
        required("cover", FieldType::Choice(Cover::WORDS), "how much of the action the banker must cover"),
        required("cover_use", FieldType::Choice(CoverUse::WORDS), "what uses up the cover"),
        optional("pays_from", FieldType::Choice(PaysFrom::WORDS), "what a banking seat pays with"),
        required("plays_dealer", FieldType::Bool, "whether a banking seat also plays the dealer's hand"),
        optional("rounds_running_max", FieldType::Count(1, 100), "how many rounds running one may bank"),
        required("rotation", FieldType::Choice(Rotation::WORDS), "whether the bank goes round"),
        optional(
            "uncovered",
            FieldType::Choice(&["returned"]),
            "what becomes of wagers that are not covered",
        ),
    ],
};

static HOUSE_WAY: Spec = Spec {
    about: "How the dealer sets.",
    cited: true,
    fields: &[required("way", FieldType::Text, "a house way's name, or a path")],
};

static WAGER: Spec = Spec {
    about: "A side wager.",
    cited: true,
    fields: &[
        descriptive(required("title", FieldType::Text, "what it is called")),
        optional("offered", FieldType::Bool, "whether tables offer it; they do where left out"),
        required("looks_at", FieldType::Choice(LooksAt::WORDS), "what decides it"),
        optional(
            "player_must_beat",
            FieldType::Bool,
            "whether the player's five cards must beat the dealer's",
        ),
        required("settled_by", FieldType::Choice(SettledBy::WORDS), "who pays and collects"),
        optional("banker_wagers", FieldType::Bool, "whether a banking seat may make the wager"),
        required("default", FieldType::Text, "the paytable posted unless another is"),
        required("limits", FieldType::Table(&LIMITS), "of the wager"),
        optional("envy", FieldType::Table(&ENVY), "who shares in others' luck"),
        optional("payout_max", FieldType::Table(&PAYOUT_MAX), "the most that is paid on odds"),
        required("paytables", FieldType::Named(&PAYTABLE), "the paytables by name"),
    ],
};

static ENVY: Spec = Spec {
    about: "Who shares in others' luck.",
    cited: true,
    fields: &[
        required("from", FieldType::Amount, "the least wager that earns the button"),
        descriptive(required("button", FieldType::Text, "what the button is called")),
        optional(
            "paid",
            FieldType::Choice(&["each_other_hand"]),
            "what it is paid for: each other player's hand that has a bonus",
        ),
        optional("when", FieldType::Choice(&["end_of_round"]), "when it is paid: after all wagers"),
        optional("banker_hand", FieldType::Bool, "whether a banking player's hand earns others a bonus"),
    ],
};

static PAYOUT_MAX: Spec = Spec {
    about: "The most that is paid on odds; envy bonuses are never limited.",
    cited: true,
    fields: &[
        optional("amount", FieldType::Amount, "the most; left out where none is set"),
        required("per", FieldType::Choice(Per::WORDS), "what it is counted over"),
        optional("shared", FieldType::Choice(&["pro_rata"]), "how hands share a maximum for the round"),
    ],
};

static PAYTABLE: Spec = Spec {
    about: "A paytable.",
    cited: true,
    fields: &[
        required("pays", FieldType::Rows(&ROW), "the rows, best first"),
        optional("available", FieldType::Bool, "whether it may be posted"),
        optional("joker", FieldType::Choice(JOKERS), "what the joker must be where it is posted"),
        descriptive(optional("also", FieldType::Text, "another name it is printed with")),
    ],
};

static ROW: Spec = Spec {
    about: "What a hand pays.",
    cited: false,
    fields: &[
        optional("hand", FieldType::Choice(HandClass::NAMES_IN_FILES), "the class of hand"),
        optional("cards", FieldType::Count(1, 7), "how many cards of the chosen color"),
        required("pays", FieldType::Pays, "so many to one, or \"push\""),
        optional("envy", FieldType::Amount, "what it pays to others with a button"),
        descriptive(optional(
            "reading",
            FieldType::Text,
            "what counts as this hand where the document can be read in several ways",
        )),
        descriptive(optional(
            "intended",
            FieldType::Bool,
            "that it pays less than a commoner hand on purpose",
        )),
    ],
};

static TERM: Spec = Spec {
    about: "A word and its sense.",
    cited: true,
    fields: &[required("means", FieldType::Text, "what it means")],
};

static TERMS: Spec = Spec {
    about: "The words of the book for parts of the game.",
    cited: true,
    fields: &[
        optional("banker", FieldType::Text, "the one who banks"),
        optional("color", FieldType::Text, "the color of a card"),
    ],
};

static DUTY: Spec = Spec {
    about: "A rule in plain words.",
    cited: true,
    fields: &[required("says", FieldType::Text, "the rule")],
};
