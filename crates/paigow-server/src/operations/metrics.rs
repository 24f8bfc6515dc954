//! Metrics of a server, for Prometheus.

use crate::environment::JumpCounts;
use crate::host::scheduler::SchedulerCounts;
use crate::host::store_rollback::RollbackCounts;
use crate::operations::money::{MoneyCounts, StakeGauges};
use axum::http::{Method, StatusCode};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::time::Duration;
use tokio::sync::Mutex;

/// Labels of requests.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RequestLabels {
    method: String,
    path: String,
    status: u16,
}

/// Labels of commands.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct CommandLabels {
    /// `done`, or the code of the refusal.
    outcome: &'static str,
}

/// Labels of refusals by a limit.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct LimitLabels {
    by: &'static str,
}

/// Metrics of a server. Gauges of values that other parts keep, such as tables, are set when the metrics are read.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    request_seconds: Histogram,
    commands: Family<CommandLabels, Counter>,
    command_seconds: Histogram,
    limited: Family<LimitLabels, Counter>,
    pub(crate) sockets: Gauge,
    pub(crate) tables: Gauge,
    pub(crate) damaged_tables: Gauge,
    pub(crate) messages_in: Counter,
    pub(crate) messages_out: Counter,
    pub(crate) snapshots: Counter,
    /// Clients that fell behind and received a snapshot.
    pub(crate) lagged: Counter,
    pub(crate) scheduler: SchedulerCounts,
    pub(crate) bot_commands: Counter,
    pub(crate) guests_expired: Counter,
    pub(crate) batches: Gauge,
    pub(crate) commits: Gauge,
    pub(crate) stakes: StakeGauges,
    /// Held while gauges are set and printed, so that concurrent reads do not see a part of them.
    pub(crate) reading: Mutex<()>,
    /// Has a value only with TLS.
    certificate_expiry: Family<[(&'static str, &'static str); 0], Gauge>,
}

/// Returns a histogram of durations with buckets from one millisecond to four seconds, each twice the previous one.
fn durations() -> Histogram {
    Histogram::new([
        0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 2.048, 4.096,
    ])
}

impl Metrics {
    pub(crate) fn new(jumps: &JumpCounts, rollbacks: &RollbackCounts, money: &MoneyCounts) -> Metrics {
        let mut metrics = Metrics {
            registry: Registry::with_prefix("paigow"),
            requests: Family::default(),
            request_seconds: durations(),
            commands: Family::default(),
            command_seconds: durations(),
            limited: Family::default(),
            sockets: Gauge::default(),
            tables: Gauge::default(),
            damaged_tables: Gauge::default(),
            messages_in: Counter::default(),
            messages_out: Counter::default(),
            snapshots: Counter::default(),
            lagged: Counter::default(),
            scheduler: SchedulerCounts::default(),
            bot_commands: Counter::default(),
            guests_expired: Counter::default(),
            batches: Gauge::default(),
            commits: Gauge::default(),
            stakes: StakeGauges::default(),
            reading: Mutex::default(),
            certificate_expiry: Family::default(),
        };
        metrics.register();
        metrics.register_others(jumps, rollbacks);
        money.register(&mut metrics.registry);
        metrics.stakes.register(&mut metrics.registry);
        metrics
    }

    fn register(&mut self) {
        let Metrics { registry, .. } = self;
        registry.register("requests", "HTTP requests", self.requests.clone());
        registry.register("request_seconds", "Duration of HTTP requests", self.request_seconds.clone());
        registry.register("commands", "Commands to tables", self.commands.clone());
        registry.register(
            "command_seconds",
            "Duration of commands until they are committed",
            self.command_seconds.clone(),
        );
        registry.register("limited", "Requests and connections refused by a limit", self.limited.clone());
        registry.register("sockets", "Open WebSocket connections", self.sockets.clone());
        registry.register("tables", "Tables in memory", self.tables.clone());
        let damaged = "Tables closed to play because their records are damaged";
        registry.register("damaged_tables", damaged, self.damaged_tables.clone());
        registry.register(
            "socket_messages_received",
            "WebSocket messages received",
            self.messages_in.clone(),
        );
        registry.register("socket_messages_sent", "WebSocket messages sent", self.messages_out.clone());
        registry.register("snapshots", "Snapshots of tables sent to clients", self.snapshots.clone());
        registry.register("lagged", "Slow clients that received a snapshot", self.lagged.clone());
        registry.register("ticks", "Deadlines fired", self.scheduler.ticks.clone());
        registry.register(
            "late_ticks",
            "Deadlines fired more than a second late",
            self.scheduler.late_ticks.clone(),
        );
        registry.register("bot_commands", "Commands of bots", self.bot_commands.clone());
        registry.register("guests_expired", "Deleted guests who never played", self.guests_expired.clone());
        registry.register("store_batches", "Batches given to the store", self.batches.clone());
        registry.register("store_commits", "Commits of the store", self.commits.clone());
        registry.register(
            "tls_certificate_expiry_seconds",
            "Expiry of the TLS certificate, in seconds since 1970",
            self.certificate_expiry.clone(),
        );
    }

    /// Registers counters that other parts of the server keep.
    fn register_others(&mut self, jumps: &JumpCounts, rollbacks: &RollbackCounts) {
        let Metrics { registry, .. } = self;
        registry.register("clock_jumps", "Jumps of the wall clock", jumps.jumps.clone());
        registry.register(
            "clock_jumps_followed",
            "Jumps of the wall clock that lasted and that the server followed",
            jumps.followed.clone(),
        );
        registry.register(
            "store_went_back_tables",
            "Tables reloaded because the store went back to an earlier state",
            rollbacks.tables.clone(),
        );
        registry.register(
            "store_went_back_lists",
            "Times that the journal or the operators' log was found shorter than before",
            rollbacks.lists.clone(),
        );
    }

    /// Counts a request and its duration.
    pub(crate) fn record_request(&self, method: &Method, path: &str, status: StatusCode, took: Duration) {
        // Clients can send any method, and the number of labels must stay bounded.
        let known = [Method::GET, Method::HEAD, Method::POST, Method::PATCH, Method::DELETE, Method::OPTIONS];
        let method = if known.contains(method) { method.as_str() } else { "other" };
        let labels =
            RequestLabels { method: method.to_owned(), path: path.to_owned(), status: status.as_u16() };
        self.requests.get_or_create(&labels).inc();
        self.request_seconds.observe(took.as_secs_f64());
    }

    /// Counts a command and its duration.
    pub(crate) fn record_command(&self, outcome: &'static str, took: Duration) {
        self.commands.get_or_create(&CommandLabels { outcome }).inc();
        self.command_seconds.observe(took.as_secs_f64());
    }

    /// Counts a refusal by a limit.
    pub(crate) fn limited(&self, by: &'static str) {
        self.limited.get_or_create(&LimitLabels { by }).inc();
    }

    /// Sets the expiry of the TLS certificate, in seconds since 1970.
    pub(crate) fn set_certificate_expiry(&self, seconds: u64) {
        self.certificate_expiry.get_or_create(&[]).set(i64::try_from(seconds).unwrap_or(i64::MAX));
    }

    /// Returns all metrics in the text format of Prometheus.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
