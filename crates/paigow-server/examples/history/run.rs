//! The history from its first event to its last.

use crate::play::{Play, keys};
use crate::{Failure, banked, dealt, house, people, summary, wanted};
use paigow_server::{People, Store};
use serde_json::Value;

/// Plays the history onto an empty store and returns its summary.
pub(crate) async fn play_history<S: Store + People + Clone>(store: S) -> Result<Value, Failure> {
    if !store.tables().await?.is_empty() {
        return Err("the store is not empty: a history is played onto a new one".into());
    }
    let play = Play::new(store.clone());
    store.note_start(keys().current(), play.now()).await?;
    people::enrol(&play).await?;
    dealt::play(&play).await?;
    banked::play(&play).await?;
    house::play(&play).await?;
    people::operate(&play).await?;
    let summary = summary::of(&store).await?;
    wanted::check(&store, &summary).await?;
    Ok(summary)
}
