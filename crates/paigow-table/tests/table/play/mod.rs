//! Test fixture: a table with a ledger and a clock.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a failed expectation fails the test
#![allow(clippy::needless_pass_by_value)] // callers construct the commands inline

use paigow::rulebook::BuiltIn;
use paigow_table::{
    Account, Actor, Clocks, Command, Config, Currency, DecisionContext, Effects, Funds, Ledger, MasterKeys,
    Owner, Purpose, RoundKeys, RulesForm, Table, TableEvent, TableId, TableRefusal, Time, Transfer,
    TransferKind,
};
use paigow_testkit::owned_pairs;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Master keys of the tests.
pub(crate) fn keys() -> Arc<MasterKeys> {
    Arc::new(MasterKeys::new(&[[7; 32]]).unwrap())
}

/// A table, its ledger and all events and transfers so far.
pub(crate) struct Play {
    pub(crate) table: Table,
    pub(crate) ledger: Ledger,
    pub(crate) now: Time,
    pub(crate) log: Vec<TableEvent>,
    pub(crate) journal: Vec<Transfer>,
    /// Source of entropy: incremented before every command.
    pub(crate) entropy: u8,
}

pub(crate) struct Balances<'a>(&'a Ledger, &'a [Transfer]);

impl Funds for Balances<'_> {
    fn cents(&self, account: &Account) -> i64 {
        self.0.balance(account)
    }

    fn round_transfers(&self, table: &TableId, round: u64) -> Vec<Transfer> {
        let prefix = format!("{table}/{round}/");
        self.1.iter().filter(|transfer| transfer.id.as_str().starts_with(&prefix)).cloned().collect()
    }
}

pub(crate) fn player(name: &str) -> Actor {
    Actor::Player(name.parse().unwrap())
}

pub(crate) fn operator() -> Actor {
    Actor::Operator("olga".parse().unwrap())
}

pub(crate) fn currency() -> Currency {
    "PRACTICE".parse().unwrap()
}

pub(crate) fn account(owner: Owner) -> Account {
    Account { owner, currency: currency() }
}

pub(crate) fn player_account(name: &str) -> Account {
    account(Owner::Player(name.parse().unwrap()))
}

impl Play {
    pub(crate) fn open(book: &str) -> Play {
        Play::open_with(book, &[], 0)
    }

    pub(crate) fn open_with(book: &str, changes: &[(&str, &str)], dealer_wager_cents: u64) -> Play {
        let config = Config {
            table: "t1".parse().unwrap(),
            book: book.to_owned(),
            paytables: BTreeMap::new(),
            changes: owned_pairs(changes).into_iter().collect(),
            currency: currency(),
            clocks: Clocks::default(),
            dealer_wager_cents,
            bots: 0,
            name: None,
            private: false,
            house_way_toml: None,
        };
        let table_rules = config.table_rules(&BuiltIn).unwrap();
        let opened = TableEvent::Opened {
            config,
            rules: table_rules.digest(),
            form: RulesForm::CANONICAL,
            version: "test".to_owned(),
        };
        let table = Table::open(&opened, table_rules).unwrap();
        Play {
            table: table.with_keys(Some(keys())).unwrap(),
            ledger: Ledger::default(),
            now: Time(1_000_000),
            log: vec![opened],
            journal: Vec::new(),
            entropy: 0,
        }
    }

    /// Removes the keys, so that new rounds use version 1 of the fair-deal protocol.
    pub(crate) fn version_1(mut self) -> Play {
        self.table = self.table.with_keys(None).unwrap();
        self
    }

    pub(crate) fn issue(&mut self, name: &str, cents: u64) {
        let id = format!("issue/{}", self.journal.len()).parse().unwrap();
        let (debit, credit) = (account(Owner::Issue), player_account(name));
        let transfer =
            Transfer { id, kind: TransferKind::Plain, debit, credit, cents, purpose: Purpose::Issue };
        self.journal.extend(self.ledger.apply(&[transfer]).unwrap());
    }

    /// Decides on a command and applies its effects.
    pub(crate) fn try_run(&mut self, by: &Actor, command: &Command) -> Result<Effects, TableRefusal> {
        self.entropy = self.entropy.wrapping_add(1);
        let context = DecisionContext {
            now: self.now,
            entropy: [self.entropy; 32],
            funds: &Balances(&self.ledger, &self.journal),
        };
        let effects = self.table.decide(by, command, &context)?;
        let applied = self.ledger.apply(&effects.transfers)?;
        assert_eq!(applied.len(), effects.transfers.len(), "every transfer is new");
        self.journal.extend(applied);
        for event in &effects.events {
            // Apply the event as read back from its stored form.
            let stored = serde_json::to_string(event).unwrap();
            let event: TableEvent = serde_json::from_str(&stored).unwrap();
            self.table.apply(&event).unwrap();
            self.log.push(event);
        }
        self.check();
        Ok(effects)
    }

    /// Decides on a command that must be accepted.
    #[track_caller]
    pub(crate) fn run(&mut self, by: &Actor, command: Command) -> Effects {
        match self.try_run(by, &command) {
            Ok(effects) => effects,
            Err(refusal) => panic!("{by} {command:?}: {refusal}"),
        }
    }

    /// Decides on a command that must be refused without changes. Returns the code.
    #[track_caller]
    pub(crate) fn refused(&mut self, by: &Actor, command: Command) -> &'static str {
        let (before, table) = ((self.log.len(), self.ledger.clone()), self.table.clone());
        let refusal = self.try_run(by, &command).expect_err("a refusal");
        assert_eq!((self.log.len(), self.ledger.clone()), before);
        assert!(self.table == table);
        refusal.code()
    }

    /// Advances the time to the next deadline and fires it.
    #[track_caller]
    pub(crate) fn clock(&mut self) -> Effects {
        self.now = self.table.due().unwrap();
        self.run(&Actor::Clock, Command::Tick)
    }

    /// Returns the funds for a [`DecisionContext`].
    pub(crate) fn funds(&self) -> Balances<'_> {
        Balances(&self.ledger, &self.journal)
    }

    pub(crate) fn balance(&self, name: &str) -> i64 {
        self.ledger.balance(&player_account(name))
    }

    /// Checks the invariants that hold after every command.
    pub(crate) fn check(&self) {
        let all: i64 = self.ledger.balances().values().sum();
        assert_eq!(all, 0);
        let held: u64 = self.table.open_holds().map(|(_, cents)| cents).sum();
        let escrow = self.ledger.balance(&account(Owner::Escrow(self.table.id().clone())));
        assert_eq!(escrow, held.cast_signed());
        for (account, balance) in self.ledger.balances() {
            assert!(*balance >= 0 || account.owner.may_owe(), "{account:?} {balance}");
        }
        // In long runs only sometimes, because a replay takes as long as the log.
        if self.log.len() < 400 || self.entropy.is_multiple_of(64) {
            let replay = |keys: Option<Arc<dyn RoundKeys>>| {
                let opened = Table::open(&self.log[0], self.table.table_rules().clone()).unwrap();
                let mut replayed = opened.with_keys(keys).unwrap();
                for event in &self.log[1..] {
                    replayed.apply(event).unwrap();
                }
                replayed
            };
            assert!(replay(Some(keys())) == self.table);
            // Without keys the replay is equal once secrets are revealed.
            let without_keys = replay(None);
            assert!(without_keys == self.table || without_keys.awaits_secret());
        }
    }
}

pub(crate) fn wager(cents: u64) -> Command {
    Command::Wager { wager: "pai-gow".to_owned(), cents, color: None }
}

pub(crate) fn side(name: &str, cents: u64) -> Command {
    Command::Wager { wager: name.to_owned(), cents, color: None }
}
