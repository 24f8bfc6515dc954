//! Voiding a round: everything goes back, before settlement or after it.
//!
//! After settlement the money has moved. What moved is asked of the journal, because payments depend on what players had when they
//! were made; the accounts then get back, or give back, the sum of the round.

use super::{Decider, transfer_id};
use crate::{
    Account, Actor, Owner, Purpose, TableEvent, TableRefusal, TransferKind, VoidReason, balances_of,
};

impl Decider<'_> {
    /// Voids the round that goes on, or the last one while no other has opened.
    pub(super) fn void_round(&mut self, by: Actor, reason: &VoidReason) -> Result<(), TableRefusal> {
        if let VoidReason::Other { text } = reason {
            super::check_text(text)?;
        }
        let Some(round) = &self.table.round else { return Err(TableRefusal::NoRound) };
        let secret = round.secret;
        match (round.over, round.is_settled()) {
            (false, _) => self.give_all_back(),
            // Changed rules say nothing about a round that was settled by the old ones.
            (true, true) if *reason != VoidReason::RulesChanged => self.reverse_settlement()?,
            (true, _) => return Err(TableRefusal::NoRound),
        }
        let until = self.until(self.table.config.clocks.between);
        self.emit(TableEvent::RoundVoided { secret, reason: reason.clone(), by, until });
        Ok(())
    }

    /// Moves everything that the round has moved back to where it was.
    fn reverse_settlement(&mut self) -> Result<(), TableRefusal> {
        let moved = self.moment.funds.of_round(self.table.id(), self.table.rounds);
        let (mut owing, mut owed) = (Vec::new(), Vec::new());
        for (account, net) in balances_of(&moved) {
            // Amounts at a table are far below where they could not be counted.
            let cents = u64::try_from(net.unsigned_abs()).unwrap_or(u64::MAX);
            match net {
                1.. => owing.push((account, cents)),
                0 => {}
                _ => owed.push((account, cents)),
            }
        }
        self.check_shortfalls(&owing)?;
        let mut number = 0;
        let mut owed = owed.into_iter();
        let mut next = owed.next();
        for (from, mut left) in owing {
            while left > 0
                && let Some((to, due)) = &mut next
            {
                let cents = left.min(*due);
                number += 1;
                let id = transfer_id(&self.table, &format!("r{number}"));
                let (debit, credit) = (from.owner.clone(), to.owner.clone());
                left -= cents;
                *due -= cents;
                if *due == 0 {
                    next = owed.next();
                }
                self.transfer(id, TransferKind::Plain, debit, credit, cents, Purpose::Voided);
            }
        }
        Ok(())
    }

    /// Names every player who no longer has what must be returned.
    fn check_shortfalls(&self, owing: &[(Account, u64)]) -> Result<(), TableRefusal> {
        let short = owing.iter().filter_map(|(account, cents)| {
            let Owner::Player(player) = &account.owner else { return None };
            let has = u64::try_from(self.moment.funds.cents(account)).unwrap_or(0);
            let missing = cents.checked_sub(has).filter(|missing| *missing > 0)?;
            Some(TableRefusal::VoidShortfall { player: player.clone(), cents: missing })
        });
        TableRefusal::all(short.collect())
    }
}
