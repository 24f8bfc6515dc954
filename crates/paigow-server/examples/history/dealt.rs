//! Tables where the dealer banks: every side wager, envy bonuses, pushes, fouls, posted paytables, changed rules.

use crate::Failure;
use crate::play::{CLUB, Play, config, does, has, sit, texts, wagers};
use crate::step::Step;
use paigow_server::Store;
use paigow_table::{Command, Config, LineRecord, SeatBytes, TableId};

pub(crate) async fn play<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    south_dakota(play).await?;
    washington(play).await?;
    posted(play).await?;
    ez(play).await?;
    two_hands(play).await?;
    changed(play).await
}

/// Four players at a table as its book has it: hands set in every way, an envy bonus, commissions in cents.
async fn south_dakota<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    play.open(config("sd", "south-dakota")?).await?;
    let table: TableId = "sd".parse()?;
    let stakes = || {
        vec![
            wagers("ann", &[("pai-gow", 2_505), ("fortune", 500)]),
            wagers("bob", &[("pai-gow", 5_000), ("fortune", 1_000)]),
            wagers("cat", &[("pai-gow", 2_500)]),
            wagers("dan", &[("pai-gow", 1_000), ("fortune", 100)]),
        ]
    };
    let set = vec![does("ann", Command::HouseWay), Step::Sets("bob"), Step::Fouls("cat"), Step::Clock];
    let first = [sit(&["ann", "bob", "cat", "dan"]), stakes(), set].concat();
    let wanted = |lines: &[LineRecord]| {
        has(lines, "pai-gow", "win") && has(lines, "pai-gow", "lose") && has(lines, "fortune", "win")
    };
    play.round("sd", &first, wanted).await?;

    // Two seats commit to bytes, and one of them does not reveal them.
    let bytes =
        SeatBytes::new(b"not your dice, and not mine alone"[..32].to_vec()).ok_or("too many bytes")?;
    let commit = |who, seat| does(who, Command::Commit { commitment: bytes.commitment(&table, 2, seat) });
    let begin = vec![Step::Clock, commit("bob", 2), commit("cat", 3)];
    let reveal = vec![does("bob", Command::Reveal { bytes: bytes.clone() }), Step::Clock, Step::Clock];
    let second = [begin, stakes(), reveal].concat();
    play.round("sd", &second, |lines| {
        let fee = |line: &LineRecord| line.stake_cents == 2_505 && line.fee_cents > 0;
        has(lines, "fortune", "envy") && has(lines, "pai-gow", "push") && lines.iter().any(fee)
    })
    .await
}

/// A paytable whose row gives a side wager back.
async fn washington<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    play.open(config("wa", "washington")?).await?;
    let stakes =
        ["bob", "eve"].map(|who| wagers(who, &[("pai-gow", 1_500), ("fortune", 500), ("pai-gowd", 100)]));
    let first = [sit(&["bob", "eve"]), stakes.to_vec(), vec![Step::Clock]].concat();
    play.round("wa", &first, |lines| has(lines, "fortune", "push")).await
}

/// Paytables that are not the book's own choice, in another currency.
async fn posted<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    let paytables = texts(&[("fortune", "Washington"), ("pai-gowd", "03")]);
    play.open(Config { paytables, currency: CLUB.parse()?, ..config("wa-posted", "washington")? }).await?;
    let players = ["ann", "bob", "eve"];
    let stakes = players.map(|who| wagers(who, &[("pai-gow", 2_000), ("fortune", 500), ("pai-gowd", 500)]));
    let first = [sit(&players), stakes.to_vec(), vec![Step::Fouls("eve"), Step::Clock]].concat();
    // The dealer's five cards have a row: one player beats them, one does not, and one has fouled.
    let not_beaten =
        |line: &LineRecord| line.wager == "pai-gowd" && line.outcome == "lose" && line.who != "seat-3";
    play.round("wa-posted", &first, |lines| {
        let won = has(lines, "pai-gowd", "win") && has(lines, "fortune", "envy");
        won && lines.iter().any(not_beaten)
    })
    .await
}

/// All four side wagers, a dealer's hand that makes the base wagers push, and a bot at the table.
async fn ez<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    play.open(Config { bots: 1, ..config("ez", "ez")? }).await?;
    let stakes = || {
        let sides = [("pai-gow", 1_000), ("queens-dragon", 100), ("dynasty", 500), ("protection", 200)];
        vec![
            wagers("ann", &[&sides[..], &[("red-black red", 300)]].concat()),
            wagers("bob", &[&sides[..], &[("red-black black", 400)]].concat()),
            wagers("bot-1-ez", &[("pai-gow", 2_500)]),
        ]
    };
    let first = [sit(&["ann", "bob", "bot-1-ez"]), stakes(), vec![Step::Clock]].concat();
    play.round("ez", &first, |lines| has(lines, "queens-dragon", "win")).await?;

    let next = [vec![Step::Clock], stakes(), vec![Step::Clock]].concat();
    play.round("ez", &next, |lines| {
        let both = |side: &&str| has(lines, side, "win") && has(lines, side, "lose");
        has(lines, "dynasty", "envy") && ["protection", "red-black"].iter().all(both)
    })
    .await
}

/// A player with two seats, at a table that offers no side wagers.
async fn two_hands<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    let none =
        ["queens-dragon", "dynasty", "protection", "red-black"].map(|name| format!("wagers.{name}.offered"));
    let none = none.iter().map(|key| (&key[..], "false"));
    let changes: Vec<(&str, &str)> = none.chain([("seats.hands_per_player", "2")]).collect();
    play.open(Config { changes: texts(&changes), ..config("ez-base", "ez")? }).await?;
    let at = |step: &Step, seat| match step {
        Step::Does(who, command) => does(who, Command::At { seat, command: Box::new(command.clone()) }),
        other => other.clone(),
    };
    let base = wagers("ann", &[("pai-gow", 1_000)]);
    let first = [at(&base, 1), at(&base, 3), wagers("bob", &[("pai-gow", 500)]), Step::Clock];
    let seats = [("ann", 1), ("bob", 2), ("ann", 3)].map(|(who, seat)| does(who, Command::Sit { seat }));
    play.round("ez-base", &[&seats[..], &first].concat(), |lines| {
        let line =
            |seat: &str, outcome: &str| lines.iter().any(|line| line.who == seat && line.outcome == outcome);
        line("seat-1", "win") && line("seat-3", "lose")
    })
    .await
}

/// Limits, the commission and a payout maximum that are not the book's. Left with wagers open.
async fn changed<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    let changes = texts(&[
        ("base_game.limits.max", "\"500.00\""),
        ("commission.percent", "\"4\""),
        ("wagers.fortune.payout_max.amount", "\"75.01\""),
    ]);
    play.open(Config { changes, ..config("wa-changed", "washington")? }).await?;
    let players = ["ann", "cat"];
    let stakes = players.map(|who| wagers(who, &[("pai-gow", 2_500), ("fortune", 2_000)]));
    let first = [sit(&players), stakes.to_vec(), vec![Step::Clock]].concat();
    // Two winners share the maximum of the round.
    play.round("wa-changed", &first, |lines| {
        let won = |line: &&LineRecord| line.wager == "fortune" && line.outcome == "win";
        let won: Vec<i64> = lines.iter().filter(won).map(|line| line.net_cents).collect();
        won.len() > 1 && won.iter().sum::<i64>() == 7_501 && has(lines, "pai-gow", "win")
    })
    .await?;
    play.steps("wa-changed", &[Step::Clock, wagers("ann", &[("pai-gow", 2_500), ("fortune", 500)])]).await
}
