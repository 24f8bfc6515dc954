//! Sentences that state the values of a rule book. Each sentence covers one value, so that it can carry its citation.

use super::{
    Banker, BankerCommission, BankerFoul, BonusOrder, CopyWinner, Cover, CoverUse, DealerHandPosition,
    DecidingCards, Direction, FeeTiming, FirstHand, Limits, PayoutScope, PaysFrom, PlayerFoul, Rotation,
    Rounding, Rulebook, SettledBy, SideWager, Spots,
};
use crate::document::apply_wording;
use crate::document::{Provenance, ValueKind, ValueRange};
use crate::{HandClass, Joker, PayRow, Paytable, Wheel};

/// A rule as a sentence, with its provenance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// Topic of the sentence.
    pub topic: &'static str,
    /// Text of the sentence.
    pub says: String,
    /// Path of the value in the file.
    pub value: String,
    /// Provenance of the value.
    pub provenance: Provenance,
}

/// Collector of sentences.
struct SentenceBuilder<'a> {
    book: &'a Rulebook,
    sentences: Vec<Sentence>,
}

impl SentenceBuilder<'_> {
    fn add(&mut self, topic: &'static str, path: &[&str], says: impl Into<String>) {
        let omitted = || Provenance {
            kind: ValueKind::Assumed,
            cite: None,
            because: Some(apply_wording("the book omits the value, so the default applies".to_owned())),
            range: ValueRange::Any,
        };
        self.sentences.push(Sentence {
            topic,
            says: apply_wording(says.into()),
            value: path.join("."),
            provenance: self.book.provenance(path).unwrap_or_else(omitted),
        });
    }

    /// Adds the limits of a wager, in one sentence if both have the same provenance.
    fn limits(&mut self, path: &[&str], wager: &str, limits: &Limits) {
        let [min, max] = ["min", "max"].map(|end| [path, &["limits", end]].concat());
        if self.book.provenance(&min) == self.book.provenance(&max) {
            let says = format!("{wager} is from ${:#} to ${:#}.", limits.min, limits.max);
            self.add("limits", &min, says);
        } else {
            self.add("limits", &min, format!("{wager} is at least ${:#}.", limits.min));
            self.add("limits", &max, format!("{wager} is at most ${:#}.", limits.max));
        }
    }
}

impl Rulebook {
    /// Returns the sentences about the book, one for each value.
    pub fn sentences(&self) -> Vec<Sentence> {
        let mut builder = SentenceBuilder { book: self, sentences: Vec::new() };
        self.add_card_rules(&mut builder);
        self.add_dealing(&mut builder);
        self.add_base_game(&mut builder);
        self.add_commission(&mut builder);
        self.add_banking(&mut builder);
        let way = self.house_way.title();
        let says = if self.seats.dealer_hand {
            format!("The dealer's hand is set by the house way of {way}.")
        } else {
            format!("A hand that a player leaves to the house is set by the house way of {way}.")
        };
        builder.add("house way", &["house_way", "way"], says);
        builder.sentences
    }

    fn add_card_rules(&self, builder: &mut SentenceBuilder<'_>) {
        builder.add("deck", &["deck", "cards"], "The deck has 53 cards: 52 and one joker.");
        builder.add("joker", &["ranking", "joker"], joker_sentence(self.ranking.joker));
        let wheel = match self.ranking.wheel {
            Wheel::Lowest => "A-2-3-4-5 is the lowest straight.",
            Wheel::SecondHighest => "A-2-3-4-5 is the second highest straight, after 10-J-Q-K-A.",
        };
        builder.add("straights", &["ranking", "wheel"], wheel);
        let players = self.seats.players;
        builder.add("seats", &["seats", "players"], format!("Up to {players} seats are dealt a hand."));
        let dealer =
            if self.seats.dealer_hand { "The dealer has a hand." } else { "The house's dealer has no hand." };
        builder.add("seats", &["seats", "dealer_hand"], dealer);
        let hands = match self.seats.hands_per_player {
            1 => "A player plays one hand.".to_owned(),
            max => format!("A player may play up to {max} hands, each at a seat of its own."),
        };
        builder.add("seats", &["seats", "hands_per_player"], hands);
    }

    fn add_dealing(&self, builder: &mut SentenceBuilder<'_>) {
        let (dealing, banker) = (&self.dealing, &self.terms.banker);
        let first = match dealing.first {
            FirstHand::Dice => "Dice decide who is dealt the first hand.".to_owned(),
            FirstHand::Banker => format!("The {banker} is dealt the first hand."),
        };
        builder.add("dealing", &["dealing", "first"], first);
        let order = match dealing.order {
            Direction::CounterClockwise => "counter-clockwise",
            Direction::Clockwise => "clockwise",
        };
        let says = format!(
            "Hands are dealt {order} and settled in the same order, starting with the seat dealt first."
        );
        builder.add("dealing", &["dealing", "order"], says);
        let spots = match dealing.spots {
            Spots::Every => "Every seat is dealt a hand; hands without a wager are discarded.",
            Spots::Active => "Only seats with a wager are dealt a hand.",
        };
        builder.add("dealing", &["dealing", "spots"], spots);
        let after = match dealing.order {
            Direction::CounterClockwise => "seat 1",
            Direction::Clockwise => "the last seat",
        };
        let dealer = match dealing.dealer_hand {
            DealerHandPosition::InOrder => Some(format!(
                "The dealer's hand is dealt in order, after {after}, or first when the dice choose the dealer."
            )),
            DealerHandPosition::AfterFirstSeat => Some(
                "The dealer's hand is dealt second, after the first seat's, or first when the dice choose the dealer."
                    .to_owned(),
            ),
            DealerHandPosition::Last => Some("The dealer's hand is dealt last.".to_owned()),
            DealerHandPosition::None => None,
        };
        if let Some(dealer) = dealer {
            builder.add("dealing", &["dealing", "dealer_hand"], dealer);
        }
        if dealing.action_pile {
            let says = format!("The {banker} picks the action pile, which goes to the first seat.");
            builder.add("dealing", &["dealing", "action_pile"], says);
        }
    }

    fn add_base_game(&self, builder: &mut SentenceBuilder<'_>) {
        let banker = &self.terms.banker;
        let player_foul = match self.setting.player {
            PlayerFoul::Loses => "loses",
            PlayerFoul::HouseWay => "is set by the house way",
        };
        let says = format!(
            "A player's hand is foul if its low hand is higher than its high hand; it {player_foul}."
        );
        builder.add("fouls", &["setting", "player_foul"], says);
        let banker_foul = match self.setting.banker {
            BankerFoul::HouseWay => "is set by the house way".to_owned(),
            BankerFoul::SetAgain => format!("is set again by the {banker}"),
        };
        let says = format!("A foul hand of the {banker} {banker_foul}.");
        builder.add("fouls", &["setting", "banker_foul"], says);

        let wins = "A wager wins if both hands win, pushes if one wins, and loses if both lose.";
        builder.add("base game", &["base_game", "wins"], wins);
        builder.add("base game", &["base_game", "pays"], "A winning wager is paid 1 to 1.");
        let copies = match self.base_game.copies {
            CopyWinner::Banker => banker,
            CopyWinner::Player => "player",
        };
        let says = format!("The {copies} wins a copy: a high hand or low hand equal to the other side's.");
        builder.add("base game", &["base_game", "copies"], says);
        if !self.base_game.dealer_push.is_empty() {
            let classes: Vec<&str> =
                self.base_game.dealer_push.iter().copied().map(HandClass::title).collect();
            let says = format!(
                "Every base wager pushes if the dealer's seven cards are a {}.",
                classes.join(" or a ")
            );
            builder.add("base game", &["base_game", "dealer_push"], says);
            let fouls = if self.base_game.dealer_push_fouls { "also pushes" } else { "still loses" };
            let says = format!("A foul hand {fouls}.");
            builder.add("base game", &["base_game", "dealer_push_fouls"], says);
        }
        if !self.wagers.is_empty() {
            let order = match self.base_game.bonus_wagers_settled {
                BonusOrder::SeatBySeat => "Each seat's side wagers are settled with its base wager.",
                BonusOrder::AfterBaseWagers => "Side wagers are settled after all base wagers.",
            };
            builder.add("settling", &["base_game", "bonus_wagers_settled"], order);
        }
        builder.limits(&["base_game"], "The Pai Gow wager", &self.base_game.limits);
    }

    fn add_commission(&self, builder: &mut SentenceBuilder<'_>) {
        let (commission, banker) = (&self.commission, &self.terms.banker);
        if commission.basis_points == 0 {
            builder.add("commission", &["commission", "percent"], "No commission is taken.");
        } else {
            let percent = format!("{}.{:02}", commission.basis_points / 100, commission.basis_points % 100);
            let percent = percent.trim_end_matches('0').trim_end_matches('.');
            let says = format!("A commission of {percent}% is taken from winning wagers.");
            builder.add("commission", &["commission", "percent"], says);
            let rounding = match commission.rounding {
                Rounding::Nearest => "to the nearest",
                Rounding::Up => "up to a multiple of",
                Rounding::Down => "down to a multiple of",
            };
            let says = format!("The commission is rounded {rounding} ${:#}.", commission.unit);
            builder.add("commission", &["commission", "rounding"], says);
            if self.banking.bankers.contains(&Banker::Seat) {
                let on = match commission.banker {
                    BankerCommission::EachWin => "every wager won",
                    BankerCommission::NetWin => "the net win of the round",
                };
                let says = format!("A player who banks pays the commission on {on}.");
                builder.add("commission", &["commission", "banker"], says);
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
            builder.add("collection", &["collection", "schedule"], says);
            if !none {
                let says = match collection.taken {
                    FeeTiming::First => {
                        "Fees are taken first, before a wager can be lost; a wager with no action pays none."
                    }
                    FeeTiming::Last => "Fees are taken last, from the money that a player has left.",
                };
                builder.add("collection", &["collection", "taken"], says);
            }
            let option =
                |path: &[&str]| self.provenance(path).is_some_and(|from| from.kind == ValueKind::Option);
            if let Some(time) = collection.time {
                let says = format!(
                    "A player pays ${:#} for every {} minutes of playing time, in advance, with the first wager of each interval.",
                    time.player, time.minutes
                );
                builder.add("collection", &["collection", "time_fee"], says);
            } else if option(&["collection", "time_fee"]) {
                let says = "No time fee is set; the house may set one.";
                builder.add("collection", &["collection", "time_fee"], says);
            }
            if collection.bonus.is_empty() {
                if option(&["collection", "bonus"]) {
                    let says = "No fee on side wagers is set; the house may set one.";
                    builder.add("collection", &["collection", "bonus"], says);
                }
            } else {
                let rows = collection.bonus.iter().map(|fee| {
                    let (from, player, by_banker) = (fee.wager_from, fee.player, fee.banker);
                    format!("side wagers from ${from:#}: player ${player:#}, {banker} ${by_banker:#}")
                });
                let says = format!("Fees on side wagers: {}.", rows.collect::<Vec<_>>().join("; "));
                builder.add("collection", &["collection", "bonus"], says);
            }
        }
    }

    fn add_banking(&self, builder: &mut SentenceBuilder<'_>) {
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
        builder.add(topic, &["banking", "bankers"], says);
        match banking.cover {
            Cover::All => {
                let says = format!("The {banker} must cover every wager.");
                builder.add(topic, &["banking", "cover"], says);
            }
            Cover::SomeOrAll => {
                let says = format!("The {banker} may cover some or all of the action.");
                builder.add(topic, &["banking", "cover"], says);
                let says = "A wager or part of a wager that is not covered has no action and is returned.";
                builder.add(topic, &["banking", "uncovered"], says);
                let says = match banking.cover_use {
                    CoverUse::EachDollarOnce => {
                        "A dollar of cover covers a dollar of one base wager, win or lose; a push uses none. Side wagers are covered by the money put up that remains after payments."
                            .to_owned()
                    }
                    CoverUse::LossesOnly => format!("Only payments by the {banker} use up cover."),
                    CoverUse::OnceInAll => format!(
                        "A dollar of cover covers one dollar in total of base wagers, side wagers and envy bonuses, win or lose; a push uses none. The {banker} neither wins nor loses more than the amount put up."
                    ),
                };
                builder.add(topic, &["banking", "cover_use"], says);
            }
        }
        if banking.bankers != [Banker::Dealer] {
            let says = match banking.pays_from {
                PaysFrom::PutUp => format!(
                    "All payments come from the money that the {banker} has put up, in the order of action: base wagers, then side wagers, then envy bonuses. A wager that the money does not cover has no action and is returned. The house never pays for the {banker}."
                ),
                PaysFrom::Reserved => format!(
                    "All payments come from the money that the {banker} has put up. A wager is refused if the highest possible payments would exceed that amount. The house never pays for the {banker}."
                ),
                PaysFrom::Guaranteed => {
                    format!("The house pays what the {banker} cannot pay.")
                }
            };
            builder.add(topic, &["banking", "pays_from"], says);
        }
        if banking.plays_dealer {
            let says = "A player who banks also plays against the dealer's hand.";
            builder.add(topic, &["banking", "plays_dealer"], says);
        }
        if let Some(rounds) = banking.rounds_running_max {
            let says = format!("No player is the {banker} for more than {rounds} rounds in a row.");
            builder.add(topic, &["banking", "rounds_running_max"], says);
        }
        if banking.rotation == Rotation::Clockwise {
            let says = format!("The position of {banker} is offered clockwise around the table.");
            builder.add(topic, &["banking", "rotation"], says);
        }
    }

    /// Returns the sentences about a side wager, one for each value.
    pub fn wager_sentences(&self, wager: &SideWager) -> Vec<Sentence> {
        let mut builder = SentenceBuilder { book: self, sentences: Vec::new() };
        let path = ["wagers", &wager.name];
        let at = |rest: &[&'static str]| [&path[..], rest].concat();
        let title = &wager.title;
        let looks_at = match wager.looks_at {
            DecidingCards::PlayerHand => {
                format!(
                    "{title} pays the best-paying hand among the player's seven cards, however they are set."
                )
            }
            DecidingCards::DealerHand => {
                format!("{title} wins if the dealer's seven cards make a hand of the paytable.")
            }
            DecidingCards::DealerFiveCards => {
                format!(
                    "{title} wins if the dealer's high hand is less than a pair, and pays by its highest card."
                )
            }
            DecidingCards::Color => format!(
                "{title} pays by the number of the player's seven cards of the chosen {0}; the joker has no {0}.",
                self.terms.color
            ),
        };
        builder.add("wager", &at(&["looks_at"]), format!("{looks_at} It requires a Pai Gow wager."));
        let offered = if wager.offered { "is offered" } else { "is not offered" };
        builder.add("wager", &at(&["offered"]), format!("The wager {offered}."));
        if wager.player_must_beat {
            let says = "The player's high hand must also beat the dealer's.";
            builder.add("wager", &at(&["player_must_beat"]), says);
        }
        let who = match wager.settled_by {
            SettledBy::House => "house",
            SettledBy::Banker => &self.terms.banker,
        };
        builder.add("wager", &at(&["settled_by"]), format!("The {who} pays and collects it."));
        if self.banking.bankers != [Banker::Dealer] {
            let may = if wager.banker_wagers { "may" } else { "may not" };
            let says = format!("A player who is the {} {may} make this wager.", self.terms.banker);
            builder.add("wager", &at(&["banker_wagers"]), says);
        }
        let printed = wager.paytable(&wager.default).and_then(Paytable::printed_name);
        let posted = match printed {
            None => "The paytable is the one printed in the document.".to_owned(),
            Some(name) => format!("The posted paytable is {name}."),
        };
        builder.add("paytable", &at(&["default"]), posted);
        builder.limits(&path, "The wager", &wager.limits);
        if let Some(envy) = &wager.envy {
            let says = format!("A wager of ${:#} or more qualifies for the envy bonus.", envy.from);
            builder.add("envy", &at(&["envy", "from"]), says);
            let says = format!("A wager that qualifies is marked with an {}.", envy.button);
            builder.add("envy", &at(&["envy", "button"]), says);
            let says = "The envy bonus is paid for each other player's hand that has one, never for a player's own hand.";
            builder.add("envy", &at(&["envy", "paid"]), says);
            let says = "Envy bonuses are paid at the end of the round.";
            builder.add("envy", &at(&["envy", "when"]), says);
            if self.banking.bankers != [Banker::Dealer] {
                let earns = if envy.banker_hand { "earns others an" } else { "earns no" };
                let says =
                    format!("The hand of a player who is the {} {earns} envy bonus.", self.terms.banker);
                builder.add("envy", &at(&["envy", "banker_hand"]), says);
            }
        }
        if let Some(max) = &wager.payout_max {
            let says = match max.amount {
                Some(amount) => {
                    format!("At most ${amount:#} is paid by the paytable. Envy bonuses are not limited.")
                }
                None => "No payout maximum is set; the house may set one. Envy bonuses are not limited."
                    .to_owned(),
            };
            builder.add("payout limit", &at(&["payout_max", "amount"]), says);
            let per = match max.per {
                PayoutScope::Hand => "one hand",
                PayoutScope::Round => "all hands of a round together",
            };
            builder.add(
                "payout limit",
                &at(&["payout_max", "per"]),
                format!("The maximum applies to {per}."),
            );
            if max.per == PayoutScope::Round {
                let says = "Payouts that exceed the maximum of the round are reduced in proportion.";
                builder.add("payout limit", &at(&["payout_max", "shared"]), says);
            }
        }
        builder.sentences
    }
}

impl SideWager {
    /// Returns the name of a paytable row. Five cards are not a pai gow and are named by their highest card alone.
    pub fn row_title(&self, row: &PayRow) -> String {
        let title = row.wins_on.to_string();
        match self.looks_at {
            DecidingCards::DealerFiveCards => title.trim_end_matches(" pai gow").to_owned(),
            _ => title,
        }
    }
}

/// Returns the sentence about the use of the joker.
fn joker_sentence(joker: Joker) -> &'static str {
    match joker {
        Joker::SemiWild => {
            "The joker is an ace, or completes a straight, a flush, a straight flush or a royal flush."
        }
        Joker::FullyWild => "The joker is any card the hand does not hold, or makes five of a kind.",
    }
}
