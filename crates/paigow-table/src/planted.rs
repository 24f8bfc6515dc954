//! Deliberate faults, to test that the simulator finds them. Without the feature `planted` there are none, and the
//! check costs nothing.

use std::fmt;

/// A fault that a test can plant in production code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PlantedFault {
    /// A command is acknowledged before its commit completes.
    AcknowledgeBeforeCommit,
    /// A store appends events without checking the sequence number of the last event.
    SkipSequenceCheck,
    /// A store applies a repeated command again.
    ApplyRepeatedCommand,
    /// A repeated command gets a different response.
    ChangeRepeatedAnswer,
    /// A store does not write a hold.
    LoseHold,
    /// A store appends events without their transfers.
    LoseTransfers,
    /// The ledger lets a player overdraw the account.
    OverdrawAccount,
    /// A settlement pays a winning line twice.
    PayTwice,
    /// The house pays wins against a bank.
    HousePaysForBank,
    /// Snapshots show hidden hands to every viewer.
    ShowHandInView,
    /// The feed's event of the deal shows hidden hands to every viewer.
    ShowHandInFeed,
    /// A deadline that failed is not retried.
    ForgetDeadline,
    /// A host keeps a stale table after the store was restored to an earlier state.
    KeepStaleTable,
    /// A client resumes with events of a different history.
    ResumeOtherHistory,
    /// The feed omits an event.
    SkipInFeed,
}

impl PlantedFault {
    /// All faults.
    pub const ALL: [PlantedFault; 15] = [
        PlantedFault::AcknowledgeBeforeCommit,
        PlantedFault::SkipSequenceCheck,
        PlantedFault::ApplyRepeatedCommand,
        PlantedFault::ChangeRepeatedAnswer,
        PlantedFault::LoseHold,
        PlantedFault::LoseTransfers,
        PlantedFault::OverdrawAccount,
        PlantedFault::PayTwice,
        PlantedFault::HousePaysForBank,
        PlantedFault::ShowHandInView,
        PlantedFault::ShowHandInFeed,
        PlantedFault::ForgetDeadline,
        PlantedFault::KeepStaleTable,
        PlantedFault::ResumeOtherHistory,
        PlantedFault::SkipInFeed,
    ];
}

impl fmt::Display for PlantedFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlantedFault::AcknowledgeBeforeCommit => "command acknowledged before its commit",
            PlantedFault::SkipSequenceCheck => "sequence check skipped",
            PlantedFault::ApplyRepeatedCommand => "repeated command applied again",
            PlantedFault::ChangeRepeatedAnswer => "repeated command answered differently",
            PlantedFault::LoseHold => "hold not written",
            PlantedFault::LoseTransfers => "events written without their transfers",
            PlantedFault::OverdrawAccount => "player's account overdrawn",
            PlantedFault::PayTwice => "winning line paid twice",
            PlantedFault::HousePaysForBank => "house pays for a bank",
            PlantedFault::ShowHandInView => "hidden hand shown in a snapshot",
            PlantedFault::ShowHandInFeed => "hidden hand shown in the feed",
            PlantedFault::ForgetDeadline => "failed deadline not retried",
            PlantedFault::KeepStaleTable => "stale table kept after a restore",
            PlantedFault::ResumeOtherHistory => "client resumed on another history",
            PlantedFault::SkipInFeed => "event left out of the feed",
        })
    }
}

#[cfg(feature = "planted")]
thread_local! {
    static PLANTED: std::cell::Cell<Option<PlantedFault>> = const { std::cell::Cell::new(None) };
}

/// Plants a fault for the current thread. `None` removes it.
#[cfg(feature = "planted")]
pub fn plant(fault: Option<PlantedFault>) {
    PLANTED.set(fault);
}

/// Returns whether a fault is planted on the current thread.
#[cfg(feature = "planted")]
pub fn planted(fault: PlantedFault) -> bool {
    PLANTED.get() == Some(fault)
}

/// Returns `false`, because the feature `planted` is disabled.
#[cfg(not(feature = "planted"))]
pub const fn planted(_: PlantedFault) -> bool {
    false
}
