//! Starts a server and runs it until shutdown.

use crate::app::App;
use crate::host::scheduler::Scheduler;
use crate::host::{hints, store_rollback};
use crate::house::practice;
use crate::people::People;
use crate::settings::Settings;
use crate::tls::{ServerTls, TlsFiles};
use crate::{
    AnyStore, BookFolder, Environment, HostError, KeyFileError, StoreError, TlsFileFault, house, http,
    master_keys, operator_secret, tls,
};
use futures_util::future::{BoxFuture, LocalBoxFuture};
use paigow::document::Problem;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// File descriptors for the store, the log and connections beyond the limits.
const OTHER_FILES: u64 = 256;

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The listener could not be bound.
    #[error("cannot listen on {address}: {why}")]
    Listen {
        /// Address to listen on.
        address: SocketAddr,
        /// Error of the operating system.
        why: std::io::Error,
    },
    /// The files of the TLS certificate have faults.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Tls(Vec<TlsFileFault>),
    /// The operator's folder has invalid rule books or house ways.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Books(Vec<Problem>),
    /// The store could not be opened or read.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// PostgreSQL is configured to lose acknowledged commits in a power cut. Each setting with its value.
    #[error(
        "PostgreSQL has {}: a power cut would lose commands that were acknowledged; turn it on, or set allow_unsafe_postgres",
        .0.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
    )]
    UnsafePostgres(Vec<(String, String)>),
    /// The practice tables could not be opened.
    #[error("{0}")]
    Host(#[from] HostError),
    /// The master keys could not be read or created.
    #[error("{0}")]
    Keys(#[from] KeyFileError),
    /// The file of the operator secret could not be created or read.
    #[error("{}: {why}; see the setting `operator_secret_file`", path.display())]
    OperatorSecretFile {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        why: String,
    },
    /// The runtime could not be created.
    #[error("cannot start the runtime: {0}")]
    Runtime(std::io::Error),
    /// The operating system provides no random bytes.
    #[error("cannot generate a secret: {0}")]
    Entropy(#[from] getrandom::Error),
}

/// Addresses and state of a server that has started.
#[derive(Debug)]
pub struct ServerInfo {
    /// Address of the listener.
    pub address: SocketAddr,
    /// Address of the listener for health checks, if there is one.
    pub health_address: Option<SocketAddr>,
    /// Number of open tables.
    pub tables: usize,
    /// File with the operator secret, as long as the secret can enrol the first admin.
    pub operator_secret_file: Option<PathBuf>,
}

/// Runs a server in a new runtime until a signal stops the process or an operator drains the server.
///
/// Calls `started` once the server accepts connections.
///
/// # Errors
/// The server could not start.
pub fn serve_until_signal(settings: Settings, started: StartedCallback) -> Result<(), ServeError> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeError::Runtime)?;
    let served = runtime.block_on(serve(settings, Box::pin(stop_signal()), started));
    // Does not wait for long computations that are still running.
    runtime.shutdown_background();
    served
}

/// Completes when the process receives SIGTERM or SIGINT.
async fn stop_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // If the handler cannot be installed, SIGTERM ends the process at once.
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Called once a server accepts connections.
pub type StartedCallback = Box<dyn FnOnce(&ServerInfo) + Send>;

/// Runs a server until `stop` resolves or an operator drains it, then shuts down gracefully.
///
/// Calls `started` once the server accepts connections. The shutdown waits at most `drain_seconds` for running tasks.
/// The future is boxed, so that the caller's crate does not compile the server again.
///
/// # Errors
/// The server could not start.
pub fn serve(
    settings: Settings,
    stop: BoxFuture<'static, ()>,
    started: StartedCallback,
) -> LocalBoxFuture<'static, Result<(), ServeError>> {
    Box::pin(run(settings, stop, started))
}

async fn run(
    settings: Settings,
    stop: BoxFuture<'static, ()>,
    started: StartedCallback,
) -> Result<(), ServeError> {
    let tls = load_tls(&settings)?;
    let (listener, address) = listen(settings.listen).await?;
    let health = match settings.health_listen {
        Some(address) => Some(listen(address).await?),
        None => None,
    };
    raise_file_limit(&settings);
    let books = BookFolder::read(settings.books.as_deref()).map_err(ServeError::Books)?;
    for name in books.names_of_cards() {
        tracing::warn!(
            name,
            "a house way has the name of a strategy card: books of the folder use the file, questions use the card"
        );
    }
    let store = AnyStore::open(settings.store.reveal()).await?;
    let found = store.unsafe_settings().await?;
    if !found.is_empty() && !settings.allow_unsafe_postgres {
        return Err(ServeError::UnsafePostgres(found));
    }
    for (name, value) in found {
        tracing::warn!(name, value, "a power cut may lose commands that PostgreSQL has acknowledged");
    }
    let keys = Arc::new(master_keys(&settings.key_path(), store.has_signatures().await?)?);
    store.sign_heads(keys.clone());
    let key = keys.current();
    let app = App::new(store, settings, books, keys, tls);
    if let Some(newest) = app.store().newest().await? {
        app.tables.environment().compare_with_stored(newest);
    }
    app.store().note_start(key, app.now()).await?;
    practice::begin(&app).await?;
    let scheduler = Scheduler::new(app.tables.clone(), app.metrics.scheduler.clone(), app.stop.clone());
    let tables = scheduler.load_all().await?;
    practice::close_changed(&app).await;
    hints::begin(&app, app.tables.environment().entropy()?);
    let operator_secret_file = operator_secret::claim(&app).await?;
    app.tasks.spawn(scheduler.clone().run());
    app.tasks.spawn(scheduler.poll());
    app.tasks.spawn(house::run(app.clone()));
    app.tasks.spawn(house::sealing::run(app.clone()));
    app.tasks.spawn(store_rollback::watch(app.clone()));
    if let Some(tls) = &app.tls {
        app.tasks.spawn(tls::watch(app.clone(), tls.clone()));
    }
    app.tasks.spawn(http::accept(app.clone(), listener));
    let health_address = health.as_ref().map(|(_, address)| *address);
    if let Some((listener, _)) = health {
        app.tasks.spawn(http::accept_health(app.clone(), listener));
    }
    started(&ServerInfo { address, health_address, tables, operator_secret_file });
    tokio::select! {
        () = stop => {}
        () = app.drained() => {}
    }
    tracing::info!("stopping");
    app.drain();
    app.stop.cancel();
    app.tasks.close();
    let seconds = Duration::from_secs(app.settings.drain_seconds);
    if tokio::time::timeout(seconds, app.tasks.wait()).await.is_err() {
        tracing::warn!("graceful shutdown timed out; unfinished tasks are abandoned");
    }
    Ok(())
}

/// Loads the certificate of the listener, if the settings name one.
fn load_tls(settings: &Settings) -> Result<Option<Arc<ServerTls>>, ServeError> {
    let (Some(cert), Some(key)) = (settings.tls_cert.clone(), settings.tls_key.clone()) else {
        return Ok(None);
    };
    let tls = ServerTls::load(TlsFiles { cert, key }).map_err(ServeError::Tls)?;
    Ok(Some(Arc::new(tls)))
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let failed = |why| ServeError::Listen { address, why };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// Number of open files that connections and sockets may use.
pub(crate) fn files_wanted(settings: &Settings) -> u64 {
    u64::from(settings.connections) + u64::from(settings.sockets) + OTHER_FILES
}

/// Raises the soft limit of open files to the number that connections and sockets may use.
///
/// Logs a warning if the hard limit is lower. A process without free file descriptors accepts no connections, not even
/// for health checks.
fn raise_file_limit(settings: &Settings) {
    let want = files_wanted(settings);
    match rlimit::increase_nofile_limit(want) {
        Ok(limit) if limit < want => {
            tracing::warn!(
                limit,
                want,
                "the limit of open files is below what `connections` and `sockets` may use"
            );
        }
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, "cannot read the limit of open files"),
    }
}
