//! Limit of a player's changes in one round.

use crate::play::{Play, operator, player, wager};
use paigow_table::{Command, SeatBytes, TablePhase};

const CHANGES_MAX: usize = 200;

fn bytes(byte: u8) -> Command {
    Command::AddBytes { bytes: SeatBytes::new(vec![byte]).unwrap() }
}

#[test]
fn changes_of_a_round_are_limited() {
    // In protocol version 1 a seat may add bytes any number of times.
    let mut play = Play::open("ez").version_1();
    let [ann, bob] = ["ann", "bob"].map(player);
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        play.issue(name, 100_000);
        play.run(&player(name), Command::Sit { seat });
    }
    for change in 0..CHANGES_MAX {
        play.run(&ann, if change % 2 == 0 { wager(500 + change as u64) } else { bytes(change as u8) });
    }
    for command in [wager(500), bytes(1), Command::Ready, Command::Clear { wager: None }, Command::SitOut] {
        assert_eq!(play.refused(&ann, command), "too_many_changes");
    }
    // Commands without effect are accepted, and other players and the round continue.
    play.run(
        &ann,
        Command::Wagers {
            wagers: vec![paigow_table::Stake { wager: "pai-gow".to_owned(), cents: 698, color: None }],
            ready: false,
            commitment: None,
        },
    );
    play.run(&bob, wager(500));
    play.clock();
    play.run(&ann, Command::HouseWay);
    play.clock();
    // The next round resets the limit.
    play.clock();
    play.run(&ann, wager(500));
}

/// Leaving and taking a seat again does not reset the limit, and a player may always leave.
#[test]
fn leaving_does_not_reset_limit() {
    let mut play = Play::open("ez");
    let ann = player("ann");
    play.issue("ann", 100_000);
    play.run(&operator(), Command::Pause);
    let mut sat = 0;
    while play.try_run(&ann, &Command::Sit { seat: 1 + (sat % 6) as u8 }).is_ok() {
        sat += 1;
        play.run(&ann, Command::Stand);
    }
    assert_eq!(sat, CHANGES_MAX);
    assert_eq!(play.refused(&ann, Command::Sit { seat: 1 }), "too_many_changes");
    let bob = player("bob");
    play.issue("bob", 100_000);
    play.run(&bob, Command::Sit { seat: 1 });
    while play.try_run(&bob, &Command::SitOut).is_ok() {
        if play.try_run(&bob, &Command::Return).is_err() {
            break;
        }
    }
    assert_eq!(play.refused(&bob, Command::Return), "too_many_changes");
    play.run(&bob, Command::Stand);
    // A round opened by another player resets the limit.
    play.run(&operator(), Command::Resume);
    play.issue("cat", 100_000);
    play.run(&player("cat"), Command::Sit { seat: 3 });
    assert!(matches!(play.table.phase(), TablePhase::Wagers { .. }));
    play.run(&ann, Command::Sit { seat: 1 });
    play.run(&bob, Command::Sit { seat: 2 });
}
