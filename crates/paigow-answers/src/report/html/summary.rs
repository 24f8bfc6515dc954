//! Cover and summary of a report.

use super::html_document::{HtmlDocument, key, number, text};
use super::markup::{Markup, count, minus, money, mono, percent};
use crate::report::GameReport;
use std::fmt::Write as _;

/// The first page: the game, its digests and the program.
pub(super) fn cover(report: &GameReport) -> String {
    let rules = &report.rules;
    let effective = rules.effective.clone().unwrap_or_else(|| "not stated in the document".to_owned());
    let way = &report.house_way;
    let mut facts: Vec<(&str, Markup)> = vec![
        ("Rule book", Markup::from(&report.title).and(" (").and(mono(&report.book)).and(")")),
        ("Document", Markup::from(&rules.source)),
        ("In force since", effective.into()),
        ("Compared with the document on", rules.checked_on.clone().into()),
        ("House way", Markup::from(&way.title).and(" (").and(mono(&way.id)).and(")")),
        ("Players at a full table", report.players.to_string().into()),
        ("Values of the rules", kinds(report).into()),
    ];
    if !report.choices.changes.0.is_empty() || report.choices.edited.is_some() {
        facts.push(("Changed for this report", changed(report)));
    }
    facts.extend([
        ("Digest of the rules in force", mono(&report.digests.rules)),
        ("Digest of all rule values", mono(&report.digests.rule_values)),
        ("Digest of the house way", mono(&report.digests.house_way)),
        ("Program", format!("paigow {}, commit {}", report.program.version, report.program.commit).into()),
    ]);
    let mut html = String::from("<header class=\"cover\">\n<p class=\"kind\">Game report</p>\n");
    // Writing to a `String` never fails.
    let _ = writeln!(html, "<h1>{}</h1>", Markup::from(&report.title));
    html.push_str(
        "<p class=\"subtitle\">Pai gow poker: rules, assumptions and exact mathematics of the game</p>\n",
    );
    if !report.departures.is_empty() {
        let _ = writeln!(
            html,
            "<p class=\"warning\">This is not the game of the document. The report is about rules with {} changed that the \
             document fixes; section 3 lists them.</p>",
            values(report.departures.len())
        );
    }
    html.push_str("<table class=\"facts\">\n<tbody>\n");
    for (name, value) in facts {
        let _ = writeln!(html, "<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>");
    }
    html.push_str("</tbody>\n</table>\n</header>\n");
    html
}

fn values(number: usize) -> String {
    if number == 1 { "1 value".to_owned() } else { format!("{number} values") }
}

fn kinds(report: &GameReport) -> String {
    let kinds = &report.rules.kinds;
    let all = kinds.fixed + kinds.options + kinds.assumed;
    format!(
        "{all}: {} fixed by the document, {} options of the house, {} assumed",
        kinds.fixed, kinds.options, kinds.assumed
    )
}

fn changed(report: &GameReport) -> Markup {
    let changes = report.choices.changes.0.iter();
    let mut items: Vec<Markup> =
        changes.map(|(path, value)| mono(path).and(" = ").and(mono(value))).collect();
    if let Some(edited) = &report.choices.edited {
        let paytable = edited.paytable.as_deref().unwrap_or("the default one");
        items.push(format!("paytable {paytable} of the wager {}", edited.wager).into());
    }
    let joined = items.iter().map(ToString::to_string).collect::<Vec<_>>().join("<br/>");
    Markup::of_html(joined)
}

/// The figures that a reader looks for first.
pub(super) fn section(page: &mut HtmlDocument, report: &GameReport) {
    page.section("Summary");
    let game = &report.base_game;
    let plays = game.plays.iter().map(|play| {
        vec![
            play_name(play.side, play.play).into(),
            "".into(),
            percent(&play.edge.0, 4).into(),
            percent(&play.win_probability.0, 4).into(),
            play.moments.standard_deviation.0.root(4).into(),
            skewness(play.moments.skewness.as_deref()).into(),
            money(game.wager_exposure_cents).into(),
        ]
    });
    let wagers = report.wagers.iter().map(|wager| {
        let posted = if wager.posted { " (posted)" } else { "" };
        vec![
            wager.title.clone().into(),
            format!("{}{posted}", wager.odds.paytable).into(),
            percent(&wager.odds.edge.0, 4).into(),
            percent(&wager.odds.hit_frequency.0, 4).into(),
            wager.odds.standard_deviation.0.root(4).into(),
            skewness(wager.moments.skewness.as_deref()).into(),
            money(wager.exposure.wager_cents).into(),
        ]
    });
    page.paragraph(
        "All figures of this report are exact: they are counted over every hand or every deal, not simulated. Decimals are \
         rounded for print; the exact fractions are in the sections below and in the files beside this one. The edge is the \
         expected loss of the side that makes the wager, as a part of the wager. A negative edge is an expected win.",
    );
    page.table(
        "Base game and side wagers. Standard deviation and skewness are those of the net win per unit wagered; the last \
         column is the highest payout to one wager at its maximum stake.",
        &[
            text("Wager"),
            key("Paytable"),
            number("Edge"),
            number("Wins"),
            number("Std. deviation"),
            number("Skewness"),
            number("Max. payout"),
        ],
        plays.chain(wagers),
    );
    let flagged: usize =
        report.simulation.iter().flat_map(|run| &run.wagers).filter(|wager| wager.flagged).count();
    let compared: usize = report.simulation.iter().map(|run| run.wagers.len()).sum();
    let proof = if report.house_way.faults.is_empty() {
        "The house way is proved on all 154,143,080 hands: every hand is decided by one clause and set legally.".to_owned()
    } else {
        format!("The house way has faults on some hands: {}.", report.house_way.faults.join("; "))
    };
    page.list([
        proof.into(),
        format!(
            "{} of {} simulated results deviate from the exact figures by more than four standard errors (section 10).",
            count(flagged),
            count(compared)
        )
        .into(),
        format!(
            "{} of the rules are assumed, because the document is silent (section 3).",
            values(report.rules.assumed.len())
        )
        .into(),
    ]);
}

/// Name of a way to play the base game.
pub(super) fn play_name(side: &str, play: &str) -> String {
    let way = if play == "best" { "best play" } else { "house way" };
    match side {
        "banker" => format!("Banking seat, {way}"),
        _ => format!("Base game, {way}"),
    }
}

/// Skewness with four digits of its decimals.
pub(super) fn skewness(decimals: Option<&str>) -> String {
    decimals.and_then(paigow_math::Fraction::parse).map_or_else(
        || "–".to_owned(),
        |value| minus(&value.decimal(4, paigow_math::DecimalRounding::Rounded)),
    )
}
