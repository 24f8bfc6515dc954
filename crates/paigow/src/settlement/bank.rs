//! Payment of side wagers and envy bonuses by a banking seat, from the amount put up less the base wagers paid.

use super::Settler;
use crate::rulebook::CoverUse;
use crate::{Amount, Line, Net, Outcome, Party, Pays, Reason, Seat, WagerRef};

/// Returns the cents that a banking seat pays by these lines. Amounts it collects are not deducted.
pub(super) fn paid<'a>(lines: impl IntoIterator<Item = &'a Line>) -> u64 {
    let against = lines.into_iter().filter(|line| line.against == Party::Banker);
    against.map(|line| (line.net.0 + line.fee.cents().cast_signed()).max(0).cast_unsigned()).sum()
}

/// Returns the cents that a banking seat collects by these lines.
fn collected<'a>(lines: impl IntoIterator<Item = &'a Line>) -> u64 {
    let against = lines.into_iter().filter(|line| line.against == Party::Banker);
    against.map(|line| line.net.0.min(0).unsigned_abs()).sum()
}

/// Returns the part of a losing line that the remaining cents cover, or `None` if none do.
fn part_lost(line: Line, rest: u64) -> Option<Line> {
    let covered = Amount::from_cents(rest.min(line.stake.cents()));
    (covered > Amount::ZERO).then(|| Line { stake: covered, net: Net::lost(covered), ..line })
}

impl Settler<'_> {
    /// Pays side wagers from the remaining amount that a banking seat has put up, in the order of the lines.
    ///
    /// A winning wager that exceeds the rest has action for the part of its stake that can be paid in full. A losing
    /// wager has action for at most the rest, so that a bank with little money left cannot win a large wager. With
    /// nothing left, no wager has action.
    pub(super) fn pay_from_put_up(&mut self) {
        let Some(put_up) = self.showdown.put_up() else { return };
        let base = self.lines.iter().filter(|line| line.wager == WagerRef::PaiGow);
        // With `once_in_all`, wagers that the bank wins use cover as well.
        let once_in_all = self.table_rules.book().banking.cover_use == CoverUse::OnceInAll;
        let collected = if once_in_all { collected(base.clone()) } else { 0 };
        let mut rest = put_up.cents().saturating_sub(paid(base)).saturating_sub(collected);
        let mut next = 0;
        while next < self.lines.len() {
            let line = self.lines[next];
            next += 1;
            let WagerRef::Side(index) = line.wager else { continue };
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
                _ => self.part_paid(line, usize::from(index), rest),
            };
            rest -= paid.map_or(0, |paid| used(paid.net));
            let covered = paid.map_or(0, |paid| paid.stake.cents());
            let returned = Line {
                stake: Amount::from_cents(line.stake.cents() - covered),
                outcome: Outcome::NoAction,
                net: Net(0),
                reason: Reason::BankSpent,
                ..line
            };
            match paid {
                None => self.lines[next - 1] = returned,
                Some(paid) => {
                    self.lines[next - 1] = paid;
                    self.lines.insert(next, returned);
                    next += 1;
                }
            }
        }
        self.rest = Some(rest);
    }

    /// Returns the part of a winning line that the remaining cents pay in full, or `None` if none does.
    fn part_paid(&self, line: Line, index: usize, rest: u64) -> Option<Line> {
        let (Reason::Row(row) | Reason::Limited(row)) = line.reason else { return None };
        let Pays::ToOne(times) = self.table_rules.row(index, row).pays else { return None };
        let covered = Amount::from_cents(rest.checked_div(times.into())?.min(line.stake.cents()));
        (covered > Amount::ZERO).then(|| Line {
            stake: covered,
            net: Net::won(covered.times(times)),
            reason: Reason::Row(row),
            ..line
        })
    }

    /// Returns whether a seat's side wager has action, in full or in part.
    pub(super) fn has_action(&self, seat: Seat, index: usize) -> bool {
        let mut own = self
            .lines
            .iter()
            .filter(|line| line.who == Party::Seat(seat) && line.wager == WagerRef::Side(index as u8));
        own.any(|line| matches!(line.outcome, Outcome::Win | Outcome::Lose | Outcome::Push))
    }

    /// Pays an envy bonus for another seat's hand, up to the remaining money.
    pub(super) fn pay_envy_bonus(
        &mut self,
        holder: Seat,
        index: usize,
        stake: Amount,
        amount: Amount,
        (of, row): (Seat, u8),
    ) {
        let against = self.payer(index);
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
            wager: WagerRef::Side(index as u8),
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
