//! Transfers of chips outside a round.

use super::{CommandResult, Host, HostError};
use crate::{AppendOutcome, Batch, Environment, Store, StoreError};
use paigow_table::{
    Account, Actor, CommandId, Owner, Purpose, TableRefusal, Transfer, TransferId, TransferKind,
};
use sha2::{Digest, Sha256};

impl<S: Store, E: Environment> Host<S, E> {
    /// Transfers money outside a round, to issue or redeem chips.
    ///
    /// # Errors
    /// The ledger refused the transfer, the id was used for another command, or the store failed.
    pub async fn transfer(
        &self,
        by: &Actor,
        id: &CommandId,
        (debit, credit): (Account, Account),
        cents: u64,
        purpose: Purpose,
    ) -> Result<CommandResult, HostError> {
        let transfer_id = derive_transfer_id(by, id, purpose)?;
        let transfer = Transfer { id: transfer_id, kind: TransferKind::Plain, debit, credit, cents, purpose };
        let done = CommandResult { after: 0, seq: 0 };
        let batch = Batch {
            by: by.clone(),
            id: id.clone(),
            at: self.environment.now(),
            body: serde_json::to_string(&[&transfer])?,
            table: None,
            events: Vec::new(),
            round: 0,
            transfers: vec![transfer.clone()],
            answer: serde_json::to_string(&done)?,
            follows: None,
        };
        match self.store.append(batch).await? {
            AppendOutcome::Appended { .. } => {
                self.money.record_chips(&[transfer]);
                Ok(done)
            }
            // A batch without a table cannot conflict with other events.
            AppendOutcome::Conflict => Err(HostError::Store(StoreError::Contended { attempts: 1 })),
            AppendOutcome::AlreadyExecuted { answer } => Ok(serde_json::from_str(&answer)?),
            AppendOutcome::OtherTransfers => Err(HostError::OtherTransfers),
            AppendOutcome::IdReused => Err(HostError::Reused(id.clone())),
            AppendOutcome::Refused(refusal) => Err(HostError::from(TableRefusal::from(refusal))),
        }
    }

    /// Issues chips to an account.
    ///
    /// # Errors
    /// As for [`Host::transfer`].
    pub async fn issue(
        &self,
        by: &Actor,
        id: &CommandId,
        to: Account,
        cents: u64,
    ) -> Result<CommandResult, HostError> {
        let from = Account { owner: Owner::Issue, currency: to.currency.clone() };
        self.transfer(by, id, (from, to), cents, Purpose::Issue).await
    }
}

/// Derives the id of a transfer outside a table from the command's id, which may be too long for a transfer id.
fn derive_transfer_id(by: &Actor, id: &CommandId, purpose: Purpose) -> Result<TransferId, HostError> {
    let digest = Sha256::digest(serde_json::to_string(&(by, id))?);
    let digits: Vec<String> = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let purpose = serde_json::to_string(&purpose)?;
    let id = format!("{}/{}", purpose.trim_matches('"'), digits.concat());
    Ok(id.parse().unwrap_or_else(|_| panic!("invalid id of a transfer: {id}")))
}
