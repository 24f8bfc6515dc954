//! Every refusal of a table, and that refusals change nothing (checked by `Play::refused`).

use crate::play::{Play, account, operator, player, player_account, side, wager};
use paigow_table::{
    Actor, Command, DecisionContext, Owner, Purpose, SeatBytes, Table, TableEvent, TableRefusal, Transfer,
    TransferKind,
};
use std::collections::BTreeSet;

/// Returns the code of a refusal of the table itself. The match is exhaustive, so a new refusal must be added here and
/// then tested.
fn own_code(refusal: &TableRefusal) -> Option<&'static str> {
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
        TableRefusal::BadLowHand { .. } => "bad_front",
        TableRefusal::BadText { .. } | TableRefusal::InputTooLong { .. } => "bad_text",
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

/// Number of codes in [`own_code`].
const OWN_CODES: usize = 36;

/// A table, and the codes of its refusals so far.
struct Refusals {
    play: Play,
    codes: BTreeSet<&'static str>,
}

impl Refusals {
    #[track_caller]
    fn refused(&mut self, by: &Actor, command: Command, code: &'static str) {
        let refusal = self.play.try_run(by, &command).expect_err("a refusal");
        assert_eq!(refusal.code(), code, "{command:?}");
        assert!(!refusal.to_string().is_empty());
        if let Some(own_code) = own_code(&refusal) {
            assert_eq!(own_code, code);
            self.codes.insert(own_code);
        }
        assert_eq!(self.play.refused(by, command), code, "refused a second time");
    }
}

fn clear(wager: &str) -> Command {
    Command::Clear { wager: Some(wager.to_owned()) }
}

fn set(low: &str) -> Command {
    Command::Set { low: low.to_owned() }
}

fn void(reason: &str) -> Command {
    Command::Void { reason: reason.into() }
}

/// Refusals at a table without players.
fn check_empty_table(refusals: &mut Refusals, ann: &Actor, operator: &Actor) {
    refusals.refused(operator, void("why not"), "no_round");
    refusals.refused(&Actor::Clock, Command::Tick, "nothing_due");
    refusals.refused(operator, Command::Resume, "not_paused");
    refusals.refused(ann, Command::Pause, "operators_only");
    refusals.refused(ann, Command::Vacate { seat: 1 }, "operators_only");
    refusals.refused(operator, Command::Vacate { seat: 1 }, "empty_seat");
    refusals.refused(ann, Command::Suspend { seat: 1 }, "operators_only");
    refusals.refused(operator, Command::Suspend { seat: 1 }, "empty_seat");
    refusals.refused(&Actor::Clock, Command::Pause, "players_only");
    refusals.refused(operator, Command::Sit { seat: 1 }, "players_only");
    refusals.refused(&Actor::Clock, Command::Sit { seat: 1 }, "players_only");
    refusals.refused(ann, Command::Sit { seat: 0 }, "no_such_seat");
    refusals.refused(ann, Command::Sit { seat: 200 }, "no_such_seat");
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
        refusals.refused(ann, command, "not_seated");
    }
}

/// Every account is empty.
struct NoFunds;

impl paigow_table::Funds for NoFunds {
    fn cents(&self, _: &paigow_table::Account) -> i64 {
        0
    }

    fn round_transfers(&self, _: &paigow_table::TableId, _: u64) -> Vec<Transfer> {
        Vec::new()
    }
}

/// The winner of a settled round no longer has the winnings.
fn check_void_without_funds(refusals: &mut Refusals) {
    let ann = player("ann");
    let won = (0..100).find(|entropy| {
        refusals.play = Play::open("washington");
        refusals.play.entropy = *entropy;
        refusals.play.issue("ann", 1_000);
        refusals.play.run(&ann, Command::Sit { seat: 1 });
        refusals.play.run(&ann, wager(1_000));
        refusals.play.run(&ann, Command::Ready);
        refusals.play.run(&ann, Command::HouseWay);
        refusals.play.balance("ann") > 1_000
    });
    assert!(won.is_some());
    let redeemed = Transfer {
        id: "redeem/1".parse().unwrap(),
        kind: TransferKind::Plain,
        debit: player_account("ann"),
        credit: account(Owner::Issue),
        cents: refusals.play.balance("ann").cast_unsigned(),
        purpose: Purpose::Redeem,
    };
    refusals.play.ledger.apply(&[redeemed]).unwrap();
    refusals.refused(&operator(), void("a card was exposed"), "void_shortfall");
}

/// An offered bank cannot be given back once a player has wagered against it.
fn check_offered_bank(refusals: &mut Refusals) {
    refusals.play = Play::open("california");
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        refusals.play.issue(name, 100_000);
        refusals.play.run(&player(name), Command::Sit { seat });
    }
    refusals.play.run(&player("ann"), Command::TakeBank { cents: 5_000 });
    refusals.play.run(&player("bob"), wager(500));
    refusals.refused(&player("ann"), Command::GiveBankBack, "bank_in_use");
    // With the first wager, the maximum number of changes.
    for cents in 501..700 {
        refusals.play.run(&player("bob"), wager(cents));
    }
    refusals.refused(&player("bob"), wager(500), "too_many_changes");
    // The table no longer equals a replay of its log, so it decides outside of `Play`.
    let context = DecisionContext { now: refusals.play.now, entropy: [0; 32], funds: &NoFunds };
    let stopped = refusals.play.table.clone().with_rules_digest("other rules");
    let refusal = stopped.decide(&player("bob"), &Command::Ready, &context).expect_err("a refusal");
    refusals.codes.extend(own_code(&refusal));
}

/// A player with two seats.
fn check_two_seats(refusals: &mut Refusals) {
    refusals.play = Play::open_with("ez", &[("seats.hands_per_player", "2")], 0);
    let ann = player("ann");
    refusals.play.run(&ann, Command::Sit { seat: 1 });
    refusals.play.run(&ann, Command::Sit { seat: 2 });
    refusals.refused(&ann, Command::Ready, "which_seat");
    refusals.refused(&ann, Command::At { seat: 3, command: Box::new(Command::Ready) }, "not_your_seat");
    refusals.refused(&ann, Command::Sit { seat: 3 }, "too_many_hands");
}

#[test]
fn every_refusal_occurs_and_changes_nothing() {
    let mut refusals = Refusals { play: Play::open_with("south-beach", &[], 500), codes: BTreeSet::new() };
    let [ann, bob, cat] = ["ann", "bob", "cat"].map(player);
    let operator = operator();
    for name in ["ann", "bob", "cat"] {
        refusals.play.issue(name, 100_000);
    }

    check_empty_table(&mut refusals, &ann, &operator);
    refusals.play.run(&operator, Command::Pause);
    refusals.refused(&operator, Command::Pause, "already_paused");
    refusals.play.run(&ann, Command::Sit { seat: 1 });
    refusals.refused(&ann, wager(500), "not_now");
    refusals.refused(&ann, Command::TakeBank { cents: 5_000 }, "not_now");
    refusals.refused(&ann, Command::HouseWay, "not_now");
    refusals.play.run(&operator, Command::Resume);

    // Wagers.
    refusals.refused(&ann, Command::Sit { seat: 2 }, "already_seated");
    refusals.refused(&bob, Command::Sit { seat: 1 }, "seat_taken");
    refusals.play.run(&bob, Command::Sit { seat: 2 });
    refusals.play.run(&cat, Command::Sit { seat: 3 });
    refusals.refused(&ann, Command::Return, "not_sitting_out");
    refusals.play.run(&ann, Command::SitOut);
    refusals.refused(&ann, Command::SitOut, "sitting_out");
    refusals.refused(&ann, wager(500), "sitting_out");
    refusals.refused(&ann, Command::TakeBank { cents: 5_000 }, "sitting_out");
    refusals.play.run(&ann, Command::Return);
    for cents in [0, u64::MAX, 1_000_000_000_001] {
        refusals.refused(&ann, wager(cents), "bad_amount");
        refusals.refused(&ann, Command::TakeBank { cents }, "bad_amount");
    }
    refusals.refused(&ann, wager(499), "below_minimum");
    refusals.refused(&ann, wager(1_000_001), "above_maximum");
    refusals.refused(&ann, wager(100_001), "insufficient_funds");
    refusals.refused(&ann, side("fortune", 500), "no_pai_gow_wager");
    refusals.refused(&ann, side("lucky-sevens", 500), "unknown_wager");
    let stake = paigow_table::Stake { wager: "pai-gow".to_owned(), cents: 500, color: None };
    refusals.refused(
        &ann,
        Command::Wagers { wagers: vec![stake; 3], ready: false, commitment: None },
        "too_many_wagers",
    );
    refusals.refused(&ann, clear("fortune"), "no_such_wager");
    refusals.refused(&ann, clear("lucky-sevens"), "no_such_wager");
    refusals.refused(&ann, Command::PassBank, "bank_not_offered");
    refusals.refused(&ann, set("As Kd"), "not_now");
    refusals.refused(&ann, Command::Tick, "nothing_due");
    refusals.play.run(&bob, Command::TakeBank { cents: 5_000 });
    refusals.refused(&ann, wager(4_501), "cover_exceeded");
    refusals.refused(&bob, wager(500), "banker_wagers");
    refusals.refused(&cat, Command::TakeBank { cents: 5_000 }, "bank_taken");
    refusals.refused(&cat, Command::PickPile { pile: 1 }, "not_the_banker");
    refusals.refused(&bob, Command::PickPile { pile: 1 }, "bad_action_pile");
    refusals.play.run(&bob, Command::Stand);
    refusals.refused(&bob, Command::Stand, "leaving");
    refusals.refused(&bob, wager(500), "leaving");
    refusals.play.run(&ann, wager(500));
    let long = "x".repeat(501);
    for text in ["", "a\u{7}b", "two\nlines", long.as_str()] {
        refusals.refused(&operator, void(text), "bad_text");
        refusals.refused(&operator, Command::Notice { text: text.to_owned() }, "bad_text");
    }

    // Settings.
    refusals.play.clock();
    refusals.refused(&cat, Command::HouseWay, "no_hand");
    refusals.refused(&ann, wager(500), "not_now");
    for low in ["", "As", "As As", "As Kd Qc", "neither"] {
        refusals.refused(&ann, set(low), "bad_front");
    }
    for command in [set(&long), side(&long, 500), Command::Clear { wager: Some(long.clone()) }] {
        refusals.refused(&ann, command, "bad_text");
    }
    let dealer = refusals.play.table.view(&paigow_table::Viewer::Auditor).round.unwrap().dealer.unwrap();
    refusals.refused(&ann, set(&dealer.cards.unwrap()[..5]), "not_their_cards");
    refusals.play.run(&ann, Command::HouseWay);
    refusals.refused(&ann, Command::HouseWay, "already_set");

    // The end.
    refusals.play.clock();
    refusals.play.run(&operator, Command::Close);
    refusals.refused(&operator, Command::Close, "already_closing");
    refusals.refused(&player("dan"), Command::Sit { seat: 5 }, "already_closing");
    refusals.play.clock();
    refusals.refused(&ann, Command::Sit { seat: 1 }, "table_closed");
    check_offered_bank(&mut refusals);
    check_two_seats(&mut refusals);
    check_void_without_funds(&mut refusals);
    check_bytes_of_seats(&mut refusals);
    assert_eq!(refusals.codes.len(), OWN_CODES, "{:?}", refusals.codes);
}

/// Commitments and bytes of seats, and a round whose key is lost.
fn check_bytes_of_seats(refusals: &mut Refusals) {
    let (ann, bob) = (player("ann"), player("bob"));
    refusals.play = Play::open("ez");
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        refusals.play.issue(name, 10_000);
        refusals.play.run(&player(name), Command::Sit { seat });
    }
    let bytes = SeatBytes::new(vec![1; 32]).unwrap();
    let commitment = bytes.commitment(refusals.play.table.id(), 1, 1);
    let other = SeatBytes::new(vec![2; 32]).unwrap();
    refusals.refused(&ann, Command::AddBytes { bytes: bytes.clone() }, "commit_first");
    refusals.refused(&ann, Command::Reveal { bytes: bytes.clone() }, "not_now");
    refusals.play.run(&ann, Command::Commit { commitment });
    refusals.refused(
        &ann,
        Command::Commit { commitment: other.commitment(refusals.play.table.id(), 1, 1) },
        "already_committed",
    );
    refusals.play.run(&ann, wager(500));
    refusals.play.run(&bob, wager(500));
    refusals.play.clock();
    refusals.refused(&ann, Command::Commit { commitment }, "not_now");
    refusals.refused(&ann, wager(500), "not_now");
    refusals.refused(&bob, Command::Reveal { bytes: bytes.clone() }, "not_committed");
    refusals.refused(&ann, Command::Reveal { bytes: other }, "reveal_differs");
    // Too few bytes.
    refusals.refused(&ann, Command::Reveal { bytes: SeatBytes::new(vec![1; 31]).unwrap() }, "reveal_differs");
    let keyless = refusals.play.table.clone().with_keys(None).unwrap();
    assert!(!keyless.awaits_secret(), "a table keeps a secret that it has derived");
    let mut lost = Table::open(&refusals.play.log[0], keyless.table_rules().clone()).unwrap();
    refusals.play.log[1..].iter().for_each(|event| lost.apply(event).unwrap());
    refusals.play.table = lost;
    refusals.play.now = refusals.play.table.due().unwrap();
    let context = DecisionContext { now: refusals.play.now, entropy: [0; 32], funds: &refusals.play.funds() };
    let refusal = refusals.play.table.decide(&Actor::Clock, &Command::Tick, &context).unwrap_err();
    refusals.codes.extend(own_code(&refusal));
    assert_eq!(refusal.code(), "key_missing");
    // The house can void the round without revealing a secret.
    let effects = refusals.play.table.decide(&operator(), &void("the key is lost"), &context).unwrap();
    assert!(
        matches!(effects.events.last(), Some(TableEvent::RoundVoided { secret: None, .. })),
        "{effects:?}"
    );
}

/// Permission is checked before anything else, and a closed table refuses everything as closed.
#[test]
fn refusals_have_fixed_precedence() {
    let mut play = Play::open("california");
    let ann = player("ann");
    play.issue("ann", 1_000);
    // Order: seat, phase, amount, rules, funds.
    assert_eq!(play.refused(&ann, wager(0)), "not_seated");
    play.run(&ann, Command::Sit { seat: 1 });
    assert_eq!(play.refused(&ann, wager(0)), "not_now");
    play.issue("bob", 100_000);
    play.run(&player("bob"), Command::Sit { seat: 2 });
    play.run(&ann, Command::PassBank);
    play.run(&player("bob"), Command::TakeBank { cents: 100_000 });
    assert_eq!(play.refused(&ann, wager(0)), "bad_amount");
    assert_eq!(play.refused(&ann, wager(2_000_000)), "above_maximum");
    assert_eq!(play.refused(&ann, wager(2_000)), "insufficient_funds");
    assert_eq!(play.refused(&ann, Command::Void { reason: "".into() }), "operators_only");
    play.run(&operator(), Command::Void { reason: "done".into() });
    play.run(&operator(), Command::Close);
    play.clock();
    assert_eq!(play.refused(&ann, Command::Void { reason: "".into() }), "table_closed");
}
