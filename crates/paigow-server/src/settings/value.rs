//! What settings may be.

use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// What a setting may be.
#[derive(Clone, Copy, Debug)]
pub enum SettingType {
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
    WebOrigin,
    /// A whole number from the first to the second.
    Number(u64, u64),
    /// True or false.
    Switch,
    /// One of these words.
    Word(&'static [&'static str]),
}

impl fmt::Display for SettingType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingType::Address => f.write_str("an address and a port"),
            SettingType::OptionalAddress => f.write_str("an address and a port, or nothing"),
            SettingType::Text => f.write_str("text"),
            SettingType::File => f.write_str("the path of a file, or nothing"),
            SettingType::Folder => f.write_str("the path of a folder, or nothing"),
            SettingType::WebOrigin => f.write_str("`https://` or `http://` and a host, or nothing"),
            SettingType::Number(least, most) => write!(f, "{least} to {most}"),
            SettingType::Switch => f.write_str("`true` or `false`"),
            SettingType::Word(words) => write!(f, "`{}`", words.join("` or `")),
        }
    }
}

/// A type of setting, read from text.
pub(super) trait ReadSetting: Sized {
    /// Nothing where the text is not of the kind.
    fn read(text: &str, kind: &SettingType) -> Option<Self>;
}

impl ReadSetting for SocketAddr {
    fn read(text: &str, _: &SettingType) -> Option<SocketAddr> {
        text.parse().ok()
    }
}

impl ReadSetting for Option<SocketAddr> {
    fn read(text: &str, kind: &SettingType) -> Option<Option<SocketAddr>> {
        if text.is_empty() { Some(None) } else { SocketAddr::read(text, kind).map(Some) }
    }
}

impl ReadSetting for u64 {
    fn read(text: &str, kind: &SettingType) -> Option<u64> {
        let number = text.parse().ok()?;
        let SettingType::Number(least, most) = kind else { return Some(number) };
        (*least..=*most).contains(&number).then_some(number)
    }
}

impl ReadSetting for u32 {
    fn read(text: &str, kind: &SettingType) -> Option<u32> {
        u64::read(text, kind)?.try_into().ok()
    }
}

impl ReadSetting for NonZeroU32 {
    fn read(text: &str, kind: &SettingType) -> Option<NonZeroU32> {
        NonZeroU32::new(u32::read(text, kind)?)
    }
}

impl ReadSetting for bool {
    fn read(text: &str, _: &SettingType) -> Option<bool> {
        text.parse().ok()
    }
}

impl ReadSetting for Option<PathBuf> {
    fn read(text: &str, _: &SettingType) -> Option<Option<PathBuf>> {
        Some((!text.is_empty()).then(|| text.into()))
    }
}

impl ReadSetting for Option<WebOrigin> {
    fn read(text: &str, _: &SettingType) -> Option<Option<WebOrigin>> {
        if text.is_empty() { Some(None) } else { WebOrigin::read(text).map(Some) }
    }
}

/// Where the store is. Its password is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreLocation(String);

impl From<String> for StoreLocation {
    fn from(text: String) -> StoreLocation {
        StoreLocation(text)
    }
}

impl StoreLocation {
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

impl ReadSetting for StoreLocation {
    fn read(text: &str, _: &SettingType) -> Option<StoreLocation> {
        (!text.is_empty()).then(|| text.to_owned().into())
    }
}

impl fmt::Display for StoreLocation {
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

impl fmt::Debug for StoreLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// How browsers name where a page is from: scheme, host, and a port that is not the scheme's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WebOrigin(String);

impl WebOrigin {
    /// Plain http at an address.
    pub(super) fn http(address: SocketAddr) -> WebOrigin {
        let port = if address.port() == 80 { String::new() } else { format!(":{}", address.port()) };
        let host = if address.is_ipv6() { format!("[{}]", address.ip()) } else { address.ip().to_string() };
        WebOrigin(format!("http://{host}{port}"))
    }

    fn read(text: &str) -> Option<WebOrigin> {
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
        fits.then(|| WebOrigin(format!("{scheme}://{host}{port}")))
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

        impl ReadSetting for $name {
            fn read(text: &str, _: &SettingType) -> Option<$name> {
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
