//! The exact odds of the base game and the side wagers of a book.

mod base_game;
mod edit;
mod house_ways;
mod wager;

use crate::exact::both;
use crate::question::QuestionContext;
use crate::{ChangedValue, Decimal, Exact, Fault, Faults, SquareRoot, ValueChanges, Work};
use paigow::document::ValueKind;
use paigow::rulebook::{Banker, BookSource, Departure, Limits, SideWager};
use paigow::{Amount, HandClass, HouseWay, Joker, Paytable, Ranking, Rulebook};
use paigow_math::{BaseGame, BaseOdds, Fraction, Sides};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

pub use base_game::{BankerOdds, BaseGameOdds, HighHandComparison, LowHandComparison};
pub use edit::EditedRow;
pub use house_ways::{HouseWayOdds, HouseWaysAnswer, HouseWaysQuestion, house_ways};
pub use wager::{RowOdds, WagerAtStake, WagerOddsAnswer};

/// The name of the base game among wagers.
pub const BASE_GAME: &str = "pai-gow";

/// Which odds.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OddsQuestion {
    /// A rule book's name.
    pub book: String,
    /// One wager alone; `pai-gow` is the base game. Left out: the base game and every wager.
    pub wager: Option<String>,
    /// One paytable alone.
    pub paytable: Option<String>,
    /// How many players are at the table, for what they earn each other; as many as there is room for if it is left out.
    pub players: Option<u8>,
    /// The dealer's house way, instead of the book's.
    pub house_way: Option<String>,
    /// The player's house way, which is otherwise the dealer's.
    pub player_house_way: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
    /// Also the edge of a wager of this much, payout maximum and rounding of the commission included.
    pub stake_cents: Option<u64>,
    /// Rows in place of those of the wager's paytable, the default one if none is named. They are checked like a file's.
    pub rows: Option<Vec<EditedRow>>,
    /// The most that is paid on odds, in place of the wager's.
    pub payout_max_cents: Option<u64>,
}

/// The odds that were asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct OddsAnswer {
    /// The book.
    pub book: String,
    /// The base game, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_game: Option<BaseGameOdds>,
    /// Every paytable that was asked for.
    pub wagers: Vec<WagerOddsAnswer>,
    /// Values that the question changed although the document fixes them: with any, these are not the odds of the document's game.
    pub departures: Vec<ChangedValue>,
}

/// What becomes of a base wager, and its edge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct OutcomeOdds {
    /// The deals in which it wins.
    pub win: i64,
    /// Those in which it pushes.
    pub push: i64,
    /// Those in which it loses.
    pub lose: i64,
    /// The part of a wager that the house keeps.
    pub edge: Decimal,
    /// The same exactly.
    pub edge_exact: Exact,
    /// Of what a wager of one wins or loses.
    pub standard_deviation: SquareRoot,
}

/// The edge at a stake.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct AtStake {
    /// The stake.
    pub stake_cents: u64,
    /// Whether it may be wagered.
    pub within_limits: bool,
    /// The part of the wager that the house keeps.
    pub edge: Decimal,
    /// The same exactly.
    pub edge_exact: Exact,
}

/// What was asked, found in the book.
pub struct OddsRequest {
    /// The book, with the dealer's house way that was asked for.
    pub book: Rulebook,
    /// How the player sets.
    pub player: Arc<HouseWay>,
    /// How hands rank.
    pub ranking: Ranking,
    /// Whether the base game was asked for.
    pub base_game: bool,
    /// How many players there may be, those that earn each other bonuses.
    pub players: u8,
    /// A wager that maxima and commission are to be worked out for.
    pub stake: Option<Amount>,
    /// Places of wagers in the book, and of paytables in those.
    tables: Vec<(usize, usize)>,
}

/// The exact odds of what is asked for.
///
/// # Errors
/// Everything that is wrong with the question.
pub fn answer(
    question: &OddsQuestion,
    book_source: &dyn BookSource,
    work: &Work,
) -> Result<OddsAnswer, Faults> {
    Ok(OddsRequest::of(question, book_source)?.answer(work))
}

impl OddsRequest {
    /// Finds what is asked for.
    ///
    /// # Errors
    /// Everything that is wrong with the question.
    pub fn of(question: &OddsQuestion, book_source: &dyn BookSource) -> Result<OddsRequest, Faults> {
        let mut ask = QuestionContext::new(book_source);
        let book = ask.book(&question.book, &question.changes);
        let dealer = ask.house_way(question.house_way.as_deref(), "house_way");
        let player = ask.house_way(question.player_house_way.as_deref(), "player_house_way");
        let found = book.and_then(|book| {
            let tables = ask.tables(question, &book);
            let players = ask.players(question.players, &book);
            Some((ask.edited(question, book, &tables)?, tables, players))
        });
        let stake = ask.stake(question.stake_cents);
        let (mut book, tables, players) = ask.faults.or(found)?;

        if let Some(way) = dealer {
            book.departures.extend(other_way(&book, question.house_way.as_deref().unwrap_or_default()));
            book.house_way = way;
        }
        // A paytable asked for by name brings its joker to the whole table.
        let joker = match (&question.paytable, tables.first()) {
            (Some(_), Some(&(wager, table))) => book.wagers[wager].paytables[table].joker,
            _ => book.ranking.joker,
        };
        let base_game = question.wager.as_deref().is_none_or(|name| name == BASE_GAME);
        let player = player.unwrap_or_else(|| book.house_way.clone());
        let ranking = Ranking { joker, ..book.ranking };
        Ok(OddsRequest { book, player, ranking, base_game, players, stake, tables })
    }

    /// Counts.
    pub fn answer(&self, work: &Work) -> OddsAnswer {
        let base_game = self.base_game.then(|| BaseGameOdds::of(self, work));
        let wagers =
            self.paytables().map(|(wager, paytable)| WagerOddsAnswer::of(self, wager, paytable, work));
        let departures = ChangedValue::all_of(&self.book.departures);
        OddsAnswer { book: self.book.id.clone(), base_game, wagers: wagers.collect(), departures }
    }

    /// The paytables that were asked for, with their wagers.
    pub fn paytables(&self) -> impl Iterator<Item = (&SideWager, &Paytable)> {
        self.tables.iter().map(|&(wager, table)| {
            let wager = &self.book.wagers[wager];
            (wager, &wager.paytables[table])
        })
    }

    /// The part of a win that goes in commission.
    pub fn commission(&self) -> Fraction {
        Fraction::new(self.book.commission.basis_points, 10_000)
    }

    fn game(&self, joker: Joker, push: &[HandClass], work: &Work) -> BaseGame {
        let ranking = Ranking { joker, ..self.ranking };
        work.base_game(&Sides {
            player: &self.player,
            dealer: &self.book.house_way,
            ranking,
            dealer_push: push,
        })
    }
}

impl QuestionContext<'_> {
    /// The paytables that are asked for.
    fn tables(&mut self, question: &OddsQuestion, book: &Rulebook) -> Vec<(usize, usize)> {
        let base_alone = question.wager.as_deref() == Some(BASE_GAME);
        let asked = |wager: &SideWager| question.wager.as_deref().is_none_or(|name| name == wager.name);
        let mut wagers: Vec<usize> =
            (0..book.wagers.len()).filter(|&place| !base_alone && asked(&book.wagers[place])).collect();
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
            let of = book.wagers[wager].paytables.iter().enumerate();
            tables.extend(of.filter(|(_, table)| named(table)).map(|(table, _)| (wager, table)));
        }
        if let Some(name) = &question.paytable {
            if base_alone {
                let message = "the base game has no paytable; leave it out";
                self.faults.push(Fault::new("no_paytable", "paytable", message));
            } else if tables.is_empty() {
                // Where the wager is not there either, all of the book's are listed.
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
            Some(Amount::ZERO) => "a stake is more than 0.00".to_owned(),
            Some(stake) if stake > Amount::MAX => format!("a stake is at most {}", Amount::MAX),
            stake => return stake,
        };
        self.faults.push(Fault::new("bad_stake", "stake_cents", message));
        None
    }

    fn players(&mut self, asked: Option<u8>, book: &Rulebook) -> u8 {
        // A seat that must bank is none of those that can earn each other bonuses.
        let most = book.seats.players - u8::from(!book.banking.bankers.contains(&Banker::Dealer));
        let players = asked.unwrap_or(most);
        if players == 0 || players > most {
            let message = format!("{players} players: {} has room for 1 to {most}", book.id);
            self.faults.push(Fault::new("bad_players", "players", message));
        }
        players
    }
}

/// A departure, if the document fixes the house way and this is another.
fn other_way(book: &Rulebook, given: &str) -> Option<Departure> {
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

fn tables_of(wager: &SideWager) -> String {
    let names: Vec<&str> = wager.paytables.iter().map(|table| table.name.as_str()).collect();
    format!("{} for {}", names.join(", "), wager.name)
}

impl OutcomeOdds {
    /// What the odds of a base wager are.
    pub fn of(odds: &BaseOdds) -> OutcomeOdds {
        let (edge, edge_exact) = both(odds.edge());
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
        let (edge, edge_exact) = both(edge);
        let within_limits = (limits.min..=limits.max).contains(&stake);
        AtStake { stake_cents: stake.cents(), within_limits, edge, edge_exact }
    }
}
