//! TLS to PostgreSQL: the options `sslmode` and `sslrootcert` of an address, with the meaning they have in libpq.
//!
//! The client library knows neither CA files nor the modes that verify a certificate, so both options are removed from
//! the address before the library parses it.

use crate::tls::provider;
use percent_encoding::percent_decode_str;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_cert_signed_by_trust_anchor;
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::error::Error;
use std::io;
use std::sync::Arc;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

/// ALPN name of the protocol. Servers from version 17 on check it.
const PROTOCOL: &[u8] = b"postgresql";
/// Value of `sslrootcert` for the certificates of the operating system.
const SYSTEM: &str = "system";

/// Mode of a connection, the value of `sslmode`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

/// Each mode with its name.
const MODES: [(&str, Mode); 5] = [
    ("disable", Mode::Disable),
    ("prefer", Mode::Prefer),
    ("require", Mode::Require),
    ("verify-ca", Mode::VerifyCa),
    ("verify-full", Mode::VerifyFull),
];

/// TLS options of an address.
struct TlsOptions {
    mode: Mode,
    root_cert: Option<String>,
}

/// Parses an address and returns the configuration of its connections with their TLS.
///
/// # Errors
/// Why the address is invalid, or why a CA file cannot be used.
pub(super) fn parse(address: &str) -> Result<(Config, MakeRustlsConnect), String> {
    let (address, options) = take_options(address)?;
    let mut config: Config = address.parse().map_err(|error: tokio_postgres::Error| {
        // The message names the option only in the cause.
        error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
    })?;
    // Like libpq: a socket of the machine has no TLS.
    let is_local = config.get_hosts().iter().all(|host| !matches!(host, Host::Tcp(_)));
    config.ssl_mode(match options.mode {
        _ if is_local => SslMode::Disable,
        Mode::Disable => SslMode::Disable,
        Mode::Prefer => SslMode::Prefer,
        Mode::Require | Mode::VerifyCa | Mode::VerifyFull => SslMode::Require,
    });
    Ok((config, connector(&options)?))
}

/// Removes the TLS options from an address. Of an option that is given twice, the last value counts.
fn take_options(address: &str) -> Result<(String, TlsOptions), String> {
    let (mut mode, mut root_cert) = (Mode::Prefer, None);
    // A user's password ends at the first `@` and may contain a `?`.
    let host = address.find('@').map_or(0, |at| at + 1);
    let Some(query) = address[host..].find('?').map(|at| host + at) else {
        return Ok((address.to_owned(), TlsOptions { mode, root_cert }));
    };
    let mut rest = Vec::new();
    for option in address[query + 1..].split('&') {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let value = percent_decode_str(value).decode_utf8_lossy();
        match name {
            "sslmode" => {
                let known = MODES.iter().find(|(word, _)| *word == value);
                let words = || MODES.map(|(word, _)| word).join(", ");
                mode =
                    known.ok_or_else(|| format!("`sslmode` is `{value}`, but must be one of {}", words()))?.1;
            }
            "sslrootcert" => root_cert = Some(value.into_owned()).filter(|path| !path.is_empty()),
            _ => rest.push(option),
        }
    }
    if root_cert.is_some() && matches!(mode, Mode::Disable | Mode::Prefer) {
        let why = "`sslrootcert` has no effect without `sslmode=require`, `verify-ca` or `verify-full`: add one of them";
        return Err(why.to_owned());
    }
    let mut stripped = address[..query].to_owned();
    if !rest.is_empty() {
        stripped = format!("{stripped}?{}", rest.join("&"));
    }
    Ok((stripped, TlsOptions { mode, root_cert }))
}

/// Returns the connector of a mode.
fn connector(options: &TlsOptions) -> Result<MakeRustlsConnect, String> {
    let provider = provider();
    let algorithms = provider.signature_verification_algorithms;
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let versions = versions.map_err(|error| error.to_string())?;
    let chain = |roots| {
        let verifier = Arc::new(ChainVerifier { roots, algorithms });
        versions.clone().dangerous().with_custom_certificate_verifier(verifier)
    };
    let config = match (options.mode, options.root_cert.as_deref()) {
        (Mode::Disable | Mode::Prefer, _) | (Mode::Require, None) => chain(None),
        // Any host with a certificate of a public CA would be accepted.
        (Mode::Require | Mode::VerifyCa, None | Some(SYSTEM)) => {
            let why = "the CAs of the operating system sign certificates of all hosts: use `sslmode=verify-full`, or \
                       give a file with `sslrootcert`";
            return Err(why.to_owned());
        }
        (Mode::Require | Mode::VerifyCa, root_cert) => chain(Some(roots(root_cert)?)),
        (Mode::VerifyFull, root_cert) => versions.clone().with_root_certificates(roots(root_cert)?),
    };
    let mut config = config.with_no_client_auth();
    config.alpn_protocols = vec![PROTOCOL.to_vec()];
    Ok(MakeRustlsConnect::new(config))
}

/// Returns the CA certificates of a file, or those of the operating system.
fn roots(file: Option<&str>) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    let Some(file) = file.filter(|file| *file != SYSTEM) else {
        let found = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(found.certs);
        if roots.is_empty() {
            let why = "the operating system has no CA certificates: give a file with `sslrootcert`";
            return Err(why.to_owned());
        }
        return Ok(roots);
    };
    let failed = |why: String| format!("`sslrootcert` {file}: {why}");
    let certificates = CertificateDer::pem_file_iter(file).map_err(|error| failed(error.to_string()))?;
    for certificate in certificates {
        let certificate = certificate.map_err(|error| failed(error.to_string()))?;
        roots.add(certificate).map_err(|error| failed(error.to_string()))?;
    }
    if roots.is_empty() {
        return Err(failed("there is no PEM section `CERTIFICATE`".to_owned()));
    }
    Ok(roots)
}

/// Verifies that a server has the key of its certificate and, with `roots`, that a CA has signed the certificate. The host
/// name is not compared.
#[derive(Debug)]
struct ChainVerifier {
    roots: Option<RootCertStore>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for ChainVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if let Some(roots) = &self.roots {
            let certificate = ParsedCertificate::try_from(certificate)?;
            let algorithms = self.algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&certificate, roots, intermediates, now, algorithms)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// Returns why a TLS handshake failed and what to do, or `None` for another error.
pub(in crate::store) fn handshake_failure(error: &tokio_postgres::Error) -> Option<String> {
    let cause = error.source()?;
    let Some(error) = cause.downcast_ref::<io::Error>() else {
        // The library has a text and no type for this.
        return (cause.to_string() == "server does not support TLS").then(|| {
            "the PostgreSQL server does not offer TLS, and `sslmode` demands it: set `ssl = on` in postgresql.conf, or use \
             `sslmode=disable` in a network that you trust"
                .to_owned()
        });
    };
    let error = error.get_ref()?.downcast_ref::<rustls::Error>()?;
    let rustls::Error::InvalidCertificate(fault) = error else {
        return Some(format!("the TLS handshake with the PostgreSQL server failed: {error}"));
    };
    let remedy = match fault {
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "no trusted CA has signed it: give the certificate of its CA with `sslrootcert=FILE`".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => format!(
            "it is for another host name ({fault}): connect by a name in the certificate, or do not compare the name with \
             `sslmode=verify-ca`"
        ),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            format!("it has expired ({fault}): renew it, and check the clock of this machine")
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            format!("it is not valid yet ({fault}): check the clocks of both machines")
        }
        fault if format!("{fault:?}").contains("CaUsedAsEndEntity") => {
            "it is the certificate of a CA: sign a certificate for the server with it, and give the CA's with \
             `sslrootcert=FILE`"
                .to_owned()
        }
        fault => fault.to_string(),
    };
    Some(format!("the certificate of the PostgreSQL server is refused, because {remedy}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(address: &str) -> (String, &'static str, Option<String>) {
        let (rest, options) = take_options(address).unwrap();
        let word = MODES.iter().find(|(_, mode)| *mode == options.mode).unwrap().0;
        (rest, word, options.root_cert)
    }

    #[test]
    fn tls_options_are_taken_from_the_address() {
        let plain = "postgres://ann@db/paigow";
        assert_eq!(taken(plain), (plain.to_owned(), "prefer", None));
        let both = taken("postgres://ann@db/paigow?sslmode=verify-full&sslrootcert=%2Fetc%2Fca%20x.pem");
        assert_eq!(both, (plain.to_owned(), "verify-full", Some("/etc/ca x.pem".to_owned())));
        let others = taken("postgres://ann@db/paigow?connect_timeout=5&sslmode=require&user=a");
        assert_eq!(others, (format!("{plain}?connect_timeout=5&user=a"), "require", None));
        // A password may contain a question mark.
        let odd = "postgres://ann:se?sslmode=x@db/paigow";
        assert_eq!(taken(odd), (odd.to_owned(), "prefer", None));
    }

    #[test]
    fn unknown_modes_and_useless_files_are_refused() {
        let refused = |query: &str| parse(&format!("postgres://db/paigow?{query}")).err().unwrap_or_default();
        assert_eq!(
            refused("sslmode=verify"),
            "`sslmode` is `verify`, but must be one of disable, prefer, require, verify-ca, verify-full"
        );
        assert!(refused("sslrootcert=ca.pem").starts_with("`sslrootcert` has no effect"));
        assert!(refused("sslmode=disable&sslrootcert=ca.pem").starts_with("`sslrootcert` has no effect"));
        for public in ["verify-ca", "verify-ca&sslrootcert=system", "require&sslrootcert=system"] {
            let why = refused(&format!("sslmode={public}"));
            assert!(why.contains("use `sslmode=verify-full`"), "{public}: {why}");
        }
        let missing = refused("sslmode=verify-ca&sslrootcert=/missing/ca.pem");
        assert!(missing.starts_with("`sslrootcert` /missing/ca.pem: "), "{missing}");
        let empty = refused("sslmode=require&sslrootcert=/dev/null");
        assert_eq!(empty, "`sslrootcert` /dev/null: there is no PEM section `CERTIFICATE`");
        assert!(refused("sslcert=mine.pem").contains("sslcert"));
        assert_eq!(refused("sslmode=require"), "");
    }

    #[test]
    fn sockets_of_the_machine_have_no_tls() {
        let mode = |host: &str| {
            let address = format!("postgres://ann@{host}/paigow?sslmode=require");
            parse(&address).map(|(config, _)| config.get_ssl_mode()).unwrap()
        };
        assert_eq!(mode("%2Frun%2Fpostgresql"), SslMode::Disable);
        assert_eq!(mode("db.example"), SslMode::Require);
    }
}
