//! Sheets of a side wager's odds.

use super::outside;
use crate::answer::{Cell, Sheet};
use crate::numbers::percent;
use crate::rules::paytable_name;
use paigow::rulebook::{PayoutScope, SideWager};
use paigow::{Amount, Paytable};
use paigow_answers::odds::{OddsRequest, WagerOddsAnswer};
use paigow_math::{CountBasis, DecimalRounding, Fraction};

pub(super) fn sheets(
    request: &OddsRequest,
    wager: &SideWager,
    paytable: &Paytable,
    odds: &WagerOddsAnswer,
) -> Vec<Sheet> {
    vec![paytable_sheet(wager, paytable, odds), summary_sheet(request, wager, paytable, odds)]
}

/// Sheet of the rows of the paytable with their probabilities.
fn paytable_sheet(wager: &SideWager, paytable: &Paytable, odds: &WagerOddsAnswer) -> Sheet {
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
                Cell::shown(row.pays.to_string(), odds.pays.to_string()),
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
        // The wager is lost: its row has the return of a payout of -1 to 1.
        Cell::shown("loses", "-1"),
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

/// Sheet of house edge, hit frequency and standard deviation.
fn summary_sheet(
    request: &OddsRequest,
    wager: &SideWager,
    paytable: &Paytable,
    odds: &WagerOddsAnswer,
) -> Sheet {
    let mut parts: Vec<(Cell, &Fraction)> =
        vec![("house edge".into(), &odds.edge.0), ("hit frequency".into(), &odds.hit_frequency.0)];
    if let Some(least) = wager.min_envy_stake().filter(|_| odds.envy_return.0 > Fraction::zero()) {
        let with = |(n, edge): (u8, _)| {
            let people = format!("house edge with {n} players, at ${least:#}");
            (Cell::shown(people, format!("house edge with {n} players, at {least}")), edge)
        };
        parts.extend((1..).zip(odds.edge_by_players.values().map(|edge| &edge.0)).skip(1).map(with));
    }
    if let (Some(at), Some(stake)) = (&odds.at_stake, request.stake) {
        let max = wager.payout_max.as_ref().and_then(|max| Some((max.amount?, max.per)));
        let label = |format_amount: fn(Amount) -> String| {
            let max = max.map_or("no maximum".to_owned(), |(max, per): (Amount, PayoutScope)| match per {
                PayoutScope::Hand => format!("at most {} paid for a hand", format_amount(max)),
                PayoutScope::Round => {
                    format!("at most {} paid in a round, no other hand paid", format_amount(max))
                }
            });
            format!("house edge at {}, {max}{}", format_amount(stake), outside(&at.at_stake))
        };
        let label = Cell::shown(label(|amount| format!("${amount:#}")), label(|amount| amount.to_string()));
        parts.push((label, &at.at_stake.edge.0));
    }
    let mut rows: Vec<Vec<Cell>> = parts
        .into_iter()
        .map(|(label, part)| vec![label, percent(part, 4).into(), part.to_string().into()])
        .collect();
    let deviation = &odds.standard_deviation.0;
    rows.insert(
        2,
        vec!["standard deviation".into(), deviation.root(4).into(), format!("√({deviation})").into()],
    );
    Sheet {
        title: format!("Summary: {}, {}", wager.title, paytable_name(paytable)),
        columns: vec!["measure", "value", "exact"],
        rows,
    }
}
