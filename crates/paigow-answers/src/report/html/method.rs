//! Method, digests and signatures of a report.

use super::html_document::{HtmlDocument, text};
use super::markup::{Markup, count, mono};
use crate::report::GameReport;

pub(super) fn section(page: &mut HtmlDocument, report: &GameReport) {
    page.section("Method, and how to make this report again");
    page.subsection("Method");
    page.list(
        [
            "Counts. Side wagers on one hand are counted over all 154,143,080 hands. The base game and wagers against the dealer's \
             hand are counted over all 8,250,459,031,214,400 deals of two hands without a common card, by inclusion and exclusion \
             over the common cards. The program's tests repeat these counts by a second, independent method.",
            "House way. The clauses are applied to every hand.",
            "Best play. Every legal setting of every hand is valued against all 53,524,680 hands of the other side, and the best is \
             taken. The values are checked against the count of the base game.",
            "Moments. With results x and probabilities p, the mean is Σ p x, the variance Σ p (x − mean)², and the skewness \
             Σ p (x − mean)³ divided by the variance to the power 3/2, for the net win of one unit: the payout, 0 for a push, −1 for \
             a loss. The square of the skewness is a fraction and is given exactly.",
            "Edges by number of players. The expected envy bonus from one other hand, at the smallest stake that earns it, times the \
             number of other players, is subtracted from the edge.",
            "Exposure. One wager: the best row at the maximum stake, up to the payout maximum. One hand: its payout and its envy \
             bonuses for all other players, or the payouts of all players if the dealer's hand decides. One round: every player's \
             hand has the best row and all envy bonuses are paid. One deck cannot deal that where players' own hands decide, so the \
             last figure is an upper bound.",
            "Arithmetic. All figures are integers and fractions of integers; only the plots are drawn with rounded numbers.",
        ]
        .map(Markup::from),
    );
    page.subsection("How to make this report again");
    page.paragraph(format!(
        "Build paigow {} from commit {} and run the command below. The folder is equal byte for byte: it has no date, no name of a \
         machine and no path, and the simulation has a fixed seed.",
        report.program.version, report.program.commit
    ));
    page.markup(&Markup::from(command(report)).within("pre"));
    if report.choices.edited.is_some() {
        page.paragraph(
            "The paytable of this report was edited in the question. Its rows are in section 7; give them as the value of \
             the paytable's key pays with --set, or write a rule book that extends this one.",
        );
    }
    page.paragraph("Two reports are compared with the command below. It lists the changed rules and, for each figure, the exact difference.");
    page.markup(&Markup::from("paigow report --compare OLD NEW").within("pre"));
    page.subsection("Digests");
    let rows = [
        ("Rules in force with the default paytables", &report.digests.rules, "rules.txt"),
        ("All rule values", &report.digests.rule_values, "path and value of each line of rules.csv"),
        ("House way", &report.digests.house_way, "its clauses in canonical form"),
    ];
    let rows = rows.map(|(name, digest, of)| vec![name.into(), mono(digest), of.into()]);
    page.table("SHA-256 digests.", &[text("Of"), text("Digest"), text("Computed from")], rows);
    let files = [
        ("report.html", "this document"),
        ("report.json", "everything in this document, with exact fractions"),
        ("figures.csv", "every figure with its path, decimal and exact fraction"),
        ("rules.csv", "every value of the rules with its path, kind and citation"),
        ("rules.txt", "canonical form of the rules in force"),
        ("digests.json", "SHA-256 digest of each file, written last"),
    ];
    let rows = files.map(|(name, contents)| vec![mono(name), contents.into()]);
    page.short_table(
        format!("Files of the report. It has {} figures.", count(report.figures.len())),
        &[text("File"), text("Contents")],
        rows,
    );
}

/// The command line that makes the report again.
fn command(report: &GameReport) -> String {
    let choices = &report.choices;
    let mut command = format!("paigow report {}", shell_word(&report.book));
    for (path, value) in &choices.changes.0 {
        command.extend([" \\\n  --set ", &shell_word(&format!("{path}={value}"))]);
    }
    if let Some(way) = &choices.house_way {
        command.extend([" \\\n  --house-way ", &shell_word(way)]);
    }
    command + &format!(" \\\n  --rounds {} --seed {} --out FOLDER", choices.rounds, choices.seed)
}

/// Quotes a word for a shell if it needs quotes.
fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Lines for the names of the people who checked the report.
pub(super) fn signatures(page: &mut HtmlDocument) {
    page.section("Signatures");
    page.paragraph(
        "The undersigned have compared the rules and the assumptions of this report with the document and the game as offered.",
    );
    let line = |role: &str| {
        format!(
            "<tr><th scope=\"row\">{role}</th><td><span>Name</span></td><td><span>Signature</span></td><td><span>Date</span></td></tr>\n"
        )
    };
    let lines: String = ["Prepared by", "Reviewed by", "Accepted by"].into_iter().map(line).collect();
    page.markup(&Markup::of_html(format!(
        "<table class=\"signatures\">\n<tbody>\n{lines}</tbody>\n</table>"
    )));
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn words_with_other_characters_are_quoted() {
        assert_eq!(shell_word("ranking.wheel=lowest"), "ranking.wheel=lowest");
        assert_eq!(shell_word("a=[{b=\"c\"}]"), "'a=[{b=\"c\"}]'");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
    }
}
