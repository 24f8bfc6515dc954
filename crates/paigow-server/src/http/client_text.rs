//! Short description of the client that begins a session, for lists of sessions.

use super::guard::{self, Client};
use super::problem::ApiProblem;
use crate::app::App;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header;
use axum::http::request::Parts;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// Maximum number of characters of a description.
const CHARS_MAX: usize = 120;
/// Maximum number of characters of a program that is not a known browser.
const PROGRAM_CHARS_MAX: usize = 60;

/// Browsers by the word in their `User-Agent`. Chromium's descendants add their own word to that of Chromium, which
/// adds that of Safari, so the order matters.
const BROWSERS: [(&str, &str); 7] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Systems by the word in their `User-Agent`. Android adds its word to that of Linux.
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// Description and addresses of the client of a request.
#[derive(Clone, Debug)]
pub(crate) struct ClientText {
    /// Description, such as `Firefox on Linux, 127.0.0.1`.
    pub(crate) text: String,
    /// Address of the client.
    pub(crate) address: IpAddr,
}

impl FromRequestParts<Arc<App>> for ClientText {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<ClientText, ApiProblem> {
        let peer =
            parts.extensions.get::<ConnectInfo<SocketAddr>>().ok_or_else(ApiProblem::internal_error)?;
        let address = guard::address(app, peer.0, &parts.headers);
        let agent = parts.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        Ok(ClientText { text: describe(agent.unwrap_or(""), address), address })
    }
}

impl ClientText {
    /// The network that rate limits apply to.
    pub(crate) fn client(&self) -> Client {
        Client(super::address_key(self.address))
    }
}

/// Describes a client by its `User-Agent` and its address.
fn describe(agent: &str, address: IpAddr) -> String {
    let word = |words: &[(&str, &'static str)]| {
        words.iter().find(|(word, _)| agent.contains(word)).map(|(_, name)| *name)
    };
    let program = match (word(&BROWSERS), word(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, _) => {
            let printable = agent.chars().filter(|c| !c.is_control());
            printable.take(PROGRAM_CHARS_MAX).collect::<String>().trim().to_owned()
        }
    };
    let program = if program.is_empty() { "Unknown program" } else { &program };
    format!("{program}, {address}").chars().take(CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(agent: &str) -> String {
        describe(agent, IpAddr::from([127, 0, 0, 1]))
    }

    #[test]
    fn browsers_and_systems_are_recognized() {
        for (agent, expected) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            ("curl/8.9.1", "curl/8.9.1"),
            ("", "Unknown program"),
            ("\u{7}\n", "Unknown program"),
        ] {
            assert_eq!(described(agent), format!("{expected}, 127.0.0.1"), "{agent}");
        }
    }

    #[test]
    fn descriptions_are_short_and_printable() {
        let long = "\u{1b}[31mx".repeat(200);
        let address = IpAddr::from([0x2001, 0xdb8, 1, 2, 3, 4, 5, 6]);
        let text = describe(&long, address);
        assert!(text.chars().count() <= CHARS_MAX && !text.chars().any(char::is_control), "{text}");
        assert!(text.ends_with(", 2001:db8:1:2:3:4:5:6"), "{text}");
    }
}
