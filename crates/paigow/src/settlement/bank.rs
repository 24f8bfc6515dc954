//! What a banking seat pays side wagers and envy bonuses with: what it has put up, less the base wagers it has paid.

use super::Settler;
use crate::rulebook::CoverUse;
use crate::{Amount, Line, Net, Outcome, Party, Pays, Reason, Seat, WagerRef};

/// How many cents a banking seat pays out by these lines; what it collects is not set against it.
pub(super) fn paid<'a>(lines: impl IntoIterator<Item = &'a Line>) -> u64 {
    let against = lines.into_iter().filter(|line| line.against == Party::Banker);
    against.map(|line| (line.net.0 + line.fee.cents().cast_signed()).max(0).cast_unsigned()).sum()
}

/// How many cents a banking seat collects by these lines.
fn won<'a>(lines: impl IntoIterator<Item = &'a Line>) -> u64 {
    let against = lines.into_iter().filter(|line| line.against == Party::Banker);
    against.map(|line| line.net.0.min(0).unsigned_abs()).sum()
}

/// The part of a losing line that is no larger than what is left.
fn part_lost(line: Line, rest: u64) -> Option<Line> {
    let covered = Amount::from_cents(rest.min(line.stake.cents()));
    (covered > Amount::ZERO).then(|| Line { stake: covered, net: Net::lost(covered), ..line })
}

impl Settler<'_> {
    /// Pays side wagers from what is left of what a banking seat has put up, in the order of the lines. A winning wager that this
    /// does not reach has action for as much of its stake as can be paid in full; a losing wager for no more than is left, because a
    /// bank that can pay a cent is not to win a fortune. With nothing left no wager has action.
    pub(super) fn pay_from_put_up(&mut self) {
        let Some(put_up) = self.showdown.put_up() else { return };
        let base = self.lines.iter().filter(|line| line.wager == WagerRef::PaiGow);
        // A dollar that answers one wager in all is used by a wager that the bank wins as well.
        let once_in_all = self.table_rules.book().banking.cover_use == CoverUse::OnceInAll;
        let won = if once_in_all { won(base.clone()) } else { 0 };
        let mut rest = put_up.cents().saturating_sub(paid(base)).saturating_sub(won);
        let mut at = 0;
        while at < self.lines.len() {
            let line = self.lines[at];
            at += 1;
            let WagerRef::Side(place) = line.wager else { continue };
            if line.against != Party::Banker {
                continue;
            }
            let owed = line.net.0.max(0).cast_unsigned();
            let lost = line.net.0.min(0).unsigned_abs();
            let used = |net: Net| match net.0 {
                0.. => net.0.cast_unsigned(),
                lost if once_in_all => lost.unsigned_abs(),
                _ => 0,
            };
            if rest > 0 && owed <= rest && lost <= rest {
                rest -= used(line.net);
                continue;
            }
            let paid = match line.outcome {
                Outcome::Lose => part_lost(line, rest),
                _ => self.part_paid(line, usize::from(place), rest),
            };
            rest -= paid.map_or(0, |paid| used(paid.net));
            let covered = paid.map_or(0, |paid| paid.stake.cents());
            let back = Line {
                stake: Amount::from_cents(line.stake.cents() - covered),
                outcome: Outcome::NoAction,
                net: Net(0),
                reason: Reason::BankSpent,
                ..line
            };
            match paid {
                None => self.lines[at - 1] = back,
                Some(paid) => {
                    self.lines[at - 1] = paid;
                    self.lines.insert(at, back);
                    at += 1;
                }
            }
        }
        self.rest = Some(rest);
    }

    /// The part of a winning line that so many cents pay in full.
    fn part_paid(&self, line: Line, place: usize, rest: u64) -> Option<Line> {
        let (Reason::Row(row) | Reason::Limited(row)) = line.reason else { return None };
        let Pays::ToOne(times) = self.table_rules.row(place, row).pays else { return None };
        let covered = Amount::from_cents(rest.checked_div(times.into())?.min(line.stake.cents()));
        (covered > Amount::ZERO).then(|| Line {
            stake: covered,
            net: Net::won(covered.times(times)),
            reason: Reason::Row(row),
            ..line
        })
    }

    /// Whether a seat's side wager has action, whole or in part.
    pub(super) fn has_action(&self, seat: Seat, place: usize) -> bool {
        let mut own = self
            .lines
            .iter()
            .filter(|line| line.who == Party::Seat(seat) && line.wager == WagerRef::Side(place as u8));
        own.any(|line| matches!(line.outcome, Outcome::Win | Outcome::Lose | Outcome::Push))
    }

    /// An envy bonus for another seat's hand, paid as far as the money reaches.
    pub(super) fn pay_envy_bonus(
        &mut self,
        holder: Seat,
        place: usize,
        stake: Amount,
        amount: Amount,
        (of, row): (Seat, u8),
    ) {
        let against = self.payer(place);
        let paid = match &mut self.rest {
            Some(rest) if against == Party::Banker => {
                let paid = amount.min(Amount::from_cents(*rest));
                *rest -= paid.cents();
                paid
            }
            _ => amount,
        };
        let line = Line {
            who: Party::Seat(holder),
            wager: WagerRef::Side(place as u8),
            stake,
            outcome: Outcome::Envy,
            net: Net::won(paid),
            fee: Amount::ZERO,
            against,
            reason: Reason::Envy { of, row },
        };
        if paid > Amount::ZERO || amount == Amount::ZERO {
            self.lines.push(line);
        }
        if paid < amount {
            let unpaid = Amount::from_cents(amount.cents() - paid.cents());
            self.lines.push(Line {
                stake: Amount::ZERO,
                outcome: Outcome::NoAction,
                net: Net(0),
                reason: Reason::EnvyUnpaid { of, row, unpaid },
                ..line
            });
        }
    }
}
