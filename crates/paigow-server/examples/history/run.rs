//! The whole history.

use crate::play::{HistoryHost, keys};
use crate::{Failure, coverage, dealer_banks, documents, operators, people, seats_bank, summary};
use paigow_server::{Documents, People, Store};
use serde_json::Value;

/// Plays the history onto an empty store and returns its summary.
pub(crate) async fn play_history<S: Store + People + Documents + Clone>(store: S) -> Result<Value, Failure> {
    if !store.tables().await?.is_empty() {
        return Err("the store is not empty: the history needs a new one".into());
    }
    let history = HistoryHost::new(store.clone());
    store.note_start(keys().current(), history.now()).await?;
    people::enrol(&history).await?;
    dealer_banks::play(&history).await?;
    seats_bank::play(&history).await?;
    operators::play(&history).await?;
    people::operate(&history).await?;
    documents::write(&history).await?;
    let summary = summary::of(&store).await?;
    coverage::check(&store, &summary).await?;
    Ok(summary)
}
