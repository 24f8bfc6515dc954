//! Tables where seats bank: the bank offered, passed, taken, given back, a cover that runs out, a bank that cannot pay.

use crate::Failure;
use crate::play::{CLUB, Play, config, does, has, sit, texts, wagers};
use crate::step::Step;
use paigow_server::Store;
use paigow_table::{Command, ComparedCode, Config, LineRecord, Purpose, ReasonCode};

pub(crate) async fn play<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    offered(play).await?;
    spent(play).await?;
    reserved(play).await?;
    collected(play).await?;
    against_the_dealer(play).await?;
    alone(play).await
}

fn takes(who: &'static str, cents: u64) -> Step {
    does(who, Command::TakeBank { cents })
}

fn stakes(players: &[&'static str]) -> Vec<Step> {
    players.iter().map(|who| wagers(who, &[("pai-gow", 2_500), ("fortune", 500)])).collect()
}

/// The bank goes round; the last round is abandoned because every seat passes.
async fn offered<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    play.open(config("ca", "california")?).await?;
    let bank = vec![
        does("ann", Command::PassBank),
        takes("bob", 10_000),
        takes("bob", 3_000),
        does("bob", Command::PickPile { pile: 3 }),
    ];
    let set = vec![Step::Sets("bob"), Step::Fouls("cat"), Step::Clock];
    let first = [sit(&["ann", "bob", "cat", "dan"]), bank, stakes(&["ann", "cat", "dan"]), set].concat();
    play.round("ca", &first, |lines| has(lines, "pai-gow", "no_action")).await?;

    // Bob may bank again and is out of time; Cat takes the bank and gives it back.
    let bank = vec![Step::Clock, Step::Clock, takes("cat", 20_000), does("cat", Command::GiveBankBack)];
    let second =
        [bank, vec![takes("dan", 20_000)], stakes(&["ann", "bob", "cat"]), vec![Step::Clock]].concat();
    play.round("ca", &second, |lines| {
        has(lines, "fortune", "envy") && ["win", "lose"].iter().all(|word| has(lines, "pai-gow", word))
    })
    .await?;

    let passes = |who| does(who, Command::PassBank);
    let passed = [Step::Clock, passes("dan"), passes("ann"), Step::Clock, passes("cat")];
    play.steps("ca", &passed).await
}

/// A bank that has put up too little for the side wagers it lost: what it does not reach goes back.
async fn spent<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    play.chips("gus", CLUB, 2_000, Purpose::Issue).await?;
    play.open(Config { currency: CLUB.parse()?, ..config("ca-poor", "california")? }).await?;
    let stakes = ["bob", "eve"].map(|who| wagers(who, &[("pai-gow", 500), ("fortune", 20_000)]));
    let bank = vec![takes("gus", 2_000)];
    let first = [sit(&["gus", "bob", "eve"]), bank, stakes.to_vec(), vec![Step::Clock]].concat();
    let spent = |line: &LineRecord| line.reason == Some(ReasonCode::BankSpent);
    play.round("ca-poor", &first, |lines| lines.iter().any(spent)).await?;

    // The next round: all wagers have action, and an envy bonus does not.
    let unpaid = |line: &LineRecord| matches!(line.reason, Some(ReasonCode::EnvyUnpaid { .. }));
    let bank = vec![Step::Clock, does("gus", Command::PassBank), takes("bob", 3_000)];
    let stakes = vec![
        wagers("eve", &[("pai-gow", 500), ("fortune", 500)]),
        wagers("gus", &[("pai-gow", 500), ("fortune", 500)]),
    ];
    let next = [bank, stakes, vec![Step::Clock]].concat();
    play.round("ca-poor", &next, |lines| lines.iter().any(unpaid)).await
}

/// A bank that reserves the highest possible payment of each side wager.
async fn reserved<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    let changes = texts(&[("banking.pays_from", "\"reserved\"")]);
    play.open(Config { changes, ..config("ca-reserved", "california")? }).await?;
    let bank = vec![takes("ann", 700_000)];
    let stakes = vec![wagers("bob", &[("pai-gow", 2_500), ("fortune", 100)])];
    let first = [sit(&["ann", "bob"]), bank, stakes, vec![Step::Clock]].concat();
    play.round("ca-reserved", &first, |lines| has(lines, "fortune", "win")).await
}

/// A table with fees, which its book leaves to the house.
async fn collected<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    let fees = "[{ wager_from = \"0.00\", player = \"1.00\", banker = \"2.00\" }]";
    let time = [("collection.time_minutes", "30"), ("collection.time_fee", "\"2.00\"")];
    let changes = texts(&[&[("collection.schedule", fees)][..], &time].concat());
    play.open(Config { changes, ..config("ca-fees", "california")? }).await?;
    let bank = vec![takes("cat", 20_000)];
    let first = [sit(&["cat", "dan"]), bank, stakes(&["dan"]), vec![Step::Clock]].concat();
    play.round("ca-fees", &first, |lines| has(lines, "pai-gow", "collection")).await
}

/// The dealer banks after a seat has given the bank back; then a seat banks and the dealer plays against it.
async fn against_the_dealer<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    play.open(Config { dealer_wager_cents: 2_505, ..config("sb", "south-beach")? }).await?;
    let players = ["ann", "bob", "eve"];
    let bank = vec![takes("bob", 20_000), does("bob", Command::GiveBankBack)];
    let large = players.map(|who| wagers(who, &[("pai-gow", 5_000), ("fortune", 50_000)]));
    let first = [sit(&players), bank, large.to_vec(), vec![Step::Clock]].concat();
    // A hand whose odds come to more than the payout maximum of $20,000.
    play.round("sb", &first, |lines| lines.iter().any(|line| line.net_cents == 2_000_000)).await?;

    let bank = vec![Step::Clock, takes("ann", 20_000)];
    let banked = [bank, stakes(&["bob", "eve"]), vec![Step::Clock]].concat();
    let dealer = |word: &'static str| move |line: &LineRecord| line.who == "dealer" && line.outcome == word;
    play.round("sb", &banked, |lines| {
        lines.iter().any(dealer("lose")) && has(lines, "pai-gow", "commission")
    })
    .await?;
    play.round("sb", &banked, |lines| lines.iter().any(dealer("win")) && has(lines, "pai-gow", "win")).await
}

/// A seat that banks while the dealer wagers nothing, and wins a copy.
async fn alone<S: Store>(play: &Play<S>) -> Result<(), Failure> {
    play.open(config("sb-plain", "south-beach")?).await?;
    let bank = vec![takes("cat", 9_000)];
    let first = [sit(&["cat", "dan"]), bank, stakes(&["dan"]), vec![Step::Clock]].concat();
    let copied = |line: &LineRecord| {
        let copy = ComparedCode::Copy;
        matches!(line.reason, Some(ReasonCode::Compared { high, low }) if high == copy || low == copy)
    };
    play.round("sb-plain", &first, |lines| lines.iter().any(copied)).await
}
