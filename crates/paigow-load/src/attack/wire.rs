//! HTTP and WebSocket bytes written by hand: attacks need traffic that client libraries do not produce.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// An HTTP response.
pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    /// Status line, headers and body as received.
    pub(crate) text: String,
}

impl HttpResponse {
    /// Returns the session cookie, if the response sets one.
    pub(crate) fn cookie(&self) -> Option<String> {
        let line = self.text.lines().find_map(|line| line.strip_prefix("set-cookie: "))?;
        line.split(';').next().map(str::to_owned)
    }
}

/// Opens a connection with a timeout for connecting, reading and writing.
pub(crate) fn connect(address: SocketAddr, timeout: Duration) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, timeout)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(timeout))?;
    stream.set_write_timeout(Some(timeout))?;
    Ok(stream)
}

/// Returns the text of a request that asks the server to close the connection after its response.
pub(crate) fn request(address: SocketAddr, method: &str, path: &str, cookie: &str, body: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nCookie: {cookie}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Sends a request on a new connection and reads the response.
pub(crate) fn send(
    address: SocketAddr,
    timeout: Duration,
    (method, path, cookie, body): (&str, &str, &str, &str),
) -> io::Result<HttpResponse> {
    let mut stream = connect(address, timeout)?;
    stream.write_all(request(address, method, path, cookie, body).as_bytes())?;
    read(&mut stream)
}

/// Reads a response until the server closes the connection.
pub(crate) fn read(stream: &mut TcpStream) -> io::Result<HttpResponse> {
    let mut bytes = Vec::new();
    let end = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.get(9..12).and_then(|status| status.parse().ok());
    match (status, end) {
        (Some(status), _) => Ok(HttpResponse { status, text }),
        (None, Err(error)) => Err(error),
        (None, Ok(_)) => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Opens a WebSocket to a table as a watcher.
pub(crate) fn socket(address: SocketAddr, table: &str, timeout: Duration) -> io::Result<TcpStream> {
    let mut stream = connect(address, timeout)?;
    let text = format!(
        "GET /api/tables/{table}/live HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    );
    stream.write_all(text.as_bytes())?;
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    if head.starts_with(b"HTTP/1.1 101") { Ok(stream) } else { Err(io::ErrorKind::ConnectionRefused.into()) }
}

/// Returns a client frame with a payload below 126 bytes and a mask of zeros.
pub(crate) fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).ok().filter(|length| *length < 126).unwrap_or(0);
    let mut frame = vec![first, 0x80 | length, 0, 0, 0, 0];
    frame.extend_from_slice(&payload[..usize::from(length)]);
    frame
}

/// Returns the string values of a field in a JSON response, in order.
pub(crate) fn values(address: SocketAddr, path: &str, field: &str) -> Vec<String> {
    let response = send(address, Duration::from_secs(5), ("GET", path, "", ""));
    let text = response.map(|response| response.text).unwrap_or_default();
    let after = format!("\"{field}\":\"");
    text.split(&after).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}
