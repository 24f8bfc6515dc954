//! The base game in a report.

use super::html_document::{HtmlDocument, fraction, number, text};
use super::markup::{Markup, count, exact, minus, money, percent, with_exact};
use super::plot;
use super::summary::{play_name, skewness};
use crate::report::GameReport;
use paigow_math::{DEALS, Fraction};

pub(super) fn section(page: &mut HtmlDocument, report: &GameReport) {
    let game = &report.base_game;
    page.section("Base game");
    page.paragraph(format!(
        "A wager wins if both hands beat the other side's, loses if both lose, and pushes otherwise, with copies as the rules \
         say. All C(53, 7) · C(46, 7) = {} deals of two hands are counted. The player and the dealer set by the house way unless \
         the table says best play, which sets each hand in its best way against every hand of the other side.",
        count(game.odds.deals)
    ));
    if !game.has_best_play {
        page.paragraph(
            "Best play is not given: the rules have a push for a class of hands that the method does not account for.",
        );
    }
    let outcomes = game.plays.iter().map(|play| {
        let share = |deals: i64, probability: &Fraction| {
            Markup::from(percent(probability, 6))
                .and(Markup::of_html("<br/>"))
                .and(Markup::from(count(deals)).within("span class=\"exact\""))
        };
        vec![
            play_name(play.side, play.play).into(),
            share(play.win, &play.win_probability.0),
            share(play.push, &play.push_probability.0),
            share(play.lose, &play.lose_probability.0),
        ]
    });
    page.short_table(
        format!(
            "Outcomes of the base wager: probability, and number of the {} deals.",
            count(game.odds.deals)
        ),
        &[text("Play"), number("Wins"), number("Pushes"), number("Loses")],
        outcomes,
    );
    let rows: Vec<(String, [f64; 3])> = game
        .plays
        .iter()
        .map(|play| {
            let parts = [&play.win_probability, &play.push_probability, &play.lose_probability];
            (play_name(play.side, play.play), parts.map(|part| plot::coordinate(&part.0)))
        })
        .collect();
    page.figure("Shares of the outcomes.", &plot::shares("Shares of wins, pushes and losses", &rows));
    let edges = game.plays.iter().map(|play| {
        vec![
            play_name(play.side, play.play).into(),
            with_exact(percent(&play.edge_before_commission.0, 6), &play.edge_before_commission.0),
            with_exact(percent(&play.commission_part.0, 6), &play.commission_part.0),
            with_exact(percent(&play.edge.0, 6), &play.edge.0),
        ]
    });
    page.short_table(
        "Edge of the base wager by part: before commission, the expected commission, and their sum.",
        &[text("Play"), number("Before commission"), number("Commission"), number("Edge")],
        edges,
    );
    let spread = game.plays.iter().map(|play| {
        vec![
            play_name(play.side, play.play).into(),
            with_exact(
                play.moments.variance.0.decimal(6, paigow_math::DecimalRounding::Rounded),
                &play.moments.variance.0,
            ),
            play.moments.standard_deviation.0.root(6).into(),
            skewness(play.moments.skewness.as_deref()).into(),
        ]
    });
    page.short_table(
        "Spread of the net win per unit wagered.",
        &[text("Play"), number("Variance"), number("Standard deviation"), number("Skewness")],
        spread,
    );
    copies(page, report);
    stakes(page, report);
}

fn copies(page: &mut HtmlDocument, report: &GameReport) {
    let odds = &report.base_game.odds;
    page.subsection("Copies");
    let compared = [
        ("Player's high hand is higher", odds.compared.higher_behind),
        ("High hands are copies", odds.compared.copy_behind),
        ("Player's high hand is lower", odds.compared.lower_behind),
    ];
    let rows = compared.into_iter().map(|(name, row)| {
        let cell = |deals: i64| {
            Markup::from(count(deals))
                .and(Markup::of_html("<br/>"))
                .and(Markup::from(percent(&Fraction::new(deals, DEALS), 4)).within("span class=\"exact\""))
        };
        vec![name.into(), cell(row.higher_in_front), cell(row.copy_in_front), cell(row.lower_in_front)]
    });
    page.short_table(
        "Deals by comparison of the high hands and the low hands, both sides by the house way.",
        &[text(""), number("Low hand higher"), number("Low hands copies"), number("Low hand lower")],
        rows,
    );
    let mut lines = vec![Markup::from(format!(
        "Winning all copies is worth {} of the wager to the side that wins them: half of the difference between winning all and \
         losing all of them, exactly ",
        percent(&odds.copies_part.0, 6)
    ))
    .and(exact(&odds.copies_part.0))
    .and(".")];
    if odds.dealer_push > 0 {
        lines.push(
            format!(
                "In {} deals ({}) the dealer's hand makes every base wager push; the table above leaves them out.",
                count(odds.dealer_push),
                percent(&Fraction::new(odds.dealer_push, DEALS), 6)
            )
            .into(),
        );
    }
    if let Some(banker) = &odds.as_banker {
        let on = if banker.commission_on == "net_win" { "the net win of the round" } else { "each hand won" };
        lines.push(
            format!(
                "A banking seat pays the commission on {on}. Its figures are against one hand; against several hands a \
                 commission on the net win is lower, because losses are deducted first."
            )
            .into(),
        );
    }
    page.list(lines);
}

fn stakes(page: &mut HtmlDocument, report: &GameReport) {
    let game = &report.base_game;
    page.subsection("Stakes and exposure");
    let rows = game
        .at_stakes
        .iter()
        .map(|at| vec![money(at.stake_cents).into(), percent(&at.edge.0, 6).into(), exact(&at.edge.0)]);
    page.short_table(
        "Edge of a player who sets by the house way, at stakes within the limits, with the rounding of the commission and the \
         collection fees of the book.",
        &[number("Stake"), number("Edge"), fraction("Exact")],
        rows,
    );
    page.paragraph(minus(&format!(
        "Wagers are from {} to {}. The highest net payment to one base wager is {}; if all {} players win the largest wager, the \
         banker pays {}.",
        money(game.min_cents),
        money(game.max_cents),
        money(game.wager_exposure_cents),
        report.players,
        money(game.round_exposure_cents)
    )));
}
