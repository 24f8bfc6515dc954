//! https: HTTP/1.1, HTTP/2 and sockets over TLS, reloads of the certificate, and clients that misbehave.

use crate::certificates::{Authority, Pair};
use crate::cluster::Cluster;
use crate::kit::{Browser, LiveClient, Process, RawConnection, TIMEOUT, TestServer, until, with_timeout};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http2::{self, SendRequest};
use hyper::{Request, Version};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// A certificate authority, and the files of a server's certificate.
struct Https {
    authority: Authority,
    folder: TempDir,
}

impl Https {
    fn new() -> Https {
        let https = Https { authority: Authority::new("Test authority"), folder: TempDir::new().unwrap() };
        https.write(&https.issue(2100));
        https
    }

    fn issue(&self, expiry_year: i32) -> Pair {
        self.authority.issue(&["localhost", "127.0.0.1", "table.example"], expiry_year)
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn write(&self, pair: &Pair) {
        std::fs::write(self.path("cert.pem"), &pair.cert).unwrap();
        std::fs::write(self.path("key.pem"), &pair.key).unwrap();
    }

    async fn start(&self, more: &[(&str, &str)]) -> TestServer {
        let (cert, key) = (self.path("cert.pem"), self.path("key.pem"));
        let mut changes = vec![("tls_cert", cert.as_str()), ("tls_key", key.as_str())];
        changes.extend(more);
        TestServer::new(&changes).await
    }

    /// Returns a connector that trusts the authority and offers protocols.
    fn connector(&self, protocols: &[&str]) -> TlsConnector {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.authority.pem().as_bytes()).unwrap()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let mut config = versions.unwrap().with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        TlsConnector::from(Arc::new(config))
    }

    fn browser(&self, server: &TestServer) -> Browser {
        server.browser().with_tls(self.connector(&["http/1.1"]))
    }

    /// Opens a connection of HTTP/2.
    async fn http2(&self, address: SocketAddr) -> SendRequest<Full<Bytes>> {
        self.http2_with(address).await
    }

    async fn http2_with<B>(&self, address: SocketAddr) -> SendRequest<B>
    where
        B: hyper::body::Body + Send + Unpin + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let stream = TcpStream::connect(address).await.unwrap();
        let connector = self.connector(&["h2", "http/1.1"]);
        let stream = connector.connect(ServerName::from(address.ip()), stream).await.unwrap();
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(b"h2".as_slice()));
        let (sender, connection) =
            http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        sender
    }

    /// Returns the certificate that the server presents to a new connection.
    async fn presented(&self, server: &TestServer) -> CertificateDer<'static> {
        let stream = TcpStream::connect(server.process.address).await.unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        let stream = self.connector(&[]).connect(name, stream).await.unwrap();
        stream.get_ref().1.peer_certificates().unwrap()[0].clone().into_owned()
    }
}

fn der(pair: &Pair) -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(pair.cert.as_bytes()).unwrap()
}

/// Sends a request over HTTP/2 and returns the status, the headers and the body.
async fn send(
    sender: &mut SendRequest<Full<Bytes>>,
    request: hyper::http::request::Builder,
    body: &str,
) -> (u16, hyper::HeaderMap, String) {
    let request = request.body(Full::new(Bytes::from(body.to_owned()))).unwrap();
    let response = with_timeout(sender.send_request(request)).await.unwrap();
    assert_eq!(response.version(), Version::HTTP_2);
    let (head, body) = response.into_parts();
    let body = with_timeout(body.collect()).await.unwrap().to_bytes();
    (head.status.as_u16(), head.headers, String::from_utf8_lossy(&body).into_owned())
}

/// Returns the code of the check `certificate` of `/readyz`, and the expiry of `/metrics`.
async fn certificate_state(browser: &Browser) -> (Value, String) {
    let ready = browser.get("/readyz").await.json();
    let check = ready["checks"].as_array().unwrap().iter().find(|check| check["name"] == "certificate");
    let metrics = browser.get("/metrics").await.text();
    let name = "paigow_tls_certificate_expiry_seconds";
    // The value is after the labels, of which there are none.
    let expiry = metrics.lines().find(|line| line.starts_with(name)).and_then(|line| line.rsplit(' ').next());
    (check.unwrap()["code"].clone(), expiry.unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn http1_and_http2_are_served_over_tls() {
    let https = Https::new();
    let server = https.start(&[]).await;
    let address = server.process.address;

    let browser = https.browser(&server);
    let session = browser.post("/api/session", &json!({ "name": "Ann" })).await;
    assert_eq!(session.status, 201, "{session:?}");
    let cookie = session.header("set-cookie").unwrap();
    assert!(cookie.starts_with("__Host-paigow_session=") && cookie.ends_with("; Secure"), "{cookie}");
    assert_eq!(session.header("strict-transport-security"), None, "the operator has named no host");

    let mut http2 = https.http2(address).await;
    let uri = |path: &str| format!("https://{address}{path}");
    let cookie = browser.cookie("__Host-paigow_session").unwrap();
    // Browsers send each cookie in a header of its own.
    let request = Request::get(uri("/api/session"))
        .header("cookie", "other=1")
        .header("cookie", format!("__Host-paigow_session={cookie}"));
    let (status, _, body) = send(&mut http2, request, "").await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap()["name"], "Ann");
    let (status, headers, page) = send(&mut http2, Request::get(uri("/")), "").await;
    assert_eq!((status, headers["x-content-type-options"].to_str().unwrap()), (200, "nosniff"));
    assert!(page.contains("<html"), "{page}");
    for (origin, expected) in [
        (format!("https://{address}"), 201),
        (format!("http://{address}"), 403),
        ("https://evil.example".to_owned(), 403),
    ] {
        let request = Request::post(uri("/api/session"))
            .header("content-type", "application/json")
            .header("origin", &origin);
        let (status, _, body) = send(&mut http2, request, r#"{"name":"Bo"}"#).await;
        assert_eq!(status, expected, "{origin}: {body}");
    }
    let (status, _, _) = send(&mut http2, Request::get("https://evil.example/"), "").await;
    assert_eq!(status, 421);
    // A socket needs HTTP/1.1.
    let tables = browser.get("/api/tables").await.json();
    let table = tables["tables"][0]["table"].as_str().unwrap();
    let (status, _, body) =
        send(&mut http2, Request::get(uri(&format!("/api/tables/{table}/live"))), "").await;
    assert_eq!((status, body.contains("no_websocket")), (426, true), "{body}");

    // An open connection does not delay the shutdown.
    let took = server.process.stop().await;
    assert!(took < Duration::from_secs(4), "{took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn socket_over_tls_plays_a_command() {
    let https = Https::new();
    let server = https.start(&[("public_origin", "https://table.example")]).await;
    let browser = https.browser(&server).with_header("origin", "https://table.example");
    let session = browser.post("/api/session", &json!({ "name": "Ann" })).await;
    assert_eq!(session.status, 201, "{session:?}");
    assert_eq!(session.header("strict-transport-security"), Some("max-age=63072000"));
    let tables = browser.get("/api/tables").await.json();
    let table = tables["tables"][0]["table"].as_str().unwrap();
    let browser = browser.with_player(session.json()["player"].as_str().unwrap());
    let mut live = LiveClient::open(&browser, table).await;
    live.expect_done(json!({ "do": "sit", "seat": 1 })).await;
    let other = browser.with_header("origin", "https://evil.example");
    let refused = LiveClient::try_open(&other, table, None).await.err().unwrap();
    assert_eq!(refused.status, 403, "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_certificate_is_reloaded_and_a_mismatched_pair_is_not() {
    let https = Https::new();
    let server = https.start(&[]).await;
    let address = server.process.address;
    let first = https.presented(&server).await;
    let browser = https.browser(&server);
    // 1 January 2100 and 2101.
    assert_eq!(certificate_state(&browser).await, (Value::Null, "4102444800".to_owned()));
    let mut open = https.http2(address).await;
    let alive = || Request::get(format!("https://{address}/healthz"));
    assert_eq!(send(&mut open, alive(), "").await.0, 200);

    let second = https.issue(2101);
    https.write(&second);
    until("the second certificate", async || https.presented(&server).await == der(&second)).await;
    assert_ne!(first, der(&second));
    assert_eq!(certificate_state(&browser).await, (Value::Null, "4133980800".to_owned()));

    // A certificate without its key.
    let third = https.issue(2102);
    std::fs::write(https.path("cert.pem"), &third.cert).unwrap();
    until("the remark", async || certificate_state(&browser).await.0 == "certificate_not_reloaded").await;
    assert_eq!(https.presented(&server).await, der(&second));
    std::fs::write(https.path("key.pem"), &third.key).unwrap();
    until("the third certificate", async || https.presented(&server).await == der(&third)).await;
    assert_eq!(certificate_state(&browser).await.0, Value::Null);

    assert_eq!(send(&mut open, alive(), "").await.0, 200, "an open connection continues");
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_pairs_are_refused_at_the_start() {
    let https = Https::new();
    let mut server = https.start(&[]).await;
    server.process.request_stop();
    server.process.wait_for_exit().await;
    let refused = async || Process::start(server.settings()).await.err().unwrap();

    std::fs::write(https.path("key.pem"), https.issue(2100).key).unwrap();
    let message = refused().await;
    let expected = "the key does not belong to the first certificate";
    assert!(message.starts_with(&format!("tls_key {}: {expected}", https.path("key.pem"))), "{message}");

    std::fs::write(https.path("key.pem"), "no key").unwrap();
    std::fs::remove_file(https.path("cert.pem")).unwrap();
    let message = refused().await;
    let (cert, key) = (https.path("cert.pem"), https.path("key.pem"));
    assert!(message.contains(&format!("tls_cert {cert}: No such file")), "{message}");
    assert!(message.contains(&format!("tls_key {key}: there is no PEM section `PRIVATE KEY`")), "{message}");

    https.write(&https.issue(2001));
    let server = server.another_process().await;
    let browser = server.browser().with_tls(https.connector(&["http/1.1"]));
    // The client refuses the expired certificate, and the server continues.
    assert!(browser.try_post("/api/session", &json!({})).await.is_none());
    assert!(server.stop().await < TIMEOUT);
}

#[tokio::test(flavor = "multi_thread")]
async fn stalled_connections_and_plain_http_are_closed() {
    let https = Https::new();
    let server = https.start(&[("header_seconds", "1"), ("idle_seconds", "2")]).await;
    let address = server.process.address;
    let in_time = |took: Duration| assert!(took < Duration::from_secs(5), "{took:?}");
    in_time(RawConnection::open(address, "").await.wait_for_close().await);
    // The start of a record with a client hello of 512 bytes.
    in_time(RawConnection::open(address, "\u{16}\u{3}\u{1}\u{2}\0").await.wait_for_close().await);
    let mut plain = RawConnection::open(address, "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    let answer = plain.read_for(Duration::from_millis(500)).await;
    assert!(!answer.contains("HTTP"), "{answer}");
    in_time(plain.wait_for_close().await);

    // A completed handshake without a request, and one request without another.
    for requests in [0, 1] {
        let mut http2 = https.http2(address).await;
        let start = Instant::now();
        for _ in 0..requests {
            let request = Request::get(format!("https://{address}/healthz"));
            assert_eq!(send(&mut http2, request, "").await.0, 200);
        }
        until("the end of the connection", async || http2.is_closed()).await;
        let took = start.elapsed();
        in_time(took);
        assert!(took > Duration::from_millis(if requests == 0 { 500 } else { 1_500 }), "{took:?}");
    }
    assert_eq!(https.browser(&server).get("/healthz").await.status, 200);
}

/// A request body that never ends.
struct Unfinished;

impl hyper::body::Body for Unfinished {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Bytes>, Self::Error>>> {
        std::task::Poll::Pending
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_of_an_address_hold_over_tls_and_http2() {
    let https = Https::new();
    let server = https.start(&[("connections_per_address", "3")]).await;
    let address = server.process.address;

    // Requests of one connection count by address, also those that the client resets.
    let sender = https.http2_with::<Unfinished>(address).await;
    let request = move || {
        let request = Request::post(format!("https://{address}/api/session"));
        request.header("content-type", "application/json").body(Unfinished).unwrap()
    };
    for _ in 0..2 {
        let mut waiting = Vec::new();
        for _ in 0..3 {
            let mut sender = sender.clone();
            waiting.push(tokio::spawn(async move { sender.send_request(request()).await.map(drop) }));
        }
        let refused = async || {
            let response = with_timeout(sender.clone().send_request(request())).await;
            response.is_ok_and(|response| response.status() == 429)
        };
        // A request that is admitted before the others waits for its body.
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(refused().await);
        waiting.iter().for_each(tokio::task::JoinHandle::abort);
        tokio::time::sleep(Duration::from_millis(300)).await;
    }

    // Connections beyond the limit get a refusal or a health check over HTTP/1.1.
    let held = [https.http2(address).await, https.http2(address).await];
    let browser = https.browser(&server);
    assert_eq!(browser.get("/api/tables").await.problem(), (429, "too_many_connections".to_owned()));
    assert_eq!(browser.get("/healthz").await.status, 200);
    drop((held, sender));
    until("a free connection", async || browser.get("/api/tables").await.status == 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_uses_tls_for_every_connection_to_postgresql() {
    let cluster = Cluster::start_on_tcp();
    let authority = Authority::new("Test authority");
    let pair = authority.issue(&["db.test"], 2100);
    cluster.turn_tls_on(&pair.cert, &pair.key).await;
    let folder = TempDir::new().unwrap();
    let ca = folder.path().join("ca.pem");
    std::fs::write(&ca, authority.pem()).unwrap();
    let options = format!("sslmode=verify-full&sslrootcert={}", ca.display().to_string().replace('/', "%2F"));
    let address = cluster.database_on_tcp("db.test", &options).await;
    let database = address.split('?').next().unwrap().rsplit('/').next().unwrap().to_owned();
    let server = TestServer::at_address(address).await;
    server.open_table("t1", "ez", &crate::kit::clocks(60_000, 60_000, 60_000, 60_000)).await;
    server.seat_guests("t1", 2).await;
    let socket = cluster.database().await;
    let (client, connection) = tokio_postgres::connect(&socket, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let query = "SELECT query LIKE 'LISTEN%', ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
        WHERE datname = $1";
    let rows = client.query(query, &[&database]).await.unwrap();
    assert!(rows.iter().all(|row| row.get(1)) && rows.len() >= 3, "{rows:?}");
    assert_eq!(rows.iter().filter(|row| row.get(0)).count(), 1, "the connection for hints");
}
