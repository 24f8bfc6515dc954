//! Reloads the certificate when its files change.

use super::ServerTls;
use super::certificate::PairBytes;
use crate::app::App;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Time between two checks of the files. They are read, because the time of a file says nothing about a replaced link.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// Decides which contents of the files are loaded.
struct Changes {
    /// Contents that were loaded or refused last.
    decided: PairBytes,
    /// Contents that the last check found, if they differ.
    pending: Option<PairBytes>,
}

impl Changes {
    /// Returns changed contents once two checks in a row have found them. The two files are written one after the other,
    /// and a check in between finds a pair that does not belong together.
    fn next(&mut self, found: PairBytes) -> Option<&PairBytes> {
        if found == self.decided {
            self.pending = None;
            return None;
        }
        if self.pending.as_ref() != Some(&found) {
            self.pending = Some(found);
            return None;
        }
        self.pending = None;
        self.decided = found;
        Some(&self.decided)
    }
}

impl ServerTls {
    /// Uses a changed pair for new connections, or keeps the current one and logs every fault.
    fn decide(&self, changed: &PairBytes, now_seconds: u64) {
        let loaded = changed.certificate(&self.files);
        self.slot.is_outdated.store(loaded.is_err(), Ordering::Relaxed);
        match loaded {
            Ok(certificate) => {
                self.files.warn_if_exposed();
                certificate.log(now_seconds, "loaded a changed TLS certificate");
                self.slot.replace(certificate);
            }
            Err(faults) => {
                for fault in faults {
                    tracing::error!(%fault, "the changed TLS certificate is not used; the earlier one stays in use");
                }
            }
        }
    }
}

/// Reloads the certificate until the server stops. Open connections keep theirs.
pub(crate) async fn watch(app: Arc<App>, tls: Arc<ServerTls>) {
    let now_seconds = || app.now().0 / 1_000;
    tls.slot.current().log(now_seconds(), "serving https with a TLS certificate");
    app.metrics.set_certificate_expiry(tls.expires());
    let mut changes = Changes { decided: tls.loaded.clone(), pending: None };
    loop {
        tokio::select! {
            () = tokio::time::sleep(CHECK_INTERVAL) => {}
            () = app.stop.cancelled() => return,
        }
        let files = tls.files.clone();
        // A task that cannot be joined was cancelled by the end of the runtime.
        let Ok(found) = tokio::task::spawn_blocking(move || files.read()).await else { return };
        if let Some(changed) = changes.next(found) {
            tls.decide(changed, now_seconds());
            app.metrics.set_certificate_expiry(tls.expires());
        }
    }
}
