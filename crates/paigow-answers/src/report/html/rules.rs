//! Rules, assumptions, ranking and house way of a report.

use super::html_document::{HtmlDocument, cite, key, number, text};
use super::markup::{Markup, count, path, percent};
use crate::report::GameReport;
use crate::rules::{Duty, Rule};
use paigow::HandClass;
use paigow_math::{Census, Fraction};

pub(super) fn sections(page: &mut HtmlDocument, report: &GameReport) {
    rules(page, report);
    assumptions(page, report);
    ranking(page, report);
    house_way(page, report);
}

fn rules(page: &mut HtmlDocument, report: &GameReport) {
    let rules = &report.rules;
    page.section("Rules");
    page.paragraph(
        Markup::from("The rules in force, each with the passage of the document it is read from. Document: ")
            .and(&rules.source)
            .and("."),
    );
    if !rules.duties.is_empty() {
        page.subsection("Rules of the document");
        duties(page, "Rules of the document, by their numbers.", "Rule", &rules.duties);
    }
    page.subsection("The table and the base game");
    sentences(page, "Rules of the table and of the base game.", &rules.rules);
    for wager in &rules.wagers {
        page.subsection(Markup::from("Wager: ").and(&wager.wager.title));
        let offered = if wager.wager.offered { "" } else { " The wager is not offered." };
        sentences(page, Markup::from(format!("Rules of {}.{offered}", wager.wager.title)), &wager.rules);
    }
    if !rules.notes.is_empty() {
        page.subsection("Other statements of the document");
        duties(page, "Statements that no value of the rules expresses.", "Subject", &rules.notes);
    }
    if !rules.glossary.is_empty() {
        page.subsection("Terms");
        let rows = rules
            .glossary
            .iter()
            .map(|term| vec![term.word.clone().into(), term.means.clone().into(), term.cite.clone().into()]);
        page.table(
            "Terms that the document defines.",
            &[text("Term"), text("Meaning"), cite("Citation")],
            rows,
        );
    }
}

fn duties(page: &mut HtmlDocument, caption: &str, subject: &str, duties: &[Duty]) {
    let rows = duties
        .iter()
        .map(|duty| vec![duty.rule.clone().into(), duty.says.clone().into(), duty.cite.clone().into()]);
    page.table(caption, &[key(subject), text("Text"), cite("Citation")], rows);
}

fn sentences(page: &mut HtmlDocument, caption: impl Into<Markup>, rules: &[Rule]) {
    let rows = rules.iter().map(|rule| {
        let source =
            if rule.assumed { Markup::from("assumed, see section 3") } else { rule.cite.clone().into() };
        vec![rule.about.into(), rule.says.clone().into(), rule.kind.into(), source]
    });
    page.table(caption, &[key("Subject"), text("Rule"), key("Kind"), cite("Citation")], rows);
}

fn assumptions(page: &mut HtmlDocument, report: &GameReport) {
    let rules = &report.rules;
    page.section("Assumptions");
    if rules.assumed.is_empty() {
        page.paragraph("No value of the rules is assumed: the document states every one.");
    } else {
        page.paragraph(
            "The document is silent about the following values. Each has the value assumed for this report, the reason, \
             and the nearest passage of the document if there is one. Figures that follow from an assumed value hold for \
             games that share it.",
        );
        let assumed = rules.values.iter().filter(|value| value.kind == "assumed").map(|value| {
            let reason = Markup::from(value.because.clone().unwrap_or_default());
            let passage = value.cite.clone().map(|cite| format!(" ({cite})")).unwrap_or_default();
            vec![path(&value.value), value.is.clone().into(), reason.and(passage)]
        });
        page.table("Assumed values.", &[text("Value"), text("Is"), text("Reason")], assumed);
    }
    readings(page, report);
    if !report.departures.is_empty() {
        page.subsection("Changes that the document does not allow");
        page.paragraph(
            "The report was requested for changed rules. The document fixes the following values, so the figures are not \
             those of the document's game.",
        );
        let rows = report.departures.iter().map(|change| {
            vec![
                path(&change.value),
                change.book.clone().unwrap_or_else(|| "–".to_owned()).into(),
                change.given.clone().into(),
                change.cite.clone().unwrap_or_default().into(),
            ]
        });
        let columns = [text("Value"), text("Document"), text("This report"), cite("Citation")];
        page.table("Changed values that the document fixes.", &columns, rows);
    }
}

/// Readings of ambiguous rows, each with the paytables that have it.
fn readings(page: &mut HtmlDocument, report: &GameReport) {
    let mut rows: Vec<([String; 3], Vec<String>)> = Vec::new();
    for wager in &report.rules.wagers {
        for table in &wager.wager.paytables {
            for row in &table.rows {
                let Some(reading) = row.reading.clone() else { continue };
                let hand = row.hand.map(|class| class.0.title()).unwrap_or_default();
                let key = [wager.wager.title.clone(), hand.to_owned(), reading];
                match rows.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, tables)) => tables.push(table.paytable.clone()),
                    None => rows.push((key, vec![table.paytable.clone()])),
                }
            }
        }
    }
    if rows.is_empty() {
        return;
    }
    page.subsection("Hands whose wording is ambiguous");
    let rows = rows.into_iter().map(|([wager, hand, reading], tables)| {
        vec![wager.into(), hand.into(), reading.into(), tables.join(", ").into()]
    });
    let columns = [text("Wager"), text("Row"), text("Reading"), text("Paytables")];
    page.table("Readings of rows of paytables.", &columns, rows);
}

fn ranking(page: &mut HtmlDocument, report: &GameReport) {
    page.section("Ranking of hands");
    let joker = match report.ranking.joker {
        "fully_wild" => {
            "The joker is fully wild: any card that the hand does not hold, or the fifth of a kind."
        }
        _ => {
            "The joker is semi-wild: an ace, or the card that completes a straight, a flush, a straight flush or a royal flush."
        }
    };
    let wheel = match report.ranking.wheel {
        "lowest" => "A-2-3-4-5 is the lowest straight.",
        _ => "A-2-3-4-5 is the second highest straight, below A-K-Q-J-10.",
    };
    page.paragraph(format!(
        "Hands are made of 53 cards, 52 and one joker. {joker} {wheel} Among seven cards, the classes below are those of the \
         best five, or of all seven where a paytable pays for seven cards; a hand counts once, for its highest class in play."
    ));
    let all = Fraction::new(Census::HANDS, 1);
    let rows = report.census.iter().map(|(class, hands)| {
        let share = &Fraction::new(*hands, 1) / &all;
        vec![hand_title(class).into(), count(hands).into(), percent(&share, 6).into()]
    });
    page.table(
        "All 154,143,080 seven-card hands by class, the highest first. C(53, 7) = 154,143,080.",
        &[text("Class"), number("Hands"), number("Probability")],
        rows,
    );
}

/// Title of a class of hands, or of a number of cards.
pub(super) fn hand_title(name: &str) -> String {
    HandClass::from_name(name).map_or_else(|| name.replace('_', " "), |class| class.title().to_owned())
}

fn house_way(page: &mut HtmlDocument, report: &GameReport) {
    let way = &report.house_way;
    page.section("House way");
    page.paragraph(
        Markup::from("The dealer sets every hand by the house way of ")
            .and(&way.title)
            .and(" (")
            .and(&way.source)
            .and("). The first clause that applies decides. The program has applied it to every hand; the last two columns say \
                how many of the 154,143,080 hands each clause decides."),
    );
    if way.faults.is_empty() {
        page.paragraph("No hand is left without a clause, and no clause sets a hand illegally.");
    } else {
        page.paragraph("The house way has the following faults:");
        page.list(way.faults.iter().map(Markup::from));
    }
    let hands: u64 = way.clauses.iter().map(|clause| clause.hands).sum();
    let rows = (1..).zip(&way.clauses).map(|(number, clause): (usize, _)| {
        let example = clause.example.as_deref().map_or_else(Markup::default, |hand| {
            Markup::of_html("<br/>")
                .and(Markup::from(format!("Example: {hand}")).within("span class=\"small\""))
        });
        let share = Fraction::new(clause.hands, Census::HANDS);
        vec![
            number.to_string().into(),
            Markup::from(&clause.says).and(example),
            clause.cite.clone().into(),
            count(clause.hands).into(),
            percent(&share, 4).into(),
        ]
    });
    page.table(
        format!("Clauses of the house way. Together they decide {} hands.", count(hands)),
        &[text("No."), text("Clause"), cite("Citation"), number("Hands"), number("Share")],
        rows,
    );
}
