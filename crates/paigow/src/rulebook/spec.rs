//! Schema of rule-book files. `docs/rule-books.md` is the manual of the format.

use super::{
    Banker, BankerCommission, BankerFoul, BonusOrder, CopyWinner, Cover, CoverUse, DealerHandPosition,
    DecidingCards, Direction, FeeTiming, FirstHand, PayoutScope, PaysFrom, PlayerFoul, Rotation, Rounding,
    SettledBy, Spots,
};
use crate::HandClass;
use crate::document::spec::{descriptive, optional, required};
use crate::document::{FieldType, Spec};
use crate::house_way::{JOKER, JOKERS, WHEEL};

/// Schema of rule-book files.
pub static RULE_BOOK_SPEC: Spec = Spec {
    about: "The rules of one house or jurisdiction.",
    cited: false,
    fields: &[
        descriptive(required("title", FieldType::Text, "title of the book")),
        descriptive(required("source", FieldType::Text, "full name of the document")),
        descriptive(optional("effective", FieldType::Date, "date since which the document is in force")),
        descriptive(required(
            "checked_on",
            FieldType::Date,
            "date of the last comparison of the file with the document",
        )),
        descriptive(optional("extends", FieldType::Text, "name or path of the book to extend")),
        descriptive(optional("without", FieldType::Texts, "paths in the extended book to leave out")),
        required("deck", FieldType::Table(&DECK), "the cards"),
        required("ranking", FieldType::Table(&RANKING), "ranking of hands"),
        required("seats", FieldType::Table(&SEATS), "seats and hands"),
        required("dealing", FieldType::Table(&DEALING), "dealing rules"),
        required("setting", FieldType::Table(&SETTING), "consequences of fouls"),
        required("base_game", FieldType::Table(&BASE_GAME), "rules of the base game"),
        required("commission", FieldType::Table(&COMMISSION), "commission on winning base wagers"),
        optional("collection", FieldType::Table(&COLLECTION), "collection fees, instead of a commission"),
        required("banking", FieldType::Table(&BANKING), "banking rules"),
        required("house_way", FieldType::Table(&HOUSE_WAY), "house way by which the dealer sets"),
        optional("wagers", FieldType::Named(&WAGER), "side wagers by name"),
        descriptive(optional("glossary", FieldType::Named(&TERM), "definitions of terms")),
        descriptive(optional("duties", FieldType::Named(&DUTY), "rules as text")),
        descriptive(optional(
            "notes",
            FieldType::Named(&DUTY),
            "other statements of the document that no value expresses",
        )),
        descriptive(optional(
            "terms",
            FieldType::Table(&TERMS),
            "names that the book uses for parts of the game",
        )),
    ],
};

static DECK: Spec = Spec {
    about: "The cards.",
    cited: true,
    fields: &[required("cards", FieldType::Count(53, 53), "52 and one joker")],
};

static RANKING: Spec = Spec { about: "Ranking of hands.", cited: true, fields: &[JOKER, WHEEL] };

static SEATS: Spec = Spec {
    about: "Seats and hands.",
    cited: true,
    fields: &[
        required("players", FieldType::Count(1, 7), "number of seats that can be dealt a hand"),
        required("dealer_hand", FieldType::Bool, "whether the house's dealer has a hand"),
        optional(
            "hands_per_player",
            FieldType::Count(1, 7),
            "number of seats one player may have (default: 1)",
        ),
    ],
};

static DEALING: Spec = Spec {
    about: "Dealing rules.",
    cited: true,
    fields: &[
        required(
            "first",
            FieldType::Choice(FirstHand::NAMES),
            "how the spot that is dealt the first hand is chosen",
        ),
        required("order", FieldType::Choice(Direction::NAMES), "direction around the table"),
        required("spots", FieldType::Choice(Spots::NAMES), "spots that are dealt a hand"),
        required(
            "dealer_hand",
            FieldType::Choice(DealerHandPosition::NAMES),
            "position of the dealer's hand in the order of dealing",
        ),
        required("action_pile", FieldType::Bool, "whether the banker picks which pile goes first"),
    ],
};

static SETTING: Spec = Spec {
    about: "Consequences of fouls: hands whose low hand is higher than the high hand.",
    cited: true,
    fields: &[
        required("player_foul", FieldType::Choice(PlayerFoul::NAMES), "consequence of a player's foul"),
        required("banker_foul", FieldType::Choice(BankerFoul::NAMES), "consequence of a banker's foul"),
    ],
};

static BASE_GAME: Spec = Spec {
    about: "Rules of the base game.",
    cited: true,
    fields: &[
        optional(
            "wins",
            FieldType::Choice(&["both_hands"]),
            "hands that must win for the wager to win; one hand won is a push",
        ),
        optional("pays", FieldType::Count(1, 1), "payout of a winning wager, to one"),
        required("copies", FieldType::Choice(CopyWinner::NAMES), "who wins a copy"),
        optional(
            "dealer_push",
            FieldType::ChoicesOrNone(HandClass::NAMES_IN_FILES),
            "classes of the dealer's hand that make every base wager push",
        ),
        optional("dealer_push_fouls", FieldType::Bool, "whether a foul hand also pushes then"),
        optional(
            "bonus_wagers_settled",
            FieldType::Choice(BonusOrder::NAMES),
            "whether side wagers are settled after all base wagers or seat by seat",
        ),
        required("limits", FieldType::Table(&LIMITS), "limits of the Pai Gow wager"),
    ],
};

static LIMITS: Spec = Spec {
    about: "Minimum and maximum of a wager.",
    cited: true,
    fields: &[
        required("min", FieldType::Amount, "minimum wager"),
        required("max", FieldType::Amount, "maximum wager"),
    ],
};

static COMMISSION: Spec = Spec {
    about: "Commission on winning base wagers.",
    cited: true,
    fields: &[
        required("percent", FieldType::Percent, "percentage of the winnings; \"0\" for none"),
        required(
            "banker",
            FieldType::Choice(BankerCommission::NAMES),
            "winnings on which a banking seat pays commission",
        ),
        required("rounding", FieldType::Choice(Rounding::NAMES), "rounding to a multiple of the unit"),
        required("unit", FieldType::Amount, "unit of rounding"),
    ],
};

static COLLECTION: Spec = Spec {
    about: "Collection fees, instead of a commission.",
    cited: true,
    fields: &[
        required("schedule", FieldType::Rows(&FEE), "fees by the size of the wager, from the smallest up"),
        optional("bonus", FieldType::Rows(&FEE), "fees on side wagers, by their size"),
        optional("taken", FieldType::Choice(FeeTiming::NAMES), "whether fees are taken first or last"),
        optional(
            "time_minutes",
            FieldType::Count(1, 1440),
            "length in minutes of the interval that one time fee pays for",
        ),
        optional("time_fee", FieldType::Amount, "amount that a player pays for each interval, in advance"),
    ],
};

static FEE: Spec = Spec {
    about: "Fee for wagers of at least this size.",
    cited: false,
    fields: &[
        required("wager_from", FieldType::Amount, "smallest wager that the row applies to"),
        required("player", FieldType::Amount, "fee of a player"),
        required("banker", FieldType::Amount, "fee of the banker"),
    ],
};

static BANKING: Spec = Spec {
    about: "Banking rules.",
    cited: true,
    fields: &[
        required("bankers", FieldType::Choices(Banker::NAMES), "who may bank; the first is the default"),
        required("cover", FieldType::Choice(Cover::NAMES), "part of the action that the banker must cover"),
        required("cover_use", FieldType::Choice(CoverUse::NAMES), "results that use up the cover"),
        optional("pays_from", FieldType::Choice(PaysFrom::NAMES), "money from which a banking seat pays"),
        required(
            "plays_dealer",
            FieldType::Bool,
            "whether a banking seat also plays against the dealer's hand",
        ),
        optional(
            "rounds_running_max",
            FieldType::Count(1, 100),
            "maximum number of rounds in a row that a player may bank",
        ),
        required("rotation", FieldType::Choice(Rotation::NAMES), "rotation of the bank"),
        optional(
            "uncovered",
            FieldType::Choice(&["returned"]),
            "consequence for wagers that are not covered",
        ),
    ],
};

static HOUSE_WAY: Spec = Spec {
    about: "House way by which the dealer sets.",
    cited: true,
    fields: &[required("way", FieldType::Text, "name or path of a house way")],
};

static WAGER: Spec = Spec {
    about: "A side wager.",
    cited: true,
    fields: &[
        descriptive(required("title", FieldType::Text, "title of the wager")),
        optional("offered", FieldType::Bool, "whether tables offer the wager (default: true)"),
        required("looks_at", FieldType::Choice(DecidingCards::NAMES), "cards that decide the wager"),
        optional(
            "player_must_beat",
            FieldType::Bool,
            "whether the player's high hand must beat the dealer's",
        ),
        required("settled_by", FieldType::Choice(SettledBy::NAMES), "who pays and collects the wager"),
        optional("banker_wagers", FieldType::Bool, "whether a banking seat may make the wager"),
        required("default", FieldType::Text, "name of the paytable that is posted by default"),
        required("limits", FieldType::Table(&LIMITS), "limits of the wager"),
        optional("envy", FieldType::Table(&ENVY), "envy bonus"),
        optional("payout_max", FieldType::Table(&PAYOUT_MAX), "maximum payout by the paytable"),
        required("paytables", FieldType::Named(&PAYTABLE), "paytables by name"),
    ],
};

static ENVY: Spec = Spec {
    about: "Envy bonus.",
    cited: true,
    fields: &[
        required("from", FieldType::Amount, "smallest wager that earns the button"),
        descriptive(required("button", FieldType::Text, "name of the button")),
        optional(
            "paid",
            FieldType::Choice(&["each_other_hand"]),
            "hands that the bonus is paid for: each other player's hand that has one",
        ),
        optional("when", FieldType::Choice(&["end_of_round"]), "time of the payment: after all wagers"),
        optional("banker_hand", FieldType::Bool, "whether a banking player's hand earns others a bonus"),
    ],
};

static PAYOUT_MAX: Spec = Spec {
    about: "Maximum payout of a side wager by its paytable. Envy bonuses are not limited.",
    cited: true,
    fields: &[
        optional("amount", FieldType::Amount, "the maximum; omitted if none is set"),
        required("per", FieldType::Choice(PayoutScope::NAMES), "scope of the maximum"),
        optional("shared", FieldType::Choice(&["pro_rata"]), "how hands share a maximum per round"),
    ],
};

static PAYTABLE: Spec = Spec {
    about: "A paytable.",
    cited: true,
    fields: &[
        required("pays", FieldType::Rows(&ROW), "rows, best first"),
        optional("available", FieldType::Bool, "whether the paytable may be posted"),
        optional("joker", FieldType::Choice(JOKERS), "use of the joker at tables that post this paytable"),
        descriptive(optional("also", FieldType::Text, "alternative printed name")),
    ],
};

static ROW: Spec = Spec {
    about: "Payout of a hand.",
    cited: false,
    fields: &[
        optional("hand", FieldType::Choice(HandClass::NAMES_IN_FILES), "class of hand"),
        optional("cards", FieldType::Count(1, 7), "number of cards of the chosen color"),
        required("pays", FieldType::Pays, "payout to one, or \"push\""),
        optional("envy", FieldType::Amount, "envy bonus of each other player with a button"),
        descriptive(optional(
            "reading",
            FieldType::Text,
            "interpretation of the hand if the document can be read in several ways",
        )),
        descriptive(optional(
            "intended",
            FieldType::Bool,
            "whether the row intentionally pays less than a more common hand",
        )),
    ],
};

static TERM: Spec = Spec {
    about: "A term and its definition.",
    cited: true,
    fields: &[required("means", FieldType::Text, "definition of the term")],
};

static TERMS: Spec = Spec {
    about: "Names that the book uses for parts of the game.",
    cited: true,
    fields: &[
        optional("banker", FieldType::Text, "name of the banker"),
        optional("color", FieldType::Text, "spelling of color"),
    ],
};

static DUTY: Spec = Spec {
    about: "A rule as text.",
    cited: true,
    fields: &[required("says", FieldType::Text, "text of the rule")],
};
