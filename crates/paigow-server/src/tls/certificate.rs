//! The files of a certificate and its private key.

use super::{WARN_SECONDS, provider};
use rustls::Error;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;

/// Maximum size of each file. Chains have a few kilobytes.
const BYTES_MAX: u64 = 1 << 20;
/// Permission bits that expose a private key: access for all users, and writes by the group. Reads by the group are
/// usual where a group holds the keys of a machine.
pub(crate) const EXPOSED: u32 = 0o027;

/// A fault of the certificate file or the key file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{setting} {}: {why}", .path.display())]
pub struct TlsFileFault {
    /// Setting that names the file.
    pub setting: &'static str,
    /// Path of the file.
    pub path: PathBuf,
    /// Description of the fault.
    pub why: String,
}

/// Paths of the certificate file and the key file.
#[derive(Clone)]
pub(crate) struct TlsFiles {
    pub(crate) cert: PathBuf,
    pub(crate) key: PathBuf,
}

/// Bytes of the two files, or why a file cannot be read.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct PairBytes {
    cert: Result<Vec<u8>, String>,
    key: Result<Vec<u8>, String>,
}

/// A certificate chain with its private key.
#[derive(Debug)]
pub(crate) struct ServerCertificate {
    pub(super) key: Arc<CertifiedKey>,
    /// Expiry of the first certificate, in seconds since 1970.
    pub(super) expires: u64,
    /// The same as a date.
    pub(super) expiry_date: String,
}

impl TlsFiles {
    pub(super) fn read(&self) -> PairBytes {
        PairBytes { cert: read(&self.cert), key: read(&self.key) }
    }

    pub(super) fn fault_of_cert(&self, why: String) -> TlsFileFault {
        TlsFileFault { setting: "tls_cert", path: self.cert.clone(), why }
    }

    fn fault_of_key(&self, why: String) -> TlsFileFault {
        TlsFileFault { setting: "tls_key", path: self.key.clone(), why }
    }

    /// Logs a warning if users other than the owner can use the key.
    #[cfg(unix)]
    pub(super) fn warn_if_exposed(&self) {
        use std::os::unix::fs::PermissionsExt;
        let Ok(metadata) = std::fs::metadata(&self.key) else { return };
        let mode = metadata.permissions().mode() & 0o777;
        if mode & EXPOSED != 0 {
            tracing::warn!(
                file = %self.key.display(),
                mode = format!("{mode:o}"),
                "other users can read or change the private key: run chmod 600 on it"
            );
        }
    }

    #[cfg(not(unix))]
    pub(super) fn warn_if_exposed(&self) {}
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|why| why.to_string())?;
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|why| why.to_string())?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(format!("the file is larger than {BYTES_MAX} bytes"));
    }
    Ok(bytes)
}

impl PairBytes {
    /// Parses the certificate and the key, and checks that they belong together.
    ///
    /// # Errors
    /// Every fault of the two files.
    pub(super) fn certificate(&self, files: &TlsFiles) -> Result<ServerCertificate, Vec<TlsFileFault>> {
        let chain = self.cert.clone().and_then(|bytes| chain(&bytes));
        let key = self.key.clone().and_then(|bytes| private_key(&bytes));
        let (chain, key) = match (chain, key) {
            (Ok(chain), Ok(key)) => (chain, key),
            (chain, key) => {
                let cert_fault = chain.err().map(|why| files.fault_of_cert(why));
                let key_fault = key.err().map(|why| files.fault_of_key(why));
                return Err(cert_fault.into_iter().chain(key_fault).collect());
            }
        };
        let (expires, expiry_date) = expiry(&chain).map_err(|why| vec![files.fault_of_cert(why)])?;
        let key = CertifiedKey::from_der(chain, key, &provider()).map_err(|error| {
            vec![match error {
                Error::InconsistentKeys(_) => files.fault_of_key(format!(
                    "the key does not belong to the first certificate of {}",
                    files.cert.display()
                )),
                Error::InvalidCertificate(_) => files.fault_of_cert(error.to_string()),
                _ => files.fault_of_key(error.to_string()),
            }]
        })?;
        Ok(ServerCertificate { key: Arc::new(key), expires, expiry_date })
    }
}

fn chain(bytes: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let chain: Result<Vec<_>, pem::Error> = CertificateDer::pem_slice_iter(bytes).collect();
    let chain = chain.map_err(|error| format!("not a PEM file: {error}"))?;
    if chain.is_empty() {
        return Err("there is no PEM section `CERTIFICATE`".to_owned());
    }
    Ok(chain)
}

fn private_key(bytes: &[u8]) -> Result<PrivateKeyDer<'static>, String> {
    PrivateKeyDer::from_pem_slice(bytes).map_err(|error| match error {
        pem::Error::NoItemsFound => {
            "there is no PEM section `PRIVATE KEY`; decrypt an encrypted key first, with `openssl pkey`"
                .to_owned()
        }
        error => format!("not a PEM file: {error}"),
    })
}

/// Returns the expiry of the first certificate, in seconds since 1970 and as a date.
fn expiry(chain: &[CertificateDer<'_>]) -> Result<(u64, String), String> {
    let unreadable = |why: String| format!("the first certificate cannot be read: {why}");
    let first = chain.first().ok_or_else(|| unreadable("there is none".to_owned()))?;
    let (_, first) = X509Certificate::from_der(first).map_err(|error| unreadable(error.to_string()))?;
    let expiry = first.validity().not_after;
    // A time before 1970 has passed as well.
    Ok((u64::try_from(expiry.timestamp()).unwrap_or(0), expiry.to_string()))
}

impl ServerCertificate {
    /// Logs the expiry, as a warning if it is near or has passed.
    pub(crate) fn log(&self, now_seconds: u64, message: &'static str) {
        if self.expires < now_seconds.saturating_add(WARN_SECONDS) {
            tracing::warn!(expires = self.expiry_date, "{message}, which has expired or expires soon");
        } else {
            tracing::info!(expires = self.expiry_date, "{message}");
        }
    }
}
