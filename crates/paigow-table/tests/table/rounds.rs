//! Rounds at a table of every book, from sitting down to the next round.

use crate::play::{Play, operator, player, side, wager};
use paigow::rulebook::BuiltIn;
use paigow_table::{Command, TableEvent, TablePhase};

/// Everybody wagers, nobody sets: time sets the hands the house way, and money goes where the settlement says.
#[test]
fn a_round_at_every_book_finishes_by_the_clock_alone() {
    for book in BuiltIn::book_names() {
        let mut play = Play::open(book);
        for (seat, name) in [(1, "ann"), (2, "bob"), (3, "cat")] {
            play.issue(name, 100_000);
            play.done(&player(name), Command::Sit { seat });
        }
        for _ in 0..40 {
            if let TablePhase::Offering { seat, .. } = play.table.phase() {
                let name = ["ann", "bob", "cat"][usize::from(seat) - 1];
                play.done(&player(name), Command::TakeBank { cents: 10_000 });
            }
            assert!(
                matches!(play.table.phase(), TablePhase::Wagers { .. }),
                "{book} {:?}",
                play.table.phase()
            );
            for name in ["ann", "bob", "cat"] {
                // A seat that banks is refused; side wagers where there is one.
                if play.try_do(&player(name), &wager(2_500)).is_ok() && book != "ez" {
                    play.done(&player(name), side("fortune", 500));
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
fn wagers_are_held_changed_taken_back_and_voided() {
    let mut play = Play::open("ez");
    play.issue("ann", 10_000);
    let ann = player("ann");
    play.done(&ann, Command::Sit { seat: 2 });
    play.done(&ann, wager(2_500));
    assert_eq!(play.balance("ann"), 7_500);
    play.done(&ann, wager(5_000));
    assert_eq!(play.balance("ann"), 5_000);
    play.done(&ann, side("dynasty", 500));
    assert_eq!(play.balance("ann"), 4_500);
    assert_eq!(play.refused(&ann, side("dynasty", 50_000)), "insufficient_funds");
    assert_eq!(play.refused(&ann, side("fortune", 500)), "unknown_wager");
    play.done(&ann, Command::Clear { wager: Some("dynasty".to_owned()) });
    assert_eq!(play.balance("ann"), 5_000);
    assert_eq!(play.refused(&ann, Command::Void { reason: "mine".into() }), "operators_only");
    play.done(&operator(), Command::Void { reason: "a card was exposed".into() });
    assert_eq!(play.balance("ann"), 10_000);
}
