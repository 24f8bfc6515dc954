//! How the server is set up: flags before environment before a file before what it does by itself.
//!
//! The list below is the one place where a setting is said: the fields of [`Settings`], the flags, the variables, the keys of the file and
//! the table in `docs/operating.md` all come of it. Everything that was given is checked, and every problem is told at once.

mod read;
mod value;

pub use read::{SettingOrigin, SettingProblem, SettingSources};
pub use value::{LogFormat, LogLevel, SettingType, StoreLocation, WebOrigin};

use std::fmt::Write;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

/// A setting.
#[derive(Clone, Copy, Debug)]
pub struct SettingKey {
    /// Its key in the file.
    pub name: &'static str,
    /// What it may be.
    pub kind: SettingType,
    /// What it is when nobody says.
    pub default: &'static str,
    about: &'static str,
}

impl SettingKey {
    /// What it does.
    pub fn about(&self) -> &'static str {
        self.about.trim()
    }

    /// Its flag, without the dashes before it.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Its variable in the environment.
    pub fn variable(&self) -> String {
        format!("PAIGOW_{}", self.name.to_uppercase())
    }
}

macro_rules! settings {
    ($(#[doc = $about:literal] $name:ident: $type:ty = $default:literal, $kind:expr;)*) => {
        /// All settings, checked.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Settings {
            $(#[doc = $about] pub $name: $type,)*
        }

        /// Every setting there is.
        pub const KEYS: &[SettingKey] =
            &[$(SettingKey { name: stringify!($name), kind: $kind, default: $default, about: $about }),*];

        impl Settings {
            /// Reads every setting from what was given, and every problem of it.
            fn of(layers: &mut read::Layers) -> Option<Settings> {
                $(let $name = layers.value(&SettingKey { name: stringify!($name), kind: $kind, default: $default, about: $about });)*
                Some(Settings { $($name: $name?,)* })
            }
        }
    };
}

settings! {
    /// The address it listens at.
    listen: SocketAddr = "127.0.0.1:8080", SettingType::Address;
    /// Address of a second listener that answers `/healthz`, `/readyz` and `/metrics` only, for the network of the operator. Nothing: no second listener.
    health_listen: Option<SocketAddr> = "", SettingType::OptionalAddress;
    /// Where tables, money and people are kept: a file, or `postgres://…`.
    store: StoreLocation = "paigow.db", SettingType::Text;
    /// Start although PostgreSQL has `fsync`, `full_page_writes` or `synchronous_commit` off, with which a power cut loses commands that were acknowledged.
    allow_unsafe_postgres: bool = "false", SettingType::Switch;
    /// The file with the master keys, which secrets of rounds follow from. The first start makes it. Nothing: beside the file of the store with the ending `.key`; `paigow.key` with PostgreSQL.
    key_file: Option<PathBuf> = "", SettingType::File;
    /// Rule books of your own: a folder with a `.toml` file for each, house ways beside them or in `house-ways/` below. All of them are checked at the start.
    books: Option<PathBuf> = "", SettingType::Folder;
    /// What browsers call it, such as `https://table.example`. With https, cookies are sent over https only. Nothing: `http://` and the address it listens at.
    public_origin: Option<WebOrigin> = "", SettingType::WebOrigin;
    /// How many proxies stand in front of it and add to `X-Forwarded-For`. With none the header is not believed.
    trusted_proxies: u32 = "0", SettingType::Number(0, 8);
    /// HTTP connections in all; open sockets have limits of their own. Further connections are answered health checks and refusals only.
    connections: u32 = "4096", SettingType::Number(1, 1_000_000);
    /// HTTP connections of one network address (an IPv4 address or an IPv6 /64). With `trusted_proxies`: requests at once of the address that the proxies name. 0: no limit.
    connections_per_address: u32 = "128", SettingType::Number(0, 1_000_000);
    /// Seconds a client has to send the header of a request.
    header_seconds: u64 = "10", SettingType::Number(1, 600);
    /// Seconds until the server closes a connection that waits for the next request, or that takes no byte of an answer.
    idle_seconds: u64 = "30", SettingType::Number(1, 3_600);
    /// Practice chips a guest is given, in cents.
    guest_chips_cents: u64 = "100000", SettingType::Number(0, 100_000_000);
    /// Bytes in the body of a request.
    body_bytes: u64 = "65536", SettingType::Number(1_024, 16_777_216);
    /// Bytes in a frame of a socket.
    frame_bytes: u64 = "16384", SettingType::Number(1_024, 1_048_576);
    /// Sockets in all.
    sockets: u32 = "10000", SettingType::Number(1, 1_000_000);
    /// Sockets of one person.
    sockets_per_person: u32 = "8", SettingType::Number(1, 1_000);
    /// Sockets of one network address.
    sockets_per_address: u32 = "64", SettingType::Number(1, 1_000_000);
    /// Tables a person may have open.
    tables_per_person: u32 = "4", SettingType::Number(0, 1_000);
    /// Seats a person may have, at all tables together.
    seats_per_person: u32 = "4", SettingType::Number(1, 1_000);
    /// Requests a minute from one network address.
    requests_per_address: NonZeroU32 = "1200", SettingType::Number(1, 1_000_000);
    /// Requests a minute of one account.
    requests_per_account: NonZeroU32 = "600", SettingType::Number(1, 1_000_000);
    /// Health checks (`/healthz`, `/readyz`, `/metrics`) a minute from one network address. They do not count as requests.
    health_checks_per_address: NonZeroU32 = "600", SettingType::Number(1, 1_000_000);
    /// New guests a minute from one network address.
    guests_per_address: NonZeroU32 = "20", SettingType::Number(1, 1_000_000);
    /// Questions (odds, best settings, the lab, figures, settlement) that wait or are worked on, in all.
    questions: u32 = "64", SettingType::Number(1, 10_000);
    /// Questions of one network address that wait or are worked on.
    questions_per_address: u32 = "8", SettingType::Number(1, 10_000);
    /// Messages, pings and pongs a second that one socket may send; three times as many at once.
    socket_messages_per_second: u32 = "20", SettingType::Number(1, 10_000);
    /// Whether bots sit down at tables.
    bots: bool = "true", SettingType::Switch;
    /// Seats that bots leave free at every table.
    bots_leave_free: u32 = "2", SettingType::Number(1, 7);
    /// Hours until a session ends that is not seen.
    session_hours: u64 = "720", SettingType::Number(1, 8_760);
    /// Hours until a guest expires who is not seen, has never wagered and has no chips but the first ones. 0: never.
    idle_guest_hours: u64 = "72", SettingType::Number(0, 8_760);
    /// Minutes until a table closes that nobody sits at. 0: never.
    idle_table_minutes: u64 = "60", SettingType::Number(0, 525_600);
    /// Minutes until a seat is given up that sits out. 0: never.
    idle_seat_minutes: u64 = "15", SettingType::Number(0, 525_600);
    /// How the log is written.
    log_format: LogFormat = "text", SettingType::Word(LogFormat::WORDS);
    /// How much is logged.
    log_level: LogLevel = "info", SettingType::Word(LogLevel::WORDS);
    /// Seconds that what is under way has to end in when the server is stopped.
    drain_seconds: u64 = "10", SettingType::Number(0, 600);
}

impl Settings {
    /// Where browsers find it.
    pub fn origin(&self) -> WebOrigin {
        self.public_origin.clone().unwrap_or_else(|| WebOrigin::http(self.listen))
    }

    /// Where the master keys are.
    pub fn key_path(&self) -> PathBuf {
        let beside = || match self.store.file() {
            Some(file) => file.with_extension("key"),
            None => PathBuf::from("paigow.key"),
        };
        self.key_file.clone().unwrap_or_else(beside)
    }

    /// What a cookie is called. Over https its name has browsers refuse it from any other host or over plain http.
    pub fn cookie(&self, name: &str) -> String {
        if self.origin().is_https() { format!("__Host-{name}") } else { name.to_owned() }
    }
}

/// All settings as a table of Markdown, as `docs/operating.md` has it.
pub fn table() -> String {
    let mut table =
        "| key, `--flag`, `VARIABLE` | default | allowed | what |\n| --- | --- | --- | --- |\n".to_owned();
    for key in KEYS {
        let default = if key.default.is_empty() { String::new() } else { format!("`{}`", key.default) };
        // Writing to a text does not fail.
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
