//! TLS of the HTTP listener: its certificate, which is reloaded while the server runs, and the handshake.
//!
//! rustls does all cryptography, with the algorithms of ring. TLS 1.2 and 1.3 are offered.

mod certificate;
mod pinned;
mod reload;

pub use certificate::TlsFileFault;
pub(crate) use certificate::{EXPOSED, ServerCertificate, TlsFiles};
pub(crate) use pinned::{is_other_certificate, pinned_client};
pub(crate) use reload::watch;

use certificate::PairBytes;

use crate::operations::readiness::ReadinessCheck;
use paigow_table::Time;
use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use tokio_rustls::TlsAcceptor;

/// ALPN name of HTTP/2.
pub(crate) const HTTP2: &[u8] = b"h2";
/// ALPN name of HTTP/1.1. Browsers open WebSockets with it.
const HTTP1: &[u8] = b"http/1.1";
/// Time before the expiry of a certificate at which the server begins to warn. Certificates are usually renewed a month
/// before.
pub(crate) const WARN_SECONDS: u64 = 14 * 86_400;

/// Cryptographic algorithms of all TLS connections, of the listener and to PostgreSQL.
pub(crate) fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// TLS of the listener.
pub(crate) struct ServerTls {
    files: TlsFiles,
    /// Contents of the files at the start.
    loaded: PairBytes,
    slot: Arc<CertificateSlot>,
    acceptor: TlsAcceptor,
    spare_acceptor: TlsAcceptor,
}

/// The certificate of new connections.
#[derive(Debug)]
struct CertificateSlot {
    current: RwLock<Arc<ServerCertificate>>,
    /// Whether the files have changed since and hold no valid pair.
    is_outdated: AtomicBool,
}

impl ResolvesServerCert for CertificateSlot {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current().key.clone())
    }
}

impl CertificateSlot {
    fn current(&self) -> Arc<ServerCertificate> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, certificate: ServerCertificate) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(certificate);
    }
}

impl ServerTls {
    /// Loads the certificate and the key.
    ///
    /// # Errors
    /// Every fault of the two files.
    pub(crate) fn load(files: TlsFiles) -> Result<ServerTls, Vec<TlsFileFault>> {
        let loaded = files.read();
        let certificate = loaded.certificate(&files)?;
        files.warn_if_exposed();
        let current = RwLock::new(Arc::new(certificate));
        let slot = Arc::new(CertificateSlot { current, is_outdated: AtomicBool::new(false) });
        let acceptor = |protocols| acceptor(&slot, protocols).map_err(|why| vec![files.fault_of_cert(why)]);
        let (acceptor, spare_acceptor) = (acceptor(&[HTTP2, HTTP1])?, acceptor(&[HTTP1])?);
        Ok(ServerTls { files, loaded, slot, acceptor, spare_acceptor })
    }

    /// Acceptor of connections within the limits.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        self.acceptor.clone()
    }

    /// Acceptor of connections that have one request, for which HTTP/1.1 is enough.
    pub(crate) fn spare_acceptor(&self) -> TlsAcceptor {
        self.spare_acceptor.clone()
    }

    /// The first certificate of the chain in use.
    pub(crate) fn leaf(&self) -> Option<CertificateDer<'static>> {
        self.slot.current().key.cert.first().cloned()
    }

    /// Expiry of the certificate in use, in seconds since 1970.
    pub(crate) fn expires(&self) -> u64 {
        self.slot.current().expires
    }

    /// Readiness check of the certificate. It never fails, because the server can continue and another process has the
    /// same files.
    pub(crate) fn check(&self, now: Time) -> ReadinessCheck {
        const NAME: &str = "certificate";
        let now = now.0 / 1_000;
        let expires = self.expires();
        if expires <= now {
            return ReadinessCheck::remark(NAME, "certificate_expired", "the TLS certificate has expired");
        }
        if self.slot.is_outdated.load(Ordering::Relaxed) {
            let detail = "the certificate files hold no valid pair, and the earlier certificate is in use; see the log";
            return ReadinessCheck::remark(NAME, "certificate_not_reloaded", detail);
        }
        if expires - now < WARN_SECONDS {
            let detail = format!("the TLS certificate expires in {} days", (expires - now) / 86_400);
            return ReadinessCheck::remark(NAME, "certificate_expires", detail);
        }
        ReadinessCheck::holds(NAME)
    }
}

/// Returns an acceptor that offers `protocols`. Fails only if the provider has no algorithm for a version of TLS.
fn acceptor(slot: &Arc<CertificateSlot>, protocols: &[&[u8]]) -> Result<TlsAcceptor, String> {
    let versions = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
    let versions = versions.map_err(|error| error.to_string())?;
    let mut config = versions.with_no_client_auth().with_cert_resolver(slot.clone());
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    Ok(TlsAcceptor::from(Arc::new(config)))
}
