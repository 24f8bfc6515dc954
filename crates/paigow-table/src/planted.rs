//! Deliberate faults, to show that the simulator finds them. Without the feature `planted` there are none, and the check costs nothing.

use std::fmt;

/// A fault that can be planted in the code that players rely on, for as long as a test runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PlantedFault {
    /// A command is acknowledged while its commit is under way.
    AcknowledgeBeforeCommit,
    /// A store appends events whatever the table ends with.
    SkipSequenceCheck,
    /// A store takes a command that it has taken before.
    ApplyRepeatedCommand,
    /// A command that is repeated gets another answer.
    ChangeRepeatedAnswer,
    /// A store does not write a hold.
    LoseHold,
    /// A store appends events and forgets their transfers.
    LoseTransfers,
    /// The ledger lets a player spend more than the account has.
    OverdrawAccount,
    /// A settlement pays a winning line twice.
    PayTwice,
    /// The house pays what a line wins against a bank.
    HousePaysForBank,
    /// Viewers see a hand in a snapshot before it is shown.
    ShowHandInView,
    /// Viewers see a hand in the deal before it is shown.
    ShowHandInFeed,
    /// A deadline that could not be met is not tried again.
    ForgetDeadline,
    /// A host keeps its table after the store went back to an earlier state.
    KeepStaleTable,
    /// A client resumes with events of another history.
    ResumeOtherHistory,
    /// The feed leaves out an event.
    SkipInFeed,
}

impl PlantedFault {
    /// All of them.
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

/// Plants a fault for everything that runs on this thread, or with `None` takes it out again.
#[cfg(feature = "planted")]
pub fn plant(fault: Option<PlantedFault>) {
    PLANTED.set(fault);
}

/// Whether a fault is planted.
#[cfg(feature = "planted")]
pub fn planted(fault: PlantedFault) -> bool {
    PLANTED.get() == Some(fault)
}

/// Whether a fault is planted: never.
#[cfg(not(feature = "planted"))]
pub const fn planted(_: PlantedFault) -> bool {
    false
}
