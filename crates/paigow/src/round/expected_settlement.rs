//! Expected settlement of a round file: after a line `---`, one line for each settlement line and one for the nets.
//!
//! ```text
//! seat 1 | pai-gow | 50.00 | win | +47.50 | SB-5 | Both hands win: even money less $2.50 commission.
//! net: seat-1 +47.50, banker 0.00, house -47.50
//! ```

use crate::{Line, Party, Seat, Settlement, Showdown, WagerRef};

/// Expected settlement of a round file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectedSettlement {
    /// Lines with their line numbers in the file.
    lines: Vec<(usize, String)>,
}

/// Difference between a settlement and the expected one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettlementDifference {
    /// An expected line is missing from the settlement.
    #[error("line {line}: expected but not settled: {text}")]
    Missing {
        /// Line number in the file.
        line: usize,
        /// Text of the line.
        text: String,
    },
    /// A line of the settlement is not expected.
    #[error("settled but not expected: {text}")]
    Unexpected {
        /// Text of the line.
        text: String,
    },
    /// The lines are the same in another order. This is the first that differs.
    #[error("line {line}: settled in another order: {text}")]
    Order {
        /// Line number in the file.
        line: usize,
        /// Text of the line.
        text: String,
    },
}

impl SettlementDifference {
    /// Line number in the file, if the difference concerns a line of the file.
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
    /// Line between the round and the expected settlement.
    pub const DIVIDER: &str = "---";

    /// Splits a file into the round and the expected settlement, if the file has one.
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

    /// Compares a settlement with the expected one. Trailing cells of a line and the line of the nets are optional.
    pub fn differences(&self, showdown: &Showdown<'_>, settlement: &Settlement) -> Vec<SettlementDifference> {
        let has_nets = self.lines.iter().any(|(_, line)| line.starts_with(NETS));
        let mut found = settlement.text(showdown);
        found.retain(|line| has_nets || !line.starts_with(NETS));
        let mut differences = Vec::new();
        let mut matched = Vec::new();
        for (line, text) in &self.lines {
            let index = (0..found.len()).find(|index| !matched.contains(index) && fits(text, &found[*index]));
            matched.extend(index);
            if index.is_none() {
                differences.push(SettlementDifference::Missing { line: *line, text: text.clone() });
            }
        }
        let unexpected = (0..found.len()).filter(|index| !matched.contains(index));
        differences
            .extend(unexpected.map(|index| SettlementDifference::Unexpected { text: found[index].clone() }));
        if differences.is_empty()
            && let Some(moved) = (0..matched.len()).find(|index| matched[*index] != *index)
        {
            let (line, text) = self.lines[moved].clone();
            differences.push(SettlementDifference::Order { line, text });
        }
        differences
    }
}

/// Prefix of the line of the nets.
const NETS: &str = "net:";

/// Returns whether the cells of a line start with the expected cells.
fn fits(expected: &str, found: &str) -> bool {
    let mut cells = found.split(" | ");
    expected.split(" | ").all(|cell| cells.next() == Some(cell))
}

impl Settlement {
    /// Formats the settlement as lines of text. The last line has the nets.
    pub fn text(&self, showdown: &Showdown<'_>) -> Vec<String> {
        let mut lines: Vec<String> = self.lines().iter().map(|line| line_text(line, showdown)).collect();
        let nets = self.nets();
        let seats = Seat::up_to(Seat::COUNT_MAX as u8).filter(|seat| showdown.player(*seat).is_some());
        let seats = seats.map(|seat| format!("seat-{} {}", seat.number(), nets.seats[seat.index()]));
        let others = [format!("banker {}", nets.banker), format!("house {}", nets.house)];
        let nets: Vec<String> = seats.chain(others).collect();
        lines.push(format!("{NETS} {}", nets.join(", ")));
        lines
    }
}

fn line_text(line: &Line, showdown: &Showdown<'_>) -> String {
    let who = match line.who {
        Party::Seat(seat) => seat.to_string(),
        Party::Dealer => "dealer".to_owned(),
        Party::Banker => "banker".to_owned(),
        Party::House => "house".to_owned(),
    };
    let wager = match line.wager {
        WagerRef::PaiGow => "pai-gow",
        WagerRef::Side(index) => &showdown.table_rules().wager(index.into()).name,
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
