//! Hints between processes over one database: NOTIFY, sent by itself. Inside the transactions that move money it would make them wait
//! for each other.

use super::Postgres;
use crate::StoreError;
use std::future::poll_fn;
use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, Client, NoTls};

/// The channel hints go by.
const CHANNEL: &str = "paigow_events";
/// How many hints may wait to be looked at. What does not fit is lost, and found by looking.
const WAITING_MAX: usize = 1_024;

impl Postgres {
    /// Sends a hint to every process that listens.
    pub(crate) async fn hint(&self, text: &str) -> Result<(), StoreError> {
        let client = self.pool.get().await?;
        let statement = client.prepare_cached("SELECT pg_notify($1, $2)").await?;
        client.execute(&statement, &[&CHANNEL, &text]).await?;
        Ok(())
    }

    /// Hints from now on.
    pub(crate) async fn hints(&self) -> Result<Hints, StoreError> {
        let (client, mut connection) = self.config.connect(NoTls).await?;
        let (send, heard) = mpsc::channel(WAITING_MAX);
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
                if let AsyncMessage::Notification(note) = message {
                    // One that does not fit is lost, as hints may be.
                    let _ = send.try_send(note.payload().to_owned());
                }
            }
        });
        client.batch_execute(&format!("LISTEN {CHANNEL}")).await?;
        Ok(Hints { heard, _client: client })
    }
}

/// Hints as they come, until the connection breaks.
pub(crate) struct Hints {
    heard: mpsc::Receiver<String>,
    /// The connection lives as long as this.
    _client: Client,
}

impl Hints {
    pub(crate) async fn next(&mut self) -> Option<String> {
        self.heard.recv().await
    }

    /// The next, if one waits.
    pub(crate) fn next_now(&mut self) -> Option<String> {
        self.heard.try_recv().ok()
    }
}
