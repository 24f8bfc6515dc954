//! Constant properties of a table, for clients.

use crate::table::BASE_GAME;
use crate::{Clocks, Table};
use paigow::rulebook::{Cover, DecidingCards, Limits};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Constant properties of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(clippy::struct_excessive_bools)] // independent facts, each a key of the JSON
pub struct TableFacts {
    /// Number of seats.
    pub seats: u8,
    /// Maximum number of seats of one player.
    pub hands_per_player: u8,
    /// Whether the house's dealer has a hand of its own.
    pub dealer_hand: bool,
    /// Whether the rules differ from those that the table was opened with, or cannot be compared with them. The table
    /// then takes no new commands.
    pub rules_changed: bool,
    /// Digest of the rules that the table was opened with, in hexadecimal digits.
    pub rules: String,
    /// Order in which packets are dealt.
    pub dealing: DealingFacts,
    /// Values of the book that the table overrides, by their paths in the book's file.
    pub changes: BTreeMap<String, String>,
    /// Whether the table has a house way of its own instead of that of the book. Its name is `table:` and the name of the
    /// table. Omitted if false.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_house_way: bool,
    /// Time limits of the phases of a round.
    pub clocks: Clocks,
    /// Rules of banking.
    pub banking: BankingFacts,
    /// Wagers that the table offers, the base game first.
    pub wagers: Vec<WagerFacts>,
    /// Terms that the book uses.
    pub terms: TermFacts,
    /// Name that the player who opened the table gave it. Omitted if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the lobby lists the table only for its players. Omitted if false.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
}

/// Order in which packets are dealt, with the keywords of the rule book's file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct DealingFacts {
    /// Direction of dealing: `clockwise` or `counter_clockwise`.
    pub order: String,
    /// Spots that are dealt a packet: `every` spot, or `active` for those with a wager.
    pub spots: String,
    /// Spot that gets the first packet: the spot that the `dice` choose, or the `banker`.
    pub first: String,
    /// Position of the dealer's hand: `in_order`, `after_first_seat`, `last` or `none`.
    pub dealer_hand: String,
    /// Whether the banker picks the packet that goes first.
    pub action_pile: bool,
}

/// Terms that a book uses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct TermFacts {
    /// Term for the banker: `banker` or `player/dealer`.
    pub banker: String,
    /// Spelling of the color of a card: `color` or `colour`.
    pub color: String,
}

/// Rules of banking.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BankingFacts {
    /// Whether seats may bank.
    pub seats: bool,
    /// Whether every round begins by offering the bank to seats, because the dealer may not bank.
    pub offered: bool,
    /// Whether a banking seat must cover all wagers.
    pub covers_all: bool,
    /// Maximum number of consecutive rounds that a player may bank. `null` if there is no limit.
    #[schema(required)]
    pub rounds_max: Option<u8>,
    /// Maximum number of piles from which the banking seat picks one before the deal. 0 if the book has no action pile.
    pub piles: u8,
    /// Wager of the house's dealer against a banking seat, in cents. 0 if the dealer's hand does not play then.
    pub dealer_wager_cents: u64,
}

/// A wager that the table offers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct WagerFacts {
    /// Name of the wager in commands.
    pub wager: String,
    /// Name of the wager to display.
    pub title: String,
    /// Minimum wager.
    pub min_cents: u64,
    /// Maximum wager.
    pub max_cents: u64,
    /// Posted paytable. `null` for the base game.
    #[schema(required)]
    pub paytable: Option<String>,
    /// Whether the wager is on a color.
    pub color: bool,
    /// Smallest wager that qualifies for the envy bonus. `null` if there is none.
    #[schema(required)]
    pub envy_from_cents: Option<u64>,
    /// Marker of a wager that qualifies: `Envy button` or `Envy lammer`.
    #[schema(required)]
    pub envy_button: Option<String>,
    /// Whether a banking seat may also place this wager.
    pub banker_wagers: bool,
}

impl Table {
    /// Returns the constant properties of the table.
    pub fn facts(&self) -> TableFacts {
        let book = self.table_rules.book();
        let limits = |limits: &Limits| (limits.min.cents(), limits.max.cents());
        let (min_cents, max_cents) = limits(&book.base_game.limits);
        let base = WagerFacts {
            wager: BASE_GAME.to_owned(),
            title: "Pai Gow".to_owned(),
            min_cents,
            max_cents,
            paytable: None,
            color: false,
            envy_from_cents: None,
            envy_button: None,
            banker_wagers: false,
        };
        let sides = (0..self.table_rules.side_wager_count()).map(|index| {
            let wager = self.table_rules.wager(index);
            let (min_cents, max_cents) = limits(&wager.limits);
            WagerFacts {
                wager: wager.name.clone(),
                title: wager.title.clone(),
                min_cents,
                max_cents,
                paytable: Some(self.table_rules.paytable(index).name.clone()),
                color: wager.looks_at == DecidingCards::Color,
                envy_from_cents: wager.envy.as_ref().map(|envy| envy.from.cents()),
                envy_button: wager.envy.as_ref().map(|envy| envy.button.clone()),
                banker_wagers: wager.banker_wagers,
            }
        });
        TableFacts {
            seats: book.seats.players,
            hands_per_player: book.seats.hands_per_player,
            dealer_hand: book.seats.dealer_hand,
            rules_changed: self.rules_have_changed(),
            rules: self.opening_rules_digest().to_owned(),
            dealing: DealingFacts {
                order: book.dealing.order.name().to_owned(),
                spots: book.dealing.spots.name().to_owned(),
                first: book.dealing.first.name().to_owned(),
                dealer_hand: book.dealing.dealer_hand.name().to_owned(),
                action_pile: book.dealing.action_pile,
            },
            changes: self.config.changes.clone(),
            own_house_way: self.config.house_way_toml.is_some(),
            clocks: self.config.clocks,
            banking: BankingFacts {
                seats: book.banking.seats_may_bank(),
                offered: self.must_be_offered(),
                covers_all: book.banking.cover == Cover::All,
                rounds_max: book.banking.rounds_running_max,
                piles: self.piles_max(),
                dealer_wager_cents: if book.banking.plays_dealer {
                    self.config.dealer_wager_cents
                } else {
                    0
                },
            },
            wagers: std::iter::once(base).chain(sides).collect(),
            terms: TermFacts { banker: book.terms.banker.clone(), color: book.terms.color.clone() },
            name: self.config.name.clone(),
            private: self.config.private,
        }
    }
}
