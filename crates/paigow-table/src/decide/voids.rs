//! Voiding a round: all money is returned, before settlement or after it.
//!
//! After settlement the money has moved. The journal says which transfers were made, because payments depended on
//! balances at that time. Each account then pays or receives its net amount of the round.

use super::{Decider, transfer_id};
use crate::{
    Account, Actor, Owner, Purpose, TableEvent, TableRefusal, TransferKind, VoidReason, balances_of,
};

impl Decider<'_> {
    /// Voids the round in progress, or the settled round until the next one opens.
    pub(super) fn void_round(&mut self, by: Actor, reason: &VoidReason) -> Result<(), TableRefusal> {
        if let VoidReason::Other { text } = reason {
            super::check_text(text)?;
        }
        let Some(round) = &self.table.round else { return Err(TableRefusal::NoRound) };
        let secret = round.secret;
        match (round.over, round.is_settled()) {
            (false, _) => self.return_all_holds(),
            // Changed rules are no reason to void a round that was settled by the old rules.
            (true, true) if *reason != VoidReason::RulesChanged => self.reverse_settlement()?,
            (true, _) => return Err(TableRefusal::NoRound),
        }
        let until = self.until(self.table.config.clocks.between);
        self.emit(TableEvent::RoundVoided { secret, reason: reason.clone(), by, until });
        Ok(())
    }

    /// Reverses the net effect of the round's transfers on every account.
    fn reverse_settlement(&mut self) -> Result<(), TableRefusal> {
        let moved = self.context.funds.round_transfers(self.table.id(), self.table.rounds);
        let (mut owing, mut owed) = (Vec::new(), Vec::new());
        for (account, net) in balances_of(&moved) {
            // Amounts at a table are far below the limits of the type.
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

    /// Refuses if players no longer have the money to be returned, and names each of them.
    fn check_shortfalls(&self, owing: &[(Account, u64)]) -> Result<(), TableRefusal> {
        let short = owing.iter().filter_map(|(account, cents)| {
            let Owner::Player(player) = &account.owner else { return None };
            let has = u64::try_from(self.context.funds.cents(account)).unwrap_or(0);
            let missing = cents.checked_sub(has).filter(|missing| *missing > 0)?;
            Some(TableRefusal::VoidShortfall { player: player.clone(), cents: missing })
        });
        TableRefusal::all(short.collect())
    }
}
