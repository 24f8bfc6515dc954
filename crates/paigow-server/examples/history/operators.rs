//! Void and abandoned rounds, players who leave, commands of operators, and tables left with an open round.

use crate::Failure;
use crate::play::{HistoryHost, config, has, player_command, sit, wager, wagers};
use crate::step::Step;
use paigow_server::Store;
use paigow_table::{Command, Config, SeatBytes, VoidReason};

pub(crate) async fn play<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    disturbed(history).await?;
    settled(history).await?;
    dealt(history).await?;
    open(history).await
}

fn void(reason: &str) -> Step {
    Step::Operator(Command::Void { reason: reason.into() })
}

/// A table with every interruption, closed at the end.
async fn disturbed<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    history.open(config("ops", "ez")?).await?;
    let changes = [
        wager("ann", "pai-gow", 2_500),
        wager("ann", "dynasty", 500),
        wager("ann", "pai-gow", 3_000),
        player_command("ann", Command::Clear { wager: Some("dynasty".to_owned()) }),
        wager("bob", "pai-gow", 1_000),
        player_command("bob", Command::Clear { wager: None }),
        player_command("cat", Command::Ready),
        Step::Operator(Command::Notice { text: "The table closes at 3 o'clock. Danke schön!".to_owned() }),
        void("the wrong paytable was posted"),
    ];
    history.steps("ops", &[sit(&["ann", "bob", "cat", "dan"]), changes.to_vec()].concat()).await?;

    // Dan sits out; all other players are ready, so hands are dealt.
    let base = |who| wagers(who, &[("pai-gow", 1_000)]);
    let exposed =
        [Step::Clock, base("ann"), base("bob"), base("cat"), player_command("dan", Command::SitOut)];
    let reason = VoidReason::ExposedCard;
    history.steps("ops", &[&exposed[..], &[Step::Operator(Command::Void { reason })]].concat()).await?;

    // Two seats leave while their wagers are at stake, and the table pauses.
    let leaving = [
        Step::Clock,
        base("ann"),
        base("bob"),
        base("cat"),
        player_command("bob", Command::Stand),
        Step::Operator(Command::Vacate { seat: 3 }),
        Step::Operator(Command::Pause),
        Step::Clock,
    ];
    history.round("ops", &leaving, |lines| has(lines, "pai-gow", "lose")).await?;
    history.steps("ops", &[Step::Clock, Step::Operator(Command::Resume)]).await?;

    // Ann sits out after three rounds without a wager. Dan returns and stands up again.
    for _ in 0..3 {
        history.steps("ops", &[Step::Clock, Step::Clock]).await?;
    }
    let end = [
        player_command("dan", Command::Return),
        player_command("dan", Command::Stand),
        Step::Clock,
        Step::Clock,
        Step::Operator(Command::Close),
    ];
    history.steps("ops", &end).await
}

/// A round that is voided after it was settled: commissions, bonuses and wagers are all returned.
async fn settled<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    history.open(config("sd-void", "south-dakota")?).await?;
    let players = ["ann", "bob"];
    let stakes = players.map(|who| wagers(who, &[("pai-gow", 2_500), ("fortune", 500)]));
    let first = [sit(&players), stakes.to_vec(), vec![Step::Clock]].concat();
    history
        .round("sd-void", &first, |lines| has(lines, "pai-gow", "win") && has(lines, "fortune", "envy"))
        .await?;
    history.steps("sd-void", &[Step::Operator(Command::Void { reason: VoidReason::WrongCount })]).await
}

/// A round with a bank, wagers held and hands dealt, one of which is set.
async fn dealt<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    history.open(Config { dealer_wager_cents: 1_000, ..config("left-dealt", "south-beach")? }).await?;
    let steps = [
        player_command("ann", Command::TakeBank { cents: 20_000 }),
        wagers("bob", &[("pai-gow", 2_500), ("fortune", 500)]),
        wagers("dan", &[("pai-gow", 3_000)]),
        player_command("bob", Command::HouseWay),
    ];
    history.steps("left-dealt", &[sit(&["ann", "bob", "dan"]), steps.to_vec()].concat()).await
}

/// A round with a bank and some wagers, in which wagers are still open.
async fn open<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    history.open(config("left-open", "california")?).await?;
    let bytes = SeatBytes::new(vec![255; 32]).ok_or("too many bytes")?;
    let commitment = bytes.commitment(&"left-open".parse()?, 1, 2);
    let steps = [
        player_command("cat", Command::TakeBank { cents: 15_000 }),
        player_command("cat", Command::PickPile { pile: 2 }),
        wager("dan", "pai-gow", 2_500),
        wager("dan", "fortune", 500),
        player_command("dan", Command::Commit { commitment }),
    ];
    history.steps("left-open", &[sit(&["cat", "dan", "eve"]), steps.to_vec()].concat()).await
}
