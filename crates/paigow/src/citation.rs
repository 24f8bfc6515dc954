//! Which values of the book a line of a settlement follows from, and where those come from.

use crate::document::{Provenance, Range, ValueKind};
use crate::rulebook::{Per, Rulebook};
use crate::{Compared, Laid, Line, Outcome, Party, Reason, Showdown, WagerRef};

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
        let posting = showdown.posting();
        let mut sources = Sources { book: posting.book(), found: Vec::new() };
        let banked = showdown.banking_seat().is_some();
        match self.wager {
            WagerRef::PaiGow => self.base_sources(showdown, &mut sources),
            WagerRef::Side(position) => {
                let position = usize::from(position);
                let (wager, paytable) = (posting.wager(position), posting.paytable(position));
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
                    Reason::Envy { .. } => {
                        sources.about(&path(&["envy", "paid"]));
                        sources.if_assumed(&pays);
                    }
                    Reason::Limited(_) => {
                        sources.about(&pays);
                        sources.about(&path(&["payout_max", "amount"]));
                        let per_round = wager.payout_max.as_ref().is_some_and(|max| max.per == Per::Round);
                        let how = if per_round { "shared" } else { "per" };
                        sources.if_assumed(&path(&["payout_max", how]));
                    }
                    _ => sources.about(&pays),
                }
                if let Reason::Row(row) | Reason::Limited(row) | Reason::Envy { row, .. } = self.reason
                    && let Some(reading) =
                        posting.book().reading(&wager.name, &paytable.name, usize::from(row))
                {
                    sources.reading(&pays, reading);
                }
                sources.if_assumed(&path(&["looks_at"]));
                if banked {
                    sources.if_assumed(&path(&["settled_by"]));
                }
            }
        }
        sources.found
    }

    fn base_sources(&self, showdown: &Showdown<'_>, sources: &mut Sources<'_>) {
        let book = sources.book;
        match self.reason {
            Reason::Foul => sources.about(&["setting", "player_foul"]),
            Reason::DealerPush(_) => {
                sources.about(&["base_game", "dealer_push"]);
                let foul = match self.who {
                    Party::Seat(seat) => {
                        showdown.player(seat).is_some_and(|player| matches!(player.laid, Laid::Foul(_)))
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
                if high == Compared::Copy || low == Compared::Copy {
                    sources.about(&["base_game", "copies"]);
                }
                if self.outcome == Outcome::Win && matches!(self.who, Party::Seat(_)) {
                    if book.commission.basis_points > 0 {
                        sources.about(&["commission", "percent"]);
                    }
                    self.rounded(book, sources);
                }
            }
            Reason::Row(_)
            | Reason::Limited(_)
            | Reason::NoRow
            | Reason::NotBeaten(_)
            | Reason::Envy { .. }
            | Reason::EnvyUnpaid { .. } => {}
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
        let provenance = Provenance { kind: ValueKind::Assumed, cite: None, because, range: Range::Any };
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
