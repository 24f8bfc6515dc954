//! Rounds with every book, from taking seats to the next round.

use crate::play::{Play, operator, player, side, wager};
use paigow::rulebook::BuiltIn;
use paigow_table::{Command, TableEvent, TablePhase};

/// All players wager and none sets a hand. The clock sets the hands by the house way and settles the round.
#[test]
fn clock_finishes_rounds_of_every_book() {
    for book in BuiltIn::book_names() {
        let mut play = Play::open(book);
        for (seat, name) in [(1, "ann"), (2, "bob"), (3, "cat")] {
            play.issue(name, 100_000);
            play.run(&player(name), Command::Sit { seat });
        }
        for _ in 0..40 {
            if let TablePhase::Offering { seat, .. } = play.table.phase() {
                let name = ["ann", "bob", "cat"][usize::from(seat) - 1];
                play.run(&player(name), Command::TakeBank { cents: 10_000 });
            }
            assert!(
                matches!(play.table.phase(), TablePhase::Wagers { .. }),
                "{book} {:?}",
                play.table.phase()
            );
            for name in ["ann", "bob", "cat"] {
                // The banking seat is refused. The other seats place a side wager if the book has `fortune`.
                if play.try_run(&player(name), &wager(2_500)).is_ok() && book != "ez" {
                    play.run(&player(name), side("fortune", 500));
                }
            }
            play.clock();
            assert!(matches!(play.table.phase(), TablePhase::Settings { .. }), "{book}");
            play.clock();
            assert!(matches!(play.table.phase(), TablePhase::Between { .. }), "{book}");
            play.clock();
        }
        let settled = play.log.iter().filter(|event| matches!(event, TableEvent::Settled { .. })).count();
        assert_eq!(settled, 40, "{book}");
    }
}

#[test]
fn wagers_are_held_replaced_cleared_and_voided() {
    let mut play = Play::open("ez");
    play.issue("ann", 10_000);
    let ann = player("ann");
    play.run(&ann, Command::Sit { seat: 2 });
    play.run(&ann, wager(2_500));
    assert_eq!(play.balance("ann"), 7_500);
    play.run(&ann, wager(5_000));
    assert_eq!(play.balance("ann"), 5_000);
    play.run(&ann, side("dynasty", 500));
    assert_eq!(play.balance("ann"), 4_500);
    assert_eq!(play.refused(&ann, side("dynasty", 50_000)), "insufficient_funds");
    assert_eq!(play.refused(&ann, side("fortune", 500)), "unknown_wager");
    play.run(&ann, Command::Clear { wager: Some("dynasty".to_owned()) });
    assert_eq!(play.balance("ann"), 5_000);
    assert_eq!(play.refused(&ann, Command::Void { reason: "mine".into() }), "operators_only");
    play.run(&operator(), Command::Void { reason: "a card was exposed".into() });
    assert_eq!(play.balance("ann"), 10_000);
}
