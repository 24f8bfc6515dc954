//! Hints between processes over one database, sent with `NOTIFY`.
//!
//! They are sent in their own transactions, because `NOTIFY` would serialize the commits of the transactions that
//! append.

use super::Postgres;
use crate::StoreError;
use std::future::poll_fn;
use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, Client};

/// Name of the notification channel.
const CHANNEL: &str = "paigow_events";
/// Capacity of the queue of received hints. Hints beyond it are dropped; polling finds the events.
const QUEUE_MAX: usize = 1_024;

impl Postgres {
    /// Sends a hint to every listening process.
    pub(crate) async fn hint(&self, text: &str) -> Result<(), StoreError> {
        let client = self.pool.get().await?;
        let statement = client.prepare_cached("SELECT pg_notify($1, $2)").await?;
        client.execute(&statement, &[&CHANNEL, &text]).await?;
        Ok(())
    }

    /// Starts listening for hints on a new connection.
    pub(crate) async fn hints(&self) -> Result<Hints, StoreError> {
        let (client, mut connection) = self.config.connect(self.tls.clone()).await?;
        let (sender, received) = mpsc::channel(QUEUE_MAX);
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
                if let AsyncMessage::Notification(note) = message {
                    // A hint is dropped if the queue is full.
                    let _ = sender.try_send(note.payload().to_owned());
                }
            }
        });
        client.batch_execute(&format!("LISTEN {CHANNEL}")).await?;
        Ok(Hints { received, _client: client })
    }
}

/// Received hints, until the connection is lost.
pub(crate) struct Hints {
    received: mpsc::Receiver<String>,
    /// Keeps the connection open.
    _client: Client,
}

impl Hints {
    /// Waits for the next hint. Returns `None` if the connection is lost.
    pub(crate) async fn next(&mut self) -> Option<String> {
        self.received.recv().await
    }

    /// Returns the next queued hint without waiting.
    pub(crate) fn next_now(&mut self) -> Option<String> {
        self.received.try_recv().ok()
    }
}
