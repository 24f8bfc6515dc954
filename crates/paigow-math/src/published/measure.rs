//! The quantity that a figure measures, derived from the names of its row, column and table.

use super::FiguresFault;
use super::file::FigureTable;
use paigow::{HandClass, WinsOn};

/// Measure of a row of hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RowMeasure {
    /// Number of hands.
    Combinations,
    /// Probability of the hands.
    Probability,
    /// Expected win or loss through the row, per unit wagered.
    Return,
    /// Expected win through the row plus the returned stake, per unit wagered.
    ReturnWithStake,
    /// Expected envy bonus from one other player's hand, per unit of the smallest wager that earns an envy button.
    Envy,
}

/// The hands of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RowHands {
    /// The hands of a paytable row, or the hands of a class that the paytable does not pay.
    Hands(WinsOn),
    /// All hands that no other row of the table covers.
    AllOther,
    /// All hands.
    Total,
}

/// Measure of a whole wager.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WagerMeasure {
    /// House edge with this many players.
    Edge(u8),
    /// House edge with all seats taken.
    EdgeAtFullTable,
    HitFrequency,
}

/// A cell of a table and the quantity that it measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell<'a> {
    /// Name of the row.
    pub(super) row: &'a str,
    /// Name of the column.
    pub(super) column: &'a str,
    pub(super) paytable: &'a str,
    pub(super) measure: Measure,
}

/// Measure of a figure: of a row of hands, or of a whole wager.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Measure {
    Row(RowMeasure, RowHands),
    Wager(WagerMeasure),
}

/// Meaning of the name of a row, column or table.
enum Name<'a> {
    Paytable(&'a str),
    RowMeasure(RowMeasure),
    RowHands(RowHands),
    WagerMeasure(WagerMeasure),
}

impl<'a> Name<'a> {
    fn new(name: &'a str) -> Option<Name<'a>> {
        Some(match name {
            "combinations" => Name::RowMeasure(RowMeasure::Combinations),
            "probability" => Name::RowMeasure(RowMeasure::Probability),
            "return" => Name::RowMeasure(RowMeasure::Return),
            "return with stake" => Name::RowMeasure(RowMeasure::ReturnWithStake),
            "envy" => Name::RowMeasure(RowMeasure::Envy),
            "all-other" => Name::RowHands(RowHands::AllOther),
            "total" => Name::RowHands(RowHands::Total),
            "edge" | "no-envy" => Name::WagerMeasure(WagerMeasure::Edge(1)),
            "max-envy" => Name::WagerMeasure(WagerMeasure::EdgeAtFullTable),
            "hit-frequency" => Name::WagerMeasure(WagerMeasure::HitFrequency),
            _ => match name.split_once(' ') {
                Some(("table", paytable)) => Name::Paytable(paytable),
                Some((cards, "cards")) => Name::RowHands(RowHands::Hands(WinsOn::Cards(cards.parse().ok()?))),
                Some((players, "player" | "players")) => {
                    Name::WagerMeasure(WagerMeasure::Edge(players.parse().ok()?))
                }
                _ => Name::RowHands(RowHands::Hands(WinsOn::Class(HandClass::from_name(name)?))),
            },
        })
    }
}

impl RowHands {
    /// Returns the hands that the name of a row denotes, or `None` if it denotes no hands.
    pub(super) fn from_name(name: &str) -> Option<RowHands> {
        match Name::new(name) {
            Some(Name::RowHands(hands)) => Some(hands),
            _ => None,
        }
    }
}

impl<'a> Cell<'a> {
    /// Combines the names of the table, the column and the row.
    pub(super) fn new(
        table: &'a FigureTable,
        row: &'a str,
        column: &'a str,
    ) -> Result<Cell<'a>, FiguresFault> {
        let mut paytable = table.paytable.as_deref();
        let (mut row_measure, mut hands, mut wager_measure) = (None, None, None);
        for name in table.measure.as_deref().into_iter().chain([column, row]) {
            match Name::new(name) {
                Some(Name::Paytable(name)) => paytable = Some(name),
                Some(Name::RowMeasure(measure)) => row_measure = Some(measure),
                Some(Name::RowHands(row)) => hands = Some(row),
                Some(Name::WagerMeasure(measure)) => wager_measure = Some(measure),
                None => return Err(FiguresFault(format!("{}: unknown name `{name}`", table.id))),
            }
        }
        let fault = |what: &str| FiguresFault(format!("{}: row `{row}`, column `{column}` {what}", table.id));
        // The measure of the column does not apply to a row about the whole wager.
        let measure = match (wager_measure, row_measure, hands) {
            (Some(measure), _, None) => Measure::Wager(measure),
            (None, Some(measure), Some(hands)) => Measure::Row(measure, hands),
            _ => return Err(fault("do not name one figure")),
        };
        let paytable = paytable.ok_or_else(|| fault("have no paytable"))?;
        Ok(Cell { row, column, paytable, measure })
    }

    /// Name of the figure within its table.
    pub(super) fn name(&self) -> String {
        let Cell { row, column, .. } = self;
        let name = match (self.measure, Name::new(column)) {
            (Measure::Wager(_), Some(Name::RowMeasure(_))) => (*row).to_owned(),
            _ => format!("{row}/{column}"),
        };
        name.replace(' ', "-")
    }
}
