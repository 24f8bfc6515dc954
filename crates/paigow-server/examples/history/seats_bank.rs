//! Tables where seats bank: a bank that is offered, passed, taken and given back, a cover that runs out, and a bank
//! that cannot pay.

use crate::Failure;
use crate::play::{CLUB, HistoryHost, config, has, player_command, sit, texts, wagers};
use crate::step::Step;
use paigow_server::Store;
use paigow_table::{Command, ComparedCode, Config, LineRecord, Purpose, ReasonCode};

pub(crate) async fn play<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    offered(history).await?;
    spent(history).await?;
    reserved(history).await?;
    collected(history).await?;
    against_the_dealer(history).await?;
    alone(history).await
}

fn take_bank(who: &'static str, cents: u64) -> Step {
    player_command(who, Command::TakeBank { cents })
}

fn stakes(players: &[&'static str]) -> Vec<Step> {
    players.iter().map(|who| wagers(who, &[("pai-gow", 2_500), ("fortune", 500)])).collect()
}

/// The bank rotates. The last round is abandoned because every seat passes.
async fn offered<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    history.open(config("ca", "california")?).await?;
    let bank = vec![
        player_command("ann", Command::PassBank),
        take_bank("bob", 10_000),
        take_bank("bob", 3_000),
        player_command("bob", Command::PickPile { pile: 3 }),
    ];
    let set = vec![Step::Set("bob"), Step::Foul("cat"), Step::Clock];
    let first = [sit(&["ann", "bob", "cat", "dan"]), bank, stakes(&["ann", "cat", "dan"]), set].concat();
    history.round("ca", &first, |lines| has(lines, "pai-gow", "no_action")).await?;

    // Bob may bank again but his deadline fires. Cat takes the bank and gives it back.
    let bank = vec![
        Step::Clock,
        Step::Clock,
        take_bank("cat", 20_000),
        player_command("cat", Command::GiveBankBack),
    ];
    let second =
        [bank, vec![take_bank("dan", 20_000)], stakes(&["ann", "bob", "cat"]), vec![Step::Clock]].concat();
    history
        .round("ca", &second, |lines| {
            has(lines, "fortune", "envy") && ["win", "lose"].iter().all(|word| has(lines, "pai-gow", word))
        })
        .await?;

    let passes = |who| player_command(who, Command::PassBank);
    let passed = [Step::Clock, passes("dan"), passes("ann"), Step::Clock, passes("cat")];
    history.steps("ca", &passed).await
}

/// A bank that has put up too little for the side wagers it loses: uncovered wagers are returned.
async fn spent<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    history.chips("gus", CLUB, 2_000, Purpose::Issue).await?;
    history.open(Config { currency: CLUB.parse()?, ..config("ca-poor", "california")? }).await?;
    let stakes = ["bob", "eve"].map(|who| wagers(who, &[("pai-gow", 500), ("fortune", 20_000)]));
    let bank = vec![take_bank("gus", 2_000)];
    let first = [sit(&["gus", "bob", "eve"]), bank, stakes.to_vec(), vec![Step::Clock]].concat();
    let spent = |line: &LineRecord| line.reason == Some(ReasonCode::BankSpent);
    history.round("ca-poor", &first, |lines| lines.iter().any(spent)).await?;

    // In the next round all wagers have action, but an envy bonus is unpaid.
    let unpaid = |line: &LineRecord| matches!(line.reason, Some(ReasonCode::EnvyUnpaid { .. }));
    let bank = vec![Step::Clock, player_command("gus", Command::PassBank), take_bank("bob", 3_000)];
    let stakes = vec![
        wagers("eve", &[("pai-gow", 500), ("fortune", 500)]),
        wagers("gus", &[("pai-gow", 500), ("fortune", 500)]),
    ];
    let next = [bank, stakes, vec![Step::Clock]].concat();
    history.round("ca-poor", &next, |lines| lines.iter().any(unpaid)).await
}

/// A bank that reserves the highest possible payment of each side wager.
async fn reserved<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    let changes = texts(&[("banking.pays_from", "\"reserved\"")]);
    history.open(Config { changes, ..config("ca-reserved", "california")? }).await?;
    let bank = vec![take_bank("ann", 700_000)];
    let stakes = vec![wagers("bob", &[("pai-gow", 2_500), ("fortune", 100)])];
    let first = [sit(&["ann", "bob"]), bank, stakes, vec![Step::Clock]].concat();
    history.round("ca-reserved", &first, |lines| has(lines, "fortune", "win")).await
}

/// A table with collection fees, which its book leaves to the house.
async fn collected<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    let fees = "[{ wager_from = \"0.00\", player = \"1.00\", banker = \"2.00\" }]";
    let time = [("collection.time_minutes", "30"), ("collection.time_fee", "\"2.00\"")];
    let changes = texts(&[&[("collection.schedule", fees)][..], &time].concat());
    history.open(Config { changes, ..config("ca-fees", "california")? }).await?;
    let bank = vec![take_bank("cat", 20_000)];
    let first = [sit(&["cat", "dan"]), bank, stakes(&["dan"]), vec![Step::Clock]].concat();
    history.round("ca-fees", &first, |lines| has(lines, "pai-gow", "collection")).await
}

/// The dealer banks after a seat has given the bank back; then a seat banks and the dealer plays against it.
async fn against_the_dealer<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    history.open(Config { dealer_wager_cents: 2_505, ..config("sb", "south-beach")? }).await?;
    let players = ["ann", "bob", "eve"];
    let bank = vec![take_bank("bob", 20_000), player_command("bob", Command::GiveBankBack)];
    let large = players.map(|who| wagers(who, &[("pai-gow", 5_000), ("fortune", 50_000)]));
    let first = [sit(&players), bank, large.to_vec(), vec![Step::Clock]].concat();
    // A hand whose payout exceeds the maximum of $20,000.
    history.round("sb", &first, |lines| lines.iter().any(|line| line.net_cents == 2_000_000)).await?;

    let bank = vec![Step::Clock, take_bank("ann", 20_000)];
    let banked = [bank, stakes(&["bob", "eve"]), vec![Step::Clock]].concat();
    let dealer = |word: &'static str| move |line: &LineRecord| line.who == "dealer" && line.outcome == word;
    history
        .round("sb", &banked, |lines| lines.iter().any(dealer("lose")) && has(lines, "pai-gow", "commission"))
        .await?;
    history
        .round("sb", &banked, |lines| lines.iter().any(dealer("win")) && has(lines, "pai-gow", "win"))
        .await
}

/// A seat that banks while the dealer wagers nothing, and wins a copy.
async fn alone<S: Store>(history: &HistoryHost<S>) -> Result<(), Failure> {
    history.open(config("sb-plain", "south-beach")?).await?;
    let bank = vec![take_bank("cat", 9_000)];
    let first = [sit(&["cat", "dan"]), bank, stakes(&["dan"]), vec![Step::Clock]].concat();
    let copied = |line: &LineRecord| {
        let copy = ComparedCode::Copy;
        matches!(line.reason, Some(ReasonCode::Compared { high, low }) if high == copy || low == copy)
    };
    history.round("sb-plain", &first, |lines| lines.iter().any(copied)).await
}
