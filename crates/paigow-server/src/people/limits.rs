//! Limits that players set for themselves: loss within days, and minutes of play within a day.
//!
//! A tighter limit applies at once. A looser one applies a day later, so that a player cannot lift a limit in the heat
//! of the moment.

use super::document::{DocumentKind, Stored};
use paigow_table::Time;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Milliseconds of a day.
pub(crate) const DAY_MS: u64 = 24 * 3_600_000;

/// Maximum loss within a number of days, in each currency.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LossLimit {
    /// Maximum loss in cents.
    pub(crate) cents: u64,
    /// Number of days: 1 or 7, counted back from the current time.
    #[schema(minimum = 1, maximum = 7)]
    pub(crate) days: u8,
}

impl LossLimit {
    /// Maximum number of days. Archives leave the transfers of this period in the store.
    pub(crate) const DAYS_MAX: u64 = 7;

    /// Start of the time within which losses count.
    pub(crate) fn start(self, now: Time) -> Time {
        now.minus(u64::from(self.days) * DAY_MS)
    }

    /// Whether no loss is allowed that `other` forbids.
    fn is_within(self, other: LossLimit) -> bool {
        self.cents <= other.cents && self.days >= other.days
    }
}

/// Limits in force or to come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ChosenLimits {
    pub(crate) loss: Option<LossLimit>,
    /// Maximum number of minutes in rounds with money at stake, within 24 hours.
    pub(crate) minutes: Option<u32>,
}

/// Why limits cannot be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum LimitsFault {
    /// The number of days is neither 1 nor 7.
    #[error("`loss.days` must be 1 or 7")]
    Days,
    /// The amount is larger than any wager.
    #[error("`loss.cents` may be at most {}", ChosenLimits::CENTS_MAX)]
    Cents,
    /// The number of minutes is not within a day.
    #[error("`minutes` must be 1 to {}", ChosenLimits::MINUTES_MAX)]
    Minutes,
}

impl LimitsFault {
    /// Stable code for programs.
    pub(crate) fn code(self) -> &'static str {
        match self {
            LimitsFault::Days => "limit_days",
            LimitsFault::Cents => "limit_cents",
            LimitsFault::Minutes => "limit_minutes",
        }
    }

    /// Field of the request.
    pub(crate) fn field(self) -> &'static str {
        match self {
            LimitsFault::Days => "loss.days",
            LimitsFault::Cents => "loss.cents",
            LimitsFault::Minutes => "minutes",
        }
    }
}

impl ChosenLimits {
    /// Maximum loss limit in cents.
    pub(crate) const CENTS_MAX: u64 = 1_000_000_000_000;
    /// Number of minutes in a day.
    pub(crate) const MINUTES_MAX: u32 = 1_440;

    /// Returns every fault of limits that a player chooses.
    pub(crate) fn faults(&self) -> Vec<LimitsFault> {
        let days = self.loss.filter(|loss| ![1, 7].contains(&loss.days)).map(|_| LimitsFault::Days);
        let cents = self.loss.filter(|loss| loss.cents > ChosenLimits::CENTS_MAX).map(|_| LimitsFault::Cents);
        let minutes = self.minutes.filter(|minutes| !(1..=ChosenLimits::MINUTES_MAX).contains(minutes));
        [days, cents, minutes.map(|_| LimitsFault::Minutes)].into_iter().flatten().collect()
    }
}

/// Limits that apply from a later time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct PendingLimits {
    pub(crate) limits: ChosenLimits,
    pub(crate) from: Time,
}

/// Limits of a player, stored by player id.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct PlayerLimits {
    current: ChosenLimits,
    pending: Option<PendingLimits>,
}

impl Stored for PlayerLimits {
    const KIND: DocumentKind = DocumentKind::Limits;
}

impl PlayerLimits {
    /// Returns the limits in force and those to come. Pending limits whose time has come are in force.
    pub(crate) fn at(self, now: Time) -> (ChosenLimits, Option<PendingLimits>) {
        match self.pending {
            Some(pending) if pending.from <= now => (pending.limits, None),
            pending => (self.current, pending),
        }
    }

    /// Returns the limits after a player has chosen others: the tighter parts at once, the looser parts a day later.
    pub(crate) fn choose(self, chosen: ChosenLimits, now: Time) -> PlayerLimits {
        let (current, pending) = self.at(now);
        let is_tighter = |new: Option<LossLimit>, old: Option<LossLimit>| match (new, old) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(new), Some(old)) => new.is_within(old),
        };
        let loss = if is_tighter(chosen.loss, current.loss) { chosen.loss } else { current.loss };
        let minutes = match (chosen.minutes, current.minutes) {
            (Some(new), Some(old)) => Some(new.min(old)),
            (new, old) => new.or(old),
        };
        let current = ChosenLimits { loss, minutes };
        let from = now.plus(DAY_MS);
        let pending = match pending {
            _ if current == chosen => None,
            // The same request again does not start the day again.
            Some(pending) if pending.limits == chosen => Some(pending),
            _ => Some(PendingLimits { limits: chosen, from }),
        };
        PlayerLimits { current, pending }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(loss: Option<(u64, u8)>, minutes: Option<u32>) -> ChosenLimits {
        ChosenLimits { loss: loss.map(|(cents, days)| LossLimit { cents, days }), minutes }
    }

    #[test]
    fn tighter_limits_apply_at_once_and_looser_ones_a_day_later() {
        let start = Time(1_000_000_000_000);
        let first = PlayerLimits::default().choose(limits(Some((5_000, 7)), Some(60)), start);
        assert_eq!(first.at(start), (limits(Some((5_000, 7)), Some(60)), None));
        // The minutes are tighter, the loss is looser.
        let mixed = limits(Some((6_000, 7)), Some(30));
        let second = first.choose(mixed, start);
        let from = start.plus(DAY_MS);
        let pending = Some(PendingLimits { limits: mixed, from });
        assert_eq!(second.at(start), (limits(Some((5_000, 7)), Some(30)), pending));
        assert_eq!(second.at(Time(from.0 - 1)), (limits(Some((5_000, 7)), Some(30)), pending));
        assert_eq!(second.at(from), (mixed, None));
        // Asking again changes nothing; asking for less drops the pending limits.
        assert_eq!(second.choose(mixed, start.plus(1_000)), second);
        let third = second.choose(limits(Some((1_000, 7)), Some(30)), start.plus(1_000));
        assert_eq!(third.at(from), (limits(Some((1_000, 7)), Some(30)), None));
    }

    #[test]
    fn lifting_and_shortening_are_looser() {
        let start = Time(1_000_000_000_000);
        let first = PlayerLimits::default().choose(limits(Some((5_000, 7)), Some(60)), start);
        for looser in [
            limits(None, Some(60)),
            limits(Some((5_000, 1)), Some(60)),
            limits(Some((1_000, 1)), Some(60)),
            limits(Some((5_000, 7)), None),
            limits(Some((5_000, 7)), Some(61)),
            limits(None, None),
        ] {
            let (current, pending) = first.choose(looser, start).at(start);
            assert_eq!(current, limits(Some((5_000, 7)), Some(60)), "{looser:?}");
            assert_eq!(pending.map(|pending| pending.limits), Some(looser));
        }
        let day = PlayerLimits::default().choose(limits(Some((5_000, 1)), None), start);
        assert_eq!(day.choose(limits(Some((5_000, 7)), None), start).at(start).1, None, "7 days are tighter");
    }

    #[test]
    fn every_fault_is_reported() {
        let codes =
            |limits: ChosenLimits| -> Vec<_> { limits.faults().into_iter().map(LimitsFault::code).collect() };
        assert_eq!(
            codes(limits(Some((u64::MAX, 2)), Some(0))),
            ["limit_days", "limit_cents", "limit_minutes"]
        );
        assert_eq!(codes(limits(Some((0, 1)), Some(1_440))), [""; 0]);
        assert_eq!(codes(limits(Some((1, 7)), Some(1_441))), ["limit_minutes"]);
    }
}
