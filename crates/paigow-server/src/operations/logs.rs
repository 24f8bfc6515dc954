//! The server's log on standard error, as text or JSON. It never contains a secret, a cookie or a request body.

use crate::settings::{LogFormat, LogLevel, Settings};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Installs the logger. Has no effect if the process already has one.
pub fn begin(settings: &Settings) {
    let level = match settings.log_level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_target(false);
    let log = match settings.log_format {
        LogFormat::Text => log.with_ansi(false).boxed(),
        LogFormat::Json => log.json().flatten_event(true).boxed(),
    };
    // Installing a second logger fails, and the first one stays.
    let _ = tracing_subscriber::registry().with(log.with_filter(filter(level))).try_init();
}

/// Returns the filter of the log. Libraries log at `warn`, because their details do not help operators.
fn filter(level: LevelFilter) -> Targets {
    Targets::new().with_default(LevelFilter::WARN).with_targets([("paigow_server", level), ("paigow", level)])
}
