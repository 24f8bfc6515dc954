//! A rule book's values in plain words.

use super::{
    Banker, BankerCommission, BankerFoul, Copies, Cover, CoverUse, DealerTurn, Direction, FirstHand, LooksAt,
    Per, PlayerFoul, Rotation, Rounding, Rulebook, SettledBy, SideWager, Spots,
};
use crate::wording::worded;
use crate::{HandClass, Joker, PayRow, Wheel};

/// A rule as a sentence, with where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// What it is about.
    pub topic: &'static str,
    /// The rule.
    pub says: String,
    /// Where it comes from.
    pub cite: String,
}

impl Rulebook {
    /// What the book's values say, one rule a sentence.
    pub fn sentences(&self) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        let mut say = |topic: &'static str, cite: &str, says: String| {
            sentences.push(Sentence { topic, says: worded(says), cite: cite.to_owned() });
        };
        let at =
            |path: &str| self.document.at(path).and_then(|node| node.text()).unwrap_or_default().to_owned();

        say("deck", &at("deck.cite"), "The deck has 53 cards: 52 and one joker.".to_owned());
        let ranking = at("ranking.cite");
        let choice =
            if self.joker_choices.len() > 1 { " The house may have it semi-wild or fully wild." } else { "" };
        say("joker", &ranking, format!("{}{choice}", joker_says(self.ranking.joker)));
        let wheel = match self.ranking.wheel {
            Wheel::Lowest => "A-2-3-4-5 is the lowest straight.",
            Wheel::SecondHighest => "A-2-3-4-5 is the second highest straight, after 10-J-Q-K-A.",
        };
        say("straights", &ranking, wheel.to_owned());

        let seats = &self.seats;
        let dealer =
            if seats.dealer_hand { "the dealer has a hand too" } else { "the house's dealer has no hand" };
        say("seats", &seats.cite, format!("Up to {} seats are dealt a hand; {dealer}.", seats.players));
        if seats.hands_per_player > 1 {
            let most = seats.hands_per_player;
            say("seats", &seats.cite, format!("A player may have up to {most} seats, and a hand at each."));
        }
        say("dealing", &self.dealing.cite, self.dealing_says());

        let player = match self.setting.player {
            PlayerFoul::Loses => "loses",
            PlayerFoul::HouseWay => "is set the house way",
        };
        let banker = match self.setting.banker {
            BankerFoul::HouseWay => "is set the house way",
            BankerFoul::SetAgain => "is set again by the banker",
        };
        say(
            "fouls",
            &self.setting.cite,
            format!("A player's hand whose front is higher than its back {player}; the banker's {banker}."),
        );

        let copies = match self.base_game.copies {
            Copies::Banker => "banker",
            Copies::Player => "player",
        };
        say(
            "base game",
            &self.base_game.cite,
            format!(
                "Both hands won: the wager wins. One: it pushes. None: it loses. Equal hands go to the {copies}."
            ),
        );
        if !self.base_game.dealer_push.is_empty() {
            let classes: Vec<&str> =
                self.base_game.dealer_push.iter().copied().map(HandClass::title).collect();
            let says =
                format!("Every base wager pushes when the dealer's seven cards are: {}.", classes.join(", "));
            say("base game", &self.base_game.cite, says);
        }
        let limits = &self.base_game.limits;
        say(
            "limits",
            &limits.cite,
            format!("The Pai Gow wager is from ${:#} to ${:#}.", limits.min, limits.max),
        );
        say("commission", &self.commission.cite, self.commission_says());
        if let Some(collection) = &self.collection {
            let rows: Vec<String> = collection
                .schedule
                .iter()
                .map(|fee| {
                    format!("from ${:#}: player ${:#}, banker ${:#}", fee.wager_from, fee.player, fee.banker)
                })
                .collect();
            say(
                "collection",
                &collection.cite,
                format!("The house collects by the size of the wager: {}.", rows.join("; ")),
            );
        }
        say("banking", &self.banking.cite, self.banking_says());
        say(
            "house way",
            &self.house_way_cite,
            format!("The dealer sets by the house way of {}.", self.house_way.title()),
        );
        sentences
    }

    fn dealing_says(&self) -> String {
        let dealing = &self.dealing;
        let first = match dealing.first {
            FirstHand::Dice => "The dice choose who gets the first hand",
            FirstHand::Banker => "The banker gets the first hand",
        };
        let order = match dealing.order {
            Direction::CounterClockwise => "counter-clockwise",
            Direction::Clockwise => "clockwise",
        };
        let spot = |spots: Spots| match spots {
            Spots::Every => "every spot gets a hand, and those without a wager are discarded",
            Spots::Active => "only spots with a wager get a hand",
        };
        let others: Vec<&str> = dealing
            .spots_choices
            .iter()
            .filter(|spots| **spots != dealing.spots)
            .map(|spots| spot(*spots))
            .collect();
        let others = if others.is_empty() {
            String::new()
        } else {
            format!(" The house may choose that {}.", others.join(", "))
        };
        let dealer = match dealing.dealer_hand {
            DealerTurn::AfterFirstSeat => {
                " The dealer's hand comes after the first seat's, or first of all when the dice choose the dealer."
            }
            DealerTurn::Last => " The dealer's hand comes last.",
            DealerTurn::None => "",
        };
        let settling = " Settling starts with the seat that got the first hand and goes the same way.";
        let pile = if dealing.action_pile {
            " The banker picks the action pile, which goes to the first seat."
        } else {
            ""
        };
        format!("{first}; dealing goes {order}; {}.{others}{dealer}{pile}{settling}", spot(dealing.spots))
    }

    fn commission_says(&self) -> String {
        let commission = &self.commission;
        if commission.basis_points == 0 {
            return "Winning wagers are paid even money, without commission.".to_owned();
        }
        let percent = format!("{}.{:02}", commission.basis_points / 100, commission.basis_points % 100);
        let percent = percent.trim_end_matches('0').trim_end_matches('.');
        let rounding = match commission.rounding {
            Rounding::Nearest => "to the nearest",
            Rounding::Up => "up to a multiple of",
            Rounding::Down => "down to a multiple of",
        };
        let banker = match commission.banker {
            BankerCommission::EachWin => "every hand it wins",
            BankerCommission::NetWin => "what it wins over the round",
        };
        let bank = if self.banking.bankers.contains(&Banker::Seat) {
            format!(" A banking seat pays it on {banker}.")
        } else {
            String::new()
        };
        format!(
            "Winning wagers are paid even money less a commission of {percent} %, rounded {rounding} ${:#}.{bank}",
            commission.unit
        )
    }

    fn banking_says(&self) -> String {
        let banking = &self.banking;
        let who: Vec<&str> = banking
            .bankers
            .iter()
            .map(|banker| match banker {
                Banker::Dealer => "the dealer",
                Banker::Seat => "a player",
                Banker::PlayerDealer => "the player/dealer",
            })
            .collect();
        let mut says = vec![format!("The bank is held by {}.", who.join(" or "))];
        let mut say = |sentence: &str| says.push(sentence.to_owned());
        match banking.cover {
            Cover::All => say("The banker covers every wager."),
            Cover::SomeOrAll => {
                say(
                    "The banker covers some or all of the action; what is not covered has no action and goes back.",
                );
                say(match banking.cover_use {
                    CoverUse::EachDollarOnce => {
                        "A dollar of cover answers a dollar of a player's wager, whoever wins it; a push uses none."
                    }
                    CoverUse::LossesOnly => "Only what the banker pays out uses up cover.",
                });
            }
        }
        if banking.plays_dealer {
            say("A player who banks plays the dealer's hand too.");
        }
        if let Some(rounds) = banking.rounds_running_max {
            say(&format!("Nobody banks more than {rounds} rounds running."));
        }
        if banking.rotation == Rotation::Clockwise {
            say("The bank is offered clockwise.");
        }
        says.join(" ")
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

    /// What the wager's values say, one rule a sentence.
    pub fn sentences(&self) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        let mut say = |topic: &'static str, cite: &str, says: String| {
            sentences.push(Sentence { topic, says: worded(says), cite: cite.to_owned() });
        };
        let looks_at = match self.looks_at {
            LooksAt::PlayerHand => {
                "pays for the best-paying hand among the player's own seven cards, however they are set"
            }
            LooksAt::DealerHand => "pays for what the dealer's seven cards are",
            LooksAt::DealerFiveCards => {
                "pays for the high card of the dealer's five-card hand when it is less than a pair"
            }
            LooksAt::Color => {
                "pays for the number of the player's cards of the chosen colour; the joker is of neither"
            }
        };
        let beat = if self.player_must_beat { ", and the player's five-card hand beats it" } else { "" };
        let who = match self.settled_by {
            SettledBy::House => "the house",
            SettledBy::Banker => "the banker",
        };
        say(
            "wager",
            &self.cite,
            format!(
                "{} {looks_at}{beat}. It is optional, beside a Pai Gow wager; {who} pays and collects.",
                self.title
            ),
        );
        say(
            "limits",
            &self.limits.cite,
            format!("The wager is from ${:#} to ${:#}.", self.limits.min, self.limits.max),
        );
        if let Some(envy) = &self.envy {
            let says = format!(
                "A wager of ${:#} or more earns the {}: it is paid for every other player's hand that has an envy bonus; \
                 one's own hand does not count, and the banker's is no player's.",
                envy.from, envy.button
            );
            say("envy", &envy.cite, says);
        }
        if let Some(max) = &self.payout_max {
            let per = match max.per {
                Per::Hand => "a hand",
                Per::Round => "a round",
            };
            let says = match max.amount {
                Some(amount) => {
                    format!("At most ${amount:#} is paid on odds for {per}; envy bonuses are not limited.")
                }
                None => format!(
                    "The house may set a most that is paid on odds for {per}, and has not; envy bonuses are never limited."
                ),
            };
            say("payout maximum", &max.cite, says);
        }
        sentences
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
