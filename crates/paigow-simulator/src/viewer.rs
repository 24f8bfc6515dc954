//! Viewers: each subscribes at a random process, loses its connection, resumes, and must see the stored table and no
//! hidden card.

use crate::history::TableState;
use crate::report::InjectedFault;
use crate::shared::SimulationState;
use paigow::Card;
use paigow_server::ResumePoint;
use paigow_server::simulation::{Subscription, Update, ViewerMessage};
use paigow_table::{TableId, View, Viewer};
use paigow_testkit::Rng;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

/// A viewer of one table.
pub(crate) struct SimulatedViewer {
    table: TableId,
    viewer: Viewer,
    /// Unique number, which orders viewers that act at the same time.
    number: u64,
    sees: Mutex<Option<(ResumePoint, View)>>,
}

/// Connection time of a viewer whose connection does not break.
const CONNECTION_MS: u64 = 600_000;
/// Share of events after which the view is compared with the table's: making a view takes longer than applying an
/// event.
const COMPARED_PER_MILLE: u64 = 100;

impl SimulatedViewer {
    pub(crate) fn new(table: TableId, viewer: Viewer, number: u64) -> SimulatedViewer {
        SimulatedViewer { table, viewer, number, sees: Mutex::default() }
    }

    fn sees(&self) -> std::sync::MutexGuard<'_, Option<(ResumePoint, View)>> {
        self.sees.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches until the run ends.
    pub(crate) async fn run(self: Arc<Self>, shared: Arc<SimulationState>) {
        // Own generator, seeded by the viewer's number, so that the wake-up order does not change the run's random
        // stream.
        let mut rng = Rng::new(self.number);
        loop {
            shared.sleep(100 + self.number).await;
            let process = rng.below(shared.processes().len() as u64) as usize;
            let Some(running) = shared.running(process) else { continue };
            let mut from = self.sees().as_ref().map(|(at, _)| at.clone()).filter(|_| rng.chance(800));
            let connected = async {
                loop {
                    let started =
                        Subscription::start(&running.host, &self.table, self.viewer.clone(), from.as_ref())
                            .await;
                    let Ok((mut subscription, messages)) = started else { return };
                    self.receive(&shared, &mut rng, messages, from.take().as_ref());
                    while let Some(messages) = subscription.next().await {
                        self.receive(&shared, &mut rng, messages, None);
                    }
                    // The server sends the socket a snapshot when the subscription ends.
                    shared.sleep(1 + self.number).await;
                }
            };
            let lost = shared.is_possible(InjectedFault::ViewerLost);
            let connection_ms = if lost { 500 + 1_000 * self.number } else { CONNECTION_MS };
            tokio::select! {
                biased;
                () = running.crashed.cancelled() => {}
                () = connected => {}
                () = tokio::time::sleep(Duration::from_millis(connection_ms)) => shared.report().add_fault(InjectedFault::ViewerLost),
            }
        }
    }

    /// Applies messages. `from` is the resume point that the viewer sent.
    fn receive(
        &self,
        shared: &SimulationState,
        rng: &mut Rng,
        messages: Vec<ViewerMessage>,
        from: Option<&ResumePoint>,
    ) {
        for ViewerMessage { at, update, text } in messages {
            shared.report().messages += 1;
            let state = shared.history().state(&self.table, &at);
            self.check_hidden_cards(&state, &at, &text);
            let mut sees = self.sees();
            let compared = match update {
                Update::Snapshot(view) => {
                    *sees = Some((at.clone(), *view));
                    true
                }
                Update::Event(event) => {
                    let Some((seen, view)) = sees.as_mut() else {
                        panic!("{}: {:?} received an event before a snapshot", self.table, self.viewer)
                    };
                    assert_eq!(
                        at.seq,
                        seen.seq + 1,
                        "{}: {:?} misses an event (resumed from {from:?})",
                        self.table,
                        self.viewer
                    );
                    view.apply(&event);
                    *seen = at.clone();
                    rng.chance(COMPARED_PER_MILLE)
                }
            };
            if compared && let Some((_, view)) = sees.as_ref() {
                assert!(
                    *view == state.table.view(&self.viewer),
                    "{}: the view of {:?} differs from the table after event {}",
                    self.table,
                    self.viewer,
                    at.seq
                );
            }
        }
    }

    /// Asserts that a message contains no card that is hidden from the viewer.
    fn check_hidden_cards(&self, state: &TableState, at: &ResumePoint, text: &str) {
        if !state.hidden {
            return;
        }
        let mut cards = BTreeSet::new();
        let message: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let secret = &message["view"]["round"]["secret"];
        assert!(secret.is_null(), "{}: event {} shows the secret", self.table, at.seq);
        cards_in(&message, &mut cards);
        let own = match &self.viewer {
            Viewer::Player(player) => state.hands.get(player),
            _ => None,
        };
        cards.retain(|card| own.is_none_or(|own| !own.contains(card)));
        assert!(cards.is_empty(), "{}: event {} shows {:?} {cards:?}", self.table, at.seq, self.viewer);
    }

    /// Asserts that the viewer sees the current table.
    pub(crate) fn check_view(&self, shared: &SimulationState) {
        let history = shared.history();
        let (table, tip) = (history.table(&self.table), history.tip(&self.table));
        let sees = self.sees();
        let Some((at, view)) = sees.as_ref() else {
            panic!("{}: {:?} received no snapshot", self.table, self.viewer)
        };
        assert_eq!(
            *at,
            ResumePoint::from(tip),
            "{}: {:?} did not receive the last event",
            self.table,
            self.viewer
        );
        assert!(
            *view == table.view(&self.viewer),
            "{}: the view of {:?} differs from the table at rest",
            self.table,
            self.viewer
        );
    }
}

/// Text of every card.
static DECK: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| Card::deck().map(|card| card.to_string()).collect());

/// Collects every card in a message.
fn cards_in(value: &Value, cards: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let words: Vec<&str> = text.split(' ').collect();
            if words.iter().all(|word| DECK.contains(*word)) {
                cards.extend(words.into_iter().map(ToOwned::to_owned));
            }
        }
        Value::Array(values) => values.iter().for_each(|value| cards_in(value, cards)),
        Value::Object(fields) => {
            // The rules of a table name no dealt card, and the bytes of a seat may look like a card.
            let fields = fields.iter().filter(|(name, _)| !["facts", "bytes"].contains(&name.as_str()));
            fields.for_each(|(_, value)| cards_in(value, cards));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
