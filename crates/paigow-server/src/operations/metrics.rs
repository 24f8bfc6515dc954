//! What is counted and measured while a server runs, for Prometheus.

use crate::environment::JumpCounts;
use crate::host::scheduler::SchedulerCounts;
use crate::host::store_rollback::RollbackCounts;
use axum::http::{Method, StatusCode};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::time::Duration;

/// Requests, by what was asked and how it went.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RequestLabels {
    method: String,
    path: String,
    status: u16,
}

/// Commands, by how they went: `done` or the code of a refusal.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct CommandLabels {
    outcome: &'static str,
}

/// What was limited.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct LimitLabels {
    by: &'static str,
}

/// Counters and gauges. What is known elsewhere (tables, sockets) is set when it is asked for.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    request_seconds: Histogram,
    commands: Family<CommandLabels, Counter>,
    command_seconds: Histogram,
    limited: Family<LimitLabels, Counter>,
    pub(crate) sockets: Gauge,
    pub(crate) tables: Gauge,
    /// Tables that are closed to play because their records are damaged.
    pub(crate) damaged_tables: Gauge,
    pub(crate) messages_in: Counter,
    pub(crate) messages_out: Counter,
    pub(crate) snapshots: Counter,
    /// Sockets that were told to start afresh because they did not keep up.
    pub(crate) lagged: Counter,
    pub(crate) clock: SchedulerCounts,
    pub(crate) bot_commands: Counter,
    pub(crate) guests_expired: Counter,
    pub(crate) batches: Gauge,
    pub(crate) commits: Gauge,
}

/// From a millisecond to four seconds, each twice the last.
fn seconds() -> Histogram {
    Histogram::new([
        0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 2.048, 4.096,
    ])
}

impl Metrics {
    pub(crate) fn new(jumps: &JumpCounts, rollbacks: &RollbackCounts) -> Metrics {
        let mut metrics = Metrics {
            registry: Registry::with_prefix("paigow"),
            requests: Family::default(),
            request_seconds: seconds(),
            commands: Family::default(),
            command_seconds: seconds(),
            limited: Family::default(),
            sockets: Gauge::default(),
            tables: Gauge::default(),
            damaged_tables: Gauge::default(),
            messages_in: Counter::default(),
            messages_out: Counter::default(),
            snapshots: Counter::default(),
            lagged: Counter::default(),
            clock: SchedulerCounts::default(),
            bot_commands: Counter::default(),
            guests_expired: Counter::default(),
            batches: Gauge::default(),
            commits: Gauge::default(),
        };
        metrics.register();
        metrics.register_others(jumps, rollbacks);
        metrics
    }

    fn register(&mut self) {
        let Metrics { registry, .. } = self;
        registry.register("requests", "Requests over HTTP", self.requests.clone());
        registry.register("request_seconds", "How long requests took", self.request_seconds.clone());
        registry.register("commands", "Commands to tables", self.commands.clone());
        registry.register(
            "command_seconds",
            "How long commands took to be on the disk",
            self.command_seconds.clone(),
        );
        registry.register("limited", "What was refused because it was too much", self.limited.clone());
        registry.register("sockets", "Sockets that are open", self.sockets.clone());
        registry.register("tables", "Tables in memory", self.tables.clone());
        let damaged = "Tables closed to play because their records are damaged";
        registry.register("damaged_tables", damaged, self.damaged_tables.clone());
        registry.register("socket_messages_received", "Messages from clients", self.messages_in.clone());
        registry.register("socket_messages_sent", "Messages to clients", self.messages_out.clone());
        registry.register("snapshots", "Whole views sent", self.snapshots.clone());
        registry.register("lagged", "Clients that did not keep up and started afresh", self.lagged.clone());
        registry.register("ticks", "Deadlines fired", self.clock.ticks.clone());
        registry.register(
            "late_ticks",
            "Deadlines fired more than a second late",
            self.clock.late_ticks.clone(),
        );
        registry.register("bot_commands", "Commands of bots", self.bot_commands.clone());
        registry.register(
            "guests_expired",
            "Guests who never played and were forgotten",
            self.guests_expired.clone(),
        );
        registry.register("store_batches", "Batches given to the store", self.batches.clone());
        registry.register("store_commits", "Commits they took", self.commits.clone());
    }

    /// What other parts of the server count.
    fn register_others(&mut self, jumps: &JumpCounts, rollbacks: &RollbackCounts) {
        let Metrics { registry, .. } = self;
        registry.register("clock_jumps", "Jumps of the wall clock", jumps.jumps.clone());
        registry.register(
            "clock_jumps_followed",
            "Jumps of the wall clock that lasted and were followed",
            jumps.followed.clone(),
        );
        registry.register(
            "store_went_back_tables",
            "Tables read again because the store went back to an earlier state",
            rollbacks.tables.clone(),
        );
        registry.register(
            "store_went_back_lists",
            "Times the journal or the operators' log was shorter than before",
            rollbacks.lists.clone(),
        );
    }

    pub(crate) fn answered(&self, method: &Method, path: &str, status: StatusCode, took: Duration) {
        // Anybody can invent a method.
        let known = [Method::GET, Method::HEAD, Method::POST, Method::PATCH, Method::DELETE, Method::OPTIONS];
        let method = if known.contains(method) { method.as_str() } else { "other" };
        let asked =
            RequestLabels { method: method.to_owned(), path: path.to_owned(), status: status.as_u16() };
        self.requests.get_or_create(&asked).inc();
        self.request_seconds.observe(took.as_secs_f64());
    }

    pub(crate) fn commanded(&self, outcome: &'static str, took: Duration) {
        self.commands.get_or_create(&CommandLabels { outcome }).inc();
        self.command_seconds.observe(took.as_secs_f64());
    }

    pub(crate) fn limited(&self, by: &'static str) {
        self.limited.get_or_create(&LimitLabels { by }).inc();
    }

    /// All of it as Prometheus reads it.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
