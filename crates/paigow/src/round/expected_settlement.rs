//! The settlement that a round's file expects: after a line `---`, one line for each line of the settlement and one for the nets.
//!
//! ```text
//! seat 1 | pai-gow | 50.00 | win | +47.50 | SB-5 | Both hands win: even money less $2.50 commission.
//! net: seat-1 +47.50, banker 0.00, house -47.50
//! ```

use crate::{Line, Party, Seat, Settlement, Showdown, WagerRef};

/// The settlement that a round's file expects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectedSettlement {
    /// The lines with their numbers in the file.
    lines: Vec<(usize, String)>,
}

/// How a settlement differs from the one that was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettlementDifference {
    /// A line of the file that the settlement does not have.
    #[error("line {line}: expected, and not settled: {text}")]
    Missing {
        /// The number of the line in the file.
        line: usize,
        /// The line.
        text: String,
    },
    /// A line of the settlement that the file does not have.
    #[error("settled, and not expected: {text}")]
    Unexpected {
        /// The line.
        text: String,
    },
    /// The lines are the same, and this is the first that comes elsewhere.
    #[error("line {line}: settled in another order: {text}")]
    Order {
        /// The number of the line in the file.
        line: usize,
        /// The line.
        text: String,
    },
}

impl SettlementDifference {
    /// The number of the line in the file, if the difference is about one.
    pub fn line(&self) -> Option<usize> {
        match self {
            SettlementDifference::Missing { line, .. } | SettlementDifference::Order { line, .. } => {
                Some(*line)
            }
            SettlementDifference::Unexpected { .. } => None,
        }
    }
}

impl ExpectedSettlement {
    /// Between the round and the settlement that is expected.
    pub const DIVIDER: &str = "---";

    /// Splits a file into the round and the settlement that is expected, if the file has one.
    pub fn split(text: &str) -> (&str, Option<ExpectedSettlement>) {
        let mut start = 0;
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let end = start + line.len();
            if line.trim_end() == ExpectedSettlement::DIVIDER {
                let rest = (number + 1..).zip(text[end..].lines());
                let lines = rest.filter(|(_, line)| !line.trim().is_empty());
                let lines: Vec<_> = lines.map(|(number, line)| (number, line.trim().to_owned())).collect();
                return (
                    &text[..start],
                    Some(ExpectedSettlement { lines }).filter(|expected| !expected.lines.is_empty()),
                );
            }
            start = end;
        }
        (text, None)
    }

    /// Compares a settlement with this one. A line may leave out cells at its end, and the nets may be left out.
    pub fn differences(&self, showdown: &Showdown<'_>, settlement: &Settlement) -> Vec<SettlementDifference> {
        let has_nets = self.lines.iter().any(|(_, line)| line.starts_with(NETS));
        let mut found = settlement.text(showdown);
        found.retain(|line| has_nets || !line.starts_with(NETS));
        let mut differences = Vec::new();
        let mut places = Vec::new();
        for (line, text) in &self.lines {
            let place = (0..found.len()).find(|place| !places.contains(place) && fits(text, &found[*place]));
            places.extend(place);
            if place.is_none() {
                differences.push(SettlementDifference::Missing { line: *line, text: text.clone() });
            }
        }
        let unexpected = (0..found.len()).filter(|place| !places.contains(place));
        differences
            .extend(unexpected.map(|place| SettlementDifference::Unexpected { text: found[place].clone() }));
        if differences.is_empty()
            && let Some(moved) = (0..places.len()).find(|place| places[*place] != *place)
        {
            let (line, text) = self.lines[moved].clone();
            differences.push(SettlementDifference::Order { line, text });
        }
        differences
    }
}

/// How the line of the nets begins.
const NETS: &str = "net:";

/// Whether a line's cells begin with those that are expected.
fn fits(expected: &str, found: &str) -> bool {
    let mut cells = found.split(" | ");
    expected.split(" | ").all(|cell| cells.next() == Some(cell))
}

impl Settlement {
    /// The settlement as lines of text, the nets last.
    pub fn text(&self, showdown: &Showdown<'_>) -> Vec<String> {
        let mut lines: Vec<String> = self.lines().iter().map(|line| text_of(line, showdown)).collect();
        let nets = self.nets();
        let seats = Seat::first(Seat::COUNT_MAX as u8).filter(|seat| showdown.player(*seat).is_some());
        let seats = seats.map(|seat| format!("seat-{} {}", seat.number(), nets.seats[seat.index()]));
        let others = [format!("banker {}", nets.banker), format!("house {}", nets.house)];
        let nets: Vec<String> = seats.chain(others).collect();
        lines.push(format!("{NETS} {}", nets.join(", ")));
        lines
    }
}

fn text_of(line: &Line, showdown: &Showdown<'_>) -> String {
    let who = match line.who {
        Party::Seat(seat) => seat.to_string(),
        Party::Dealer => "dealer".to_owned(),
        Party::Banker => "banker".to_owned(),
        Party::House => "house".to_owned(),
    };
    let wager = match line.wager {
        WagerRef::PaiGow => "pai-gow",
        WagerRef::Side(place) => &showdown.table_rules().wager(place.into()).name,
    };
    let cells = [
        who,
        wager.to_owned(),
        line.stake.to_string(),
        line.outcome.name().to_owned(),
        line.net.to_string(),
        crate::citation(&line.sources(showdown)),
        line.because(showdown),
    ];
    cells.join(" | ")
}
