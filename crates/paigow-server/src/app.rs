//! All that the parts of a server share.

use crate::environment::JumpCounts;
use crate::http::{ApiProblem, ConnectionGuard, PerAddress, Queue};
use crate::http::{RateLimits, address_key};
use crate::live::Sockets;
use crate::operations::metrics::Metrics;
use crate::operations::readiness::TestWrites;
use crate::settings::Settings;
use crate::{
    AnyStore, BookFolder, CheckedEnvironment, CommandResult, Environment, Host, HostError, RulesCache,
};
use axum::http::StatusCode;
use paigow_answers::{Cache, Work};
use paigow_table::{
    Actor, Command, CommandId, Currency, MasterKeys, Opening, PlayerId, Secret, Table, TableId, Time,
};
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The tables of a server.
pub(crate) type ServerHost = Host<AnyStore, CheckedEnvironment>;

/// A server's parts.
pub(crate) struct App {
    pub(crate) tables: Arc<ServerHost>,
    pub(crate) settings: Settings,
    /// The rule books of the program and of the operator.
    pub(crate) books: BookFolder,
    /// Exact odds: what has been counted is remembered.
    pub(crate) work: Work,
    pub(crate) questions: Queue,
    pub(crate) metrics: Metrics,
    pub(crate) test_writes: TestWrites,
    pub(crate) sockets: Sockets,
    addresses: RateLimits,
    accounts: RateLimits,
    health_checks: RateLimits,
    guests: RateLimits,
    /// Requests at once, behind proxies.
    at_once: PerAddress,
    /// No new sockets and tables: whoever comes is sent to another process.
    draining: CancellationToken,
    /// The process is about to end.
    pub(crate) stop: CancellationToken,
    /// What must be finished before it does.
    pub(crate) tasks: TaskTracker,
}

impl App {
    pub(crate) fn new(
        store: AnyStore,
        settings: Settings,
        books: BookFolder,
        keys: Arc<MasterKeys>,
    ) -> Arc<App> {
        let library = RulesCache::new(books.clone());
        let stop = CancellationToken::new();
        let jumps = JumpCounts::default();
        let tables = Arc::new(Host::new(store, CheckedEnvironment::system(jumps.clone()), library, keys));
        Arc::new(App {
            work: Work::unwatched(Cache::open()),
            questions: Queue::new(settings.questions, settings.questions_per_address),
            metrics: Metrics::new(&jumps, tables.rollback().counts()),
            tables,
            test_writes: TestWrites::default(),
            sockets: Sockets::new(&settings, stop.clone()),
            addresses: RateLimits::per_minute(settings.requests_per_address),
            accounts: RateLimits::per_minute(settings.requests_per_account),
            health_checks: RateLimits::per_minute(settings.health_checks_per_address),
            guests: RateLimits::per_minute(settings.guests_per_address),
            at_once: PerAddress::new(settings.connections_per_address),
            draining: CancellationToken::new(),
            stop,
            tasks: TaskTracker::new(),
            settings,
            books,
        })
    }

    pub(crate) fn store(&self) -> &AnyStore {
        self.tables.store()
    }

    pub(crate) fn now(&self) -> Time {
        self.tables.world().now()
    }

    /// The time by which sessions are judged.
    pub(crate) fn session_now(&self) -> Time {
        self.tables.world().session_now()
    }

    /// 32 bytes nobody knows.
    pub(crate) fn draw(&self) -> Result<[u8; 32], ApiProblem> {
        Ok(self.tables.world().entropy().map_err(HostError::from)?)
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.draining.is_cancelled() || self.stop.is_cancelled()
    }

    /// Lets nobody new in.
    pub(crate) fn drain(&self) {
        self.draining.cancel();
    }

    /// Whoever sends people here has had time to see that nobody is let in any more.
    pub(crate) async fn drained(&self) {
        self.draining.cancelled().await;
        tokio::time::sleep(Duration::from_secs(self.settings.drain_seconds)).await;
    }

    /// Lets a request of an address in.
    pub(crate) fn may_address(&self, address: IpAddr) -> Result<(), ApiProblem> {
        self.addresses.check(&address_key(address)).map_err(|too_many| {
            self.metrics.limited("address");
            ApiProblem::too_many("too_many_requests", "this address asks too often", too_many.seconds())
        })
    }

    /// Admits a health check of an address.
    pub(crate) fn may_check_health(&self, address: IpAddr) -> Result<(), ApiProblem> {
        self.health_checks.check(&address_key(address)).map_err(|too_many| {
            self.metrics.limited("health");
            ApiProblem::too_many("too_many_requests", "this address checks too often", too_many.seconds())
        })
    }

    /// Admits a new guest of an address.
    pub(crate) fn may_come(&self, address: IpAddr) -> Result<(), ApiProblem> {
        self.guests.check(&address).map_err(|too_many| {
            self.metrics.limited("guests");
            let detail = "too many new guests come from this address";
            ApiProblem::too_many("too_many_guests", detail, too_many.seconds())
        })
    }

    /// Counts a request of an address among those it makes at once, where its connections are a proxy's.
    pub(crate) fn may_ask_at_once(&self, address: IpAddr) -> Result<Option<ConnectionGuard>, ApiProblem> {
        if self.settings.trusted_proxies == 0 {
            return Ok(None);
        }
        self.at_once.take(address).map(Some).ok_or_else(|| {
            self.metrics.limited("connections");
            let detail = "this address has as many requests open as one may have";
            ApiProblem::too_many("too_many_connections", detail, 1)
        })
    }

    /// Lets a request of an account in.
    pub(crate) fn may_account(&self, player: &PlayerId) -> Result<(), ApiProblem> {
        self.accounts.check(player).map_err(|too_many| {
            self.metrics.limited("account");
            ApiProblem::too_many("too_many_requests", "this account asks too often", too_many.seconds())
        })
    }

    /// Forgets who has not asked for a while.
    pub(crate) fn forget_idle(&self) {
        self.addresses.forget_idle();
        self.accounts.forget_idle();
        self.health_checks.forget_idle();
        self.guests.forget_idle();
    }

    /// Gives a table a command.
    pub(crate) async fn command(
        &self,
        table: &TableId,
        by: &Actor,
        id: &CommandId,
        command: &Command,
    ) -> Result<CommandResult, ApiProblem> {
        if let Actor::Player(player) = by {
            self.may_account(player)?;
            if matches!(command, Command::Sit { .. }) {
                self.may_sit(player, table).await?;
            }
        }
        let start = Instant::now();
        let done = self.tables.command(table, by, id, command).await;
        let outcome = done.as_ref().map_or_else(HostError::code, |_| "done");
        self.metrics.commanded(outcome, start.elapsed());
        Ok(done?)
    }

    /// Counts a player's seats at other tables. Those at this one are the table's to count: the command may have been sent again.
    async fn may_sit(&self, player: &PlayerId, here: &TableId) -> Result<(), ApiProblem> {
        let seats = |table: &Table| if table.id() == here { 0 } else { table.seats_of(player).count() };
        let seats: usize = self.tables.each(|table, _| seats(table)).await.into_iter().sum();
        if seats >= self.settings.seats_per_person as usize {
            let detail =
                "you have as many seats at other tables as a player may; stand up at one of them first";
            return Err(ApiProblem::new(StatusCode::CONFLICT, "too_many_seats", detail));
        }
        Ok(())
    }

    /// Opens a table.
    pub(crate) async fn open(
        &self,
        by: &Actor,
        id: &CommandId,
        opening: Opening,
    ) -> Result<CommandResult, ApiProblem> {
        if self.is_draining() {
            return Err(ApiProblem::unavailable("the process is being drained; try another"));
        }
        let table = opening.config.table.clone();
        if !table.fits_in_path() {
            let detail =
                "a table's name begins with a letter or a digit and is made of letters, digits and - _ .";
            return Err(ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_table_name", detail));
        }
        let done = self.tables.open_with_defaults(by, id, opening).await?;
        // From now on its clock runs, and the lobby shows it.
        self.tables.exists(&table).await?;
        Ok(done)
    }
}

/// What guests play for.
pub(crate) fn practice() -> Currency {
    name("PRACTICE")
}

/// The house, where it acts by itself.
pub(crate) fn house() -> Actor {
    Actor::Operator(name("house"))
}

/// A name made of parts that fit.
///
/// # Panics
/// If they do not: then we are wrong.
pub(crate) fn name<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("no name: {text}"))
}

/// A name that follows from a word and a text of any length.
pub(crate) fn digest_name(what: &str, of: &str) -> CommandId {
    use sha2::{Digest, Sha256};
    let digits = String::from(Secret(Sha256::digest(format!("{what} {of}")).into()));
    let word = &what[..what.len().min(20)];
    name(&format!("{word}:{}", &digits[..40]))
}
