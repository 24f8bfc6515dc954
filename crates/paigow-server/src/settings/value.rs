//! What settings may be.

use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// What a setting may be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// An address and a port.
    Address,
    /// An address and a port, or nothing.
    OptionalAddress,
    /// Any text but an empty one.
    Text,
    /// The path of a file, or nothing.
    File,
    /// The path of a folder, or nothing.
    Folder,
    /// `https://` or `http://` and a host, or nothing.
    Origin,
    /// A whole number from the first to the second.
    Number(u64, u64),
    /// True or false.
    Switch,
    /// One of these words.
    Word(&'static [&'static str]),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Address => f.write_str("an address and a port"),
            Kind::OptionalAddress => f.write_str("an address and a port, or nothing"),
            Kind::Text => f.write_str("text"),
            Kind::File => f.write_str("the path of a file, or nothing"),
            Kind::Folder => f.write_str("the path of a folder, or nothing"),
            Kind::Origin => f.write_str("`https://` or `http://` and a host, or nothing"),
            Kind::Number(least, most) => write!(f, "{least} to {most}"),
            Kind::Switch => f.write_str("`true` or `false`"),
            Kind::Word(words) => write!(f, "`{}`", words.join("` or `")),
        }
    }
}

/// A type of setting, read from text.
pub(super) trait Setting: Sized {
    /// Nothing where the text is not of the kind.
    fn read(text: &str, kind: &Kind) -> Option<Self>;
}

impl Setting for SocketAddr {
    fn read(text: &str, _: &Kind) -> Option<SocketAddr> {
        text.parse().ok()
    }
}

impl Setting for Option<SocketAddr> {
    fn read(text: &str, kind: &Kind) -> Option<Option<SocketAddr>> {
        if text.is_empty() { Some(None) } else { SocketAddr::read(text, kind).map(Some) }
    }
}

impl Setting for u64 {
    fn read(text: &str, kind: &Kind) -> Option<u64> {
        let number = text.parse().ok()?;
        let Kind::Number(least, most) = kind else { return Some(number) };
        (*least..=*most).contains(&number).then_some(number)
    }
}

impl Setting for u32 {
    fn read(text: &str, kind: &Kind) -> Option<u32> {
        u64::read(text, kind)?.try_into().ok()
    }
}

impl Setting for NonZeroU32 {
    fn read(text: &str, kind: &Kind) -> Option<NonZeroU32> {
        NonZeroU32::new(u32::read(text, kind)?)
    }
}

impl Setting for bool {
    fn read(text: &str, _: &Kind) -> Option<bool> {
        text.parse().ok()
    }
}

impl Setting for Option<PathBuf> {
    fn read(text: &str, _: &Kind) -> Option<Option<PathBuf>> {
        Some((!text.is_empty()).then(|| text.into()))
    }
}

impl Setting for Option<Origin> {
    fn read(text: &str, _: &Kind) -> Option<Option<Origin>> {
        if text.is_empty() { Some(None) } else { Origin::read(text).map(Some) }
    }
}

/// Where the store is. Its password is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct StorePlace(String);

impl From<String> for StorePlace {
    fn from(text: String) -> StorePlace {
        StorePlace(text)
    }
}

impl StorePlace {
    /// All of it, for whoever opens the store.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The file of an embedded store; `None` with PostgreSQL.
    pub fn file(&self) -> Option<&Path> {
        let is_address = self.0.starts_with("postgres://") || self.0.starts_with("postgresql://");
        (!is_address).then(|| Path::new(&self.0))
    }
}

impl Setting for StorePlace {
    fn read(text: &str, _: &Kind) -> Option<StorePlace> {
        (!text.is_empty()).then(|| text.to_owned().into())
    }
}

impl fmt::Display for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((scheme, rest)) = self.0.split_once("://") else { return f.write_str(&self.0) };
        // Who reads a log should not find a password: it comes before the last @, or after a question mark.
        match (rest.rsplit_once('@'), rest.split_once('?')) {
            (None, None) => write!(f, "{scheme}://{rest}"),
            (None, Some((place, _))) => write!(f, "{scheme}://{place}"),
            (Some((user, place)), _) if !user.contains('?') => {
                let (user, place) = (user.split(':').next(), place.split('?').next());
                write!(f, "{scheme}://{}@{}", user.unwrap_or_default(), place.unwrap_or_default())
            }
            // Where both could be, nothing is sure.
            _ => write!(f, "{scheme}://…"),
        }
    }
}

impl fmt::Debug for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// How browsers name where a page is from: scheme, host, and a port that is not the scheme's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin(String);

impl Origin {
    /// Plain http at an address.
    pub(super) fn http(address: SocketAddr) -> Origin {
        let port = if address.port() == 80 { String::new() } else { format!(":{}", address.port()) };
        let host = if address.is_ipv6() { format!("[{}]", address.ip()) } else { address.ip().to_string() };
        Origin(format!("http://{host}{port}"))
    }

    fn read(text: &str) -> Option<Origin> {
        let text = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
        let (scheme, place) = text.split_once("://")?;
        let own_port = match scheme {
            "https" => "443",
            "http" => "80",
            _ => return None,
        };
        // The colons of an IPv6 address are inside its brackets.
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            _ => (place, None),
        };
        let named = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'.';
        let fits = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
            None => !host.is_empty() && host.bytes().all(named),
        };
        let port = match port {
            None => None,
            Some(port) => Some(port.parse::<u16>().ok()?.to_string()).filter(|port| port != own_port),
        };
        let port = port.map_or_else(String::new, |port| format!(":{port}"));
        fits.then(|| Origin(format!("{scheme}://{host}{port}")))
    }

    /// The text, as browsers send it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is reached by https.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($word:literal => $(#[$item:meta])* $value:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($(#[$item])* $value,)* }

        impl $name {
            pub(super) const WORDS: &[&str] = &[$($word),*];
        }

        impl Setting for $name {
            fn read(text: &str, _: &Kind) -> Option<$name> {
                match text {
                    $($word => Some($name::$value),)*
                    _ => None,
                }
            }
        }
    };
}

words! {
    /// How the log is written.
    LogFormat {
        "text" =>
        /// For people.
        Text,
        "json" =>
        /// For programs: an object a line.
        Json,
    }
}

words! {
    /// How much is logged: each says what those before it say, and more.
    LogLevel {
        "error" =>
        /// What failed.
        Error,
        "warn" =>
        /// What should not be.
        Warn,
        "info" =>
        /// What happens.
        Info,
        "debug" =>
        /// How it happens.
        Debug,
        "trace" =>
        /// Everything.
        Trace,
    }
}
