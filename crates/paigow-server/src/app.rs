//! State that the parts of a server share.

mod access;
mod limits;

pub(crate) use limits::LimitUse;

use access::AccessCache;
use limits::LimitState;

use crate::environment::JumpCounts;
use crate::host::VoidScope;
use crate::http::{ApiProblem, ConnectionGuard, PerAddress, Preparations, Queue};
use crate::http::{Audits, RateLimits, SignInLimits, address_key};
use crate::live::{Presence, Sockets};
use crate::operations::metrics::Metrics;
use crate::operations::readiness::TestWrites;
use crate::people::credentials::PasswordHasher;
use crate::settings::Settings;
use crate::tls::ServerTls;
use crate::{
    AnyStore, BookFolder, CheckedEnvironment, CommandResult, Environment, Host, HostError, RulesCache,
};
use axum::http::StatusCode;
use paigow_answers::{Cache, Work};
use paigow_table::{
    Actor, Command, CommandId, Currency, MasterKeys, Opening, PlayerId, Secret, Table, TableId, Time,
    VoidReason,
};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Number of passwords that are hashed at the same time. A hash uses a core and 19 MiB.
const PASSWORDS_AT_ONCE: usize = 2;
/// Number of attempts at a wager within limits, while other wagers of the player are committed.
const STAKE_ATTEMPTS_MAX: u32 = 16;
/// Maximum number of failed sign-ins in the operators' log per minute.
const SIGN_IN_LOG_PER_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(119);

/// Host of a server's tables.
pub(crate) type ServerHost = Host<AnyStore, CheckedEnvironment>;

/// Shared state of a running server.
pub(crate) struct App {
    pub(crate) tables: Arc<ServerHost>,
    pub(crate) settings: Settings,
    /// Built-in rule books and those of the operator.
    pub(crate) books: BookFolder,
    /// Exact odds, with a cache of finished counts.
    pub(crate) work: Work,
    pub(crate) questions: Queue,
    /// Tables of worths that are being prepared.
    pub(crate) preparations: Preparations,
    /// Whether house ways are priced by tables of worths.
    pub(crate) worth_tables: bool,
    pub(crate) metrics: Metrics,
    pub(crate) test_writes: TestWrites,
    pub(crate) sockets: Sockets,
    pub(crate) presence: Presence,
    addresses: RateLimits,
    accounts: RateLimits,
    health_checks: RateLimits,
    guests: RateLimits,
    pub(crate) sign_ins: SignInLimits,
    /// Failed sign-ins of operators in their log, of all clients together.
    sign_in_log: RateLimits,
    /// Addresses whose sign-ins beyond the limit are in the operators' log.
    sign_in_excess: RateLimits,
    /// Hashes passwords of players and operators, a few at a time.
    pub(crate) passwords: PasswordHasher,
    pub(crate) access_cache: AccessCache,
    limits: LimitState,
    /// Audits of the store that operators run.
    pub(crate) audits: Audits,
    /// TLS of the listener, or `None` for plain HTTP.
    pub(crate) tls: Option<Arc<ServerTls>>,
    /// Concurrent requests of each address. Counted only behind trusted proxies and over HTTP/2.
    concurrent_requests: PerAddress,
    /// Cancelled when the process stops accepting new sockets and tables.
    draining: CancellationToken,
    /// Cancelled when the process shuts down.
    pub(crate) stop: CancellationToken,
    /// Tasks that a graceful shutdown waits for.
    pub(crate) tasks: TaskTracker,
}

impl App {
    pub(crate) fn new(
        store: AnyStore,
        settings: Settings,
        books: BookFolder,
        keys: Arc<MasterKeys>,
        tls: Option<Arc<ServerTls>>,
    ) -> Arc<App> {
        let rules_cache = RulesCache::new(books.clone());
        let stop = CancellationToken::new();
        let jumps = JumpCounts::default();
        let tables = Arc::new(Host::new(store, CheckedEnvironment::system(jumps.clone()), rules_cache, keys));
        Arc::new(App {
            work: Work::without_progress(Cache::open()),
            questions: Queue::new(settings.questions, settings.questions_per_address),
            preparations: Preparations::default(),
            worth_tables: settings.worth_tables,
            metrics: Metrics::new(&jumps, tables.rollback().counts(), tables.money()),
            tables,
            test_writes: TestWrites::default(),
            sockets: Sockets::new(&settings, stop.clone()),
            presence: Presence::default(),
            addresses: RateLimits::per_minute(settings.requests_per_address),
            accounts: RateLimits::per_minute(settings.requests_per_account),
            health_checks: RateLimits::per_minute(settings.health_checks_per_address),
            guests: RateLimits::per_minute(settings.guests_per_address),
            sign_ins: SignInLimits::per_minute(settings.sign_ins_per_address, settings.sign_ins_per_name),
            sign_in_log: RateLimits::per_minute(SIGN_IN_LOG_PER_MINUTE),
            sign_in_excess: RateLimits::per_minute(NonZeroU32::MIN),
            passwords: PasswordHasher::new(PASSWORDS_AT_ONCE),
            access_cache: AccessCache::default(),
            limits: LimitState::default(),
            audits: Audits::default(),
            tls,
            concurrent_requests: PerAddress::new(settings.connections_per_address),
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
        self.tables.environment().now()
    }

    /// Time by which sessions expire.
    pub(crate) fn session_now(&self) -> Time {
        self.tables.environment().session_now()
    }

    /// Returns 32 random bytes for a secret.
    pub(crate) fn random_bytes(&self) -> Result<[u8; 32], ApiProblem> {
        Ok(self.tables.environment().entropy().map_err(HostError::from)?)
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.draining.is_cancelled() || self.stop.is_cancelled()
    }

    /// Stops accepting new sockets and tables.
    pub(crate) fn drain(&self) {
        self.draining.cancel();
    }

    /// Waits until `drain_seconds` after draining began, so that load balancers have time to notice.
    pub(crate) async fn drained(&self) {
        self.draining.cancelled().await;
        tokio::time::sleep(Duration::from_secs(self.settings.drain_seconds)).await;
    }

    /// Applies the request rate limit of an address.
    pub(crate) fn check_address_rate(&self, address: IpAddr) -> Result<(), ApiProblem> {
        self.addresses.check(&address_key(address)).map_err(|too_many| {
            self.metrics.limited("address");
            ApiProblem::too_many(
                "too_many_requests",
                "too many requests from this address",
                too_many.seconds(),
            )
        })
    }

    /// Applies the health check rate limit of an address.
    pub(crate) fn check_health_rate(&self, address: IpAddr) -> Result<(), ApiProblem> {
        self.health_checks.check(&address_key(address)).map_err(|too_many| {
            self.metrics.limited("health");
            let detail = "too many health checks from this address";
            ApiProblem::too_many("too_many_requests", detail, too_many.seconds())
        })
    }

    /// Applies the rate limit of new guests from an address.
    pub(crate) fn check_guest_rate(&self, address: IpAddr) -> Result<(), ApiProblem> {
        self.guests.check(&address).map_err(|too_many| {
            self.metrics.limited("guests");
            let detail = "too many new guests from this address";
            ApiProblem::too_many("too_many_guests", detail, too_many.seconds())
        })
    }

    /// Applies the rate limits of sign-ins to an address and, for methods that can be guessed, to a name.
    pub(crate) fn check_sign_in_rate(&self, address: IpAddr, name: Option<&str>) -> Result<(), ApiProblem> {
        self.sign_ins.check(address, name).map_err(|too_many| {
            self.metrics.limited("sign_in");
            let detail = "too many sign-ins from this address or with this name";
            ApiProblem::too_many("too_many_tries", detail, too_many.seconds())
        })
    }

    /// Whether another failed sign-in may be written to the operators' log. The limit keeps an attacker with many
    /// addresses from filling the store.
    pub(crate) fn may_log_failed_sign_in(&self) -> bool {
        self.sign_in_log.check("all").is_ok()
    }

    /// Whether this is the first sign-in beyond the limit from an address within a minute.
    pub(crate) fn is_first_excess(&self, address: IpAddr) -> bool {
        self.sign_in_excess.check(&address_key(address)).is_ok()
    }

    /// Counts a request among the concurrent ones of its address.
    pub(crate) fn count_concurrent_request(&self, address: IpAddr) -> Result<ConnectionGuard, ApiProblem> {
        self.concurrent_requests.take(address).ok_or_else(|| {
            self.metrics.limited("connections");
            let detail = "too many concurrent requests from this address";
            ApiProblem::too_many("too_many_connections", detail, 1)
        })
    }

    /// Applies the request rate limit of an account.
    pub(crate) fn check_account_rate(&self, player: &PlayerId) -> Result<(), ApiProblem> {
        self.accounts.check(player).map_err(|too_many| {
            self.metrics.limited("account");
            ApiProblem::too_many(
                "too_many_requests",
                "too many requests from this account",
                too_many.seconds(),
            )
        })
    }

    /// Drops the rate-limit state of idle addresses and accounts.
    pub(crate) fn forget_idle(&self) {
        self.addresses.forget_idle();
        self.accounts.forget_idle();
        self.health_checks.forget_idle();
        self.guests.forget_idle();
        self.sign_ins.forget_idle();
        self.sign_in_log.forget_idle();
        self.sign_in_excess.forget_idle();
    }

    /// Executes a command at a table.
    pub(crate) async fn command(
        &self,
        table: &TableId,
        by: &Actor,
        id: &CommandId,
        command: &Command,
    ) -> Result<CommandResult, ApiProblem> {
        if let Actor::Player(player) = by {
            self.check_account_rate(player)?;
            if matches!(command, Command::Sit { .. }) {
                self.check_seat_limit(player, table).await?;
                self.check_invited(player, table).await?;
            }
            if limits::may_stake(command) {
                return self.limited_command(player, table, id, command).await;
            }
        }
        Ok(self.measured(self.tables.command(table, by, id, command)).await?)
    }

    /// Executes a command of a player that may put money at stake, within the limits that the player has set.
    async fn limited_command(
        &self,
        player: &PlayerId,
        table: &TableId,
        id: &CommandId,
        command: &Command,
    ) -> Result<CommandResult, ApiProblem> {
        let by = Actor::Player(player.clone());
        for _ in 0..STAKE_ATTEMPTS_MAX {
            let limit = self.stake_limit(player, table).await?;
            let max = limit.as_ref().map(|limit| &limit.max);
            let done = self.measured(self.tables.command_within(table, &by, id, command, max)).await;
            match (done, limit) {
                (Err(HostError::StakeLimit { .. }), Some(limit)) => return Err(limit.problem),
                // Another process or table has moved money of the player: the limit is computed again.
                (Err(HostError::OtherTransfers), Some(_)) => {}
                (done, _) => return Ok(done?),
            }
        }
        Err(HostError::OtherTransfers.into())
    }

    /// Voids the round of a table if it is in scope.
    pub(crate) async fn void(
        &self,
        table: &TableId,
        by: &Actor,
        id: &CommandId,
        reason: VoidReason,
        scope: VoidScope,
    ) -> Result<CommandResult, ApiProblem> {
        Ok(self.measured(self.tables.void(table, by, id, &Command::Void { reason }, scope)).await?)
    }

    /// Counts a command and its time in the metrics.
    async fn measured(
        &self,
        command: impl Future<Output = Result<CommandResult, HostError>>,
    ) -> Result<CommandResult, HostError> {
        let start = Instant::now();
        let done = command.await;
        let outcome = done.as_ref().map_or_else(HostError::code, |_| "done");
        self.metrics.record_command(outcome, start.elapsed());
        done
    }

    /// Refuses a player who already has the maximum number of seats at other tables. The table counts its own seats,
    /// because the command may be a retry.
    async fn check_seat_limit(&self, player: &PlayerId, here: &TableId) -> Result<(), ApiProblem> {
        let seats = |table: &Table| if table.id() == here { 0 } else { table.seats_of(player).count() };
        let seats: usize = self.tables.map_open(|table, _| seats(table)).await.into_iter().sum();
        if seats >= self.settings.seats_per_person as usize {
            let detail = format!(
                "you already have {seats} seats at other tables, the maximum is {}: leave one of them first",
                self.settings.seats_per_person
            );
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
            return Err(ApiProblem::unavailable("the process is draining; connect to another process"));
        }
        let table = opening.config.table.clone();
        if !table.fits_in_path() {
            let detail =
                "a table name starts with a letter or a digit and contains letters, digits, `-`, `_` and `.`";
            return Err(ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_table_name", detail));
        }
        let done = self.tables.open_with_defaults(by, id, opening).await?;
        // A loaded table has its deadlines set and is listed in the lobby.
        self.tables.ensure_loaded(&table).await?;
        Ok(done)
    }
}

/// Currency that guests play for.
pub(crate) fn practice() -> Currency {
    name("PRACTICE")
}

/// Actor of the commands that the server itself issues.
pub(crate) fn house() -> Actor {
    Actor::Operator(name("house"))
}

/// Parses a name that is valid by construction.
///
/// # Panics
/// The name is invalid, which is a bug in the caller.
pub(crate) fn name<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("invalid name: {text}"))
}

/// Derives a command id from a prefix and a text of any length.
pub(crate) fn derive_command_id(prefix: &str, text: &str) -> CommandId {
    use sha2::{Digest, Sha256};
    let digits = String::from(Secret(Sha256::digest(format!("{prefix} {text}")).into()));
    let prefix = &prefix[..prefix.len().min(20)];
    name(&format!("{prefix}:{}", &digits[..40]))
}
