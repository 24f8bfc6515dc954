//! The base game of a report: by outcome, commission and copies, with the house way, best play and banking.

use super::{DetectionFigures, MomentFigures};
use crate::exact::decimal_and_exact;
use crate::odds::{AtStake, BaseGameOdds, OddsRequest};
use crate::{Decimal, Exact, PricedGame, Work};
use paigow::Amount;
use paigow_math::{BaseOdds, DEALS, Fraction, Matchup, Outcomes, TableSide};
use serde::Serialize;

/// The base game of a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportedBaseGame {
    /// The odds of a player who sets by the dealer's house way, as `paigow odds` gives them.
    pub odds: BaseGameOdds,
    /// Each way to play, for a player and for a banking seat.
    pub plays: Vec<BaseGamePlay>,
    /// House edge at stakes, with the rounding of the commission and the collection fees of the book.
    pub at_stakes: Vec<AtStake>,
    /// Smallest stake.
    pub min_cents: u64,
    /// Largest stake.
    pub max_cents: u64,
    /// Highest net payment to one wager: the largest stake without its commission.
    pub wager_exposure_cents: u64,
    /// Highest net payment of a round, if all players win the largest stake.
    pub round_exposure_cents: u64,
    /// Whether best play was computed. A book with a push that no table of worths accounts for has none.
    pub has_best_play: bool,
}

/// A way to play the base game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BaseGamePlay {
    /// `player` or `banker`.
    pub side: &'static str,
    /// `house_way` or `best`.
    pub play: &'static str,
    /// Number of deals that win.
    pub win: i64,
    /// Number of deals that push.
    pub push: i64,
    /// Number of deals that lose.
    pub lose: i64,
    /// Probability of a win.
    pub win_probability: Decimal,
    /// Probability of a win as an exact fraction.
    pub win_probability_exact: Exact,
    /// Probability of a push.
    pub push_probability: Decimal,
    /// Probability of a push as an exact fraction.
    pub push_probability_exact: Exact,
    /// Probability of a loss.
    pub lose_probability: Decimal,
    /// Probability of a loss as an exact fraction.
    pub lose_probability_exact: Exact,
    /// Expected loss before commission, as a fraction of the wager.
    pub edge_before_commission: Decimal,
    /// Expected loss before commission as an exact fraction.
    pub edge_before_commission_exact: Exact,
    /// Expected commission, as a fraction of the wager.
    pub commission_part: Decimal,
    /// Expected commission as an exact fraction.
    pub commission_part_exact: Exact,
    /// Expected loss, as a fraction of the wager.
    pub edge: Decimal,
    /// Expected loss as an exact fraction.
    pub edge_exact: Exact,
    /// Spread of the result.
    #[serde(flatten)]
    pub moments: MomentFigures,
    /// Bands of the mean and rounds that detect a fault.
    pub detection: DetectionFigures,
}

/// Stakes at which the edge is shown, in cents. Those outside the limits of the book are left out.
const STAKES: [u64; 6] = [500, 1_000, 2_500, 10_000, 50_000, 100_000];

impl ReportedBaseGame {
    pub(super) fn of(request: &OddsRequest, games: &[PricedGame], work: &Work) -> ReportedBaseGame {
        let book = &request.book;
        let odds = BaseGameOdds::of(request, work);
        let game = |push| {
            work.base_game(&Matchup {
                player: &book.house_way,
                dealer: &book.house_way,
                ranking: book.ranking,
                dealer_push: push,
            })
        };
        let (copies, commission) = (book.base_game.copies, request.commission());
        let own = BaseOdds::of_player(&game(&book.base_game.dealer_push), copies, commission.clone());
        let mut plays = vec![BaseGamePlay::of(TableSide::Player, "house_way", &own)];
        let best = |side: TableSide| -> Option<Outcomes> {
            let game = games.iter().find(|game| game.side == side)?;
            Some(work.worth_table(&game.valuation()).best_outcomes())
        };
        let best_play = |side: TableSide| {
            best(side).map(|outcomes| {
                BaseGamePlay::of(side, "best", &BaseOdds { outcomes, commission: commission.clone() })
            })
        };
        plays.extend(best_play(TableSide::Player));
        if book.banking.seats_may_bank() {
            let banker = BaseOdds::of_banker(&game(&[]), copies, commission.clone());
            plays.push(BaseGamePlay::of(TableSide::Banker, "house_way", &banker));
            plays.extend(best_play(TableSide::Banker));
        }
        let limits = &book.base_game.limits;
        let stakes = [limits.min.cents()].into_iter().chain(STAKES).chain([limits.max.cents()]);
        let mut stakes: Vec<Amount> = stakes.map(Amount::from_cents).collect();
        stakes.retain(|stake| (limits.min..=limits.max).contains(stake) && *stake > Amount::ZERO);
        stakes.sort_unstable();
        stakes.dedup();
        let paid = limits.max.cents().saturating_sub(book.commission.amount_on(limits.max).cents());
        ReportedBaseGame {
            odds,
            has_best_play: plays.iter().any(|play| play.play == "best"),
            plays,
            at_stakes: stakes.into_iter().map(|stake| AtStake::of_base(book, &own, stake)).collect(),
            min_cents: limits.min.cents(),
            max_cents: limits.max.cents(),
            wager_exposure_cents: paid,
            round_exposure_cents: paid.saturating_mul(u64::from(request.players)),
        }
    }
}

impl BaseGamePlay {
    fn of(side: TableSide, play: &'static str, odds: &BaseOdds) -> BaseGamePlay {
        let Outcomes { win, push, lose } = odds.outcomes;
        let share = |deals: i128| decimal_and_exact(Fraction::new(deals, DEALS));
        let (win_probability, win_probability_exact) = share(win);
        let (push_probability, push_probability_exact) = share(push);
        let (lose_probability, lose_probability_exact) = share(lose);
        let (edge_before_commission, edge_before_commission_exact) =
            decimal_and_exact(odds.edge_before_commission());
        let (commission_part, commission_part_exact) = decimal_and_exact(odds.commission_part());
        let (edge, edge_exact) = decimal_and_exact(odds.edge());
        let moments = odds.moments();
        BaseGamePlay {
            side: side.name(),
            play,
            win: win as i64,
            push: push as i64,
            lose: lose as i64,
            win_probability,
            win_probability_exact,
            push_probability,
            push_probability_exact,
            lose_probability,
            lose_probability_exact,
            edge_before_commission,
            edge_before_commission_exact,
            commission_part,
            commission_part_exact,
            edge,
            edge_exact,
            detection: DetectionFigures::of(&moments, None),
            moments: MomentFigures::of(&moments),
        }
    }
}
