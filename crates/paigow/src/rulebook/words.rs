//! A rule book's values in sentences, one for each value, so that each has the citation that is its own.

use super::{
    Banker, BankerCommission, BankerFoul, BonusOrder, Copies, Cover, CoverUse, DealerTurn, Direction,
    FirstHand, Limits, LooksAt, PaysFrom, Per, PlayerFoul, Rotation, Rounding, Rulebook, SettledBy,
    SideWager, Spots, Taken,
};
use crate::document::worded;
use crate::document::{Provenance, ValueKind, ValueRange};
use crate::{HandClass, Joker, PayRow, Paytable, Wheel};

/// A rule as a sentence, with where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// What it is about.
    pub topic: &'static str,
    /// The rule.
    pub says: String,
    /// The path of the value in the file.
    pub value: String,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// Sentences being collected.
struct SentenceBuilder<'a> {
    book: &'a Rulebook,
    sentences: Vec<Sentence>,
}

impl SentenceBuilder<'_> {
    fn say(&mut self, topic: &'static str, path: &[&str], says: impl Into<String>) {
        let unsaid = || Provenance {
            kind: ValueKind::Assumed,
            cite: None,
            because: Some(worded("the book leaves it out, so the usual value is taken".to_owned())),
            range: ValueRange::Any,
        };
        self.sentences.push(Sentence {
            topic,
            says: worded(says.into()),
            value: path.join("."),
            provenance: self.book.provenance(path).unwrap_or_else(unsaid),
        });
    }

    /// The least and the most of a wager: one sentence where both come from the same place.
    fn limits(&mut self, path: &[&str], wager: &str, limits: &Limits) {
        let [min, max] = ["min", "max"].map(|end| [path, &["limits", end]].concat());
        if self.book.provenance(&min) == self.book.provenance(&max) {
            let says = format!("{wager} is from ${:#} to ${:#}.", limits.min, limits.max);
            self.say("limits", &min, says);
        } else {
            self.say("limits", &min, format!("{wager} is at least ${:#}.", limits.min));
            self.say("limits", &max, format!("{wager} is at most ${:#}.", limits.max));
        }
    }
}

impl Rulebook {
    /// What the book's values say, one value a sentence.
    pub fn sentences(&self) -> Vec<Sentence> {
        let mut sayings = SentenceBuilder { book: self, sentences: Vec::new() };
        self.say_cards(&mut sayings);
        self.say_dealing(&mut sayings);
        self.say_base_game(&mut sayings);
        self.say_commission(&mut sayings);
        self.say_banking(&mut sayings);
        let way = self.house_way.title();
        let says = if self.seats.dealer_hand {
            format!("The dealer's hand is set by the house way of {way}.")
        } else {
            format!("A hand that a player leaves to the house is set by the house way of {way}.")
        };
        sayings.say("house way", &["house_way", "way"], says);
        sayings.sentences
    }

    fn say_cards(&self, sayings: &mut SentenceBuilder<'_>) {
        sayings.say("deck", &["deck", "cards"], "The deck has 53 cards: 52 and one joker.");
        sayings.say("joker", &["ranking", "joker"], joker_says(self.ranking.joker));
        let wheel = match self.ranking.wheel {
            Wheel::Lowest => "A-2-3-4-5 is the lowest straight.",
            Wheel::SecondHighest => "A-2-3-4-5 is the second highest straight, after 10-J-Q-K-A.",
        };
        sayings.say("straights", &["ranking", "wheel"], wheel);
        let players = self.seats.players;
        sayings.say("seats", &["seats", "players"], format!("Up to {players} seats are dealt a hand."));
        let dealer =
            if self.seats.dealer_hand { "The dealer has a hand." } else { "The house's dealer has no hand." };
        sayings.say("seats", &["seats", "dealer_hand"], dealer);
        let hands = match self.seats.hands_per_player {
            1 => "A player plays one hand.".to_owned(),
            most => format!("A player may play up to {most} hands, each at a seat of its own."),
        };
        sayings.say("seats", &["seats", "hands_per_player"], hands);
    }

    fn say_dealing(&self, sayings: &mut SentenceBuilder<'_>) {
        let (dealing, banker) = (&self.dealing, &self.terms.banker);
        let first = match dealing.first {
            FirstHand::Dice => "Dice decide who is dealt the first hand.".to_owned(),
            FirstHand::Banker => format!("The {banker} is dealt the first hand."),
        };
        sayings.say("dealing", &["dealing", "first"], first);
        let order = match dealing.order {
            Direction::CounterClockwise => "counter-clockwise",
            Direction::Clockwise => "clockwise",
        };
        let says = format!("Hands are dealt {order}, and settled in the same order from the first seat on.");
        sayings.say("dealing", &["dealing", "order"], says);
        let spots = match dealing.spots {
            Spots::Every => "Every seat is dealt a hand; hands without a wager are discarded.",
            Spots::Active => "Only seats with a wager are dealt a hand.",
        };
        sayings.say("dealing", &["dealing", "spots"], spots);
        let after = match dealing.order {
            Direction::CounterClockwise => "seat 1",
            Direction::Clockwise => "the last seat",
        };
        let dealer = match dealing.dealer_hand {
            DealerTurn::InOrder => Some(format!(
                "The dealer's hand is dealt in order, after {after}, or first when the dice choose the dealer."
            )),
            DealerTurn::AfterFirstSeat => Some(
                "The dealer's hand is dealt second, after the first seat's, or first when the dice choose the dealer."
                    .to_owned(),
            ),
            DealerTurn::Last => Some("The dealer's hand is dealt last.".to_owned()),
            DealerTurn::None => None,
        };
        if let Some(dealer) = dealer {
            sayings.say("dealing", &["dealing", "dealer_hand"], dealer);
        }
        if dealing.action_pile {
            let says = format!("The {banker} picks the action pile, which goes to the first seat.");
            sayings.say("dealing", &["dealing", "action_pile"], says);
        }
    }

    fn say_base_game(&self, sayings: &mut SentenceBuilder<'_>) {
        let banker = &self.terms.banker;
        let player_foul = match self.setting.player {
            PlayerFoul::Loses => "loses",
            PlayerFoul::HouseWay => "is set by the house way",
        };
        let says = format!(
            "A player's hand is foul if its low hand is higher than its high hand; it {player_foul}."
        );
        sayings.say("fouls", &["setting", "player_foul"], says);
        let banker_foul = match self.setting.banker {
            BankerFoul::HouseWay => "is set by the house way".to_owned(),
            BankerFoul::SetAgain => format!("is set again by the {banker}"),
        };
        let says = format!("A foul hand of the {banker} {banker_foul}.");
        sayings.say("fouls", &["setting", "banker_foul"], says);

        let wins = "A wager wins if both hands win, pushes if one wins, and loses if both lose.";
        sayings.say("base game", &["base_game", "wins"], wins);
        sayings.say("base game", &["base_game", "pays"], "A winning wager is paid 1 to 1.");
        let copies = match self.base_game.copies {
            Copies::Banker => banker,
            Copies::Player => "player",
        };
        let says = format!("The {copies} wins a copy: a high hand or low hand equal to the other side's.");
        sayings.say("base game", &["base_game", "copies"], says);
        if !self.base_game.dealer_push.is_empty() {
            let classes: Vec<&str> =
                self.base_game.dealer_push.iter().copied().map(HandClass::title).collect();
            let says = format!(
                "Every base wager pushes if the dealer's seven cards are a {}.",
                classes.join(" or a ")
            );
            sayings.say("base game", &["base_game", "dealer_push"], says);
            let fouls = if self.base_game.dealer_push_fouls { "also pushes" } else { "still loses" };
            let says = format!("A foul hand {fouls}.");
            sayings.say("base game", &["base_game", "dealer_push_fouls"], says);
        }
        if !self.wagers.is_empty() {
            let order = match self.base_game.bonus_wagers_settled {
                BonusOrder::SeatBySeat => "Each seat's side wagers are settled with its base wager.",
                BonusOrder::AfterBaseWagers => "Side wagers are settled after all base wagers.",
            };
            sayings.say("settling", &["base_game", "bonus_wagers_settled"], order);
        }
        sayings.limits(&["base_game"], "The Pai Gow wager", &self.base_game.limits);
    }

    fn say_commission(&self, sayings: &mut SentenceBuilder<'_>) {
        let (commission, banker) = (&self.commission, &self.terms.banker);
        if commission.basis_points == 0 {
            sayings.say("commission", &["commission", "percent"], "No commission is taken.");
        } else {
            let percent = format!("{}.{:02}", commission.basis_points / 100, commission.basis_points % 100);
            let percent = percent.trim_end_matches('0').trim_end_matches('.');
            let says = format!("A commission of {percent}% is taken from winning wagers.");
            sayings.say("commission", &["commission", "percent"], says);
            let rounding = match commission.rounding {
                Rounding::Nearest => "to the nearest",
                Rounding::Up => "up to a multiple of",
                Rounding::Down => "down to a multiple of",
            };
            let says = format!("The commission is rounded {rounding} ${:#}.", commission.unit);
            sayings.say("commission", &["commission", "rounding"], says);
            if self.banking.bankers.contains(&Banker::Seat) {
                let on = match commission.banker {
                    BankerCommission::EachWin => "every wager won",
                    BankerCommission::NetWin => "the net win of the round",
                };
                let says = format!("A player who banks pays the commission on {on}.");
                sayings.say("commission", &["commission", "banker"], says);
            }
        }
        if let Some(collection) = &self.collection {
            let none = collection.schedule.iter().all(|fee| fee.player.cents() + fee.banker.cents() == 0);
            let rows = collection.schedule.iter().map(|fee| {
                let (from, player, by_banker) = (fee.wager_from, fee.player, fee.banker);
                format!("wagers from ${from:#}: player ${player:#}, {banker} ${by_banker:#}")
            });
            let says = if none {
                "No collection fee is set.".to_owned()
            } else {
                format!("The house takes a collection fee: {}.", rows.collect::<Vec<_>>().join("; "))
            };
            sayings.say("collection", &["collection", "schedule"], says);
            if !none {
                let says = match collection.taken {
                    Taken::First => {
                        "Fees are taken first, before a wager can be lost; a wager with no action pays none."
                    }
                    Taken::Last => "Fees are taken last, from what a player has then.",
                };
                sayings.say("collection", &["collection", "taken"], says);
            }
            let option =
                |path: &[&str]| self.provenance(path).is_some_and(|from| from.kind == ValueKind::Option);
            if let Some(time) = collection.time {
                let says = format!(
                    "A player pays ${:#} for every {} minutes, in advance, with the first wager of that time.",
                    time.player, time.minutes
                );
                sayings.say("collection", &["collection", "time_fee"], says);
            } else if option(&["collection", "time_fee"]) {
                let says = "No fee by time is set; the house may set one.";
                sayings.say("collection", &["collection", "time_fee"], says);
            }
            if collection.bonus.is_empty() {
                if option(&["collection", "bonus"]) {
                    let says = "No fee on side wagers is set; the house may set one.";
                    sayings.say("collection", &["collection", "bonus"], says);
                }
            } else {
                let rows = collection.bonus.iter().map(|fee| {
                    let (from, player, by_banker) = (fee.wager_from, fee.player, fee.banker);
                    format!("side wagers from ${from:#}: player ${player:#}, {banker} ${by_banker:#}")
                });
                let says = format!("Fees on side wagers: {}.", rows.collect::<Vec<_>>().join("; "));
                sayings.say("collection", &["collection", "bonus"], says);
            }
        }
    }

    fn say_banking(&self, sayings: &mut SentenceBuilder<'_>) {
        let (banking, banker) = (&self.banking, &self.terms.banker);
        let topic = if banker == "banker" { "banking" } else { "cover" };
        let who: Vec<&str> = banking
            .bankers
            .iter()
            .map(|banker| match banker {
                Banker::Dealer => "the dealer",
                Banker::Seat | Banker::PlayerDealer => "a player",
            })
            .collect();
        let says = format!("The {banker} is {}.", who.join(" or "));
        sayings.say(topic, &["banking", "bankers"], says);
        match banking.cover {
            Cover::All => {
                let says = format!("The {banker} must cover every wager.");
                sayings.say(topic, &["banking", "cover"], says);
            }
            Cover::SomeOrAll => {
                let says = format!("The {banker} may cover some or all of the action.");
                sayings.say(topic, &["banking", "cover"], says);
                let says = "A wager, or the part of it, that is not covered has no action and goes back.";
                sayings.say(topic, &["banking", "uncovered"], says);
                let says = match banking.cover_use {
                    CoverUse::EachDollarOnce => {
                        "A dollar of cover covers a dollar of one base wager, win or lose; a push uses none. Side wagers are covered by what is left of the money put up after payments."
                            .to_owned()
                    }
                    CoverUse::LossesOnly => format!("Only what the {banker} pays out uses up cover."),
                    CoverUse::OnceInAll => format!(
                        "A dollar of cover covers one dollar in all, of base wagers, side wagers and envy bonuses, win or lose; a push uses none. The {banker} neither wins nor loses more than is put up."
                    ),
                };
                sayings.say(topic, &["banking", "cover_use"], says);
            }
        }
        if banking.bankers != [Banker::Dealer] {
            let says = match banking.pays_from {
                PaysFrom::PutUp => format!(
                    "Everything is paid from what the {banker} has put up, in the order of action: base wagers, then side wagers, then envy bonuses. A wager that the money does not reach has no action and goes back. The house never pays for the {banker}."
                ),
                PaysFrom::Reserved => format!(
                    "Everything is paid from what the {banker} has put up. A wager is refused if the highest possible payments would exceed that amount. The house never pays for the {banker}."
                ),
                PaysFrom::Guaranteed => {
                    format!("What the {banker} cannot pay is paid by the house.")
                }
            };
            sayings.say(topic, &["banking", "pays_from"], says);
        }
        if banking.plays_dealer {
            let says = "A player who banks also plays against the dealer's hand.";
            sayings.say(topic, &["banking", "plays_dealer"], says);
        }
        if let Some(rounds) = banking.rounds_running_max {
            let says = format!("No player is the {banker} for more than {rounds} rounds in a row.");
            sayings.say(topic, &["banking", "rounds_running_max"], says);
        }
        if banking.rotation == Rotation::Clockwise {
            let says = format!("The position of {banker} is offered clockwise around the table.");
            sayings.say(topic, &["banking", "rotation"], says);
        }
    }

    /// What the values of a side wager say, one value a sentence.
    pub fn wager_sentences(&self, wager: &SideWager) -> Vec<Sentence> {
        let mut sayings = SentenceBuilder { book: self, sentences: Vec::new() };
        let path = ["wagers", &wager.name];
        let at = |rest: &[&'static str]| [&path[..], rest].concat();
        let title = &wager.title;
        let looks_at = match wager.looks_at {
            LooksAt::PlayerHand => {
                format!(
                    "{title} pays the best-paying hand among the player's seven cards, however they are set."
                )
            }
            LooksAt::DealerHand => {
                format!("{title} wins if the dealer's seven cards make a hand of the paytable.")
            }
            LooksAt::DealerFiveCards => {
                format!(
                    "{title} wins if the dealer's high hand is less than a pair, and pays by its highest card."
                )
            }
            LooksAt::Color => format!(
                "{title} pays by how many of the player's seven cards are of the chosen {0}; the joker has no {0}.",
                self.terms.color
            ),
        };
        sayings.say("wager", &at(&["looks_at"]), format!("{looks_at} It needs a Pai Gow wager beside it."));
        let offered = if wager.offered { "is offered" } else { "is not offered" };
        sayings.say("wager", &at(&["offered"]), format!("The wager {offered}."));
        if wager.player_must_beat {
            let says = "The player's high hand must also beat the dealer's.";
            sayings.say("wager", &at(&["player_must_beat"]), says);
        }
        let who = match wager.settled_by {
            SettledBy::House => "house",
            SettledBy::Banker => &self.terms.banker,
        };
        sayings.say("wager", &at(&["settled_by"]), format!("The {who} pays and collects it."));
        if self.banking.bankers != [Banker::Dealer] {
            let may = if wager.banker_wagers { "may" } else { "may not" };
            let says = format!("A player who is the {} {may} make this wager.", self.terms.banker);
            sayings.say("wager", &at(&["banker_wagers"]), says);
        }
        let printed = wager.paytable(&wager.default).and_then(Paytable::printed_name);
        let posted = match printed {
            None => "The paytable is the one that the document prints.".to_owned(),
            Some(name) => format!("The posted paytable is {name}."),
        };
        sayings.say("paytable", &at(&["default"]), posted);
        sayings.limits(&path, "The wager", &wager.limits);
        if let Some(envy) = &wager.envy {
            let says = format!("A wager of ${:#} or more qualifies for the envy bonus.", envy.from);
            sayings.say("envy", &at(&["envy", "from"]), says);
            let says = format!("A wager that qualifies is marked with an {}.", envy.button);
            sayings.say("envy", &at(&["envy", "button"]), says);
            let says = "The envy bonus is paid for each other player's hand that has one, never for a player's own hand.";
            sayings.say("envy", &at(&["envy", "paid"]), says);
            let says = "Envy bonuses are paid at the end of the round.";
            sayings.say("envy", &at(&["envy", "when"]), says);
            if self.banking.bankers != [Banker::Dealer] {
                let earns = if envy.banker_hand { "earns others an" } else { "earns no" };
                let says =
                    format!("The hand of a player who is the {} {earns} envy bonus.", self.terms.banker);
                sayings.say("envy", &at(&["envy", "banker_hand"]), says);
            }
        }
        if let Some(max) = &wager.payout_max {
            let says = match max.amount {
                Some(amount) => {
                    format!("At most ${amount:#} is paid at odds. Envy bonuses are not limited.")
                }
                None => "No payout maximum is set; the house may set one. Envy bonuses are not limited."
                    .to_owned(),
            };
            sayings.say("payout limit", &at(&["payout_max", "amount"]), says);
            let per = match max.per {
                Per::Hand => "one hand",
                Per::Round => "all hands of a round together",
            };
            sayings.say("payout limit", &at(&["payout_max", "per"]), format!("The maximum is for {per}."));
            if max.per == Per::Round {
                let says = "Payouts of a round beyond the limit are reduced in proportion.";
                sayings.say("payout limit", &at(&["payout_max", "shared"]), says);
            }
        }
        sayings.sentences
    }
}

impl SideWager {
    /// What a row of its paytables is for, in words. Five cards are no pai gow: they are known by their high card alone.
    pub fn row_title(&self, row: &PayRow) -> String {
        let title = row.wins_on.to_string();
        match self.looks_at {
            LooksAt::DealerFiveCards => title.trim_end_matches(" pai gow").to_owned(),
            _ => title,
        }
    }
}

/// What the joker may be, as a sentence.
fn joker_says(joker: Joker) -> &'static str {
    match joker {
        Joker::SemiWild => {
            "The joker is an ace, or completes a straight, a flush, a straight flush or a royal flush."
        }
        Joker::FullyWild => "The joker is any card the hand does not hold, or makes five of a kind.",
    }
}
