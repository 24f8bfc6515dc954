//! What is written down while a server runs: on standard error, for people or for programs. Never a secret, a cookie or a body.

use crate::settings::{LogFormat, LogLevel, Settings};
use tracing_subscriber::EnvFilter;

/// Begins to write. Whoever did so before goes on as they do.
pub fn begin(settings: &Settings) {
    let level = match settings.log_level {
        LogLevel::Error => "error",
        LogLevel::Warn => "warn",
        LogLevel::Info => "info",
        LogLevel::Debug => "debug",
        LogLevel::Trace => "trace",
    };
    // What libraries say in detail is for those who write them.
    let filter = EnvFilter::new(format!("warn,paigow_server={level},paigow={level}"));
    let log =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false);
    // A second beginning is refused, and nothing is lost by that.
    let _ = match settings.log_format {
        LogFormat::Text => log.with_ansi(false).try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
}
