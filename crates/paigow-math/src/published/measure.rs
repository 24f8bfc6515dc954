//! What a figure is about, put together from the names of its row, its column and its table.

use super::FiguresFault;
use super::file::FigureTable;
use paigow::{HandClass, WinsOn};

/// What a figure of a row of hands tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Each {
    /// How many hands.
    Combinations,
    /// What part of all hands.
    Probability,
    /// What a wager of one wins there, or loses.
    Return,
    /// The same and the stake, which comes back with what is won.
    ReturnWithStake,
    /// What one other player's hand is worth to the holder of a button, per unit of the least wager that earns one.
    Envy,
}

/// A row of hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Of {
    /// What a paytable pays for, or a class among the hands it does not pay.
    Hands(WinsOn),
    /// All hands that no other row of the table is about.
    AllOther,
    /// All hands.
    Total,
}

/// A figure of a whole wager.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whole {
    /// The edge with so many players.
    Edge(u8),
    /// The edge with all seats taken.
    EdgeAtFullTable,
    HitFrequency,
}

/// What a figure is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell<'a> {
    /// The names of its row and its column.
    pub(super) row: &'a str,
    pub(super) column: &'a str,
    pub(super) paytable: &'a str,
    pub(super) measure: Measure,
}

/// What a figure tells of its wager.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Measure {
    Each(Each, Of),
    Whole(Whole),
}

/// What one name says.
enum Name<'a> {
    Paytable(&'a str),
    Each(Each),
    Of(Of),
    Whole(Whole),
}

impl<'a> Name<'a> {
    fn new(name: &'a str) -> Option<Name<'a>> {
        Some(match name {
            "combinations" => Name::Each(Each::Combinations),
            "probability" => Name::Each(Each::Probability),
            "return" => Name::Each(Each::Return),
            "return with stake" => Name::Each(Each::ReturnWithStake),
            "envy" => Name::Each(Each::Envy),
            "all-other" => Name::Of(Of::AllOther),
            "total" => Name::Of(Of::Total),
            "edge" | "no-envy" => Name::Whole(Whole::Edge(1)),
            "max-envy" => Name::Whole(Whole::EdgeAtFullTable),
            "hit-frequency" => Name::Whole(Whole::HitFrequency),
            _ => match name.split_once(' ') {
                Some(("table", paytable)) => Name::Paytable(paytable),
                Some((cards, "cards")) => Name::Of(Of::Hands(WinsOn::Cards(cards.parse().ok()?))),
                Some((players, "player" | "players")) => Name::Whole(Whole::Edge(players.parse().ok()?)),
                _ => Name::Of(Of::Hands(WinsOn::Class(HandClass::from_name(name)?))),
            },
        })
    }
}

impl Of {
    /// The hands a row of this name is about; none where it is about something else.
    pub(super) fn of_row(name: &str) -> Option<Of> {
        match Name::new(name) {
            Some(Name::Of(of)) => Some(of),
            _ => None,
        }
    }
}

impl<'a> Cell<'a> {
    /// Puts together what the table, the column and the row say.
    pub(super) fn new(
        table: &'a FigureTable,
        row: &'a str,
        column: &'a str,
    ) -> Result<Cell<'a>, FiguresFault> {
        let mut paytable = table.paytable.as_deref();
        let (mut each, mut of, mut whole) = (None, None, None);
        for name in table.is.as_deref().into_iter().chain([column, row]) {
            match Name::new(name) {
                Some(Name::Paytable(name)) => paytable = Some(name),
                Some(Name::Each(it)) => each = Some(it),
                Some(Name::Of(it)) => of = Some(it),
                Some(Name::Whole(it)) => whole = Some(it),
                None => return Err(FiguresFault(format!("{}: `{name}` means nothing", table.id))),
            }
        }
        // A row about the whole wager stands under some column, whatever that is for.
        let measure = match (whole, each, of) {
            (Some(whole), _, None) => Measure::Whole(whole),
            (None, Some(each), Some(of)) => Measure::Each(each, of),
            _ => return Err(FiguresFault(format!("{}: what is `{row}`, `{column}`?", table.id))),
        };
        let paytable = paytable
            .ok_or_else(|| FiguresFault(format!("{}: `{row}`, `{column}` has no paytable", table.id)))?;
        Ok(Cell { row, column, paytable, measure })
    }

    /// What it is called within its table.
    pub(super) fn name(&self) -> String {
        let Cell { row, column, .. } = self;
        let name = match (self.measure, Name::new(column)) {
            (Measure::Whole(_), Some(Name::Each(_))) => (*row).to_owned(),
            _ => format!("{row}/{column}"),
        };
        name.replace(' ', "-")
    }
}
