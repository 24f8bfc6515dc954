//! The side wagers of a report: every paytable with its figures.

use super::{DetectionFigures, MomentFigures, ReportedHits};
use crate::census::census;
use crate::odds::{OddsRequest, WagerAtStake, WagerOddsAnswer};
use crate::{Decimal, Work};
use paigow::rulebook::SideWager;
use paigow::{Pays, Paytable};
use paigow_math::{Exposure, WagerOdds};
use serde::Serialize;

/// A side wager with one paytable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportedWager {
    /// Title of the wager for display.
    pub title: String,
    /// Whether the book posts the paytable by default.
    pub posted: bool,
    /// The odds, as `paigow odds` gives them.
    #[serde(flatten)]
    pub odds: WagerOddsAnswer,
    /// Expected return of a unit wagered, with the wager: 1 minus the edge.
    pub expected_return: Decimal,
    /// Spread of the result. The odds have its standard deviation.
    pub moments: MomentFigures,
    /// Highest payments.
    pub exposure: ExposureFigures,
    /// Edge at the maximum stake, with the payout maximum.
    pub at_max_stake: WagerAtStake,
    /// Bands of the mean and rounds that detect a fault.
    pub detection: DetectionFigures,
    /// Number of hits of every row.
    pub hits: Vec<ReportedHits>,
}

/// Highest payments of a wager at its maximum stake.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ExposureFigures {
    /// The maximum stake.
    pub stake_cents: u64,
    /// Highest payout of one wager, with the payout maximum.
    pub wager_cents: u64,
    /// Highest sum that one hand can earn, with envy bonuses.
    pub hand_cents: u64,
    /// Upper bound of the payments of a round, with envy bonuses.
    pub round_cents: u64,
}

impl ReportedWager {
    pub(super) fn all_of(request: &OddsRequest, work: &Work) -> Vec<ReportedWager> {
        let wagers = request.paytables().map(|(wager, table)| ReportedWager::of(request, wager, table, work));
        wagers.collect()
    }

    fn of(request: &OddsRequest, wager: &SideWager, paytable: &Paytable, work: &Work) -> ReportedWager {
        let answer = WagerOddsAnswer::of(request, wager, paytable, work);
        let game = || request.game(paytable.joker, &[], work);
        let odds = WagerOdds::of(wager, paytable, census(paytable.joker), game);
        let moments = odds.moments();
        let paid = odds.rows.iter().filter(|(row, count)| row.pays != Pays::Push && *count > 0);
        let rarest = paid.map(|(_, count)| odds.probability(*count)).min();
        let names: Vec<String> = answer.rows.iter().map(|row| row.hand.clone()).collect();
        let Exposure { stake_cents, wager_cents, hand_cents, round_cents } =
            Exposure::of(wager, paytable, request.players);
        ReportedWager {
            title: wager.title.clone(),
            posted: wager.offered && wager.default == paytable.name,
            expected_return: Decimal(&paigow_math::Fraction::one() - &odds.edge()),
            at_max_stake: WagerAtStake::of(wager, &odds, wager.limits.max),
            detection: DetectionFigures::of(&moments, rarest.as_ref()),
            moments: MomentFigures::of(&moments),
            exposure: ExposureFigures { stake_cents, wager_cents, hand_cents, round_cents },
            hits: ReportedHits::all_of(&odds, &names),
            odds: answer,
        }
    }
}
