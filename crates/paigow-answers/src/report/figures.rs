//! Every figure of a report under a path: the rows of `figures.csv`, and for comparisons of two reports.

use super::{BaseGamePlay, DetectionFigures, GameReport, MomentFigures, ReportedWager};
use crate::simulate::SimulatedWager;
use crate::{Decimal, SquareRoot};
use paigow_math::{DecimalRounding, Fraction};
use serde::Serialize;

/// A figure of a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportFigure {
    /// Path of the figure, such as `wagers.fortune.1.edge`.
    pub figure: String,
    /// The figure as an integer or a decimal.
    pub value: String,
    /// The figure as an exact fraction. `null` for integers and for roots.
    pub exact: Option<String>,
}

struct Figures(Vec<ReportFigure>);

/// Lists the figures of a report.
pub(super) fn all_of(report: &GameReport) -> Vec<ReportFigure> {
    let mut figures = Figures(Vec::new());
    figures.count("players", report.players);
    for (class, hands) in &report.census {
        figures.count(&format!("census.{class}"), *hands);
    }
    for (number, clause) in (1..).zip(&report.house_way.clauses) {
        figures.count(&format!("house_way.clauses.{number}.hands"), clause.hands);
        figures.count(&format!("house_way.clauses.{number}.classes"), clause.classes);
    }
    figures.base_game(report);
    for wager in &report.wagers {
        figures.wager(wager);
    }
    for (number, run) in (1..).zip(&report.simulation) {
        for wager in &run.wagers {
            figures.simulated(number, wager);
        }
    }
    figures.0
}

impl Figures {
    fn push(&mut self, figure: &str, value: String, exact: Option<String>) {
        self.0.push(ReportFigure { figure: figure.to_owned(), value, exact });
    }

    fn count(&mut self, figure: &str, count: impl std::fmt::Display) {
        self.push(figure, count.to_string(), None);
    }

    fn fraction(&mut self, figure: &str, Decimal(number): &Decimal) {
        self.push(figure, decimal(number), Some(number.to_string()));
    }

    fn root(&mut self, figure: &str, SquareRoot(square): &SquareRoot) {
        self.push(figure, square.root(crate::DIGITS), None);
    }

    fn moments(&mut self, path: &str, moments: &MomentFigures) {
        self.fraction(&format!("{path}.variance"), &moments.variance);
        self.root(&format!("{path}.standard_deviation"), &moments.standard_deviation);
        if let Some(skewness) = &moments.skewness {
            self.push(&format!("{path}.skewness"), skewness.clone(), None);
        }
        if let Some(squared) = &moments.skewness_squared_exact {
            self.fraction(&format!("{path}.skewness_squared"), &Decimal(squared.0.clone()));
        }
    }

    fn detection(&mut self, path: &str, detection: &DetectionFigures) {
        for band in &detection.bands {
            let path = format!("{path}.bands.{}", band.rounds);
            self.fraction(&format!("{path}.expected_return"), &band.expected_return);
            self.root(&format!("{path}.half_width_95"), &band.half_width_95);
            self.root(&format!("{path}.half_width_99"), &band.half_width_99);
            self.root(&format!("{path}.half_width_999"), &band.half_width_999);
            if let Some(error) = &band.normal_error {
                self.root(&format!("{path}.normal_error"), error);
            }
            if let Some(hits) = &band.rarest_hits {
                self.fraction(&format!("{path}.rarest_hits"), hits);
            }
        }
        for test in &detection.rounds_to_detect {
            let shift = test.shift.0.decimal(4, DecimalRounding::Rounded);
            let level = test.false_alarm_per_mille;
            self.count(&format!("{path}.rounds_to_detect.{shift}.{level}"), test.rounds);
        }
    }

    fn play(&mut self, play: &BaseGamePlay) {
        let path = format!("base_game.{}.{}", play.side, play.play);
        for (name, deals) in [("win", play.win), ("push", play.push), ("lose", play.lose)] {
            self.count(&format!("{path}.{name}"), deals);
        }
        for (name, number) in [
            ("win_probability", &play.win_probability),
            ("push_probability", &play.push_probability),
            ("lose_probability", &play.lose_probability),
            ("edge_before_commission", &play.edge_before_commission),
            ("commission_part", &play.commission_part),
            ("edge", &play.edge),
        ] {
            self.fraction(&format!("{path}.{name}"), number);
        }
        self.moments(&path, &play.moments);
        self.detection(&path, &play.detection);
    }

    fn base_game(&mut self, report: &GameReport) {
        let game = &report.base_game;
        self.count("base_game.deals", game.odds.deals);
        self.count("base_game.dealer_push", game.odds.dealer_push);
        self.fraction("base_game.copies_part", &game.odds.copies_part);
        let compared = &game.odds.compared;
        for (high, row) in [
            ("higher", compared.higher_behind),
            ("copy", compared.copy_behind),
            ("lower", compared.lower_behind),
        ] {
            let lows =
                [("higher", row.higher_in_front), ("copy", row.copy_in_front), ("lower", row.lower_in_front)];
            for (low, deals) in lows {
                self.count(&format!("base_game.compared.high_{high}.low_{low}"), deals);
            }
        }
        for play in &game.plays {
            self.play(play);
        }
        for at in &game.at_stakes {
            self.fraction(&format!("base_game.at_stake.{}.edge", at.stake_cents), &at.edge);
        }
        self.count("base_game.exposure.wager_cents", game.wager_exposure_cents);
        self.count("base_game.exposure.round_cents", game.round_exposure_cents);
    }

    fn wager(&mut self, wager: &ReportedWager) {
        let odds = &wager.odds;
        let path = format!("wagers.{}.{}", odds.wager, odds.paytable);
        for row in &odds.rows {
            let path = format!("{path}.rows.{}", row.hand);
            self.count(&format!("{path}.combinations"), row.combinations);
            self.count(&format!("{path}.pays"), row.pays);
            if let Some(cents) = row.envy_cents {
                self.count(&format!("{path}.envy_cents"), cents);
            }
            self.fraction(&format!("{path}.probability"), &row.probability);
            self.fraction(&format!("{path}.return"), &row.r#return);
        }
        self.count(&format!("{path}.losing"), odds.losing);
        self.fraction(&format!("{path}.edge"), &odds.edge);
        self.fraction(&format!("{path}.expected_return"), &wager.expected_return);
        self.fraction(&format!("{path}.hit_frequency"), &odds.hit_frequency);
        self.fraction(&format!("{path}.envy_return"), &odds.envy_return);
        self.moments(&path, &wager.moments);
        for (players, edge) in &odds.edge_by_players {
            self.fraction(&format!("{path}.edge_by_players.{players}"), edge);
        }
        self.fraction(&format!("{path}.at_max_stake.edge"), &wager.at_max_stake.at_stake.edge);
        let exposure = wager.exposure;
        for (name, cents) in [
            ("stake_cents", exposure.stake_cents),
            ("wager_cents", exposure.wager_cents),
            ("hand_cents", exposure.hand_cents),
            ("round_cents", exposure.round_cents),
        ] {
            self.count(&format!("{path}.exposure.{name}"), cents);
        }
        self.detection(&path, &wager.detection);
        for hits in &wager.hits {
            let path = format!("{path}.hits.{}.{}", hits.hand, hits.rounds);
            self.fraction(&format!("{path}.expected"), &hits.expected);
            self.count(&format!("{path}.least"), hits.least);
            self.count(&format!("{path}.most"), hits.most);
        }
    }

    fn simulated(&mut self, run: usize, wager: &SimulatedWager) {
        let mut path = format!("simulation.{run}.{}", wager.wager);
        for part in wager.paytable.as_deref().into_iter().chain(wager.envy.then_some("envy")) {
            path = format!("{path}.{part}");
        }
        if wager.banking {
            path += ".banking";
        }
        for (name, hands) in
            [("hands", wager.hands), ("win", wager.win), ("push", wager.push), ("lose", wager.lose)]
        {
            self.count(&format!("{path}.{name}"), hands);
        }
        self.fraction(&format!("{path}.observed_edge"), &wager.observed_edge);
        if let Some(edge) = &wager.exact_edge {
            self.fraction(&format!("{path}.exact_edge"), edge);
        }
        if let Some(error) = &wager.standard_error {
            self.root(&format!("{path}.standard_error"), error);
        }
        if let Some(deviation) = &wager.deviation {
            self.push(&format!("{path}.deviation"), deviation.clone(), None);
        }
    }
}

fn decimal(number: &Fraction) -> String {
    number.decimal(crate::DIGITS, DecimalRounding::Rounded)
}
