//! The server's log on standard error, as text or JSON. It never contains a secret, a cookie or a request body.

use crate::settings::{LogFormat, LogLevel, Settings};
use tracing_subscriber::EnvFilter;

/// Installs the logger. Has no effect if the process already has one.
pub fn begin(settings: &Settings) {
    let level = match settings.log_level {
        LogLevel::Error => "error",
        LogLevel::Warn => "warn",
        LogLevel::Info => "info",
        LogLevel::Debug => "debug",
        LogLevel::Trace => "trace",
    };
    // Libraries log at `warn`, because their details do not help operators.
    let filter = EnvFilter::new(format!("warn,paigow_server={level},paigow={level}"));
    let log =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false);
    // Installing a second logger fails, and the first one stays.
    let _ = match settings.log_format {
        LogFormat::Text => log.with_ansi(false).try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
}
