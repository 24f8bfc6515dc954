//! `paigow odds`: the exact odds of the base game and the side wagers of a book.

mod base_game;
mod house_ways;
mod wager;

use crate::answer::Answer;
use crate::args::OddsArgs;
use crate::numbers::fraction;
use crate::work::Work;
use crate::{Failure, files};
use paigow::rulebook::{Banker, Limits, SideWager};
use paigow::{Amount, HandClass, HouseWay, Joker, Paytable, Ranking, Rulebook};
use paigow_math::{BaseGame, Census, Fraction, Sides};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of the base game among wagers.
const BASE_GAME: &str = "pai-gow";

pub(crate) fn answer(args: &OddsArgs) -> Result<Answer, Failure> {
    let mut book = files::book(&args.book, &args.changes.set)?;
    let mut faults = Vec::new();
    let dealer = house_way(args.house_way.as_deref(), &mut faults)?;
    let player = house_way(args.player_house_way.as_deref(), &mut faults)?;
    if let Some(way) = dealer {
        book.house_way = way;
    }
    let question = Question::new(args, &book, player.unwrap_or_else(|| book.house_way.clone()), faults)?;
    let work = Work::new(&args.work);
    if args.all_house_ways {
        return house_ways::answer(&question, &work);
    }

    let mut answer = json!({ "book": book.id });
    let mut sheets = Vec::new();
    if question.base_game {
        let (json, mut about) = question.base_game(&work);
        answer["base_game"] = json;
        sheets.append(&mut about);
    }
    let mut wagers = Vec::new();
    let mut censuses = BTreeMap::new();
    for (wager, paytable) in &question.paytables {
        let census = censuses.entry(paytable.joker).or_insert_with(|| Census::take(paytable.joker));
        let odds = question.wager_odds(wager, paytable, census, &work);
        wagers.push(question.wager_json(wager, paytable, &odds));
        sheets.append(&mut question.wager_sheets(wager, paytable, &odds));
    }
    answer["wagers"] = wagers.into();
    Ok(Answer { json: answer, sheets })
}

/// A house way that was asked for. That there is none goes to the other faults.
fn house_way(name: Option<&str>, faults: &mut Vec<String>) -> Result<Option<Arc<HouseWay>>, Failure> {
    match name.map(files::house_way).transpose() {
        Err(Failure::Refused(fault)) => {
            faults.push(fault);
            Ok(None)
        }
        other => other.map(|way| way.map(Arc::new)),
    }
}

/// What was asked, found in the book.
struct Question<'a> {
    book: &'a Rulebook,
    player: Arc<HouseWay>,
    ranking: Ranking,
    base_game: bool,
    paytables: Vec<(&'a SideWager, &'a Paytable)>,
    /// How many players there may be, those that earn each other bonuses.
    players: u8,
    /// A wager that maxima and commission are to be worked out for.
    stake: Option<Amount>,
}

impl<'a> Question<'a> {
    /// Finds what is asked for, or names everything that cannot be.
    fn new(
        args: &OddsArgs,
        book: &'a Rulebook,
        player: Arc<HouseWay>,
        mut faults: Vec<String>,
    ) -> Result<Question<'a>, Failure> {
        let base_alone = args.wager.as_deref() == Some(BASE_GAME) || args.all_house_ways;
        let wagers: Vec<&SideWager> = match args.wager.as_deref() {
            _ if base_alone => Vec::new(),
            None => book.wagers.iter().collect(),
            Some(name) => {
                let found = book.wager(name);
                if found.is_none() {
                    let names = book.wagers.iter().map(|wager| wager.name.as_str());
                    let known = [BASE_GAME].into_iter().chain(names).collect::<Vec<_>>().join(", ");
                    faults.push(format!("{} has no wager `{name}`; it has {known}", book.id));
                }
                found.into_iter().collect()
            }
        };
        if args.all_house_ways && args.wager.as_deref().is_some_and(|name| name != BASE_GAME) {
            faults.push(format!(
                "house ways are compared at the base game; leave out --wager or give {BASE_GAME}"
            ));
        }
        let mut paytables = Vec::new();
        for wager in &wagers {
            let named = |table: &&Paytable| {
                args.paytable.as_ref().is_none_or(|name| {
                    table.name == *name || table.also.as_ref().is_some_and(|also| also == name)
                })
            };
            paytables.extend(wager.paytables.iter().filter(named).map(|table| (*wager, table)));
        }
        if let Some(name) = &args.paytable {
            if base_alone {
                faults.push("the base game has no paytable; leave out --paytable".to_owned());
            } else if paytables.is_empty() {
                // Where the wager is not there either, all of the book's are listed.
                let wagers = if wagers.is_empty() { book.wagers.iter().collect() } else { wagers };
                let known: Vec<String> = wagers.iter().map(|wager| tables_of(wager)).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join("; ") };
                faults.push(format!("{} has no paytable `{name}`; there are {known}", book.id));
            }
        }
        let most = players_most(book);
        let players = args.players.unwrap_or(most);
        if players == 0 || players > most {
            faults.push(format!("{players} players: {} has room for 1 to {most}", book.id));
        }
        let stake = args.stake;
        if stake == Some(Amount::ZERO) {
            faults.push("a stake is more than 0.00".to_owned());
        }
        if !faults.is_empty() {
            return Err(Failure::Refused(faults.join("\npaigow: ")));
        }
        // A paytable asked for by name brings its joker to the whole table.
        let joker = match (&args.paytable, paytables.first()) {
            (Some(_), Some((_, table))) => table.joker,
            _ => book.ranking.joker,
        };
        let ranking = Ranking { joker, ..book.ranking };
        let base_game = base_alone || args.wager.is_none();
        Ok(Question { book, player, ranking, base_game, paytables, players, stake })
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

    fn commission(&self) -> Fraction {
        Fraction::new(self.book.commission.basis_points, 10_000)
    }
}

/// The most players that can earn each other bonuses: a seat that must bank is none of them.
fn players_most(book: &Rulebook) -> u8 {
    book.seats.players - u8::from(!book.banking.bankers.contains(&Banker::Dealer))
}

fn tables_of(wager: &SideWager) -> String {
    let names: Vec<&str> = wager.paytables.iter().map(|table| table.name.as_str()).collect();
    format!("{} for {}", names.join(", "), wager.name)
}

/// Whether a wager may be this much.
fn within(limits: &Limits, stake: Amount) -> bool {
    (limits.min..=limits.max).contains(&stake)
}

fn at_stake_json(stake: Amount, limits: &Limits, edge: &Fraction) -> Value {
    let mut json = json!({ "stake_cents": stake.cents(), "within_limits": within(limits, stake) });
    fraction(&mut json, "edge", edge);
    json
}
