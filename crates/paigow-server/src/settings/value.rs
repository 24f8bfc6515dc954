//! Types of settings and how their values are parsed.

use paigow_table::Secret;
use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// Type of a setting, with its allowed values.
#[derive(Clone, Copy, Debug)]
pub enum SettingType {
    /// An address and a port.
    Address,
    /// An address and a port, or empty.
    OptionalAddress,
    /// Non-empty text.
    Text,
    /// Path of a file, or empty.
    File,
    /// Path of a folder, or empty.
    Folder,
    /// `https://` or `http://` and a host, or empty.
    WebOrigin,
    /// 64 hexadecimal digits, or empty. Messages do not contain the value.
    Secret,
    /// A whole number between the bounds, inclusive.
    Number(u64, u64),
    /// `true` or `false`.
    Switch,
    /// One of the listed words.
    Word(&'static [&'static str]),
}

impl fmt::Display for SettingType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingType::Address => f.write_str("an address and a port"),
            SettingType::OptionalAddress => f.write_str("an address and a port, or empty"),
            SettingType::Text => f.write_str("non-empty text"),
            SettingType::File => f.write_str("the path of a file, or empty"),
            SettingType::Folder => f.write_str("the path of a folder, or empty"),
            SettingType::WebOrigin => f.write_str("`https://` or `http://` and a host, or empty"),
            SettingType::Secret => f.write_str("64 hexadecimal digits, or empty"),
            SettingType::Number(min, max) => write!(f, "{min} to {max}"),
            SettingType::Switch => f.write_str("`true` or `false`"),
            SettingType::Word(words) => write!(f, "`{}`", words.join("` or `")),
        }
    }
}

/// A value of a setting that can be parsed from text.
pub(super) trait ReadSetting: Sized {
    /// Parses the text. Returns `None` if it is not of the given type.
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
        let SettingType::Number(min, max) = kind else { return Some(number) };
        (*min..=*max).contains(&number).then_some(number)
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

/// Location of the store: a path, or a PostgreSQL address. `Display` and `Debug` omit its password.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreLocation(String);

impl From<String> for StoreLocation {
    fn from(text: String) -> StoreLocation {
        StoreLocation(text)
    }
}

impl StoreLocation {
    /// The location including its password, to open the store.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Path of a file that belongs to the store: beside its file, or `paigow.EXTENSION` with PostgreSQL.
    pub fn sibling(&self, extension: &str) -> PathBuf {
        match self.file() {
            Some(file) => file.with_extension(extension),
            None => PathBuf::from("paigow").with_extension(extension),
        }
    }

    /// File of an embedded store, or `None` with PostgreSQL.
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
        // Logs must not contain the password, which is before the last `@` or after a `?`.
        match (rest.rsplit_once('@'), rest.split_once('?')) {
            (None, None) => write!(f, "{scheme}://{rest}"),
            (None, Some((host, _))) => write!(f, "{scheme}://{host}"),
            (Some((user, host)), _) if !user.contains('?') => {
                let (user, host) = (user.split(':').next(), host.split('?').next());
                write!(f, "{scheme}://{}@{}", user.unwrap_or_default(), host.unwrap_or_default())
            }
            // A `?` before the `@` is ambiguous, so everything is omitted.
            _ => write!(f, "{scheme}://…"),
        }
    }
}

impl fmt::Debug for StoreLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Operator secret that is given by a setting. `Debug` omits it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct OperatorSecret(Option<[u8; 32]>);

impl OperatorSecret {
    /// The secret, or `None` if the server generates it.
    pub fn reveal(&self) -> Option<[u8; 32]> {
        self.0
    }
}

impl ReadSetting for OperatorSecret {
    fn read(text: &str, _: &SettingType) -> Option<OperatorSecret> {
        if text.is_empty() {
            return Some(OperatorSecret(None));
        }
        Secret::try_from(text.to_owned()).ok().map(|secret| OperatorSecret(Some(secret.0)))
    }
}

impl fmt::Debug for OperatorSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "OperatorSecret(…)" } else { "OperatorSecret(None)" })
    }
}

/// Origin of a page as browsers send it: scheme, host, and a port unless it is the scheme's default.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WebOrigin(String);

impl WebOrigin {
    /// Origin of a listener at an address.
    pub(super) fn of_address(is_https: bool, address: SocketAddr) -> WebOrigin {
        let (scheme, default_port) = if is_https { ("https", 443) } else { ("http", 80) };
        let port =
            if address.port() == default_port { String::new() } else { format!(":{}", address.port()) };
        let host = if address.is_ipv6() { format!("[{}]", address.ip()) } else { address.ip().to_string() };
        WebOrigin(format!("{scheme}://{host}{port}"))
    }

    /// Parses an origin, such as a setting or the `Origin` header of a request.
    pub(crate) fn read(text: &str) -> Option<WebOrigin> {
        let text = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
        let (scheme, authority) = text.split_once("://")?;
        let default_port = match scheme {
            "https" => "443",
            "http" => "80",
            _ => return None,
        };
        // The colons of an IPv6 address are inside its brackets.
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            _ => (authority, None),
        };
        let is_host_byte = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'.';
        let is_valid = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
            None => !host.is_empty() && host.bytes().all(is_host_byte),
        };
        let port = match port {
            None => None,
            Some(port) => Some(port.parse::<u16>().ok()?.to_string()).filter(|port| port != default_port),
        };
        let port = port.map_or_else(String::new, |port| format!(":{port}"));
        is_valid.then(|| WebOrigin(format!("{scheme}://{host}{port}")))
    }

    /// The origin as browsers send it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the scheme is https.
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
    /// Format of the log.
    LogFormat {
        "text" =>
        /// Text for people.
        Text,
        "json" =>
        /// One JSON object per line, for programs.
        Json,
    }
}

words! {
    /// Minimum severity of log messages. Each level includes the levels before it.
    LogLevel {
        "error" =>
        /// Failures.
        Error,
        "warn" =>
        /// Conditions that an operator should look into.
        Warn,
        "info" =>
        /// Regular events of a running server.
        Info,
        "debug" =>
        /// Details for finding a fault.
        Debug,
        "trace" =>
        /// All messages.
        Trace,
    }
}
