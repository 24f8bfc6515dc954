//! Bytes to and from a server, by hand: clients that attack do not keep to what libraries let them do.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// An answer over HTTP.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Status line, headers and body as they came.
    pub(crate) text: String,
}

impl Answer {
    /// The session's cookie, where one was set.
    pub(crate) fn cookie(&self) -> Option<String> {
        let line = self.text.lines().find_map(|line| line.strip_prefix("set-cookie: "))?;
        line.split(';').next().map(str::to_owned)
    }
}

/// A connection that waits no longer than this for anything.
pub(crate) fn connect(address: SocketAddr, wait: Duration) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, wait)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(wait))?;
    stream.set_write_timeout(Some(wait))?;
    Ok(stream)
}

/// The text of a request; the server closes the connection when it has answered.
pub(crate) fn request(address: SocketAddr, method: &str, path: &str, cookie: &str, body: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nCookie: {cookie}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Asks on a connection of its own.
pub(crate) fn ask(
    address: SocketAddr,
    wait: Duration,
    (method, path, cookie, body): (&str, &str, &str, &str),
) -> io::Result<Answer> {
    let mut stream = connect(address, wait)?;
    stream.write_all(request(address, method, path, cookie, body).as_bytes())?;
    read(&mut stream)
}

/// Reads an answer to the end of its connection.
pub(crate) fn read(stream: &mut TcpStream) -> io::Result<Answer> {
    let mut bytes = Vec::new();
    let end = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.get(9..12).and_then(|status| status.parse().ok());
    match (status, end) {
        (Some(status), _) => Ok(Answer { status, text }),
        (None, Err(error)) => Err(error),
        (None, Ok(_)) => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// A socket at a table, as a watcher.
pub(crate) fn socket(address: SocketAddr, table: &str, wait: Duration) -> io::Result<TcpStream> {
    let mut stream = connect(address, wait)?;
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

/// A frame of a client: short, and masked with zeros.
pub(crate) fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).ok().filter(|length| *length < 126).unwrap_or(0);
    let mut frame = vec![first, 0x80 | length, 0, 0, 0, 0];
    frame.extend_from_slice(&payload[..usize::from(length)]);
    frame
}

/// The texts of a field in an answer, in their order.
pub(crate) fn values(address: SocketAddr, path: &str, field: &str) -> Vec<String> {
    let answer = ask(address, Duration::from_secs(5), ("GET", path, "", ""));
    let text = answer.map(|answer| answer.text).unwrap_or_default();
    let after = format!("\"{field}\":\"");
    text.split(&after).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}
