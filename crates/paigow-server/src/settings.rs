//! Settings of the server: flags override environment variables, which override the settings file, which overrides the
//! defaults.
//!
//! The list in this file defines every setting once. It generates the fields of [`Settings`], the flags, the
//! environment variables, the keys of the file and the table in `docs/operating.md`. Every given value is checked, and
//! all problems are reported together.

mod read;
mod value;

pub use read::{SettingOrigin, SettingProblem, SettingSources};
pub use value::{LogFormat, LogLevel, OperatorSecret, SettingType, StoreLocation, WebOrigin};

use std::fmt::Write;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

/// Name, type, default and description of a setting.
#[derive(Clone, Copy, Debug)]
pub struct SettingKey {
    /// Key in the settings file.
    pub name: &'static str,
    /// Type and allowed values.
    pub kind: SettingType,
    /// Default value, as text.
    pub default: &'static str,
    about: &'static str,
}

impl SettingKey {
    /// Description of the setting.
    pub fn about(&self) -> &'static str {
        self.about.trim()
    }

    /// Command-line flag, without the leading dashes.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Environment variable.
    pub fn variable(&self) -> String {
        format!("PAIGOW_{}", self.name.to_uppercase())
    }
}

macro_rules! settings {
    ($(#[doc = $about:literal] $name:ident: $type:ty = $default:literal, $kind:expr;)*) => {
        /// All settings of a server, checked.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Settings {
            $(#[doc = $about] pub $name: $type,)*
        }

        /// All settings, in the order of the documentation.
        pub const KEYS: &[SettingKey] =
            &[$(SettingKey { name: stringify!($name), kind: $kind, default: $default, about: $about }),*];

        impl Settings {
            /// Reads every setting and adds every problem to `layers`. Returns `None` if a setting has no valid value.
            fn from_layers(layers: &mut read::Layers) -> Option<Settings> {
                $(let $name = layers.value(&SettingKey { name: stringify!($name), kind: $kind, default: $default, about: $about });)*
                Some(Settings { $($name: $name?,)* })
            }
        }
    };
}

settings! {
    /// Address and port of the HTTP listener.
    listen: SocketAddr = "127.0.0.1:8080", SettingType::Address;
    /// Address and port of a second listener that serves only `/healthz`, `/readyz` and `/metrics`, for the operator's network. Empty: no second listener.
    health_listen: Option<SocketAddr> = "", SettingType::OptionalAddress;
    /// Location of the store, which holds tables, money and people: the path of an SQLite file, or `postgres://…`.
    store: StoreLocation = "paigow.db", SettingType::Text;
    /// Whether the server starts when PostgreSQL has `fsync`, `full_page_writes` or `synchronous_commit` off. With one of these off, a power cut can lose acknowledged commands.
    allow_unsafe_postgres: bool = "false", SettingType::Switch;
    /// File with the master keys, from which the secrets of rounds are derived. The first start creates it. Empty: the path of the store with the extension `.key`, or `paigow.key` with PostgreSQL.
    key_file: Option<PathBuf> = "", SettingType::File;
    /// File for the operator secret, which enrols the first admin. The first start creates it, readable by its owner only. Empty: the path of the store with the extension `.operator`, or `paigow.operator` with PostgreSQL.
    operator_secret_file: Option<PathBuf> = "", SettingType::File;
    /// Operator secret of a new store, instead of a generated one in a file: 64 hexadecimal digits. Empty: the first start generates it.
    operator_secret: OperatorSecret = "", SettingType::Secret;
    /// Folder with custom rule books, one `.toml` file each. House ways are in the same folder or in `house-ways/` below it. The server checks all of them at startup.
    books: Option<PathBuf> = "", SettingType::Folder;
    /// Folder with the files of the page, read for every request, for development of the page: `web` in the repository. Empty: the embedded page.
    page_folder: Option<PathBuf> = "", SettingType::Folder;
    /// PEM file with the TLS certificate of the listener and its intermediate certificates. With `tls_key`, the listener serves https with HTTP/1.1 and HTTP/2. The server loads both files again when they change. Empty: plain HTTP.
    tls_cert: Option<PathBuf> = "", SettingType::File;
    /// PEM file with the private key of `tls_cert`. Set both or neither.
    tls_key: Option<PathBuf> = "", SettingType::File;
    /// Public origin of the server, such as `https://table.example`. With https, browsers send cookies over https only. Empty: `http://`, or `https://` with `tls_cert`, and the `listen` address.
    public_origin: Option<WebOrigin> = "", SettingType::WebOrigin;
    /// Number of trusted reverse proxies that append to `X-Forwarded-For`. 0: the header is ignored.
    trusted_proxies: u32 = "0", SettingType::Number(0, 8);
    /// Maximum number of HTTP connections. WebSocket connections have separate limits. Connections beyond the limit receive only health checks and refusals.
    connections: u32 = "4096", SettingType::Number(1, 1_000_000);
    /// Maximum number of HTTP connections per network address (an IPv4 address or an IPv6 /64). With `trusted_proxies`: maximum number of concurrent requests per address that the proxies report. 0: no limit.
    connections_per_address: u32 = "128", SettingType::Number(0, 1_000_000);
    /// Request header timeout, in seconds.
    header_seconds: u64 = "10", SettingType::Number(1, 600);
    /// Connection idle timeout, in seconds. A connection is idle while it waits for the next request, or while the client accepts no byte of a response.
    idle_seconds: u64 = "30", SettingType::Number(1, 3_600);
    /// Practice chips issued to a new guest and with each refill, in cents.
    guest_chips_cents: u64 = "100000", SettingType::Number(0, 100_000_000);
    /// Maximum size of a request body, in bytes.
    body_bytes: u64 = "65536", SettingType::Number(1_024, 16_777_216);
    /// Maximum size of a WebSocket frame or message, in bytes.
    frame_bytes: u64 = "16384", SettingType::Number(1_024, 1_048_576);
    /// Maximum number of open WebSocket connections.
    sockets: u32 = "10000", SettingType::Number(1, 1_000_000);
    /// Maximum number of open WebSocket connections per player.
    sockets_per_person: u32 = "8", SettingType::Number(1, 1_000);
    /// Maximum number of open WebSocket connections per network address.
    sockets_per_address: u32 = "64", SettingType::Number(1, 1_000_000);
    /// Maximum number of open tables per player.
    tables_per_person: u32 = "4", SettingType::Number(0, 1_000);
    /// Maximum number of seats per player, over all tables.
    seats_per_person: u32 = "4", SettingType::Number(1, 1_000);
    /// Maximum number of requests per minute and network address.
    requests_per_address: NonZeroU32 = "1200", SettingType::Number(1, 1_000_000);
    /// Maximum number of requests per minute and account.
    requests_per_account: NonZeroU32 = "600", SettingType::Number(1, 1_000_000);
    /// Maximum number of health checks (`/healthz`, `/readyz`, `/metrics`) per minute and network address. Health checks do not count as requests.
    health_checks_per_address: NonZeroU32 = "600", SettingType::Number(1, 1_000_000);
    /// Maximum number of new guests per minute and network address.
    guests_per_address: NonZeroU32 = "20", SettingType::Number(1, 1_000_000);
    /// Maximum number of sign-ins per minute and network address, of players and operators.
    sign_ins_per_address: NonZeroU32 = "20", SettingType::Number(1, 1_000_000);
    /// Maximum number of sign-ins with a password or a recovery code per minute, name and network address. All addresses together have five times as many for a name, except addresses from which the person has signed in.
    sign_ins_per_name: NonZeroU32 = "10", SettingType::Number(1, 1_000_000);
    /// Amount in cents above which a second operator must approve an issue or a redemption of chips.
    approval_above_cents: u64 = "100000", SettingType::Number(0, 1_000_000_000_000);
    /// Maximum number of queued and running questions (odds, best settings, the lab, figures, settlement).
    questions: u32 = "64", SettingType::Number(1, 10_000);
    /// Maximum number of queued and running questions per network address.
    questions_per_address: u32 = "8", SettingType::Number(1, 10_000);
    /// Whether the server builds tables of worths, which price edited house ways. A table takes 20 to 60 seconds to build, 0.8 GiB of memory meanwhile and 106 MB in the cache; two stay in memory. Without them, the base game is counted instead.
    worth_tables: bool = "true", SettingType::Switch;
    /// Maximum number of messages, pings and pongs per second from one WebSocket. A burst may be three times as large.
    socket_messages_per_second: NonZeroU32 = "20", SettingType::Number(1, 10_000);
    /// Whether bots take seats at tables.
    bots: bool = "true", SettingType::Switch;
    /// Number of seats that bots leave free at every table.
    bots_leave_free: u32 = "2", SettingType::Number(1, 7);
    /// Session inactivity timeout, in hours.
    session_hours: u64 = "720", SettingType::Number(1, 8_760);
    /// Guest inactivity timeout, in hours. Applies to guests who have never wagered and have only their initial chips. 0: no timeout.
    idle_guest_hours: u64 = "72", SettingType::Number(0, 8_760);
    /// Idle timeout of a table that a player opened, in minutes. A table is idle while it has no players except bots. 0: no timeout.
    idle_table_minutes: u64 = "60", SettingType::Number(0, 525_600);
    /// Age after which the server seals rounds into compressed blocks, in minutes. Older rounds take less space and more time to read. 0: rounds are not sealed.
    seal_minutes: u64 = "60", SettingType::Number(0, 525_600);
    /// Timeout of a seat that sits out, in minutes. The server then vacates the seat. 0: no timeout.
    idle_seat_minutes: u64 = "15", SettingType::Number(0, 525_600);
    /// Time without an open socket after which a player counts as absent, in seconds. The seat of an absent player sits out after one missed round instead of three. 0: never.
    absent_seconds: u64 = "15", SettingType::Number(0, 3_600);
    /// Format of the log.
    log_format: LogFormat = "text", SettingType::Word(LogFormat::WORDS);
    /// Minimum severity of log messages.
    log_level: LogLevel = "info", SettingType::Word(LogLevel::WORDS);
    /// Graceful-shutdown timeout, in seconds. An operator's drain waits this long before the shutdown begins.
    drain_seconds: u64 = "10", SettingType::Number(0, 600);
}

impl Settings {
    /// Origin of the server as browsers see it.
    pub fn origin(&self) -> WebOrigin {
        self.public_origin.clone().unwrap_or_else(|| self.listener_origin(self.listen))
    }

    /// Origin of the listener itself at an address.
    pub fn listener_origin(&self, address: SocketAddr) -> WebOrigin {
        WebOrigin::of_address(self.tls_cert.is_some(), address)
    }

    /// Path of the file with the master keys.
    pub fn key_path(&self) -> PathBuf {
        self.key_file.clone().unwrap_or_else(|| self.store.sibling("key"))
    }

    /// Path of the file with the operator secret.
    pub fn operator_secret_path(&self) -> PathBuf {
        self.operator_secret_file.clone().unwrap_or_else(|| self.store.sibling("operator"))
    }

    /// Returns the name of a cookie, with the prefix `__Host-` over https.
    ///
    /// Browsers refuse a cookie with this prefix from any other host and over plain http.
    pub fn cookie(&self, name: &str) -> String {
        if self.origin().is_https() { format!("__Host-{name}") } else { name.to_owned() }
    }
}

/// Returns all settings as the Markdown table in `docs/operating.md`.
pub fn table() -> String {
    let mut table =
        "| key, `--flag`, `VARIABLE` | default | allowed | description |\n| --- | --- | --- | --- |\n"
            .to_owned();
    for key in KEYS {
        let default = if key.default.is_empty() { String::new() } else { format!("`{}`", key.default) };
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            table,
            "| `{}`, `--{}`, `{}` | {default} | {} | {} |",
            key.name,
            key.flag(),
            key.variable(),
            key.kind,
            key.about(),
        );
    }
    table
}
