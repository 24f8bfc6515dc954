//! Side wagers in a report, and their edges by number of players.

use super::html_document::{HtmlDocument, fraction, key, number, text};
use super::markup::{Markup, count, decimal, exact, money, percent};
use super::plot;
use super::rules::hand_title;
use super::summary::skewness;
use crate::report::{GameReport, ReportedWager};
use paigow_math::Fraction;

pub(super) fn section(page: &mut HtmlDocument, report: &GameReport) {
    page.section("Side wagers");
    if report.wagers.is_empty() {
        page.paragraph("The rules have no side wagers.");
        return;
    }
    page.paragraph(
        "For each paytable: the combinations that each row pays, which exclude hands that a better row pays; their probability; \
         and the return, which is probability times payout, without the wager. The edge is the probability of a loss minus the \
         sum of the returns, for one player and without a maximum payout. A push returns the wager.",
    );
    overview(page, report);
    for wager in &report.wagers {
        paytable(page, wager);
    }
}

/// Exposure of all wagers.
fn overview(page: &mut HtmlDocument, report: &GameReport) {
    let rows = report.wagers.iter().map(|wager| {
        let exposure = &wager.exposure;
        vec![
            wager.title.clone().into(),
            wager.odds.paytable.clone().into(),
            payout_maximum(wager).into(),
            money(exposure.stake_cents).into(),
            money(exposure.wager_cents).into(),
            money(exposure.hand_cents).into(),
            money(exposure.round_cents).into(),
        ]
    });
    page.table(
        format!(
            "Maximum exposure with {} players at the maximum stake: one wager; one hand with its envy bonuses; one round, which \
             is an upper bound where players' own hands decide.",
            report.players
        ),
        &[
            text("Wager"),
            key("Paytable"),
            text("Maximum payout"),
            number("Stake"),
            number("Wager"),
            number("Hand"),
            number("Round"),
        ],
        rows,
    );
}

fn payout_maximum(wager: &ReportedWager) -> String {
    match (wager.at_max_stake.payout_max_cents, wager.at_max_stake.payout_max_per) {
        (Some(cents), Some(per)) => format!("{} per {per}", money(cents)),
        (None, Some(_)) => "none (a table may set one)".to_owned(),
        _ => "none".to_owned(),
    }
}

/// Title of a wager with its paytable.
pub(super) fn wager_title(wager: &ReportedWager) -> String {
    format!("{}, paytable {}", wager.title, wager.odds.paytable)
}

fn paytable(page: &mut HtmlDocument, wager: &ReportedWager) {
    let odds = &wager.odds;
    page.sheet(wager_title(wager));
    let joker = if odds.joker == "fully_wild" { "fully wild" } else { "semi-wild" };
    let state = match (odds.offered, odds.available, wager.posted) {
        (false, _, _) => "The wager is not offered.",
        (_, false, _) => "The document does not let tables post this paytable.",
        (_, _, true) => "The paytable is posted by default.",
        _ => "Tables may post this paytable.",
    };
    page.paragraph(format!("{state} The joker is {joker}."));
    let (all, unit) = odds.hands.map_or((odds.deals.unwrap_or_default(), "deals"), |hands| (hands, "hands"));
    let has_envy = odds.rows.iter().any(|row| row.envy_cents.is_some());
    let mut columns = vec![key("Hand"), number("Combinations"), number("Probability"), number("Pays")];
    if has_envy {
        columns.push(number("Envy"));
    }
    columns.extend([number("Return"), number("Exact return")]);
    let rows = odds.rows.iter().map(|row| {
        let pays = if row.pays == 0 { "push".to_owned() } else { format!("{} to 1", count(row.pays)) };
        let mut cells: Vec<Markup> = vec![
            hand_title(&row.hand).into(),
            count(row.combinations).into(),
            decimal(&row.probability.0, 10).into(),
            pays.into(),
        ];
        if has_envy {
            cells.push(row.envy_cents.map_or_else(|| "–".to_owned(), money).into());
        }
        cells.extend([decimal(&row.r#return.0, 10).into(), exact(&row.r#return.0)]);
        cells
    });
    let lost = {
        let probability = Fraction::new(odds.losing, all);
        let mut cells: Vec<Markup> = vec![
            "no row".into(),
            count(odds.losing).into(),
            decimal(&probability, 10).into(),
            "loses".into(),
        ];
        if has_envy {
            cells.push("–".into());
        }
        cells.extend([decimal(&-probability.clone(), 10).into(), exact(&-probability)]);
        cells
    };
    page.table(
        format!(
            "{}: combinations, probabilities and returns. All {unit}: {}.",
            wager_title(wager),
            count(all)
        ),
        &columns,
        rows.chain([lost]),
    );
    let bars: Vec<(String, f64, String)> = odds
        .rows
        .iter()
        .filter(|row| row.pays > 0)
        .map(|row| {
            let shown = percent(&row.r#return.0, 3);
            (hand_title(&row.hand), plot::coordinate(&row.r#return.0), shown)
        })
        .collect();
    let title = format!("Return by row of {}", wager_title(wager));
    page.figure(format!("{title}."), &plot::bars(&title, &bars));
    summary(page, wager);
}

fn summary(page: &mut HtmlDocument, wager: &ReportedWager) {
    let (odds, moments, exposure) = (&wager.odds, &wager.moments, &wager.exposure);
    let share = |name: &str, fraction: &Fraction| -> Vec<Markup> {
        vec![name.into(), percent(fraction, 6).into(), exact(fraction)]
    };
    let amount =
        |name: &str, text: String| -> Vec<Markup> { vec![name.into(), text.into(), Markup::default()] };
    let deviation = Markup::from("root of the variance").within("span class=\"exact\"");
    let mut rows = vec![
        share("Edge", &odds.edge.0),
        share("Return to the player", &wager.expected_return.0),
        share("Hit frequency", &odds.hit_frequency.0),
        vec!["Variance".into(), decimal(&moments.variance.0, 6).into(), exact(&moments.variance.0)],
        vec!["Standard deviation".into(), moments.standard_deviation.0.root(6).into(), deviation],
    ];
    if let Some(squared) = &moments.skewness_squared_exact {
        let root = Markup::from("root of ").within("span class=\"exact\"").and(exact(&squared.0));
        rows.push(vec!["Skewness".into(), skewness(moments.skewness.as_deref()).into(), root]);
    }
    if odds.envy_from_cents.is_some() {
        rows.push(share("Envy bonuses from each other player", &odds.envy_return.0));
    }
    rows.extend([
        share("Edge at the maximum stake, with the maximum payout", &wager.at_max_stake.at_stake.edge.0),
        amount("Maximum payout by the rules", payout_maximum(wager)),
        amount("Maximum exposure: one wager", money(exposure.wager_cents)),
        amount("Maximum exposure: one hand with envy bonuses", money(exposure.hand_cents)),
        amount("Maximum exposure: one round", money(exposure.round_cents)),
    ]);
    page.short_table(
        format!("{}: summary. The maximum stake is {}.", wager_title(wager), money(exposure.stake_cents)),
        &[text("Measure"), number("Value"), fraction("Exact")],
        rows,
    );
}

/// Edges by number of players, one table and one plot for each wager with envy bonuses.
pub(super) fn players_section(page: &mut HtmlDocument, report: &GameReport) {
    page.section("Edge by number of players");
    page.paragraph(
        "An envy bonus is paid for the hand of another player, so the edge of a wager that earns it falls with the number of \
         players. The edges are those of the smallest stake that earns the bonus, with every other player's hand able to earn \
         it. The base game and wagers without envy bonuses do not depend on the number of players.",
    );
    let mut names: Vec<&str> = Vec::new();
    for wager in &report.wagers {
        if !names.contains(&wager.odds.wager.as_str()) && wager.odds.envy_from_cents.is_some() {
            names.push(&wager.odds.wager);
        }
    }
    if names.is_empty() {
        page.paragraph("No wager of these rules has envy bonuses.");
    }
    for name in names {
        let tables: Vec<&ReportedWager> =
            report.wagers.iter().filter(|wager| wager.odds.wager == name).collect();
        let Some(first) = tables.first() else { continue };
        let players = first.odds.edge_by_players.len();
        let heads: Vec<String> = (1..=players).map(|number| number.to_string()).collect();
        let mut columns = vec![text("Paytable")];
        columns.extend(heads.iter().map(|head| number(head)));
        let rows = tables.iter().map(|wager| {
            let edges = wager.odds.edge_by_players.values().map(|edge| percent(&edge.0, 4).into());
            [wager.odds.paytable.clone().into()].into_iter().chain(edges).collect()
        });
        let stake = first.odds.envy_from_cents.map(money).unwrap_or_default();
        page.short_table(
            format!("{}: edge by number of players, at {stake}.", first.title),
            &columns,
            rows.collect::<Vec<Vec<Markup>>>(),
        );
        let series: Vec<(String, Vec<f64>)> = tables
            .iter()
            .map(|wager| {
                let edges = wager.odds.edge_by_players.values().map(|edge| plot::coordinate(&edge.0));
                (wager.odds.paytable.clone(), edges.collect())
            })
            .collect();
        let title = format!("Edge of {} by number of players", first.title);
        page.figure(format!("{title}."), &plot::lines(&title, "players", &series));
    }
}
