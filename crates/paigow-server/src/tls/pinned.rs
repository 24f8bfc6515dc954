//! Client side of TLS to a server that must have a known certificate.

use super::provider;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme,
    StreamOwned,
};
use std::io;
use std::net::TcpStream;
use std::sync::Arc;

/// Encrypts a connection to a server that has this certificate and its private key.
///
/// The first read or write does the handshake, and fails if the server has another certificate ([`is_other_certificate`]).
/// Names and expiry are not checked.
pub(crate) fn pinned_client(
    certificate: CertificateDer<'static>,
    stream: TcpStream,
) -> io::Result<StreamOwned<ClientConnection, TcpStream>> {
    let provider = provider();
    let algorithms = provider.signature_verification_algorithms;
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let verifier = Arc::new(PinnedCertificate { certificate, algorithms });
    let config = versions.map_err(io::Error::other)?.dangerous().with_custom_certificate_verifier(verifier);
    let name = ServerName::IpAddress(stream.peer_addr()?.ip().into());
    let client = ClientConnection::new(Arc::new(config.with_no_client_auth()), name);
    Ok(StreamOwned::new(client.map_err(io::Error::other)?, stream))
}

/// Whether a connection failed because the server has another certificate.
pub(crate) fn is_other_certificate(error: &io::Error) -> bool {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<Error>());
    matches!(cause, Some(Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure)))
}

/// Accepts one certificate.
#[derive(Debug)]
struct PinnedCertificate {
    certificate: CertificateDer<'static>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for PinnedCertificate {
    fn verify_server_cert(
        &self,
        found: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if *found == self.certificate {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(CertificateError::ApplicationVerificationFailure.into())
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
