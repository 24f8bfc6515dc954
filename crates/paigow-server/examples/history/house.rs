//! Void and abandoned rounds, seats that change, commands of operators, and tables left with an open round.

use crate::Failure;
use crate::play::{Play, config, does, has, sit, wager, wagers};
use crate::step::Step;
use paigow_server::Store;
use paigow_table::{Command, Config, SeatBytes, VoidReason};

pub(crate) async fn play<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    disturbed(play).await?;
    settled(play).await?;
    dealt(play).await?;
    open(play).await
}

fn void(reason: &str) -> Step {
    Step::House(Command::Void { reason: reason.into() })
}

/// A table with every disturbance, closed in the end.
async fn disturbed<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    play.open(config("ops", "ez")?).await?;
    let changes = [
        wager("ann", "pai-gow", 2_500),
        wager("ann", "dynasty", 500),
        wager("ann", "pai-gow", 3_000),
        does("ann", Command::Clear { wager: Some("dynasty".to_owned()) }),
        wager("bob", "pai-gow", 1_000),
        does("bob", Command::Clear { wager: None }),
        does("cat", Command::Ready),
        Step::House(Command::Notice { text: "The table closes at 3 o'clock. Danke schön!".to_owned() }),
        void("the wrong paytable was posted"),
    ];
    play.steps("ops", &[sit(&["ann", "bob", "cat", "dan"]), changes.to_vec()].concat()).await?;

    // Dan sits out; all other players are ready, so hands are dealt.
    let base = |who| wagers(who, &[("pai-gow", 1_000)]);
    let exposed = [Step::Clock, base("ann"), base("bob"), base("cat"), does("dan", Command::SitOut)];
    let reason = VoidReason::ExposedCard;
    play.steps("ops", &[&exposed[..], &[Step::House(Command::Void { reason })]].concat()).await?;

    // Two seats leave while their wagers are at stake, and the table pauses.
    let leaving = [
        Step::Clock,
        base("ann"),
        base("bob"),
        base("cat"),
        does("bob", Command::Stand),
        Step::House(Command::Vacate { seat: 3 }),
        Step::House(Command::Pause),
        Step::Clock,
    ];
    play.round("ops", &leaving, |lines| has(lines, "pai-gow", "lose")).await?;
    play.steps("ops", &[Step::Clock, Step::House(Command::Resume)]).await?;

    // Ann wagers nothing for three rounds and sits out; Dan returns and gets up again.
    for _ in 0..3 {
        play.steps("ops", &[Step::Clock, Step::Clock]).await?;
    }
    let end = [
        does("dan", Command::Return),
        does("dan", Command::Stand),
        Step::Clock,
        Step::Clock,
        Step::House(Command::Close),
    ];
    play.steps("ops", &end).await
}

/// A round that is void after it was settled: commissions, bonuses and wagers all go back.
async fn settled<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    play.open(config("sd-void", "south-dakota")?).await?;
    let players = ["ann", "bob"];
    let stakes = players.map(|who| wagers(who, &[("pai-gow", 2_500), ("fortune", 500)]));
    let first = [sit(&players), stakes.to_vec(), vec![Step::Clock]].concat();
    play.round("sd-void", &first, |lines| has(lines, "pai-gow", "win") && has(lines, "fortune", "envy"))
        .await?;
    play.steps("sd-void", &[Step::House(Command::Void { reason: VoidReason::WrongCount })]).await
}

/// A round with a bank, wagers held and hands dealt, of which one is set.
async fn dealt<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    play.open(Config { dealer_wager_cents: 1_000, ..config("left-dealt", "south-beach")? }).await?;
    let steps = [
        does("ann", Command::TakeBank { cents: 20_000 }),
        wagers("bob", &[("pai-gow", 2_500), ("fortune", 500)]),
        wagers("dan", &[("pai-gow", 3_000)]),
        does("bob", Command::HouseWay),
    ];
    play.steps("left-dealt", &[sit(&["ann", "bob", "dan"]), steps.to_vec()].concat()).await
}

/// A round with a bank and some wagers, while others may still be made.
async fn open<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    play.open(config("left-open", "california")?).await?;
    let bytes = SeatBytes::new(vec![255; 32]).ok_or("too many bytes")?;
    let commitment = bytes.commitment(&"left-open".parse()?, 1, 2);
    let steps = [
        does("cat", Command::TakeBank { cents: 15_000 }),
        does("cat", Command::PickPile { pile: 2 }),
        wager("dan", "pai-gow", 2_500),
        wager("dan", "fortune", 500),
        does("dan", Command::Commit { commitment }),
    ];
    play.steps("left-open", &[sit(&["cat", "dan", "eve"]), steps.to_vec()].concat()).await
}
