//! Contributions of seats to a deal: commitments while wagers are open, bytes once they are closed.

use super::Decider;
use crate::table::{REVEAL_MS, TablePhase};
use crate::{Commitment, SeatBytes, Secret, TableEvent, TableRefusal, closed_statement};
use std::collections::BTreeMap;

impl Decider<'_> {
    /// Returns the secret of the round in progress.
    pub(super) fn secret(&self) -> Result<Secret, TableRefusal> {
        self.round()?.secret.ok_or(TableRefusal::KeyMissing)
    }

    /// Adds bytes to the deal, in a round of protocol version 1.
    pub(super) fn add_bytes(&mut self, seat: u8, bytes: &SeatBytes) -> Result<(), TableRefusal> {
        self.check_wagers_open()?;
        if self.round()?.derived.is_some() {
            return Err(TableRefusal::CommitFirst);
        }
        self.emit(TableEvent::BytesAdded { seat, bytes: bytes.clone() });
        Ok(())
    }

    /// Commits a seat to its bytes, once a round, before wagers close.
    pub(super) fn commit(&mut self, seat: u8, commitment: Commitment) -> Result<(), TableRefusal> {
        match self.table.phase {
            TablePhase::Wagers { until } | TablePhase::Offering { until, .. } if self.context.now < until => {
            }
            _ => return Err(TableRefusal::NotNow),
        }
        let round = self.round()?;
        if round.derived.is_none() {
            return Err(TableRefusal::NotNow);
        }
        match round.commitments.get(&seat) {
            Some(before) if *before == commitment => Ok(()),
            Some(_) => Err(TableRefusal::AlreadyCommitted),
            None => {
                self.emit(TableEvent::Committed { seat, commitment });
                Ok(())
            }
        }
    }

    /// Closes wagers: fixes and signs the commitments of the seats that play. Deals at once if there are none.
    pub(super) fn close_commitments(&mut self) -> Result<(), TableRefusal> {
        let round = self.round()?;
        let (Some(derived), Some(keys)) = (&round.derived, self.table.keys()) else {
            return Err(TableRefusal::KeyMissing);
        };
        let plays = round.commitments.iter().filter(|(seat, _)| round.plays(**seat));
        let commitments: BTreeMap<u8, Commitment> = plays.map(|(seat, given)| (*seat, *given)).collect();
        let statement = closed_statement(self.table.id(), round.number, &round.commitment, &commitments);
        let signature = keys.sign(&derived.key, &statement).ok_or(TableRefusal::KeyMissing)?;
        let at_once = commitments.is_empty();
        self.emit(TableEvent::WagersClosed { commitments, signature, until: self.until(REVEAL_MS) });
        if at_once { self.deal() } else { Ok(()) }
    }

    /// Reveals the bytes that a seat has committed to. Deals once all committed seats have revealed.
    pub(super) fn reveal(&mut self, seat: u8, bytes: &SeatBytes) -> Result<(), TableRefusal> {
        match self.table.phase {
            TablePhase::Revealing { until } if self.context.now < until => {}
            _ => return Err(TableRefusal::NotNow),
        }
        let round = self.round()?;
        let committed = *round.commitments.get(&seat).ok_or(TableRefusal::NotCommitted)?;
        if !bytes.is_full_length() || bytes.commitment(self.table.id(), round.number, seat) != committed {
            return Err(TableRefusal::RevealDiffers);
        }
        if round.bytes.contains_key(&seat) {
            return Ok(());
        }
        self.emit(TableEvent::Revealed { seat, bytes: bytes.clone() });
        let round = self.round()?;
        if round.commitments.keys().all(|seat| round.bytes.contains_key(seat)) { self.deal() } else { Ok(()) }
    }
}
