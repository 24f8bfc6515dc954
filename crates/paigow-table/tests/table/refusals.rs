//! Every refusal a table has of its own, reached; a refusal changes nothing, which `Play::refused` looks at each time.

use crate::play::{Play, account, operator, player, purse, side, wager};
use paigow_table::{
    Actor, Command, DecisionContext, Owner, Purpose, SeatBytes, Table, TableEvent, TableRefusal, Transfer,
    TransferKind,
};
use std::collections::BTreeSet;

/// The codes of a table's own. A refusal that is new does not compile until it is here, and then it must be reached.
fn own(refusal: &TableRefusal) -> Option<&'static str> {
    Some(match refusal {
        TableRefusal::Rules(_) | TableRefusal::Ledger(_) | TableRefusal::Several(_) => return None,
        TableRefusal::Closed => "table_closed",
        TableRefusal::RulesChanged => "rules_changed",
        TableRefusal::OperatorsOnly => "operators_only",
        TableRefusal::PlayersOnly => "players_only",
        TableRefusal::NoSuchSeat { .. } => "no_such_seat",
        TableRefusal::SeatTaken { .. } => "seat_taken",
        TableRefusal::EmptySeat { .. } => "empty_seat",
        TableRefusal::AlreadySeated { .. } => "already_seated",
        TableRefusal::NotSeated { .. } => "not_seated",
        TableRefusal::WhichSeat { .. } => "which_seat",
        TableRefusal::NotYourSeat { .. } => "not_your_seat",
        TableRefusal::SittingOut => "sitting_out",
        TableRefusal::NotSittingOut => "not_sitting_out",
        TableRefusal::Leaving => "leaving",
        TableRefusal::NotNow => "not_now",
        TableRefusal::NoSuchWager { .. } => "no_such_wager",
        TableRefusal::BankNotOffered => "bank_not_offered",
        TableRefusal::NotTheBanker => "not_the_banker",
        TableRefusal::BankInUse => "bank_in_use",
        TableRefusal::CoverExceeded { .. } => "cover_exceeded",
        TableRefusal::TooManyWagers { .. } => "too_many_wagers",
        TableRefusal::TooManyChanges { .. } => "too_many_changes",
        TableRefusal::BadAmount { .. } => "bad_amount",
        TableRefusal::BadFront { .. } => "bad_front",
        TableRefusal::BadText { .. } => "bad_text",
        TableRefusal::AlreadyPaused => "already_paused",
        TableRefusal::NotPaused => "not_paused",
        TableRefusal::AlreadyClosing => "already_closing",
        TableRefusal::NoRound => "no_round",
        TableRefusal::VoidShortfall { .. } => "void_shortfall",
        TableRefusal::NothingDue => "nothing_due",
        TableRefusal::AlreadyCommitted => "already_committed",
        TableRefusal::NotCommitted => "not_committed",
        TableRefusal::RevealDiffers => "reveal_differs",
        TableRefusal::CommitFirst => "commit_first",
        TableRefusal::KeyMissing => "key_missing",
    })
}

const OWN: usize = 36;

/// Refusals that were given, and what was given for them.
struct Given {
    play: Play,
    codes: BTreeSet<&'static str>,
}

impl Given {
    #[track_caller]
    fn refused(&mut self, by: &Actor, command: Command, code: &'static str) {
        let refusal = self.play.try_do(by, &command).expect_err("a refusal");
        assert_eq!(refusal.code(), code, "{command:?}");
        assert!(!refusal.to_string().is_empty());
        if let Some(own) = own(&refusal) {
            assert_eq!(own, code);
            self.codes.insert(own);
        }
        assert_eq!(self.play.refused(by, command), code, "the same again");
    }
}

fn clear(wager: &str) -> Command {
    Command::Clear { wager: Some(wager.to_owned()) }
}

fn set(front: &str) -> Command {
    Command::Set { front: front.to_owned() }
}

fn void(reason: &str) -> Command {
    Command::Void { reason: reason.into() }
}

fn nobody_is_there(given: &mut Given, ann: &Actor, operator: &Actor) {
    given.refused(operator, void("why not"), "no_round");
    given.refused(&Actor::Clock, Command::Tick, "nothing_due");
    given.refused(operator, Command::Resume, "not_paused");
    given.refused(ann, Command::Pause, "operators_only");
    given.refused(ann, Command::Vacate { seat: 1 }, "operators_only");
    given.refused(operator, Command::Vacate { seat: 1 }, "empty_seat");
    given.refused(&Actor::Clock, Command::Pause, "players_only");
    given.refused(operator, Command::Sit { seat: 1 }, "players_only");
    given.refused(&Actor::Clock, Command::Sit { seat: 1 }, "players_only");
    given.refused(ann, Command::Sit { seat: 0 }, "no_such_seat");
    given.refused(ann, Command::Sit { seat: 200 }, "no_such_seat");
    for command in [
        Command::Stand,
        Command::SitOut,
        Command::Return,
        wager(500),
        Command::Clear { wager: None },
        Command::Wagers { wagers: Vec::new(), ready: true, commitment: None },
        Command::AddBytes { bytes: SeatBytes::new(vec![]).unwrap() },
        Command::TakeBank { cents: 5_000 },
        Command::PassBank,
        Command::PickPile { pile: 1 },
        Command::GiveBankBack,
        Command::Ready,
        Command::HouseWay,
    ] {
        given.refused(ann, command, "not_seated");
    }
}

/// Nobody has anything.
struct Nobody;

impl paigow_table::Funds for Nobody {
    fn cents(&self, _: &paigow_table::Account) -> i64 {
        0
    }

    fn of_round(&self, _: &paigow_table::TableId, _: u64) -> Vec<Transfer> {
        Vec::new()
    }
}

/// What was won of a settled round is gone from the winner's account.
fn at_a_void_nobody_can_pay_for(given: &mut Given) {
    let ann = player("ann");
    let won = (0..100).find(|entropy| {
        given.play = Play::open("washington");
        given.play.entropy = *entropy;
        given.play.issue("ann", 1_000);
        given.play.done(&ann, Command::Sit { seat: 1 });
        given.play.done(&ann, wager(1_000));
        given.play.done(&ann, Command::Ready);
        given.play.done(&ann, Command::HouseWay);
        given.play.balance("ann") > 1_000
    });
    assert!(won.is_some());
    let redeemed = Transfer {
        id: "redeem/1".parse().unwrap(),
        kind: TransferKind::Plain,
        debit: purse("ann"),
        credit: account(Owner::Issue),
        cents: given.play.balance("ann").cast_unsigned(),
        purpose: Purpose::Redeem,
    };
    given.play.ledger.take(&[redeemed]).unwrap();
    given.refused(&operator(), void("a card lay open"), "void_shortfall");
}

/// Where the bank is offered it is not given back once somebody plays against it.
fn at_an_offered_bank(given: &mut Given) {
    given.play = Play::open("california");
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        given.play.issue(name, 100_000);
        given.play.done(&player(name), Command::Sit { seat });
    }
    given.play.done(&player("ann"), Command::TakeBank { cents: 5_000 });
    given.play.done(&player("bob"), wager(500));
    given.refused(&player("ann"), Command::GiveBankBack, "bank_in_use");
    // With the first wager, all that a player may change.
    for cents in 501..700 {
        given.play.done(&player("bob"), wager(cents));
    }
    given.refused(&player("bob"), wager(500), "too_many_changes");
    // It is not the table its log makes any more, so it is asked alone.
    let moment = DecisionContext { now: given.play.now, entropy: [0; 32], funds: &Nobody };
    let stopped = given.play.table.clone().held_to("other rules");
    let refusal = stopped.decide(&player("bob"), &Command::Ready, &moment).expect_err("a refusal");
    given.codes.extend(own(&refusal));
}

/// A player with two seats.
fn at_two_seats(given: &mut Given) {
    given.play = Play::open_with("ez", &[("seats.hands_per_player", "2")], 0);
    let ann = player("ann");
    given.play.done(&ann, Command::Sit { seat: 1 });
    given.play.done(&ann, Command::Sit { seat: 2 });
    given.refused(&ann, Command::Ready, "which_seat");
    given.refused(&ann, Command::At { seat: 3, command: Box::new(Command::Ready) }, "not_your_seat");
    given.refused(&ann, Command::Sit { seat: 3 }, "too_many_hands");
}

#[test]
fn every_refusal_is_reached_and_changes_nothing() {
    let mut given = Given { play: Play::open_with("south-beach", &[], 500), codes: BTreeSet::new() };
    let [ann, bob, cat] = ["ann", "bob", "cat"].map(player);
    let operator = operator();
    for name in ["ann", "bob", "cat"] {
        given.play.issue(name, 100_000);
    }

    nobody_is_there(&mut given, &ann, &operator);
    given.play.done(&operator, Command::Pause);
    given.refused(&operator, Command::Pause, "already_paused");
    given.play.done(&ann, Command::Sit { seat: 1 });
    given.refused(&ann, wager(500), "not_now");
    given.refused(&ann, Command::TakeBank { cents: 5_000 }, "not_now");
    given.refused(&ann, Command::HouseWay, "not_now");
    given.play.done(&operator, Command::Resume);

    // Wagers.
    given.refused(&ann, Command::Sit { seat: 2 }, "already_seated");
    given.refused(&bob, Command::Sit { seat: 1 }, "seat_taken");
    given.play.done(&bob, Command::Sit { seat: 2 });
    given.play.done(&cat, Command::Sit { seat: 3 });
    given.refused(&ann, Command::Return, "not_sitting_out");
    given.play.done(&ann, Command::SitOut);
    given.refused(&ann, Command::SitOut, "sitting_out");
    given.refused(&ann, wager(500), "sitting_out");
    given.refused(&ann, Command::TakeBank { cents: 5_000 }, "sitting_out");
    given.play.done(&ann, Command::Return);
    for cents in [0, u64::MAX, 1_000_000_000_001] {
        given.refused(&ann, wager(cents), "bad_amount");
        given.refused(&ann, Command::TakeBank { cents }, "bad_amount");
    }
    given.refused(&ann, wager(499), "below_minimum");
    given.refused(&ann, wager(1_000_001), "above_maximum");
    given.refused(&ann, wager(100_001), "insufficient_funds");
    given.refused(&ann, side("fortune", 500), "no_pai_gow_wager");
    given.refused(&ann, side("lucky-sevens", 500), "unknown_wager");
    let stake = paigow_table::Stake { wager: "pai-gow".to_owned(), cents: 500, color: None };
    given.refused(
        &ann,
        Command::Wagers { wagers: vec![stake; 3], ready: false, commitment: None },
        "too_many_wagers",
    );
    given.refused(&ann, clear("fortune"), "no_such_wager");
    given.refused(&ann, clear("lucky-sevens"), "no_such_wager");
    given.refused(&ann, Command::PassBank, "bank_not_offered");
    given.refused(&ann, set("As Kd"), "not_now");
    given.refused(&ann, Command::Tick, "nothing_due");
    given.play.done(&bob, Command::TakeBank { cents: 5_000 });
    given.refused(&ann, wager(4_501), "cover_exceeded");
    given.refused(&bob, wager(500), "banker_wagers");
    given.refused(&cat, Command::TakeBank { cents: 5_000 }, "bank_taken");
    given.refused(&cat, Command::PickPile { pile: 1 }, "not_the_banker");
    given.refused(&bob, Command::PickPile { pile: 1 }, "bad_action_pile");
    given.play.done(&bob, Command::Stand);
    given.refused(&bob, Command::Stand, "leaving");
    given.refused(&bob, wager(500), "leaving");
    given.play.done(&ann, wager(500));
    let long = "x".repeat(501);
    for text in ["", "a\u{7}b", "two\nlines", long.as_str()] {
        given.refused(&operator, void(text), "bad_text");
        given.refused(&operator, Command::Notice { text: text.to_owned() }, "bad_text");
    }

    // Settings.
    given.play.clock();
    given.refused(&cat, Command::HouseWay, "no_hand");
    given.refused(&ann, wager(500), "not_now");
    for front in ["", "As", "As As", "As Kd Qc", "neither"] {
        given.refused(&ann, set(front), "bad_front");
    }
    for command in [set(&long), side(&long, 500), Command::Clear { wager: Some(long.clone()) }] {
        given.refused(&ann, command, "bad_text");
    }
    let dealer = given.play.table.view(&paigow_table::Viewer::Auditor).round.unwrap().dealer.unwrap();
    given.refused(&ann, set(&dealer.cards.unwrap()[..5]), "not_their_cards");
    given.play.done(&ann, Command::HouseWay);
    given.refused(&ann, Command::HouseWay, "already_set");

    // The end.
    given.play.clock();
    given.play.done(&operator, Command::Close);
    given.refused(&operator, Command::Close, "already_closing");
    given.refused(&player("dan"), Command::Sit { seat: 5 }, "already_closing");
    given.play.clock();
    given.refused(&ann, Command::Sit { seat: 1 }, "table_closed");
    at_an_offered_bank(&mut given);
    at_two_seats(&mut given);
    at_a_void_nobody_can_pay_for(&mut given);
    at_bytes_of_seats(&mut given);
    assert_eq!(given.codes.len(), OWN, "{:?}", given.codes);
}

/// Commitments and bytes of seats, and a round whose key is lost.
fn at_bytes_of_seats(given: &mut Given) {
    let (ann, bob) = (player("ann"), player("bob"));
    given.play = Play::open("ez");
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        given.play.issue(name, 10_000);
        given.play.done(&player(name), Command::Sit { seat });
    }
    let bytes = SeatBytes::new(vec![1; 32]).unwrap();
    let commitment = bytes.commitment(given.play.table.id(), 1, 1);
    let other = SeatBytes::new(vec![2; 32]).unwrap();
    given.refused(&ann, Command::AddBytes { bytes: bytes.clone() }, "commit_first");
    given.refused(&ann, Command::Reveal { bytes: bytes.clone() }, "not_now");
    given.play.done(&ann, Command::Commit { commitment });
    given.refused(
        &ann,
        Command::Commit { commitment: other.commitment(given.play.table.id(), 1, 1) },
        "already_committed",
    );
    given.play.done(&ann, wager(500));
    given.play.done(&bob, wager(500));
    given.play.clock();
    given.refused(&ann, Command::Commit { commitment }, "not_now");
    given.refused(&ann, wager(500), "not_now");
    given.refused(&bob, Command::Reveal { bytes: bytes.clone() }, "not_committed");
    given.refused(&ann, Command::Reveal { bytes: other }, "reveal_differs");
    // Too few bytes.
    given.refused(&ann, Command::Reveal { bytes: SeatBytes::new(vec![1; 31]).unwrap() }, "reveal_differs");
    let keyless = given.play.table.clone().with_keys(None).unwrap();
    assert!(!keyless.awaits_secret(), "the secret stays known to a table that derived it");
    let mut lost = Table::open(&given.play.log[0], keyless.table_rules().clone()).unwrap();
    given.play.log[1..].iter().for_each(|event| lost.apply(event).unwrap());
    given.play.table = lost;
    given.play.now = given.play.table.due().unwrap();
    let moment = DecisionContext { now: given.play.now, entropy: [0; 32], funds: &given.play.ledger_only() };
    let refusal = given.play.table.decide(&Actor::Clock, &Command::Tick, &moment).unwrap_err();
    given.codes.extend(own(&refusal));
    assert_eq!(refusal.code(), "key_missing");
    // The house voids it, without a secret to show.
    let effects = given.play.table.decide(&operator(), &void("the key is lost"), &moment).unwrap();
    assert!(
        matches!(effects.events.last(), Some(TableEvent::RoundVoided { secret: None, .. })),
        "{effects:?}"
    );
}

/// Who may not do something is told so before anything else is looked at, and a closed table says only that.
#[test]
fn refusals_come_in_order() {
    let mut play = Play::open("california");
    let ann = player("ann");
    play.issue("ann", 1_000);
    // Not seated before not now, not now before the amount, the amount before the rules, the rules before the money.
    assert_eq!(play.refused(&ann, wager(0)), "not_seated");
    play.done(&ann, Command::Sit { seat: 1 });
    assert_eq!(play.refused(&ann, wager(0)), "not_now");
    play.issue("bob", 100_000);
    play.done(&player("bob"), Command::Sit { seat: 2 });
    play.done(&ann, Command::PassBank);
    play.done(&player("bob"), Command::TakeBank { cents: 100_000 });
    assert_eq!(play.refused(&ann, wager(0)), "bad_amount");
    assert_eq!(play.refused(&ann, wager(2_000_000)), "above_maximum");
    assert_eq!(play.refused(&ann, wager(2_000)), "insufficient_funds");
    assert_eq!(play.refused(&ann, Command::Void { reason: "".into() }), "operators_only");
    play.done(&operator(), Command::Void { reason: "done".into() });
    play.done(&operator(), Command::Close);
    play.clock();
    assert_eq!(play.refused(&ann, Command::Void { reason: "".into() }), "table_closed");
}
