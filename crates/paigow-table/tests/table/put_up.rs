//! A bank pays only from the amount that it put up, and fees are taken first. Neither the house nor the operator pays
//! for a bank.

use crate::play::{Play, account, operator, player, side, wager};
use paigow_table::{Command, LineRecord, Owner, Purpose, TableEvent, TablePhase};

/// Fees of $1.00 and $3.00 on base wagers, and of $0.50 and $2.00 on bonus wagers.
const FEES: &[(&str, &str)] = &[
    ("collection.schedule", "[{ wager_from = \"0.00\", player = \"1.00\", banker = \"3.00\" }]"),
    ("collection.bonus", "[{ wager_from = \"0.00\", player = \"0.50\", banker = \"2.00\" }]"),
];

/// Values of the books of versions before 0.2.0.
const GUARANTEED: &[(&str, &str)] = &[("banking.pays_from", "guaranteed"), ("collection.taken", "last")];

fn table_of(book: &str, changes: &[(&str, &str)], entropy: u8, players: &[(&str, u64)]) -> Play {
    let mut play = Play::open_with(book, changes, 0);
    play.entropy = entropy;
    for (seat, (name, cents)) in (1..).zip(players) {
        play.issue(name, *cents);
        play.run(&player(name), Command::Sit { seat });
    }
    play
}

/// Returns the balance of the accounts that must never pay for a bank: the house's and the operator's guarantee.
fn operator_balance(play: &Play) -> i64 {
    [Owner::House, Owner::Guarantee].map(|owner| play.ledger.balance(&account(owner))).iter().sum()
}

fn lines(play: &Play) -> &[LineRecord] {
    let settled = play.log.iter().rev().find_map(|event| match event {
        TableEvent::Settled { settlement, .. } => Some(settlement),
        _ => None,
    });
    settled.unwrap()
}

/// Makes this player take the offered bank with this amount. The other players pass.
fn bank(play: &mut Play, name: &str, cents: u64) {
    while let TablePhase::Offering { seat, .. } = play.table.phase() {
        let offered = play.table.players().find(|(other, _)| *other == seat).unwrap().1.to_string();
        let command = if offered == name { Command::TakeBank { cents } } else { Command::PassBank };
        play.run(&player(&offered), command);
    }
}

/// Returns the operator's loss and the number of returned wagers. The player/dealer has only $1,000, and three players
/// wager $500 on Fortune.
fn poor_bank(changes: &[(&str, &str)]) -> (i64, usize) {
    let (mut lost, mut spent) = (0, 0);
    for entropy in 0..80 {
        let mut play = table_of(
            "california",
            changes,
            entropy,
            &[("ann", 100_000), ("bob", 1_000_000), ("cat", 1_000_000), ("dan", 1_000_000)],
        );
        bank(&mut play, "ann", 100_000);
        for name in ["bob", "cat", "dan"] {
            play.run(&player(name), wager(30_000));
            play.run(&player(name), side("fortune", 50_000));
        }
        play.clock();
        play.clock();
        lost -= operator_balance(&play);
        let code = |line: &LineRecord| serde_json::to_value(line.reason).unwrap()["code"].clone();
        spent += lines(&play).iter().filter(|line| code(line) == "bank_spent").count();
    }
    (lost, spent)
}

#[test]
fn house_does_not_pay_for_a_bank() {
    let (lost, spent) = poor_bank(GUARANTEED);
    assert!(lost >= 100_000 && spent == 0, "{lost} {spent}");
    let (lost, spent) = poor_bank(&[]);
    assert!(lost == 0 && spent >= 10, "{lost} {spent}");
}

/// Returns the operator's loss to three colluding guests. In turn one banks with the minimum, and the others wager the
/// maximum on Fortune.
fn colluding_guests(changes: &[(&str, &str)], entropy: u8) -> i64 {
    let names = ["ann", "bob", "cat"];
    let mut play = table_of("california", changes, entropy, &names.map(|name| (name, 500_000)));
    for _ in 0..150 {
        let TablePhase::Offering { seat, .. } = play.table.phase() else {
            panic!("{:?}", play.table.phase())
        };
        if names.iter().any(|name| play.balance(name) < 1_000) {
            break;
        }
        let banker = names[usize::from(seat) - 1];
        bank(&mut play, banker, 500);
        for name in names.iter().filter(|name| **name != banker) {
            play.run(&player(name), wager(500));
            let has = play.balance(name).cast_unsigned();
            play.run(&player(name), side("fortune", (has / 2).clamp(100, 50_000)));
        }
        play.clock();
        play.clock();
        play.clock();
        let have: i64 = names.iter().map(|name| play.balance(name)).sum();
        assert_eq!(have, 1_500_000 - operator_balance(&play));
    }
    -operator_balance(&play)
}

#[test]
fn colluding_guests_take_nothing_from_the_operator() {
    let lost = |changes| (0..12).map(|entropy| colluding_guests(changes, 20 * entropy)).sum::<i64>();
    assert!(lost(GUARANTEED) > 100_000, "{}", lost(GUARANTEED));
    assert_eq!(lost(&[]), 0);
}

#[test]
fn wager_holds_its_fee() {
    let mut play = table_of("california", FEES, 0, &[("ann", 100_000), ("bob", 10_000)]);
    let [ann, bob] = ["ann", "bob"].map(player);
    // Maximum fees of $3.00 and $2.00.
    assert_eq!(play.refused(&ann, Command::TakeBank { cents: 99_501 }), "insufficient_funds");
    play.run(&ann, Command::TakeBank { cents: 99_500 });
    assert_eq!(play.balance("ann"), 0);
    assert_eq!(play.refused(&bob, wager(9_901)), "insufficient_funds");
    play.run(&bob, wager(9_900));
    assert_eq!(play.balance("bob"), 0);
    // Replacing or clearing a wager returns its held fee.
    play.run(&bob, wager(5_000));
    assert_eq!(play.balance("bob"), 4_900);
    assert_eq!(play.refused(&bob, side("fortune", 4_851)), "insufficient_funds");
    play.run(&bob, side("fortune", 4_850));
    assert_eq!(play.balance("bob"), 0);
    play.run(&bob, Command::Clear { wager: Some("fortune".to_owned()) });
    assert_eq!(play.balance("bob"), 4_900);
    play.run(&bob, Command::Clear { wager: None });
    assert_eq!(play.balance("bob"), 10_000);
    play.run(&bob, wager(9_900));
    play.clock();
    play.run(&operator(), Command::Void { reason: "a card was exposed".into() });
    assert_eq!((play.balance("ann"), play.balance("bob")), (100_000, 10_000));
}

/// A player who loses everything has paid the fee. A wager without action pays no fee, and the held fee is returned.
#[test]
fn fees_are_taken_first_on_wagers_with_action() {
    let (mut lost, mut without_action) = (0, 0);
    for entropy in 0..40 {
        let players = [("ann", 100_000), ("bob", 10_000), ("cat", 10_000)];
        let mut play = table_of("california", FEES, entropy, &players);
        bank(&mut play, "ann", 9_400);
        for name in ["bob", "cat"] {
            play.run(&player(name), wager(9_400));
            play.run(&player(name), side("fortune", 450));
        }
        play.clock();
        let before = play.journal.len();
        play.clock();
        let (fees, others): (Vec<_>, Vec<_>) =
            play.journal[before..].iter().partition(|transfer| transfer.purpose == Purpose::Collection);
        assert_eq!(play.journal[before].purpose, Purpose::Collection);
        assert!(play.journal[before..before + fees.len()].iter().eq(fees.iter().copied()), "fees come first");
        assert!(others.iter().all(|transfer| transfer.credit.owner != Owner::Collection));
        let due = lines(&play).iter().filter(|line| line.outcome == "collection");
        let due: Vec<u64> = due.map(|line| line.net_cents.unsigned_abs()).collect();
        assert_eq!(fees.iter().map(|transfer| transfer.cents).collect::<Vec<_>>(), due);
        for (seat, name) in [(2, "bob"), (3, "cat")] {
            let who = format!("seat-{seat}");
            let own = || lines(&play).iter().filter(|line| line.who == who && line.wager == "pai-gow");
            let fee = own().any(|line| line.outcome == "collection");
            let action = own().any(|line| matches!(&*line.outcome, "win" | "lose" | "push" | "foul"));
            assert_eq!(fee, action);
            let net: i64 =
                lines(&play).iter().filter(|line| line.who == who).map(|line| line.net_cents).sum();
            assert_eq!(play.balance(name), 10_000 + net);
            lost += u32::from(play.balance(name) == 0);
            without_action += u32::from(!action);
        }
        assert_eq!(play.ledger.balance(&account(Owner::Collection)), due.iter().sum::<u64>().cast_signed());
    }
    assert!(lost > 0 && without_action > 0, "{lost} {without_action}");
}

/// The banker cannot reduce the amount put up while side wagers depend on it.
#[test]
fn cover_of_side_wagers_is_not_reduced() {
    let mut play = table_of("california", &[], 0, &[("ann", 100_000), ("bob", 100_000)]);
    let [ann, bob] = ["ann", "bob"].map(player);
    play.run(&ann, Command::TakeBank { cents: 50_000 });
    play.run(&bob, wager(1_000));
    play.run(&ann, Command::TakeBank { cents: 40_000 });
    play.run(&bob, side("fortune", 500));
    assert_eq!(play.refused(&ann, Command::TakeBank { cents: 39_999 }), "cover_exceeded");
    play.run(&ann, Command::TakeBank { cents: 45_000 });
    play.run(&bob, Command::Clear { wager: Some("fortune".to_owned()) });
    play.run(&ann, Command::TakeBank { cents: 1_000 });
}

/// FPG-01 pays at most 5,000 to 1, and an envy bonus of $1,000 for each other hand.
#[test]
fn wager_beyond_reserve_is_refused() {
    let players = [("ann", 10_000_000), ("bob", 1_000_000), ("cat", 1_000_000), ("dan", 1_000_000)];
    let mut play = table_of("california", &[("banking.pays_from", "reserved")], 0, &players);
    let [ann, bob, cat, dan] = ["ann", "bob", "cat", "dan"].map(player);
    bank(&mut play, "ann", 2_610_000);
    // Without side wagers the cover may be less than the action.
    play.run(&bob, wager(500_000));
    play.run(&cat, wager(500_000));
    play.run(&cat, wager(10_000));
    play.run(&bob, wager(10_000));
    // 5,000 × $5.00, $1,000 for cat's hand, and $200 of base wagers: $26,200.
    assert_eq!(play.refused(&bob, side("fortune", 500)), "reserve_exceeded");
    play.run(&bob, side("fortune", 499));
    play.run(&ann, Command::TakeBank { cents: 2_620_000 });
    play.run(&bob, side("fortune", 500));
    assert_eq!(play.refused(&ann, Command::TakeBank { cents: 2_619_999 }), "reserve_exceeded");
    assert_eq!(play.refused(&cat, wager(10_001)), "reserve_exceeded");
    assert_eq!(play.refused(&dan, wager(500)), "reserve_exceeded");
    play.run(&bob, Command::Clear { wager: Some("fortune".to_owned()) });
    play.run(&dan, wager(500));
    play.run(&ann, Command::TakeBank { cents: 40_000 });
}

/// The reserve pays every wager and envy bonus in full.
#[test]
fn reserve_pays_everything() {
    for entropy in 0..40 {
        let players = [("ann", 100_000_000), ("bob", 1_000_000), ("cat", 1_000_000)];
        let mut play = table_of("california", &[("banking.pays_from", "reserved")], entropy, &players);
        bank(&mut play, "ann", 10_000_000);
        for name in ["bob", "cat"] {
            play.run(&player(name), wager(20_000));
            play.run(&player(name), side("fortune", 900));
        }
        play.clock();
        play.clock();
        assert!(lines(&play).iter().all(|line| line.outcome != "no_action"));
        assert_eq!(operator_balance(&play), 0);
    }
}

/// The house settles Fortune at South Beach, so a banking player may wager on it if the book allows it.
#[test]
fn banker_may_place_side_wager_against_house() {
    let changes = [("wagers.fortune.banker_wagers", "true"), ("wagers.fortune.envy.banker_hand", "true")];
    let mut won = 0;
    for entropy in 0..40 {
        let players = [("ann", 100_000), ("bob", 100_000)];
        let mut play = table_of("south-beach", &changes, entropy, &players);
        let [ann, bob] = ["ann", "bob"].map(player);
        play.run(&bob, wager(5_000));
        assert_eq!(play.refused(&ann, side("fortune", 500)), "no_pai_gow_wager");
        play.run(&ann, Command::TakeBank { cents: 5_000 });
        assert_eq!(play.refused(&ann, wager(500)), "banker_wagers");
        play.run(&ann, side("fortune", 500));
        if entropy % 2 == 0 {
            // Giving the bank back also returns the side wager.
            play.run(&ann, Command::GiveBankBack);
            assert_eq!(play.balance("ann"), 100_000);
            play.run(&ann, Command::TakeBank { cents: 5_000 });
            play.run(&ann, side("fortune", 500));
        }
        play.run(&bob, Command::Ready);
        play.clock();
        let own: Vec<&LineRecord> = lines(&play).iter().filter(|line| line.who == "seat-1").collect();
        assert!(own.iter().all(|line| line.wager == "fortune" && line.against == "house"));
        let own: i64 = own.iter().map(|line| line.net_cents).sum();
        won += u32::from(own > 0);
        let bank: i64 = lines(&play)
            .iter()
            .map(|line| match (line.who.as_str(), line.against.as_str()) {
                ("banker", _) => line.net_cents,
                (_, "banker") => -line.net_cents - line.fee_cents.cast_signed(),
                _ => 0,
            })
            .sum();
        assert_eq!(play.balance("ann"), 100_000 + own + bank);
    }
    assert!(won > 0);
    let none = &[("wagers.fortune.banker_wagers", "false")];
    let mut play = table_of("south-beach", none, 0, &[("ann", 100_000), ("bob", 100_000)]);
    play.run(&player("bob"), wager(5_000));
    play.run(&player("ann"), Command::TakeBank { cents: 5_000 });
    assert_eq!(play.refused(&player("ann"), side("fortune", 500)), "banker_wagers");
}

#[test]
fn view_shows_remaining_cover() {
    let players = [("ann", 10_000_000), ("bob", 1_000_000), ("cat", 1_000_000)];
    let seen = |play: &Play| {
        let bank = play.table.view(&paigow_table::Viewer::Watcher).round.unwrap().bank.unwrap();
        (bank.covers_cents, bank.action_cents, bank.reserve_cents, bank.left_cents)
    };
    let mut play = table_of("california", &[], 0, &players);
    bank(&mut play, "ann", 50_000);
    assert_eq!(seen(&play), (50_000, 0, None, 50_000));
    play.run(&player("bob"), wager(20_000));
    play.run(&player("bob"), side("fortune", 500));
    assert_eq!(seen(&play), (50_000, 20_000, None, 30_000));
    play.run(&player("cat"), wager(40_000));
    assert_eq!(seen(&play), (50_000, 60_000, None, 0));
    play.run(&player("cat"), Command::Clear { wager: None });
    assert_eq!(seen(&play), (50_000, 20_000, None, 30_000));

    let mut play = table_of("california", &[("banking.pays_from", "reserved")], 0, &players);
    bank(&mut play, "ann", 2_700_000);
    play.run(&player("bob"), wager(20_000));
    play.run(&player("cat"), wager(10_000));
    play.run(&player("bob"), side("fortune", 500));
    // 5,000 × $5.00, and an envy bonus of $1,000.
    assert_eq!(seen(&play), (2_700_000, 30_000, Some(2_600_000), 70_000));
}
