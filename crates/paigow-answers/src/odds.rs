//! Exact odds of the base game and of the side wagers of a book.

mod base_game;
mod edit;
mod house_ways;
mod wager;

use crate::exact::decimal_and_exact;
use crate::question::QuestionContext;
use crate::{ChangedValue, Decimal, Exact, Fault, Faults, SquareRoot, ValueChanges, Work};
use paigow::document::ValueKind;
use paigow::rulebook::{Banker, BookSource, Departure, Limits, SideWager};
use paigow::{Amount, HandClass, HouseWay, Joker, Paytable, Ranking, Rulebook};
use paigow_math::{BaseGame, BaseOdds, Fraction, Matchup};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

pub use base_game::{BankerOdds, BaseGameOdds, HighHandComparison, LowHandComparison};
pub use edit::EditedRow;
pub use house_ways::{HouseWayOdds, HouseWaysAnswer, HouseWaysQuestion, house_ways};
pub use wager::{RowOdds, WagerAtStake, WagerOddsAnswer};

/// Name of the base game among the wagers.
pub const BASE_GAME: &str = "pai-gow";

/// Question for the odds of a book.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OddsQuestion {
    /// Name of a rule book.
    pub book: String,
    /// One wager; `pai-gow` is the base game. Default: the base game and all side wagers.
    pub wager: Option<String>,
    /// One paytable. Default: all paytables.
    pub paytable: Option<String>,
    /// Number of players at the table, for envy bonuses. Default: as many as the book allows.
    pub players: Option<u8>,
    /// House way of the dealer. Default: that of the book.
    pub house_way: Option<String>,
    /// House way of the player. Default: that of the dealer.
    pub player_house_way: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
    /// Stake for which the edge is also computed, including the payout maximum and the rounding of the commission.
    pub stake_cents: Option<u64>,
    /// Rows that replace those of the wager's paytable, which is the default one unless `paytable` names another. They
    /// are checked like the rows of a file.
    pub rows: Option<Vec<EditedRow>>,
    /// Maximum payout that replaces that of the wager.
    pub payout_max_cents: Option<u64>,
}

/// Odds of the base game and of side wagers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct OddsAnswer {
    /// Id of the book.
    pub book: String,
    /// The base game, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_game: Option<BaseGameOdds>,
    /// One entry per requested paytable.
    pub wagers: Vec<WagerOddsAnswer>,
    /// Changed values that the document fixes. With any of them, these are not the odds of the document's game.
    pub departures: Vec<ChangedValue>,
}

/// Outcomes of a base wager, and its edge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct OutcomeOdds {
    /// Number of deals in which it wins.
    pub win: i64,
    /// Number of deals in which it pushes.
    pub push: i64,
    /// Number of deals in which it loses.
    pub lose: i64,
    /// House edge: expected loss as a fraction of the wager.
    pub edge: Decimal,
    /// House edge as an exact fraction.
    pub edge_exact: Exact,
    /// Standard deviation of the net result per unit wagered.
    pub standard_deviation: SquareRoot,
}

/// House edge at a stake.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct AtStake {
    /// The stake.
    pub stake_cents: u64,
    /// Whether the stake is within the limits of the wager.
    pub within_limits: bool,
    /// House edge as a fraction of the wager.
    pub edge: Decimal,
    /// House edge as an exact fraction.
    pub edge_exact: Exact,
}

/// A question with its book, house ways and paytables loaded.
pub struct OddsRequest {
    /// The book, with the requested house way of the dealer.
    pub book: Rulebook,
    /// House way of the player.
    pub player: Arc<HouseWay>,
    /// Ranking of hands.
    pub ranking: Ranking,
    /// Whether the base game is requested.
    pub base_game: bool,
    /// Number of players whose hands can pay envy bonuses to each other.
    pub players: u8,
    /// Stake for which the edge is also computed.
    pub stake: Option<Amount>,
    /// Requested paytables: index of the wager in the book, and index of the paytable in the wager.
    tables: Vec<(usize, usize)>,
}

/// Computes the requested odds exactly.
///
/// # Errors
/// All faults of the question.
pub fn answer(
    question: &OddsQuestion,
    book_source: &dyn BookSource,
    work: &Work,
) -> Result<OddsAnswer, Faults> {
    Ok(OddsRequest::of(question, book_source)?.answer(work))
}

impl OddsRequest {
    /// Loads the book, the house ways and the paytables of a question.
    ///
    /// # Errors
    /// All faults of the question.
    pub fn of(question: &OddsQuestion, book_source: &dyn BookSource) -> Result<OddsRequest, Faults> {
        let mut context = QuestionContext::new(book_source);
        let book = context.book(&question.book, &question.changes);
        let dealer = context.house_way(question.house_way.as_deref(), "house_way");
        let player = context.house_way(question.player_house_way.as_deref(), "player_house_way");
        let found = book.and_then(|book| {
            let tables = context.tables(question, &book);
            let players = context.players(question.players, &book);
            Some((context.edited(question, book, &tables)?, tables, players))
        });
        let stake = context.stake(question.stake_cents);
        let (mut book, tables, players) = context.faults.into_result(found)?;

        if let Some(way) = dealer {
            book.departures
                .extend(house_way_departure(&book, question.house_way.as_deref().unwrap_or_default()));
            book.house_way = way;
        }
        // A paytable requested by name determines the use of the joker for the whole table.
        let joker = match (&question.paytable, tables.first()) {
            (Some(_), Some(&(wager, table))) => book.wagers[wager].paytables[table].joker,
            _ => book.ranking.joker,
        };
        let base_game = question.wager.as_deref().is_none_or(|name| name == BASE_GAME);
        let player = player.unwrap_or_else(|| book.house_way.clone());
        let ranking = Ranking { joker, ..book.ranking };
        Ok(OddsRequest { book, player, ranking, base_game, players, stake, tables })
    }

    /// Requests the base game and every paytable of a book at a full table, whose players set by the dealer's house way.
    pub(crate) fn of_book(book: Rulebook) -> OddsRequest {
        let tables =
            |(wager, side): (usize, &SideWager)| (0..side.paytables.len()).map(move |table| (wager, table));
        OddsRequest {
            player: book.house_way.clone(),
            ranking: book.ranking,
            base_game: true,
            players: players_max(&book),
            stake: None,
            tables: book.wagers.iter().enumerate().flat_map(tables).collect(),
            book,
        }
    }

    /// Computes the odds.
    pub fn answer(&self, work: &Work) -> OddsAnswer {
        let base_game = self.base_game.then(|| BaseGameOdds::of(self, work));
        let wagers =
            self.paytables().map(|(wager, paytable)| WagerOddsAnswer::of(self, wager, paytable, work));
        let departures = ChangedValue::all_of(&self.book.departures);
        OddsAnswer { book: self.book.id.clone(), base_game, wagers: wagers.collect(), departures }
    }

    /// Iterates over the requested paytables with their wagers.
    pub fn paytables(&self) -> impl Iterator<Item = (&SideWager, &Paytable)> {
        self.tables.iter().map(|&(wager, table)| {
            let wager = &self.book.wagers[wager];
            (wager, &wager.paytables[table])
        })
    }

    /// Returns the commission as a fraction of a win.
    pub fn commission(&self) -> Fraction {
        Fraction::new(self.book.commission.basis_points, 10_000)
    }

    pub(crate) fn game(&self, joker: Joker, push: &[HandClass], work: &Work) -> BaseGame {
        let ranking = Ranking { joker, ..self.ranking };
        work.base_game(&Matchup {
            player: &self.player,
            dealer: &self.book.house_way,
            ranking,
            dealer_push: push,
        })
    }
}

impl QuestionContext<'_> {
    /// Finds the requested paytables: index of the wager in the book, and index of the paytable in the wager.
    fn tables(&mut self, question: &OddsQuestion, book: &Rulebook) -> Vec<(usize, usize)> {
        let base_alone = question.wager.as_deref() == Some(BASE_GAME);
        let requested = |wager: &SideWager| question.wager.as_deref().is_none_or(|name| name == wager.name);
        let mut wagers: Vec<usize> =
            (0..book.wagers.len()).filter(|&index| !base_alone && requested(&book.wagers[index])).collect();
        if let Some(name) = &question.wager
            && !base_alone
            && wagers.is_empty()
        {
            let names = book.wagers.iter().map(|wager| wager.name.as_str());
            let known = [BASE_GAME].into_iter().chain(names).collect::<Vec<_>>().join(", ");
            let message = format!("{} has no wager `{name}`; it has {known}", book.id);
            self.faults.push(Fault::new("unknown_wager", "wager", message));
        }
        let named = |table: &Paytable| {
            question.paytable.as_ref().is_none_or(|name| {
                table.name == *name || table.also.as_ref().is_some_and(|also| also == name)
            })
        };
        let mut tables = Vec::new();
        for &wager in &wagers {
            let paytables = book.wagers[wager].paytables.iter().enumerate();
            tables.extend(paytables.filter(|(_, table)| named(table)).map(|(table, _)| (wager, table)));
        }
        if let Some(name) = &question.paytable {
            if base_alone {
                let message = "the base game has no paytable; leave it out";
                self.faults.push(Fault::new("no_paytable", "paytable", message));
            } else if tables.is_empty() {
                // If the wager is unknown too, the message lists the paytables of all wagers.
                if wagers.is_empty() {
                    wagers = (0..book.wagers.len()).collect();
                }
                let known: Vec<String> = wagers.iter().map(|&wager| tables_of(&book.wagers[wager])).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join("; ") };
                let message = format!("{} has no paytable `{name}`; there are {known}", book.id);
                self.faults.push(Fault::new("unknown_paytable", "paytable", message));
            }
        }
        tables
    }

    fn stake(&mut self, cents: Option<u64>) -> Option<Amount> {
        let stake = cents.map(Amount::from_cents);
        let message = match stake {
            Some(Amount::ZERO) => "the stake must be more than 0.00".to_owned(),
            Some(stake) if stake > Amount::MAX => format!("the stake must be at most {}", Amount::MAX),
            stake => return stake,
        };
        self.faults.push(Fault::new("bad_stake", "stake_cents", message));
        None
    }

    fn players(&mut self, requested: Option<u8>, book: &Rulebook) -> u8 {
        let max = players_max(book);
        let players = requested.unwrap_or(max);
        if players == 0 || players > max {
            let message = format!("{players} players: {} allows 1 to {max}", book.id);
            self.faults.push(Fault::new("bad_players", "players", message));
        }
        players
    }
}

/// Returns a departure if the document fixes the house way and `given` is a different one.
fn house_way_departure(book: &Rulebook, given: &str) -> Option<Departure> {
    let path = ["house_way", "way"];
    let written = book.document().at("house_way.way").and_then(|node| node.text()).unwrap_or_default();
    let provenance = book.provenance(&path)?;
    (provenance.kind == ValueKind::Fixed && written != given).then(|| Departure {
        value: path.join("."),
        given: given.to_owned(),
        book: Some(written.to_owned()),
        provenance: Some(provenance),
    })
}

/// Number of players at a full table. A seat that must bank is not one of the players who can earn each other envy bonuses.
fn players_max(book: &Rulebook) -> u8 {
    book.seats.players - u8::from(!book.banking.bankers.contains(&Banker::Dealer))
}

fn tables_of(wager: &SideWager) -> String {
    let names: Vec<&str> = wager.paytables.iter().map(|table| table.name.as_str()).collect();
    format!("{} for {}", names.join(", "), wager.name)
}

impl OutcomeOdds {
    /// Converts the odds of a base wager.
    pub fn of(odds: &BaseOdds) -> OutcomeOdds {
        let (edge, edge_exact) = decimal_and_exact(odds.edge());
        OutcomeOdds {
            win: odds.outcomes.win as i64,
            push: odds.outcomes.push as i64,
            lose: odds.outcomes.lose as i64,
            edge,
            edge_exact,
            standard_deviation: SquareRoot(odds.variance()),
        }
    }
}

impl AtStake {
    fn of(stake: Amount, limits: &Limits, edge: Fraction) -> AtStake {
        let (edge, edge_exact) = decimal_and_exact(edge);
        let within_limits = (limits.min..=limits.max).contains(&stake);
        AtStake { stake_cents: stake.cents(), within_limits, edge, edge_exact }
    }

    /// House edge of the base game, with the rounding of the commission and the collection fee at the stake.
    pub(crate) fn of_base(book: &Rulebook, odds: &BaseOdds, stake: Amount) -> AtStake {
        let part = |fee: Amount| Fraction::new(fee.cents(), stake.cents());
        let odds = BaseOdds { commission: part(book.commission.amount_on(stake)), ..odds.clone() };
        let fee = book.collection.as_ref().map(|fees| fees.fee(stake, |fee| fee.player));
        AtStake::of(stake, &book.base_game.limits, odds.edge() + part(fee.unwrap_or(Amount::ZERO)))
    }
}
