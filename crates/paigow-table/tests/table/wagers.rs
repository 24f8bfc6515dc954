//! Replacing all wagers of a seat with one command.

use crate::play::{Play, player, side, wager};
use paigow_table::{
    ColorName, Command, Effects, Stake, TableEvent, TablePhase, TableRefusal, TransferKind, Viewer,
};

fn stake(wager: &str, cents: u64) -> Stake {
    Stake { wager: wager.to_owned(), cents, color: None }
}

fn wagers(stakes: &[(&str, u64)], ready: bool) -> Command {
    let wagers = stakes.iter().map(|(wager, cents)| stake(wager, *cents)).collect();
    Command::Wagers { wagers, ready, commitment: None }
}

/// Returns an ez table with two players and open wagers.
fn open() -> Play {
    let mut play = Play::open("ez");
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        play.issue(name, 10_000);
        play.run(&player(name), Command::Sit { seat });
    }
    play
}

/// Returns the wagers of the first seat.
fn placed(play: &Play) -> Vec<(String, u64)> {
    let seats = play.table.view(&Viewer::Watcher).seats;
    seats[0].wagers.iter().map(|(wager, view)| (wager.clone(), view.cents)).collect()
}

/// Returns the number of holds and of other transfers.
fn kinds(effects: &Effects) -> (usize, usize) {
    let holds = effects.transfers.iter().filter(|transfer| transfer.kind == TransferKind::Hold).count();
    (holds, effects.transfers.len() - holds)
}

#[test]
fn wagers_are_replaced() {
    let (mut play, ann) = (open(), player("ann"));
    let names: Vec<String> = (0..3).map(|index| play.table.table_rules().wager(index).name.clone()).collect();
    let [one, two, three] = [&*names[0], &*names[1], &*names[2]];
    let effects = play.run(&ann, wagers(&[(one, 500), ("pai-gow", 1_000), (two, 500)], false));
    assert_eq!(kinds(&effects), (3, 0));
    assert!(
        matches!(&effects.events[0], TableEvent::Wagered { wager, .. } if wager == "pai-gow"),
        "the base wager comes first"
    );
    assert_eq!(play.balance("ann"), 8_000);
    // One wager stays, one changes, one is taken back and one is new.
    let effects = play.run(&ann, wagers(&[("pai-gow", 1_000), (one, 700), (three, 500)], false));
    assert_eq!(kinds(&effects), (2, 2));
    assert_eq!(effects.events.len(), 3, "{:?}", effects.events);
    assert!(
        effects.transfers[..2].iter().all(|transfer| transfer.kind != TransferKind::Hold),
        "money is returned first"
    );
    assert_eq!(play.balance("ann"), 7_800);
    let mut expected = vec![("pai-gow".to_owned(), 1_000), (one.to_owned(), 700), (three.to_owned(), 500)];
    expected.sort();
    assert_eq!(placed(&play), expected);
    // The same wagers change nothing, and an empty list takes all wagers back.
    assert_eq!(
        play.run(&ann, wagers(&[("pai-gow", 1_000), (one, 700), (three, 500)], false)),
        Effects::default()
    );
    let effects = play.run(&ann, wagers(&[], false));
    assert_eq!((kinds(&effects), effects.events.len()), ((0, 3), 3));
    assert_eq!((placed(&play), play.balance("ann")), (vec![], 10_000));
}

#[test]
fn single_wagers_have_same_effects() {
    let (mut one, mut all, ann) = (open(), open(), player("ann"));
    let name = one.table.table_rules().wager(0).name.clone();
    one.run(&ann, wager(1_000));
    one.run(&ann, side(&name, 500));
    all.run(&ann, wagers(&[(&name, 500), ("pai-gow", 1_000)], false));
    assert!(one.ledger == all.ledger && one.journal == all.journal && one.log == all.log);
    one.run(&ann, Command::Ready);
    all.run(&ann, wagers(&[(&name, 500), ("pai-gow", 1_000)], true));
    assert!(one.log == all.log);
}

#[test]
fn wagers_may_set_ready() {
    let (mut play, ann, bob) = (open(), player("ann"), player("bob"));
    play.run(&ann, wagers(&[("pai-gow", 1_000)], true));
    assert!(play.table.view(&Viewer::Watcher).seats[0].ready);
    // Changing a wager clears the ready state.
    play.run(&ann, wagers(&[("pai-gow", 1_500)], false));
    assert!(!play.table.view(&Viewer::Watcher).seats[0].ready);
    play.run(&ann, wagers(&[("pai-gow", 1_500)], true));
    // A seat may be ready without wagers, as with `Ready`. The last ready seat starts the deal.
    play.run(&bob, wagers(&[], true));
    assert!(matches!(play.table.phase(), TablePhase::Settings { .. }));
}

#[test]
fn refusal_lists_every_violation_and_changes_nothing() {
    let (mut play, ann) = (open(), player("ann"));
    let name = play.table.table_rules().wager(0).name.clone();
    play.run(&ann, wagers(&[("pai-gow", 1_000)], false));
    let mut refused = |command: Command, code: &str, reasons: usize| {
        assert_eq!(play.refused(&ann, command.clone()), code);
        let refusal = play.try_run(&ann, &command).unwrap_err();
        let count = if let TableRefusal::Several(all) = &refusal { all.len() } else { 1 };
        assert_eq!(count, reasons, "{refusal}");
        refusal.to_string()
    };
    refused(wagers(&[("pai-gow", 1)], false), "below_minimum", 1);
    let message = refused(wagers(&[("pai-gow", 1), (&name, 1)], false), "below_minimum", 2);
    assert_eq!(message.matches(';').count(), 1, "{message}");
    refused(wagers(&[(&name, 500)], false), "no_pai_gow_wager", 1);
    refused(wagers(&[("pai-gow", 1_000), ("pai-gow", 1_000)], false), "wager_twice", 1);
    refused(wagers(&[("nothing", 1_000), ("pai-gow", 0)], false), "unknown_wager", 2);
    refused(wagers(&[(&"x".repeat(65), 1_000)], false), "bad_text", 1);
    refused(wagers(&[("pai-gow", 10_001), (&name, 500)], true), "insufficient_funds", 1);
    let max = 1 + 4;
    refused(wagers(&vec![("pai-gow", 1_000); max + 1], false), "too_many_wagers", 1);
    let red = Stake { color: Some(ColorName::Red), ..stake("pai-gow", 1_000) };
    refused(Command::Wagers { wagers: vec![red], ready: false, commitment: None }, "color_unexpected", 1);
    assert_eq!(placed(&play), [("pai-gow".to_owned(), 1_000)]);
}

#[test]
fn wagers_need_permission_to_wager() {
    let mut play = Play::open_with("south-beach", &[], 500);
    let [ann, bob] = ["ann", "bob"].map(player);
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        play.issue(name, 100_000);
        play.run(&player(name), Command::Sit { seat });
    }
    play.run(&bob, Command::TakeBank { cents: 5_000 });
    assert_eq!(play.refused(&bob, wagers(&[("pai-gow", 500)], false)), "banker_wagers");
    assert_eq!(play.refused(&ann, wagers(&[("pai-gow", 4_501)], false)), "cover_exceeded");
    play.run(&ann, Command::SitOut);
    assert_eq!(play.refused(&ann, wagers(&[("pai-gow", 500)], false)), "sitting_out");
    play.run(&ann, wagers(&[], false));
    play.now = play.table.due().unwrap();
    assert_eq!(play.refused(&ann, wagers(&[], false)), "not_now");
}

#[test]
fn wagers_parse_from_json() {
    let text = r#"{"do":"wagers","wagers":[{"wager":"pai-gow","cents":500},{"wager":"red-black","cents":500,"color":"red"}],"ready":true}"#;
    let command: Command = serde_json::from_str(text).unwrap();
    let red = Stake { color: Some(ColorName::Red), ..stake("red-black", 500) };
    assert_eq!(
        command,
        Command::Wagers { wagers: vec![stake("pai-gow", 500), red], ready: true, commitment: None }
    );
    let unknown = text.replace("\"cents\":500}", "\"cents\":500,\"more\":1}");
    assert!(serde_json::from_str::<Command>(&unknown).is_err());
}
