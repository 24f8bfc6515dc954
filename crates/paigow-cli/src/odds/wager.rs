//! The odds of a side wager.

use super::{Question, at_stake_json, within};
use crate::answer::{Cell, Sheet};
use crate::numbers::{DIGITS, decimal, fraction, percent};
use crate::work::Work;
use paigow::rulebook::{Per, SideWager};
use paigow::{Amount, Pays, Paytable, WinsOn};
use paigow_math::{Census, Counted, Cut, Fraction, WagerOdds};
use serde_json::{Map, Value, json};

impl<'a> Question<'a> {
    pub(super) fn wager_odds(
        &self,
        wager: &'a SideWager,
        paytable: &Paytable,
        census: &Census,
        work: &Work,
    ) -> WagerOdds<'a> {
        WagerOdds::of(wager, paytable, census, || self.game(paytable.joker, &[], work))
    }

    pub(super) fn wager_json(&self, wager: &SideWager, paytable: &Paytable, odds: &WagerOdds<'_>) -> Value {
        let counted = match odds.of {
            Counted::Hands => "hands",
            Counted::Deals => "deals",
        };
        let rows: Vec<Value> = odds
            .rows
            .iter()
            .map(|(row, count)| {
                let hand = match row.wins_on {
                    WinsOn::Class(class) => class.name().to_owned(),
                    WinsOn::Cards(cards) => format!("{cards}_cards"),
                };
                let pays = match row.pays {
                    Pays::Push => 0,
                    Pays::ToOne(times) => times,
                };
                json!({
                    "hand": hand,
                    "combinations": *count as i64,
                    "pays": pays,
                    "envy_cents": row.envy.map(Amount::cents),
                    "probability": decimal(&odds.probability(*count)),
                    "probability_exact": odds.probability(*count).to_string(),
                    "return": decimal(&odds.row_return(row, *count)),
                    "return_exact": odds.row_return(row, *count).to_string(),
                })
            })
            .collect();
        let mut json = json!({
            "wager": wager.name,
            "paytable": paytable.name,
            "available": paytable.available,
            "joker": paytable.joker.name(),
            counted: odds.of.all() as i64,
            "rows": rows,
            "losing": odds.losing() as i64,
        });
        fraction(&mut json, "edge", &odds.edge());
        fraction(&mut json, "hit_frequency", &odds.hit_frequency());
        json["standard_deviation"] = odds.variance().root(DIGITS).into();
        fraction(&mut json, "envy_return", &odds.envy());
        let by_players =
            (1..=self.players).map(|n| (n.to_string(), decimal(&odds.edge_with_players(n)).into()));
        json["edge_by_players"] = by_players.collect::<Map<_, _>>().into();
        let by_players =
            (1..=self.players).map(|n| (n.to_string(), odds.edge_with_players(n).to_string().into()));
        json["edge_by_players_exact"] = by_players.collect::<Map<_, _>>().into();
        json["envy_from_cents"] = wager.least_envy_stake().map(Amount::cents).into();
        json["at_stake"] = self.stake.map_or(Value::Null, |stake| {
            let mut json = at_stake_json(stake, &wager.limits, &odds.edge_at(stake));
            let max = wager.payout_max.as_ref();
            json["payout_max_cents"] = max.and_then(|max| max.amount).map(Amount::cents).into();
            json["payout_max_per"] = max.map(|max| max.per.name()).into();
            json
        });
        json
    }

    pub(super) fn wager_sheets(
        &self,
        wager: &SideWager,
        paytable: &Paytable,
        odds: &WagerOdds<'_>,
    ) -> Vec<Sheet> {
        let envy = odds.rows.iter().any(|(row, _)| row.envy.is_some());
        let mut columns = vec!["hand", "combinations", "pays", "probability", "return"];
        if envy {
            columns.insert(3, "envy");
        }
        let mut rows: Vec<Vec<Cell>> = odds
            .rows
            .iter()
            .map(|(row, count)| {
                let mut cells: Vec<Cell> = vec![
                    row.wins_on.to_string().into(),
                    (*count).into(),
                    row.pays.to_string().into(),
                    odds.probability(*count).decimal(8, Cut::Rounded).into(),
                    odds.row_return(row, *count).decimal(8, Cut::Rounded).into(),
                ];
                if envy {
                    cells.insert(3, row.envy.map_or(String::new(), |envy| envy.to_string()).into());
                }
                cells
            })
            .collect();
        let lost = odds.probability(odds.losing());
        let mut all_other: Vec<Cell> = vec![
            "all other".into(),
            odds.losing().into(),
            "loses".into(),
            lost.decimal(8, Cut::Rounded).into(),
            (-lost).decimal(8, Cut::Rounded).into(),
        ];
        if envy {
            all_other.insert(3, "".into());
        }
        rows.push(all_other);

        let available = if paytable.available { "" } else { " (not available)" };
        let paid =
            Sheet { title: format!("{}, paytable {}{available}", wager.title, paytable.name), columns, rows };
        vec![paid, self.worth_sheet(wager, paytable, odds)]
    }

    /// What the wager is worth.
    fn worth_sheet(&self, wager: &SideWager, paytable: &Paytable, odds: &WagerOdds<'_>) -> Sheet {
        let mut parts =
            vec![("house edge".to_owned(), odds.edge()), ("hit frequency".to_owned(), odds.hit_frequency())];
        if let Some(least) = wager.least_envy_stake().filter(|_| odds.envy() > Fraction::zero()) {
            let with =
                |n: u8| (format!("house edge with {n} players, at {least}"), odds.edge_with_players(n));
            parts.extend((2..=self.players).map(with));
        }
        if let Some(stake) = self.stake {
            let most = wager.payout_max.as_ref().and_then(|max| Some((max.amount?, max.per)));
            let most = most.map_or("no maximum".to_owned(), |(most, per)| match per {
                Per::Hand => format!("at most {most} paid for a hand"),
                Per::Round => format!("at most {most} paid in a round, and no other hand paid"),
            });
            let limits = if within(&wager.limits, stake) { "" } else { ", outside the limits" };
            parts.push((format!("house edge at {stake}, {most}{limits}"), odds.edge_at(stake)));
        }
        let mut rows: Vec<Vec<Cell>> = parts
            .iter()
            .map(|(what, part)| vec![what.as_str().into(), percent(part, 4).into(), part.to_string().into()])
            .collect();
        let deviation = odds.variance();
        rows.insert(
            2,
            vec!["standard deviation".into(), deviation.root(4).into(), format!("√({deviation})").into()],
        );
        Sheet {
            title: format!("What it is worth: {}, paytable {}", wager.title, paytable.name),
            columns: vec!["what", "value", "exactly"],
            rows,
        }
    }
}
