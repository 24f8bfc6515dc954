//! Tables where the dealer banks: every side wager, envy bonuses, pushes, fouls, posted paytables, overrides.

use crate::Failure;
use crate::play::{CLUB, HistoryHost, config, has, player_command, sit, texts, wagers};
use crate::step::Step;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow_server::Store;
use paigow_table::{Command, Config, LineRecord, SeatBytes, TableId};

pub(crate) async fn play<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    south_dakota(history).await?;
    washington(history).await?;
    posted(history).await?;
    ez(history).await?;
    two_hands(history).await?;
    own_house_way(history).await?;
    changed(history).await
}

/// Four players at a table without overrides: hands set in every way, an envy bonus, commissions in cents.
async fn south_dakota<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    history.open(config("sd", "south-dakota")?).await?;
    let table: TableId = "sd".parse()?;
    let stakes = || {
        vec![
            wagers("ann", &[("pai-gow", 2_505), ("fortune", 500)]),
            wagers("bob", &[("pai-gow", 5_000), ("fortune", 1_000)]),
            wagers("cat", &[("pai-gow", 2_500)]),
            wagers("dan", &[("pai-gow", 1_000), ("fortune", 100)]),
        ]
    };
    let set =
        vec![player_command("ann", Command::HouseWay), Step::Set("bob"), Step::Foul("cat"), Step::Clock];
    let first = [sit(&["ann", "bob", "cat", "dan"]), stakes(), set].concat();
    let is_wanted = |lines: &[LineRecord]| {
        has(lines, "pai-gow", "win") && has(lines, "pai-gow", "lose") && has(lines, "fortune", "win")
    };
    history.round("sd", &first, is_wanted).await?;

    // Two seats commit to bytes, and one of them does not reveal them.
    let bytes =
        SeatBytes::new(b"not your dice, and not mine alone"[..32].to_vec()).ok_or("too many bytes")?;
    let commit =
        |who, seat| player_command(who, Command::Commit { commitment: bytes.commitment(&table, 2, seat) });
    let begin = vec![Step::Clock, commit("bob", 2), commit("cat", 3)];
    let reveal =
        vec![player_command("bob", Command::Reveal { bytes: bytes.clone() }), Step::Clock, Step::Clock];
    let second = [begin, stakes(), reveal].concat();
    history
        .round("sd", &second, |lines| {
            let fee = |line: &LineRecord| line.stake_cents == 2_505 && line.fee_cents > 0;
            has(lines, "fortune", "envy") && has(lines, "pai-gow", "push") && lines.iter().any(fee)
        })
        .await
}

/// A paytable with a row that returns a side wager.
async fn washington<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    history.open(config("wa", "washington")?).await?;
    let stakes =
        ["bob", "eve"].map(|who| wagers(who, &[("pai-gow", 1_500), ("fortune", 500), ("pai-gowd", 100)]));
    let first = [sit(&["bob", "eve"]), stakes.to_vec(), vec![Step::Clock]].concat();
    history.round("wa", &first, |lines| has(lines, "fortune", "push")).await
}

/// Paytables other than the book's default, in another currency.
async fn posted<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    let paytables = texts(&[("fortune", "Washington"), ("pai-gowd", "03")]);
    history.open(Config { paytables, currency: CLUB.parse()?, ..config("wa-posted", "washington")? }).await?;
    let players = ["ann", "bob", "eve"];
    let stakes = players.map(|who| wagers(who, &[("pai-gow", 2_000), ("fortune", 500), ("pai-gowd", 500)]));
    let first = [sit(&players), stakes.to_vec(), vec![Step::Foul("eve"), Step::Clock]].concat();
    // The dealer's five cards have a row: one player beats them, one does not, and one has fouled.
    let not_beaten =
        |line: &LineRecord| line.wager == "pai-gowd" && line.outcome == "lose" && line.who != "seat-3";
    history
        .round("wa-posted", &first, |lines| {
            let won = has(lines, "pai-gowd", "win") && has(lines, "fortune", "envy");
            won && lines.iter().any(not_beaten)
        })
        .await
}

/// All four side wagers, a dealer's hand that makes the base wagers push, and a bot.
async fn ez<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    history.open(Config { bots: 1, ..config("ez", "ez")? }).await?;
    let stakes = || {
        let sides = [("pai-gow", 1_000), ("queens-dragon", 100), ("dynasty", 500), ("protection", 200)];
        vec![
            wagers("ann", &[&sides[..], &[("red-black red", 300)]].concat()),
            wagers("bob", &[&sides[..], &[("red-black black", 400)]].concat()),
            wagers("bot-1-ez", &[("pai-gow", 2_500)]),
        ]
    };
    let first = [sit(&["ann", "bob", "bot-1-ez"]), stakes(), vec![Step::Clock]].concat();
    history.round("ez", &first, |lines| has(lines, "queens-dragon", "win")).await?;

    let next = [vec![Step::Clock], stakes(), vec![Step::Clock]].concat();
    history
        .round("ez", &next, |lines| {
            let both = |side: &&str| has(lines, side, "win") && has(lines, side, "lose");
            has(lines, "dynasty", "envy") && ["protection", "red-black"].iter().all(both)
        })
        .await
}

/// A player with two seats, at a table that offers no side wagers.
async fn two_hands<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    let none =
        ["queens-dragon", "dynasty", "protection", "red-black"].map(|name| format!("wagers.{name}.offered"));
    let none = none.iter().map(|key| (&key[..], "false"));
    let changes: Vec<(&str, &str)> = none.chain([("seats.hands_per_player", "2")]).collect();
    history.open(Config { changes: texts(&changes), ..config("ez-base", "ez")? }).await?;
    let at = |step: &Step, seat| match step {
        Step::Player(who, command) => {
            player_command(who, Command::At { seat, command: Box::new(command.clone()) })
        }
        other => other.clone(),
    };
    let base = wagers("ann", &[("pai-gow", 1_000)]);
    let first = [at(&base, 1), at(&base, 3), wagers("bob", &[("pai-gow", 500)]), Step::Clock];
    let seats =
        [("ann", 1), ("bob", 2), ("ann", 3)].map(|(who, seat)| player_command(who, Command::Sit { seat }));
    history
        .round("ez-base", &[&seats[..], &first].concat(), |lines| {
            let line = |seat: &str, outcome: &str| {
                lines.iter().any(|line| line.who == seat && line.outcome == outcome)
            };
            line("seat-1", "win") && line("seat-3", "lose")
        })
        .await
}

/// A table with a house way of its own: that of the book without its first clause.
async fn own_house_way<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    let source = BuiltIn.house_way("foxwoods", None).ok_or("no such house way")?;
    let mut parts: Vec<&str> = source.text.split("[[clauses]]").collect();
    parts.remove(1);
    let house_way_toml = Some(parts.join("[[clauses]]"));
    history.open(Config { house_way_toml, ..config("wa-own-way", "washington")? }).await?;
    let stakes = wagers("ann", &[("pai-gow", 2_500)]);
    let first = [sit(&["ann"]), vec![stakes, player_command("ann", Command::HouseWay)]].concat();
    history.round("wa-own-way", &first, |lines| has(lines, "pai-gow", "win")).await
}

/// Overrides of limits, commission and payout maximum. The table is left with wagers open.
async fn changed<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    let changes = texts(&[
        ("base_game.limits.max", "\"500.00\""),
        ("commission.percent", "\"4\""),
        ("wagers.fortune.payout_max.amount", "\"75.01\""),
    ]);
    history.open(Config { changes, ..config("wa-changed", "washington")? }).await?;
    let players = ["ann", "cat"];
    let stakes = players.map(|who| wagers(who, &[("pai-gow", 2_500), ("fortune", 2_000)]));
    let first = [sit(&players), stakes.to_vec(), vec![Step::Clock]].concat();
    // Two winners share the maximum of the round.
    history
        .round("wa-changed", &first, |lines| {
            let won = |line: &&LineRecord| line.wager == "fortune" && line.outcome == "win";
            let won: Vec<i64> = lines.iter().filter(won).map(|line| line.net_cents).collect();
            won.len() > 1 && won.iter().sum::<i64>() == 7_501 && has(lines, "pai-gow", "win")
        })
        .await?;
    history.steps("wa-changed", &[Step::Clock, wagers("ann", &[("pai-gow", 2_500), ("fortune", 500)])]).await
}
