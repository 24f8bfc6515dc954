//! An HTTP client that keeps cookies.

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use serde_json::Value;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_util::either::Either;

/// Connection of a client, plain or with TLS.
pub(crate) type ClientStream = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// An HTTP response.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Response {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.to_vec()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Returns the code of a problem response, and checks the fields that every problem has.
    pub(crate) fn code(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        let problem = self.json();
        assert_eq!(problem["status"], self.status, "{problem}");
        assert!(problem["title"].is_string() && problem["detail"].is_string(), "{problem}");
        problem["code"].as_str().unwrap().to_owned()
    }

    /// Returns the status and the code of a problem response.
    pub(crate) fn problem(&self) -> (u16, String) {
        (self.status, self.code())
    }
}

/// An HTTP client.
#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) address: SocketAddr,
    /// The player id.
    pub(crate) player: String,
    headers: Vec<(String, String)>,
    cookies: Arc<Mutex<BTreeMap<String, String>>>,
    /// TLS of its connections, if any.
    tls: Option<TlsConnector>,
    /// Headers and bodies of all responses since `take_responses`.
    responses: Arc<Mutex<Vec<String>>>,
}

impl Browser {
    pub(crate) fn new(address: SocketAddr) -> Browser {
        let (cookies, responses) = (Arc::default(), Arc::default());
        Browser { address, player: String::new(), headers: Vec::new(), cookies, tls: None, responses }
    }

    pub(crate) fn with_player(mut self, player: &str) -> Browser {
        player.clone_into(&mut self.player);
        self
    }

    /// Returns the same client with TLS.
    pub(crate) fn with_tls(mut self, tls: TlsConnector) -> Browser {
        self.tls = Some(tls);
        self
    }

    /// Begins TLS on a connection if this client has it. Returns `None` if the handshake fails.
    pub(crate) async fn begin_tls(&self, stream: TcpStream) -> Option<ClientStream> {
        let Some(tls) = &self.tls else { return Some(Either::Left(stream)) };
        let name = ServerName::from(self.address.ip());
        Some(Either::Right(Box::new(tls.connect(name, stream).await.ok()?)))
    }

    /// Returns the same client with another request header.
    pub(crate) fn with_header(&self, name: &str, value: &str) -> Browser {
        let mut browser = self.clone();
        browser.headers.push((name.to_owned(), value.to_owned()));
        browser
    }

    /// Returns the same client for another process.
    pub(crate) fn at(&self, address: SocketAddr) -> Browser {
        Browser { address, ..self.clone() }
    }

    pub(crate) fn set_cookie(&self, name: &str, value: &str) {
        self.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned());
    }

    /// Sends a cookie under a second name as well.
    pub(crate) fn copy_cookie(&self, name: &str, other: &str) {
        let value = self.cookie(name).expect("no such cookie");
        self.set_cookie(other, &value);
    }

    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().unwrap().get(name).cloned()
    }

    /// Returns the responses since the last call.
    pub(crate) fn take_responses(&self) -> Vec<String> {
        std::mem::take(&mut self.responses.lock().unwrap())
    }

    /// Adds the headers of a request, also for a WebSocket handshake.
    pub(crate) fn put_headers(&self, headers: &mut HeaderMap) {
        let host = HeaderValue::from_str(&self.address.to_string()).unwrap();
        headers.insert(header::HOST, host);
        let cookies = self.cookies.lock().unwrap();
        let cookies: Vec<String> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            headers.insert(header::COOKIE, HeaderValue::from_str(&cookies.join("; ")).unwrap());
        }
        for (name, value) in &self.headers {
            headers.insert(HeaderName::try_from(name).unwrap(), HeaderValue::from_str(value).unwrap());
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path, Bytes::new()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Response {
        self.request(Method::POST, path, body.to_string()).await
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> Response {
        self.request(Method::PATCH, path, body.to_string()).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Response {
        self.request(Method::DELETE, path, Bytes::new()).await
    }

    /// Like `post`, but returns `None` if the connection breaks.
    pub(crate) async fn try_post(&self, path: &str, body: &Value) -> Option<Response> {
        self.try_request(Method::POST, path, body.to_string()).await
    }

    pub(crate) async fn request(&self, method: Method, path: &str, body: impl Into<Bytes>) -> Response {
        self.try_request(method, path, body).await.expect("no response")
    }

    async fn try_request(&self, method: Method, path: &str, body: impl Into<Bytes>) -> Option<Response> {
        let mut request = Request::new(Full::new(body.into()));
        *request.method_mut() = method;
        *request.uri_mut() = path.parse().unwrap();
        request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        self.put_headers(request.headers_mut());
        self.send(request).await
    }

    async fn send(&self, request: Request<Full<Bytes>>) -> Option<Response> {
        let stream = self.begin_tls(TcpStream::connect(self.address).await.ok()?).await?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.ok()?;
        let connection = tokio::spawn(connection);
        let response = super::with_timeout(sender.send_request(request)).await.ok()?;
        let (head, body) = response.into_parts();
        let body = super::with_timeout(body.collect()).await.ok()?.to_bytes();
        connection.abort();
        self.keep_cookies(&head.headers);
        self.responses.lock().unwrap().push(format!("{:?} {}", head.headers, String::from_utf8_lossy(&body)));
        Some(Response { status: head.status.as_u16(), headers: head.headers, body })
    }

    fn keep_cookies(&self, headers: &HeaderMap) {
        for set in headers.get_all(header::SET_COOKIE) {
            let pair = set.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            let mut cookies = self.cookies.lock().unwrap();
            if value.is_empty() {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    /// Returns the client's balance in practice chips, in cents.
    pub(crate) async fn cents(&self) -> i64 {
        self.get("/api/session").await.json()["cents"]["PRACTICE"].as_i64().unwrap()
    }

    /// Sends a command to a table over HTTP.
    pub(crate) async fn command(&self, table: &str, id: &str, command: &Value) -> Response {
        let body = serde_json::json!({ "id": id, "command": command });
        self.post(&format!("/api/tables/{table}/commands"), &body).await
    }
}
