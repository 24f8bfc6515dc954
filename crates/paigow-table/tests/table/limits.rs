//! How much a player may change in one round.

use crate::play::{Play, operator, player, wager};
use paigow_table::{Command, SeatBytes, TablePhase};

const MOST: usize = 200;

fn bytes(byte: u8) -> Command {
    Command::AddBytes { bytes: SeatBytes::new(vec![byte]).unwrap() }
}

#[test]
fn a_player_changes_at_most_so_much_in_a_round() {
    // In version 1 of fair deals bytes are added as often as a seat likes.
    let mut play = Play::open("ez").version_1();
    let [ann, bob] = ["ann", "bob"].map(player);
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        play.issue(name, 100_000);
        play.done(&player(name), Command::Sit { seat });
    }
    for change in 0..MOST {
        play.done(&ann, if change % 2 == 0 { wager(500 + change as u64) } else { bytes(change as u8) });
    }
    for command in [wager(500), bytes(1), Command::Ready, Command::Clear { wager: None }, Command::SitOut] {
        assert_eq!(play.refused(&ann, command), "too_many_changes");
    }
    // What changes nothing may be said, others go on, and so does the round.
    play.done(
        &ann,
        Command::Wagers {
            wagers: vec![paigow_table::Stake { wager: "pai-gow".to_owned(), cents: 698, color: None }],
            ready: false,
            commitment: None,
        },
    );
    play.done(&bob, wager(500));
    play.clock();
    play.done(&ann, Command::HouseWay);
    play.clock();
    // The next round is another.
    play.clock();
    play.done(&ann, wager(500));
}

/// Getting up and sitting down again is no way round it, and nobody is kept at the table.
#[test]
fn getting_up_does_not_help() {
    let mut play = Play::open("ez");
    let ann = player("ann");
    play.issue("ann", 100_000);
    play.done(&operator(), Command::Pause);
    let mut sat = 0;
    while play.try_do(&ann, &Command::Sit { seat: 1 + (sat % 6) as u8 }).is_ok() {
        sat += 1;
        play.done(&ann, Command::Stand);
    }
    assert_eq!(sat, MOST);
    assert_eq!(play.refused(&ann, Command::Sit { seat: 1 }), "too_many_changes");
    let bob = player("bob");
    play.issue("bob", 100_000);
    play.done(&bob, Command::Sit { seat: 1 });
    while play.try_do(&bob, &Command::SitOut).is_ok() {
        if play.try_do(&bob, &Command::Return).is_err() {
            break;
        }
    }
    assert_eq!(play.refused(&bob, Command::Return), "too_many_changes");
    play.done(&bob, Command::Stand);
    // A round of somebody else's, and everything is new.
    play.done(&operator(), Command::Resume);
    play.issue("cat", 100_000);
    play.done(&player("cat"), Command::Sit { seat: 3 });
    assert!(matches!(play.table.phase(), TablePhase::Wagers { .. }));
    play.done(&ann, Command::Sit { seat: 1 });
    play.done(&bob, Command::Sit { seat: 2 });
}
