//! Checks of the process: its limit of open files and its addresses.

use super::{CheckLevel, DoctorCheck};
use crate::serve::files_wanted;
use crate::settings::Settings;
use crate::tls::{ServerTls, TlsFiles, is_other_certificate, pinned_client};
use rustls::pki_types::CertificateDer;
use serde_json::Value;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

/// Time that a running server has to accept, and to answer.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum size of an answer that is read.
const ANSWER_MAX: u64 = 65_536;

pub(super) fn checks(settings: &Settings) -> Vec<DoctorCheck> {
    let mut checks = vec![open_files(settings), listen_address(settings)];
    checks.extend(settings.health_listen.map(|health| address("health_listen", health, None)));
    checks
}

/// Checks the address of the listener. A running server with TLS is recognized by its certificate.
fn listen_address(settings: &Settings) -> DoctorCheck {
    const NAME: &str = "listen";
    let (Some(cert), Some(key)) = (settings.tls_cert.clone(), settings.tls_key.clone()) else {
        return address(NAME, settings.listen, None);
    };
    let certificate = ServerTls::load(TlsFiles { cert, key }).ok().and_then(|tls| tls.leaf());
    let check = address(NAME, settings.listen, certificate.as_ref());
    if certificate.is_some() || check.level == CheckLevel::Ok {
        return check;
    }
    // Without the certificate, a server with TLS cannot be told from another program.
    let advice = "correct `tls_cert` and `tls_key` first";
    DoctorCheck::warning(NAME, format!("{} is in use", settings.listen), advice)
}

fn open_files(settings: &Settings) -> DoctorCheck {
    const NAME: &str = "open files";
    let want = files_wanted(settings);
    match rlimit::Resource::NOFILE.get_hard() {
        Ok(hard) if hard >= want => DoctorCheck::ok(NAME, format!("up to {hard}; the settings need {want}")),
        Ok(hard) => {
            let found = format!("at most {hard}, but `connections` and `sockets` need {want}");
            DoctorCheck::warning(
                NAME,
                found,
                "raise the limit (LimitNOFILE of systemd, ulimit -Hn), or lower the settings",
            )
        }
        Err(why) => DoctorCheck::warning(NAME, format!("cannot read the limit: {why}"), "check ulimit -Hn"),
    }
}

/// Checks that an address is free, or that a paigow server answers there, over TLS if it has a certificate.
fn address(
    name: &'static str,
    address: SocketAddr,
    certificate: Option<&CertificateDer<'static>>,
) -> DoctorCheck {
    match TcpListener::bind(address) {
        Ok(_) => DoctorCheck::ok(name, format!("{address} is free")),
        Err(why) if why.kind() == ErrorKind::AddrInUse => occupied(name, address, certificate),
        Err(why) if why.kind() == ErrorKind::PermissionDenied => {
            let advice = "use a port from 1024, or give the program CAP_NET_BIND_SERVICE";
            DoctorCheck::fault(name, format!("{address}: {why}"), advice)
        }
        Err(why) => DoctorCheck::fault(name, format!("{address}: {why}"), "use an address of this machine"),
    }
}

fn occupied(
    name: &'static str,
    address: SocketAddr,
    certificate: Option<&CertificateDer<'static>>,
) -> DoctorCheck {
    let health = get(address, "/healthz", certificate);
    if health.as_ref().is_err_and(is_other_certificate) {
        let found = format!("a server at {address} has another certificate than the file of `tls_cert`");
        let advice = "if it is this server, it has not loaded the changed files: see /readyz and the log";
        return DoctorCheck::warning(name, found, advice);
    }
    let Some(version) = health.as_ref().ok().and_then(|(_, body)| body["version"].as_str()) else {
        let advice = "stop that program, or choose another address";
        return DoctorCheck::fault(name, format!("{address} is in use by another program"), advice);
    };
    let found = format!("paigow {version} answers at {address}");
    match get(address, "/readyz", certificate) {
        Ok((200, _)) => DoctorCheck::ok(name, format!("{found} and is ready")),
        Ok((_, body)) => {
            let why = body["detail"].as_str().unwrap_or("see /readyz").to_owned();
            DoctorCheck::fault(name, format!("{found} but is not ready: {why}"), "see /readyz and the log")
        }
        Err(why) => DoctorCheck::fault(name, format!("{found} but not at /readyz: {why}"), "see the log"),
    }
}

/// Sends a request to a server of this machine. Returns the status and the JSON of the answer.
fn get(
    address: SocketAddr,
    path: &str,
    certificate: Option<&CertificateDer<'static>>,
) -> io::Result<(u16, Value)> {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    let address = SocketAddr::new(ip, address.port());
    let stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let request = format!("GET {path} HTTP/1.0\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let answer = match certificate {
        None => exchange(stream, &request)?,
        Some(certificate) => exchange(pinned_client(certificate.clone(), stream)?, &request)?,
    };
    let answer = String::from_utf8_lossy(&answer);
    let invalid = || io::Error::from(ErrorKind::InvalidData);
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(invalid)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(invalid)?;
    Ok((status, serde_json::from_str(body).map_err(|_| invalid())?))
}

/// Sends a request and reads the answer to its end.
fn exchange(mut stream: impl Read + Write, request: &str) -> io::Result<Vec<u8>> {
    stream.write_all(request.as_bytes())?;
    stream.flush()?;
    let mut answer = Vec::new();
    stream.take(ANSWER_MAX).read_to_end(&mut answer)?;
    Ok(answer)
}
