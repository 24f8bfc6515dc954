//! What does not change at a table, as people who play there need it.

use crate::table::BASE_GAME;
use crate::{Clocks, Table};
use paigow::rulebook::{Banker, Cover, Limits, LooksAt};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// What does not change at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct TableFacts {
    /// How many seats there are.
    pub seats: u8,
    /// How many seats one player may have.
    pub hands_per_player: u8,
    /// Whether the house's dealer has a hand of its own.
    pub dealer_hand: bool,
    /// Whether the rules differ from those the table was opened with, or cannot be compared with them: then it takes no new commands.
    pub rules_changed: bool,
    /// The digest of the rules it was opened with, in hexadecimal digits.
    pub rules: String,
    /// Who gets which packet.
    pub dealing: DealingFacts,
    /// Values of the book that are otherwise here, by their paths in its file.
    pub changes: BTreeMap<String, String>,
    /// How long each part of a round may take.
    pub clocks: Clocks,
    /// Who may bank, and how.
    pub banking: BankingFacts,
    /// What can be wagered on, the base game first.
    pub wagers: Vec<WagerFacts>,
    /// The words of the book for parts of the game.
    pub terms: TermFacts,
}

/// Who gets which packet of a shuffle, in the words of the rule book's file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct DealingFacts {
    /// The direction of dealing: `clockwise` or `counter_clockwise`.
    pub order: String,
    /// The places that are dealt a packet: `every` or `active`.
    pub spots: String,
    /// The place that gets the first packet: `dice` or `banker`.
    pub first: String,
    /// The turn of the dealer's hand: `in_order`, `after_first_seat`, `last` or `none`.
    pub dealer_hand: String,
    /// Whether the one who banks picks the packet that goes first.
    pub action_pile: bool,
}

/// The words of a book for parts of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct TermFacts {
    /// The one who banks: `banker` or `player/dealer`.
    pub banker: String,
    /// The color of a card: `color` or `colour`.
    pub color: String,
}

/// Who may bank, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BankingFacts {
    /// Whether seats may bank.
    pub seats: bool,
    /// Whether every round begins with offering them the bank, because the dealer may not have it.
    pub offered: bool,
    /// Whether a seat that banks must cover all wagers.
    pub covers_all: bool,
    /// For how many rounds running somebody may bank.
    #[schema(required)]
    pub rounds_max: Option<u8>,
    /// How many piles the seat that banks picks one of before hands are dealt; none where nobody picks.
    pub piles: u8,
    /// What the house wagers against a seat that banks, where its hand plays too.
    pub dealer_wager_cents: u64,
}

/// Something that can be wagered on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct WagerFacts {
    /// Its name, as commands have it.
    pub wager: String,
    /// Its name for people.
    pub title: String,
    /// The least that may be wagered.
    pub min_cents: u64,
    /// The most.
    pub max_cents: u64,
    /// The posted paytable; the base game has none.
    #[schema(required)]
    pub paytable: Option<String>,
    /// Whether it is on a color.
    pub color: bool,
    /// From how much on it has a share in others' luck.
    #[schema(required)]
    pub envy_from_cents: Option<u64>,
    /// What marks a wager that has such a share: `Envy button` or `Envy lammer`.
    #[schema(required)]
    pub envy_button: Option<String>,
    /// Whether a seat that banks may make this wager too.
    pub banker_wagers: bool,
}

impl Table {
    /// What does not change at the table.
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
        let sides = (0..self.table_rules.side_wagers()).map(|place| {
            let wager = self.table_rules.wager(place);
            let (min_cents, max_cents) = limits(&wager.limits);
            WagerFacts {
                wager: wager.name.clone(),
                title: wager.title.clone(),
                min_cents,
                max_cents,
                paytable: Some(self.table_rules.paytable(place).name.clone()),
                color: wager.looks_at == LooksAt::Color,
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
            rules: self.opened_with().to_owned(),
            dealing: DealingFacts {
                order: book.dealing.order.name().to_owned(),
                spots: book.dealing.spots.name().to_owned(),
                first: book.dealing.first.name().to_owned(),
                dealer_hand: book.dealing.dealer_hand.name().to_owned(),
                action_pile: book.dealing.action_pile,
            },
            changes: self.config.changes.clone(),
            clocks: self.config.clocks,
            banking: BankingFacts {
                seats: book.banking.bankers.iter().any(|banker| *banker != Banker::Dealer),
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
        }
    }
}
