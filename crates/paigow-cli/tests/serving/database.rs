//! A database per test, in a PostgreSQL server that concurrent tests share.

use crate::cluster::Cluster;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls};

static SHARED: Mutex<Weak<Cluster>> = Mutex::new(Weak::new());

/// An empty database for one test.
pub(crate) struct Database {
    /// URL of the database.
    pub(crate) address: String,
    client: Client,
    runtime: Runtime,
    /// Keeps the server running. The last test stops it.
    _cluster: Arc<Cluster>,
}

impl Database {
    pub(crate) fn new() -> Database {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let cluster = shared.upgrade().unwrap_or_else(|| Arc::new(Cluster::start()));
        *shared = Arc::downgrade(&cluster);
        drop(shared);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let address = runtime.block_on(cluster.database());
        let (client, connection) = runtime.block_on(tokio_postgres::connect(&address, NoTls)).unwrap();
        runtime.spawn(connection);
        Database { address, client, runtime, _cluster: cluster }
    }

    /// Returns the first value of the first row of a query.
    ///
    /// It clears the statistics snapshot first, because within a transaction PostgreSQL returns old statistics.
    pub(crate) fn count(&self, query: &str) -> i64 {
        self.run("SELECT pg_stat_clear_snapshot()");
        self.runtime.block_on(self.client.query_one(query, &[])).unwrap().get(0)
    }

    /// Executes statements.
    pub(crate) fn run(&self, statements: &str) {
        self.runtime.block_on(self.client.batch_execute(statements)).unwrap();
    }

    /// Terminates the connections on which servers listen for hints, and returns their number.
    pub(crate) fn cut_hints(&self) -> i64 {
        self.count(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
             WHERE datname = current_database() AND query LIKE 'LISTEN%'",
        )
    }
}
