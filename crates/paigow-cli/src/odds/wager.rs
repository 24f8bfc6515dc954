//! The odds of a side wager.

use super::outside;
use crate::answer::{Cell, Sheet};
use crate::numbers::percent;
use crate::rules::paytable_name;
use paigow::rulebook::{Per, SideWager};
use paigow::{Amount, Paytable};
use paigow_answers::odds::{OddsRequest, WagerOddsAnswer};
use paigow_math::{CountBasis, DecimalRounding, Fraction};

pub(super) fn sheets(
    asked: &OddsRequest,
    wager: &SideWager,
    paytable: &Paytable,
    odds: &WagerOddsAnswer,
) -> Vec<Sheet> {
    vec![paid(wager, paytable, odds), worth(asked, wager, paytable, odds)]
}

/// What is paid how often.
fn paid(wager: &SideWager, paytable: &Paytable, odds: &WagerOddsAnswer) -> Sheet {
    let envy = paytable.rows.iter().any(|row| row.envy.is_some());
    let mut columns = vec!["hand", "combinations", "pays", "probability", "return"];
    if envy {
        columns.insert(3, "envy");
    }
    let mut rows: Vec<Vec<Cell>> = paytable
        .rows
        .iter()
        .zip(&odds.rows)
        .map(|(row, odds)| {
            let mut cells: Vec<Cell> = vec![
                row.wins_on.to_string().into(),
                i128::from(odds.combinations).into(),
                row.pays.to_string().into(),
                odds.probability.0.decimal(8, DecimalRounding::Rounded).into(),
                odds.r#return.0.decimal(8, DecimalRounding::Rounded).into(),
            ];
            if envy {
                cells.insert(3, row.envy.map_or("".into(), Cell::amount));
            }
            cells
        })
        .collect();
    let all = odds.hands.or(odds.deals).map_or(CountBasis::Hands.all(), i128::from);
    let lost = Fraction::new(odds.losing, all);
    let mut all_other: Vec<Cell> = vec![
        "all other".into(),
        i128::from(odds.losing).into(),
        "loses".into(),
        lost.decimal(8, DecimalRounding::Rounded).into(),
        (-lost).decimal(8, DecimalRounding::Rounded).into(),
    ];
    if envy {
        all_other.insert(3, "".into());
    }
    rows.push(all_other);

    let available = if paytable.available { "" } else { " (not available)" };
    let offered = if wager.offered { "" } else { ", not offered" };
    Sheet {
        title: format!("{}{offered}, {}{available}", wager.title, paytable_name(paytable)),
        columns,
        rows,
    }
}

/// What the wager is worth.
fn worth(asked: &OddsRequest, wager: &SideWager, paytable: &Paytable, odds: &WagerOddsAnswer) -> Sheet {
    let mut parts: Vec<(Cell, &Fraction)> =
        vec![("house edge".into(), &odds.edge.0), ("hit frequency".into(), &odds.hit_frequency.0)];
    if let Some(least) = wager.least_envy_stake().filter(|_| odds.envy_return.0 > Fraction::zero()) {
        let with = |(n, edge): (u8, _)| {
            let people = format!("house edge with {n} players, at ${least:#}");
            (Cell::shown(people, format!("house edge with {n} players, at {least}")), edge)
        };
        parts.extend((1..).zip(odds.edge_by_players.values().map(|edge| &edge.0)).skip(1).map(with));
    }
    if let (Some(at), Some(stake)) = (&odds.at_stake, asked.stake) {
        let most = wager.payout_max.as_ref().and_then(|max| Some((max.amount?, max.per)));
        let said = |amount: fn(Amount) -> String| {
            let most = most.map_or("no maximum".to_owned(), |(most, per): (Amount, Per)| match per {
                Per::Hand => format!("at most {} paid for a hand", amount(most)),
                Per::Round => format!("at most {} paid in a round, and no other hand paid", amount(most)),
            });
            format!("house edge at {}, {most}{}", amount(stake), outside(&at.at_stake))
        };
        let what = Cell::shown(said(|amount| format!("${amount:#}")), said(|amount| amount.to_string()));
        parts.push((what, &at.at_stake.edge.0));
    }
    let mut rows: Vec<Vec<Cell>> = parts
        .into_iter()
        .map(|(what, part)| vec![what, percent(part, 4).into(), part.to_string().into()])
        .collect();
    let deviation = &odds.standard_deviation.0;
    rows.insert(
        2,
        vec!["standard deviation".into(), deviation.root(4).into(), format!("√({deviation})").into()],
    );
    Sheet {
        title: format!("What it is worth: {}, {}", wager.title, paytable_name(paytable)),
        columns: vec!["what", "value", "exactly"],
        rows,
    }
}
