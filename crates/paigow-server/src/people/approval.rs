//! Approvals: acts of an operator that a second operator must confirm.

use super::{DocumentKind, Stored};
use paigow_table::{CommandId, Currency, PlayerId, TableId, Time, VoidReason};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Time that an approval waits, in milliseconds: one day.
pub(crate) const APPROVAL_MS: u64 = 24 * 3_600_000;

/// Document of an act that waits for a second operator.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Approval {
    pub(crate) act: ApprovalAct,
    /// Command id that the first operator gave. The act is executed with it, so it is executed at most once.
    pub(crate) command: CommandId,
    /// Operator who requested the act.
    pub(crate) by: PlayerId,
    pub(crate) at: Time,
    pub(crate) until: Time,
    pub(crate) decision: Decision,
    /// Operator who decided.
    #[serde(default)]
    pub(crate) decided_by: Option<PlayerId>,
    #[serde(default)]
    pub(crate) decided_at: Option<Time>,
    /// `done`, or the code of the refusal of the last try to execute the act.
    #[serde(default)]
    pub(crate) outcome: Option<String>,
}

impl Stored for Approval {
    const KIND: DocumentKind = DocumentKind::Approval;
}

/// The act to execute.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum ApprovalAct {
    /// Issue or redeem chips.
    Chips { player: PlayerId, currency: Currency, cents: u64, redeem: bool },
    /// Void a settled round.
    Void { table: TableId, round: u64, reason: VoidReason },
}

/// Stored state of an approval.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Decision {
    /// No operator has decided.
    Waiting,
    /// A second operator approves. The act may or may not be executed; approving again completes it.
    Approving,
    /// The act is executed.
    Approved,
    /// A second operator declined.
    Declined,
}

impl Approval {
    /// Returns the id of the approval of a command. A retried request has the same approval.
    pub(crate) fn id(by: &PlayerId, command: &CommandId) -> String {
        let digest = Sha256::digest(format!("approval {by} {command}"));
        data_encoding::HEXLOWER.encode(&digest[..10])
    }

    /// Time at which the approval was decided or expired, or `None` while an operator can decide it.
    pub(crate) fn ended_at(&self, now: Time) -> Option<Time> {
        match self.decision {
            Decision::Waiting => self.is_expired(now).then_some(self.until),
            Decision::Approving => None,
            Decision::Approved | Decision::Declined => Some(self.decided_at.unwrap_or(self.until)),
        }
    }

    /// Whether the approval waited too long. An approval that is being executed does not expire.
    pub(crate) fn is_expired(&self, now: Time) -> bool {
        self.decision == Decision::Waiting && now >= self.until
    }
}
