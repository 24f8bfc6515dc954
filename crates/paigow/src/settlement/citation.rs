//! Which values of the book a line of a settlement follows from, and where those come from.

use crate::bonus::by_other_reading;
use crate::document::{Provenance, ValueKind, ValueRange};
use crate::rulebook::{LooksAt, Per, Rulebook};
use crate::{
    HandComparison, Line, Outcome, Party, PlayedHand, Reason, SevenCards, Showdown, WagerRef, WinsOn,
};

/// A value of the book that decided a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineSource {
    /// The path of the value in the file.
    pub value: String,
    /// Where it comes from.
    pub provenance: Provenance,
}

impl Line {
    /// The values that decided the line: those it is about, and all others that are assumed.
    pub fn sources(&self, showdown: &Showdown<'_>) -> Vec<LineSource> {
        let table_rules = showdown.table_rules();
        let mut sources = Sources { book: table_rules.book(), found: Vec::new() };
        let banked = showdown.banking_seat().is_some();
        match self.wager {
            WagerRef::PaiGow => self.base_sources(showdown, &mut sources),
            WagerRef::Side(position) => {
                let position = usize::from(position);
                let (wager, paytable) = (table_rules.wager(position), table_rules.paytable(position));
                let path = |rest: &[&'static str]| [&["wagers", wager.name.as_str()], rest].concat();
                let pays = ["wagers", wager.name.as_str(), "paytables", paytable.name.as_str(), "pays"];
                match self.reason {
                    Reason::NotBeaten(_) => sources.about(&path(&["player_must_beat"])),
                    Reason::Foul => sources.about(&["setting", "player_foul"]),
                    Reason::Collection => {
                        sources.about(&["collection", "bonus"]);
                        sources.if_assumed(&["collection", "taken"]);
                    }
                    Reason::BankSpent | Reason::EnvyUnpaid { .. } => {
                        sources.about(&["banking", "pays_from"]);
                        sources.if_assumed(&["banking", "uncovered"]);
                    }
                    Reason::Envy { of, .. } => {
                        sources.about(&path(&["envy", "paid"]));
                        if showdown.banking_seat() == Some(of) {
                            sources.about(&path(&["envy", "banker_hand"]));
                        }
                        sources.if_assumed(&pays);
                    }
                    Reason::Limited(_) => {
                        sources.about(&pays);
                        sources.about(&path(&["payout_max", "amount"]));
                        sources.if_assumed(&path(&["payout_max", "per"]));
                        if wager.payout_max.as_ref().is_some_and(|max| max.per == Per::Round) {
                            sources.if_assumed(&path(&["payout_max", "shared"]));
                        }
                    }
                    _ => sources.about(&pays),
                }
                if let Reason::Row(row) | Reason::Limited(row) | Reason::Envy { row, .. } = self.reason
                    && let Some(reading) =
                        table_rules.book().reading(&wager.name, &paytable.name, usize::from(row))
                {
                    sources.reading(&pays, reading);
                }
                for row in self.rows_by_other_reading(showdown, position) {
                    if let Some(reading) = table_rules.book().reading(&wager.name, &paytable.name, row) {
                        sources.reading(&pays, reading);
                    }
                }
                sources.if_assumed(&path(&["looks_at"]));
                if matches!(self.who, Party::Seat(seat) if showdown.banking_seat() == Some(seat)) {
                    sources.about(&path(&["banker_wagers"]));
                }
                if banked {
                    sources.if_assumed(&path(&["settled_by"]));
                }
            }
        }
        sources.found
    }

    /// The rows that would pay more than the line says if their hand were read in the other way.
    fn rows_by_other_reading(&self, showdown: &Showdown<'_>, position: usize) -> Vec<usize> {
        let table_rules = showdown.table_rules();
        let hand = match (self.reason, table_rules.wager(position).looks_at, self.who) {
            (Reason::Envy { of, .. }, ..) => showdown.player(of).map(|player| player.hand),
            (_, LooksAt::PlayerHand, Party::Seat(seat)) => showdown.player(seat).map(|player| player.hand),
            (_, LooksAt::DealerHand, _) => showdown.dealer().map(|dealer| dealer.hand),
            _ => None,
        };
        let classes = by_other_reading(hand.map(SevenCards::cards).unwrap_or_default());
        let rows = table_rules.paytable(position).rows.iter().enumerate();
        let pays_more = rows.filter(|(_, row)| match self.reason {
            Reason::Envy { row: paid, .. } => row.envy > table_rules.row(position, paid).envy,
            Reason::Row(paid) | Reason::Limited(paid) => row.pays > table_rules.row(position, paid).pays,
            Reason::NoRow => true,
            _ => false,
        });
        let by_other = |wins_on| matches!(wins_on, WinsOn::Class(class) if classes.contains(class));
        pays_more.filter(|(_, row)| by_other(row.wins_on)).map(|(row, _)| row).collect()
    }

    fn base_sources(&self, showdown: &Showdown<'_>, sources: &mut Sources<'_>) {
        let book = sources.book;
        match self.reason {
            Reason::Foul => sources.about(&["setting", "player_foul"]),
            Reason::DealerPush(_) => {
                sources.about(&["base_game", "dealer_push"]);
                let foul = match self.who {
                    Party::Seat(seat) => {
                        showdown.player(seat).is_some_and(|player| matches!(player.laid, PlayedHand::Foul(_)))
                    }
                    _ => false,
                };
                if foul {
                    sources.about(&["base_game", "dealer_push_fouls"]);
                }
            }
            Reason::NotCovered => {
                sources.about(&["banking", "cover"]);
                sources.about(&["banking", "uncovered"]);
                sources.if_assumed(&["banking", "cover_use"]);
            }
            Reason::Collection => {
                sources.about(&["collection", "schedule"]);
                sources.if_assumed(&["collection", "taken"]);
            }
            Reason::TimeFee => sources.about(&["collection", "time_fee"]),
            Reason::BankSpent => sources.about(&["banking", "pays_from"]),
            Reason::BankerCommission => {
                sources.about(&["commission", "percent"]);
                sources.about(&["commission", "banker"]);
                self.rounded(book, sources);
            }
            Reason::Compared { high, low } => {
                sources.about(&["base_game", "wins"]);
                if self.outcome == Outcome::Win {
                    sources.about(&["base_game", "pays"]);
                }
                if high == HandComparison::Copy || low == HandComparison::Copy {
                    sources.about(&["base_game", "copies"]);
                }
                if self.outcome == Outcome::Win && matches!(self.who, Party::Seat(_)) {
                    if book.commission.basis_points > 0 {
                        sources.about(&["commission", "percent"]);
                    }
                    self.rounded(book, sources);
                }
                self.reset_sources(showdown, sources);
            }
            Reason::Row(_)
            | Reason::Limited(_)
            | Reason::NoRow
            | Reason::NotBeaten(_)
            | Reason::Envy { .. }
            | Reason::EnvyUnpaid { .. } => {}
        }
    }

    /// What has a foul hand set the house way, where that decided a comparison.
    fn reset_sources(&self, showdown: &Showdown<'_>, sources: &mut Sources<'_>) {
        if matches!(self.who, Party::Seat(seat) if showdown.reset(seat).is_some()) {
            sources.about(&["setting", "player_foul"]);
        }
        if showdown.banking_seat().is_some_and(|seat| showdown.reset(seat).is_some()) {
            sources.about(&["setting", "banker_foul"]);
        }
    }

    /// How the commission is rounded matters where it is no multiple of the unit.
    fn rounded(&self, book: &Rulebook, sources: &mut Sources<'_>) {
        if !book.commission.is_exact_on(self.stake) {
            sources.if_assumed(&["commission", "rounding"]);
            sources.if_assumed(&["commission", "unit"]);
        }
    }
}

/// Sources being collected, each once.
struct Sources<'a> {
    book: &'a Rulebook,
    found: Vec<LineSource>,
}

impl Sources<'_> {
    fn about(&mut self, path: &[&str]) {
        if let Some(provenance) = self.book.provenance(path) {
            self.push(path, provenance);
        }
    }

    fn if_assumed(&mut self, path: &[&str]) {
        let assumed = self.book.provenance(path).filter(|found| found.kind == ValueKind::Assumed);
        if let Some(provenance) = assumed {
            self.push(path, provenance);
        }
    }

    fn reading(&mut self, path: &[&str], reading: &str) {
        let because = Some(reading.to_owned());
        let provenance = Provenance { kind: ValueKind::Assumed, cite: None, because, range: ValueRange::Any };
        self.push(path, provenance);
    }

    fn push(&mut self, path: &[&str], provenance: Provenance) {
        let source = LineSource { value: path.join("."), provenance };
        if !self.found.contains(&source) {
            self.found.push(source);
        }
    }
}

/// The citation of several sources as one text, each passage once.
pub fn citation(sources: &[LineSource]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for source in sources {
        let text = source.provenance.to_string();
        if !text.is_empty() && !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join("; ")
}
