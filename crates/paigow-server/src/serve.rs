//! A server from its start to its end.

use crate::app::App;
use crate::host::scheduler::Scheduler;
use crate::host::{hints, store_rollback};
use crate::house::practice;
use crate::people::{People, secret_digest};
use crate::settings::Settings;
use crate::{
    AnyStore, BookFolder, Environment, HostError, KeyFileError, StoreError, house, http, master_keys,
};
use paigow::document::Problem;
use paigow_table::Secret;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// Files for the store, the log and connections beyond the limits.
const OTHER_FILES: u64 = 256;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Nothing can be listened to there.
    #[error("nothing can be heard at {address}: {why}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        why: std::io::Error,
    },
    /// Rule books of the operator's folder are not right.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Books(Vec<Problem>),
    /// The store.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// PostgreSQL may lose what it has acknowledged.
    #[error(
        "PostgreSQL has {}: a power cut would lose commands that were acknowledged; turn it on, or set allow_unsafe_postgres",
        .0.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
    )]
    UnsafePostgres(Vec<(String, String)>),
    /// The tables for practice could not be opened.
    #[error("{0}")]
    Host(#[from] HostError),
    /// There is no master key.
    #[error("{0}")]
    Keys(#[from] KeyFileError),
    /// No secret could be drawn.
    #[error("no secret can be drawn: {0}")]
    Entropy(#[from] getrandom::Error),
}

/// A server that listens.
#[derive(Debug)]
pub struct Started {
    /// Where.
    pub address: SocketAddr,
    /// Where it answers health checks only, if it has a listener for them.
    pub health_address: Option<SocketAddr>,
    /// How many tables are open.
    pub tables: usize,
    /// The operators' secret, where it was made just now. It is kept nowhere: whoever starts the server writes it down.
    pub operator_secret: Option<String>,
}

/// Runs a server until it is told to stop, and then until what was begun is done.
///
/// # Errors
/// Why it could not start.
pub async fn serve(
    settings: Settings,
    stop: impl Future<Output = ()> + Send,
    started: impl FnOnce(&Started),
) -> Result<(), ServeError> {
    let (listener, address) = listen(settings.listen).await?;
    let health = match settings.health_listen {
        Some(address) => Some(listen(address).await?),
        None => None,
    };
    raise_file_limit(&settings);
    let books = BookFolder::read(settings.books.as_deref()).map_err(ServeError::Books)?;
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
    let app = App::new(store, settings, books, keys);
    if let Some(newest) = app.store().newest().await? {
        app.tables.world().compare_with_stored(newest);
    }
    app.store().note_start(key, app.now()).await?;
    practice::begin(&app).await?;
    let clock = Scheduler::new(app.tables.clone(), app.metrics.clock.clone(), app.stop.clone());
    let tables = clock.load_all().await?;
    practice::end_changed(&app).await;
    hints::begin(&app, app.tables.world().entropy()?);
    // Last of all that can fail: a secret is made once, and somebody must be told.
    let operator_secret = claim_secret(&app).await?;
    app.tasks.spawn(clock.clone().run());
    app.tasks.spawn(clock.poll());
    app.tasks.spawn(house::run(app.clone()));
    app.tasks.spawn(store_rollback::watch(app.clone()));
    app.tasks.spawn(http::accept(app.clone(), listener));
    let health_address = health.as_ref().map(|(_, address)| *address);
    if let Some((listener, _)) = health {
        app.tasks.spawn(http::accept_health(app.clone(), listener));
    }
    started(&Started { address, health_address, tables, operator_secret });
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
        tracing::warn!("something took longer than it may, and was cut off");
    }
    Ok(())
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let failed = |why| ServeError::Listen { address, why };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// Raises the soft limit of open files to what connections and sockets may take. Where the hard limit is lower, the operator is warned:
/// a process that is out of files accepts no connection, not even a health check's.
fn raise_file_limit(settings: &Settings) {
    let want = u64::from(settings.connections) + u64::from(settings.sockets) + OTHER_FILES;
    match rlimit::increase_nofile_limit(want) {
        Ok(limit) if limit < want => {
            tracing::warn!(limit, want, "fewer files may be open than `connections` and `sockets` may take");
        }
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, "the limit of open files cannot be read"),
    }
}

/// Makes the operators' secret, if there is none. Of several processes that start at once one does.
async fn claim_secret(app: &App) -> Result<Option<String>, ServeError> {
    let secret = app.tables.world().entropy()?;
    let claimed = app.store().claim_operator_secret(secret_digest(&secret), app.now()).await?;
    Ok(claimed.then(|| String::from(Secret(secret))))
}
