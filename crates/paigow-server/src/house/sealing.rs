//! Seals old rounds into blocks while the server runs.

use crate::SealRule;
use crate::app::App;
use crate::operations::seal_tables;
use paigow_table::Time;
use std::sync::Arc;
use std::time::Duration;

/// Time between two passes over the tables.
const PASS_INTERVAL: Duration = Duration::from_mins(5);

/// Seals old rounds until the server stops. It is a task of its own, because a pass over many tables takes seconds.
pub(crate) async fn run(app: Arc<App>) {
    let minutes = app.settings.seal_minutes;
    if minutes == 0 {
        return;
    }
    loop {
        let before = Time(app.now().0.saturating_sub(minutes * 60_000));
        let rule = SealRule { before, rounds_min: SealRule::ROUNDS_MIN };
        match seal_tables(app.store(), rule, || app.stop.is_cancelled()).await {
            Ok(counts) => {
                if counts.blocks > 0 {
                    tracing::info!(blocks = counts.blocks, rounds = counts.rounds, "sealed old rounds");
                }
                for reason in counts.refused {
                    tracing::warn!(reason, "cannot seal old rounds");
                }
            }
            Err(error) => tracing::warn!(%error, "cannot seal old rounds"),
        }
        tokio::select! {
            () = tokio::time::sleep(PASS_INTERVAL) => {}
            () = app.stop.cancelled() => return,
        }
    }
}
