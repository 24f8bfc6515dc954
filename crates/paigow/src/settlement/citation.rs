//! Values of the book that decide a settlement line, with their provenance.

use crate::bonus::other_reading_classes;
use crate::document::{Provenance, ValueKind, ValueRange};
use crate::rulebook::{DecidingCards, PayoutScope, Rulebook};
use crate::{
    HandComparison, Line, Outcome, Party, PlayedHand, Reason, SevenCards, Showdown, WagerRef, WinsOn,
};

/// A value of the book that decides a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineSource {
    /// Path of the value in the file.
    pub value: String,
    /// Provenance of the value.
    pub provenance: Provenance,
}

impl Line {
    /// Returns the values that decide the line: the main ones, and all others that are assumed.
    pub fn sources(&self, showdown: &Showdown<'_>) -> Vec<LineSource> {
        let table_rules = showdown.table_rules();
        let mut sources = SourceCollector { book: table_rules.book(), found: Vec::new() };
        let banked = showdown.banking_seat().is_some();
        match self.wager {
            WagerRef::PaiGow => self.base_sources(showdown, &mut sources),
            WagerRef::Side(index) => {
                let index = usize::from(index);
                let (wager, paytable) = (table_rules.wager(index), table_rules.paytable(index));
                let path = |rest: &[&'static str]| [&["wagers", wager.name.as_str()], rest].concat();
                let pays = ["wagers", wager.name.as_str(), "paytables", paytable.name.as_str(), "pays"];
                match self.reason {
                    Reason::NotBeaten(_) => sources.add(&path(&["player_must_beat"])),
                    Reason::Foul => sources.add(&["setting", "player_foul"]),
                    Reason::Collection => {
                        sources.add(&["collection", "bonus"]);
                        sources.add_if_assumed(&["collection", "taken"]);
                    }
                    Reason::BankSpent | Reason::EnvyUnpaid { .. } => {
                        sources.add(&["banking", "pays_from"]);
                        sources.add_if_assumed(&["banking", "uncovered"]);
                    }
                    Reason::Envy { of, .. } => {
                        sources.add(&path(&["envy", "paid"]));
                        if showdown.banking_seat() == Some(of) {
                            sources.add(&path(&["envy", "banker_hand"]));
                        }
                        sources.add_if_assumed(&pays);
                    }
                    Reason::Limited(_) => {
                        sources.add(&pays);
                        sources.add(&path(&["payout_max", "amount"]));
                        sources.add_if_assumed(&path(&["payout_max", "per"]));
                        if wager.payout_max.as_ref().is_some_and(|max| max.per == PayoutScope::Round) {
                            sources.add_if_assumed(&path(&["payout_max", "shared"]));
                        }
                    }
                    _ => sources.add(&pays),
                }
                if let Reason::Row(row) | Reason::Limited(row) | Reason::Envy { row, .. } = self.reason
                    && let Some(reading) =
                        table_rules.book().reading(&wager.name, &paytable.name, usize::from(row))
                {
                    sources.add_reading(&pays, reading);
                }
                for row in self.rows_by_other_reading(showdown, index) {
                    if let Some(reading) = table_rules.book().reading(&wager.name, &paytable.name, row) {
                        sources.add_reading(&pays, reading);
                    }
                }
                sources.add_if_assumed(&path(&["looks_at"]));
                if matches!(self.who, Party::Seat(seat) if showdown.banking_seat() == Some(seat)) {
                    sources.add(&path(&["banker_wagers"]));
                }
                if banked {
                    sources.add_if_assumed(&path(&["settled_by"]));
                }
            }
        }
        sources.found
    }

    /// Returns the rows that would pay more than the line under the alternative reading of their hand.
    fn rows_by_other_reading(&self, showdown: &Showdown<'_>, index: usize) -> Vec<usize> {
        let table_rules = showdown.table_rules();
        let hand = match (self.reason, table_rules.wager(index).looks_at, self.who) {
            (Reason::Envy { of, .. }, ..) => showdown.player(of).map(|player| player.hand),
            (_, DecidingCards::PlayerHand, Party::Seat(seat)) => {
                showdown.player(seat).map(|player| player.hand)
            }
            (_, DecidingCards::DealerHand, _) => showdown.dealer().map(|dealer| dealer.hand),
            _ => None,
        };
        let classes = other_reading_classes(hand.map(SevenCards::cards).unwrap_or_default());
        let rows = table_rules.paytable(index).rows.iter().enumerate();
        let pays_more = rows.filter(|(_, row)| match self.reason {
            Reason::Envy { row: paid, .. } => row.envy > table_rules.row(index, paid).envy,
            Reason::Row(paid) | Reason::Limited(paid) => row.pays > table_rules.row(index, paid).pays,
            Reason::NoRow => true,
            _ => false,
        });
        let by_other = |wins_on| matches!(wins_on, WinsOn::Class(class) if classes.contains(class));
        pays_more.filter(|(_, row)| by_other(row.wins_on)).map(|(row, _)| row).collect()
    }

    fn base_sources(&self, showdown: &Showdown<'_>, sources: &mut SourceCollector<'_>) {
        let book = sources.book;
        match self.reason {
            Reason::Foul => sources.add(&["setting", "player_foul"]),
            Reason::DealerPush(_) => {
                sources.add(&["base_game", "dealer_push"]);
                let foul = match self.who {
                    Party::Seat(seat) => showdown
                        .player(seat)
                        .is_some_and(|player| matches!(player.played, PlayedHand::Foul(_))),
                    _ => false,
                };
                if foul {
                    sources.add(&["base_game", "dealer_push_fouls"]);
                }
            }
            Reason::NotCovered => {
                sources.add(&["banking", "cover"]);
                sources.add(&["banking", "uncovered"]);
                sources.add_if_assumed(&["banking", "cover_use"]);
            }
            Reason::Collection => {
                sources.add(&["collection", "schedule"]);
                sources.add_if_assumed(&["collection", "taken"]);
            }
            Reason::TimeFee => sources.add(&["collection", "time_fee"]),
            Reason::BankSpent => sources.add(&["banking", "pays_from"]),
            Reason::BankerCommission => {
                sources.add(&["commission", "percent"]);
                sources.add(&["commission", "banker"]);
                self.rounding_sources(book, sources);
            }
            Reason::Compared { high, low } => {
                sources.add(&["base_game", "wins"]);
                if self.outcome == Outcome::Win {
                    sources.add(&["base_game", "pays"]);
                }
                if high == HandComparison::Copy || low == HandComparison::Copy {
                    sources.add(&["base_game", "copies"]);
                }
                if self.outcome == Outcome::Win && matches!(self.who, Party::Seat(_)) {
                    if book.commission.basis_points > 0 {
                        sources.add(&["commission", "percent"]);
                    }
                    self.rounding_sources(book, sources);
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

    /// Adds the rules that have foul hands set the house way, if that affected the comparison.
    fn reset_sources(&self, showdown: &Showdown<'_>, sources: &mut SourceCollector<'_>) {
        if matches!(self.who, Party::Seat(seat) if showdown.reset(seat).is_some()) {
            sources.add(&["setting", "player_foul"]);
        }
        if showdown.banking_seat().is_some_and(|seat| showdown.reset(seat).is_some()) {
            sources.add(&["setting", "banker_foul"]);
        }
    }

    /// Adds the rounding rules, if the commission is not a multiple of the unit.
    fn rounding_sources(&self, book: &Rulebook, sources: &mut SourceCollector<'_>) {
        if !book.commission.is_exact_for(self.stake) {
            sources.add_if_assumed(&["commission", "rounding"]);
            sources.add_if_assumed(&["commission", "unit"]);
        }
    }
}

/// Collector of sources without duplicates.
struct SourceCollector<'a> {
    book: &'a Rulebook,
    found: Vec<LineSource>,
}

impl SourceCollector<'_> {
    /// Adds the value at a path.
    fn add(&mut self, path: &[&str]) {
        if let Some(provenance) = self.book.provenance(path) {
            self.push(path, provenance);
        }
    }

    /// Adds the value at a path if it is assumed.
    fn add_if_assumed(&mut self, path: &[&str]) {
        let assumed = self.book.provenance(path).filter(|found| found.kind == ValueKind::Assumed);
        if let Some(provenance) = assumed {
            self.push(path, provenance);
        }
    }

    /// Adds an interpretation of a paytable row.
    fn add_reading(&mut self, path: &[&str], reading: &str) {
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

/// Formats the citations of several sources as one text, each passage once.
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
