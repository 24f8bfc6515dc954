//! A table, a ledger and a clock as tests use them.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that expects wrongly has failed
#![allow(clippy::needless_pass_by_value)] // commands are written where they are given

use paigow::rulebook::BuiltIn;
use paigow_table::{
    Account, Actor, Clocks, Command, Config, Currency, DecisionContext, Effects, Funds, Ledger, MasterKeys,
    Owner, Purpose, RoundKeys, RulesForm, Table, TableEvent, TableId, TableRefusal, Time, Transfer,
    TransferKind,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The master key of tests.
pub(crate) fn keys() -> Arc<MasterKeys> {
    Arc::new(MasterKeys::new(&[[7; 32]]).unwrap())
}

pub(crate) struct Play {
    pub(crate) table: Table,
    pub(crate) ledger: Ledger,
    pub(crate) now: Time,
    pub(crate) log: Vec<TableEvent>,
    pub(crate) journal: Vec<Transfer>,
    pub(crate) entropy: u8,
}

pub(crate) struct Balances<'a>(&'a Ledger, &'a [Transfer]);

impl Funds for Balances<'_> {
    fn cents(&self, account: &Account) -> i64 {
        self.0.balance(account)
    }

    fn of_round(&self, table: &TableId, round: u64) -> Vec<Transfer> {
        let of_round = format!("{table}/{round}/");
        self.1.iter().filter(|transfer| transfer.id.as_str().starts_with(&of_round)).cloned().collect()
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

pub(crate) fn purse(name: &str) -> Account {
    account(Owner::Player(name.parse().unwrap()))
}

impl Play {
    pub(crate) fn open(book: &str) -> Play {
        Play::open_with(book, &[], 0)
    }

    pub(crate) fn open_with(book: &str, changes: &[(&str, &str)], dealer_wager_cents: u64) -> Play {
        let changes = changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let config = Config {
            table: "t1".parse().unwrap(),
            book: book.to_owned(),
            paytables: BTreeMap::new(),
            changes: changes.collect(),
            currency: currency(),
            clocks: Clocks::default(),
            dealer_wager_cents,
            bots: 0,
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

    /// The same table without keys: its rounds are of version 1 of fair deals.
    pub(crate) fn version_1(mut self) -> Play {
        self.table = self.table.with_keys(None).unwrap();
        self
    }

    pub(crate) fn issue(&mut self, name: &str, cents: u64) {
        let id = format!("issue/{}", self.journal.len()).parse().unwrap();
        let (debit, credit) = (account(Owner::Issue), purse(name));
        let transfer =
            Transfer { id, kind: TransferKind::Plain, debit, credit, cents, purpose: Purpose::Issue };
        self.journal.extend(self.ledger.take(&[transfer]).unwrap());
    }

    pub(crate) fn try_do(&mut self, by: &Actor, command: &Command) -> Result<Effects, TableRefusal> {
        self.entropy = self.entropy.wrapping_add(1);
        let moment = DecisionContext {
            now: self.now,
            entropy: [self.entropy; 32],
            funds: &Balances(&self.ledger, &self.journal),
        };
        let effects = self.table.decide(by, command, &moment)?;
        let taken = self.ledger.take(&effects.transfers)?;
        assert_eq!(taken.len(), effects.transfers.len(), "every transfer is new");
        self.journal.extend(taken);
        for event in &effects.events {
            // As it comes back from where it is stored.
            let stored = serde_json::to_string(event).unwrap();
            let event: TableEvent = serde_json::from_str(&stored).unwrap();
            self.table.apply(&event).unwrap();
            self.log.push(event);
        }
        self.check();
        Ok(effects)
    }

    #[track_caller]
    pub(crate) fn done(&mut self, by: &Actor, command: Command) -> Effects {
        match self.try_do(by, &command) {
            Ok(effects) => effects,
            Err(refusal) => panic!("{by} {command:?}: {refusal}"),
        }
    }

    #[track_caller]
    pub(crate) fn refused(&mut self, by: &Actor, command: Command) -> &'static str {
        let (before, table) = ((self.log.len(), self.ledger.clone()), self.table.clone());
        let refusal = self.try_do(by, &command).expect_err("a refusal");
        assert_eq!((self.log.len(), self.ledger.clone()), before);
        assert!(self.table == table);
        refusal.code()
    }

    /// Lets the clock run to what is due next.
    #[track_caller]
    pub(crate) fn clock(&mut self) -> Effects {
        self.now = self.table.due().unwrap();
        self.done(&Actor::Clock, Command::Tick)
    }

    /// What players have.
    pub(crate) fn ledger_only(&self) -> Balances<'_> {
        Balances(&self.ledger, &self.journal)
    }

    pub(crate) fn balance(&self, name: &str) -> i64 {
        self.ledger.balance(&purse(name))
    }

    /// What must hold after every command.
    pub(crate) fn check(&self) {
        let all: i64 = self.ledger.balances().values().sum();
        assert_eq!(all, 0);
        let held: u64 = self.table.open_holds().map(|(_, cents)| cents).sum();
        let escrow = self.ledger.balance(&account(Owner::Escrow(self.table.id().clone())));
        assert_eq!(escrow, held.cast_signed());
        for (account, balance) in self.ledger.balances() {
            assert!(*balance >= 0 || account.owner.may_owe(), "{account:?} {balance}");
        }
        // In long play now and then: a replay is as long as the log.
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
            // Without keys the same is known once secrets are shown.
            let without = replay(None);
            assert!(without == self.table || without.awaits_secret());
        }
    }
}

pub(crate) fn wager(cents: u64) -> Command {
    Command::Wager { wager: "pai-gow".to_owned(), cents, color: None }
}

pub(crate) fn side(name: &str, cents: u64) -> Command {
    Command::Wager { wager: name.to_owned(), cents, color: None }
}
