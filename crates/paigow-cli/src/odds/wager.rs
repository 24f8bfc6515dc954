//! The odds of a side wager.

use super::{Question, at_stake_json};
use crate::answer::{Cell, Sheet};
use crate::numbers::{DIGITS, decimal, fraction, percent};
use crate::work::Work;
use paigow::rulebook::SideWager;
use paigow::{Amount, Pays, Paytable, WinsOn};
use paigow_math::{Census, Counted, Cut, WagerOdds};
use serde_json::{Map, Value, json};
use std::fmt::Write;

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
                    "return": decimal(&odds.row_return(row, *count)),
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
        json["at_stake"] = self.stake.map_or(Value::Null, |stake| at_stake_json(stake, &odds.edge_at(stake)));
        json
    }

    pub(super) fn wager_sheet(&self, wager: &SideWager, paytable: &Paytable, odds: &WagerOdds<'_>) -> Sheet {
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

        let mut about = format!(
            "{}, paytable {}{}\nhouse edge {}, hit frequency {}, standard deviation {}",
            wager.title,
            paytable.name,
            if paytable.available { "" } else { " (not available)" },
            percent(&odds.edge(), 4),
            percent(&odds.hit_frequency(), 4),
            odds.variance().root(4),
        );
        if let (true, Some(envy)) = (envy, &wager.envy) {
            let edges =
                (1..=self.players).map(|n| format!("{n}: {}", percent(&odds.edge_with_players(n), 4)));
            let edges = edges.collect::<Vec<_>>().join(", ");
            // Writing to a string cannot fail.
            let _ = write!(about, "\nedge by players at {}: {edges}", envy.from);
        }
        if let Some(stake) = self.stake {
            let most = wager.payout_max.as_ref().and_then(|max| max.amount);
            let most = most.map_or("no maximum".to_owned(), |most| format!("at most {most} paid"));
            let _ = write!(about, "\nedge at {stake}, {most}: {}", percent(&odds.edge_at(stake), 4));
        }
        Sheet { title: about, columns, rows }
    }
}
