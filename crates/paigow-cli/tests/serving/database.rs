//! A database for a test, in a PostgreSQL that tests which run at the same time share.

use crate::cluster::Cluster;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls};

static SHARED: Mutex<Weak<Cluster>> = Mutex::new(Weak::new());

/// A database of its own.
pub(crate) struct Database {
    /// Its address.
    pub(crate) address: String,
    client: Client,
    runtime: Runtime,
    /// Stopped when the last test is done with it.
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

    /// The first value of the first row of a question's answer, as it is now: within a transaction what is known of others is old.
    pub(crate) fn count(&self, question: &str) -> i64 {
        self.run("SELECT pg_stat_clear_snapshot()");
        self.runtime.block_on(self.client.query_one(question, &[])).unwrap().get(0)
    }

    /// Does something there.
    pub(crate) fn run(&self, statements: &str) {
        self.runtime.block_on(self.client.batch_execute(statements)).unwrap();
    }

    /// Ends the connections by which servers hear hints; how many.
    pub(crate) fn cut_hints(&self) -> i64 {
        self.count(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
             WHERE datname = current_database() AND query LIKE 'LISTEN%'",
        )
    }
}
