//! Viewers: they follow tables at any process, lose their connection, come back, and must see what there is and no more.

use crate::history::Moment;
use crate::report::Fault;
use crate::rng::Rng;
use crate::shared::Shared;
use paigow::Card;
use paigow_server::ResumePoint;
use paigow_server::simulation::{Sight, Told, Watching};
use paigow_table::{TableId, View, Viewer};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

/// Somebody who looks at a table.
pub(crate) struct Watcher {
    table: TableId,
    viewer: Viewer,
    /// No two are the same: what viewers do at the same moment has an order.
    number: u64,
    sees: Mutex<Option<(ResumePoint, View)>>,
}

/// How long a viewer stays whose connection does not break.
const PATIENCE_MS: u64 = 600_000;
/// How many views are held against the table's own, in a thousand: making one takes longer than following one.
const COMPARED: u64 = 100;

impl Watcher {
    pub(crate) fn new(table: TableId, viewer: Viewer, number: u64) -> Watcher {
        Watcher { table, viewer, number, sees: Mutex::default() }
    }

    fn sees(&self) -> std::sync::MutexGuard<'_, Option<(ResumePoint, View)>> {
        self.sees.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks until the world ends.
    pub(crate) async fn live(self: Arc<Self>, shared: Arc<Shared>) {
        // Chance of its own: how viewers wake up is not in the hands of the seed.
        let mut rng = Rng::new(self.number);
        loop {
            shared.sleep(100 + self.number).await;
            let process = rng.below(shared.processes().len() as u64) as usize;
            let Some(running) = shared.running(process) else { continue };
            let mut from = self.sees().as_ref().map(|(at, _)| at.clone()).filter(|_| rng.chance(800));
            let connected = async {
                loop {
                    let started =
                        Watching::start(&running.host, &self.table, self.viewer.clone(), from.as_ref()).await;
                    let Ok((mut watching, told)) = started else { return };
                    self.hear(&shared, &mut rng, told, from.take().as_ref());
                    while let Some(told) = watching.next().await {
                        self.hear(&shared, &mut rng, told, None);
                    }
                    // The server starts a socket afresh when there is no more to hear.
                    shared.sleep(1 + self.number).await;
                }
            };
            let lost = shared.is_possible(Fault::ViewerLost);
            let patience = if lost { 500 + 1_000 * self.number } else { PATIENCE_MS };
            tokio::select! {
                biased;
                () = running.dead.cancelled() => {}
                () = connected => {}
                () = tokio::time::sleep(Duration::from_millis(patience)) => shared.report().fault(Fault::ViewerLost),
            }
        }
    }

    /// Takes what it is told. `from` is the event it wanted to go on from.
    fn hear(&self, shared: &Shared, rng: &mut Rng, told: Vec<Told>, from: Option<&ResumePoint>) {
        for Told { at, sight, text } in told {
            shared.report().messages += 1;
            let moment = shared.history().moment(&self.table, &at);
            self.must_not_show(&moment, &at, &text);
            let mut sees = self.sees();
            let compared = match sight {
                Sight::Snapshot(view) => {
                    *sees = Some((at.clone(), *view));
                    true
                }
                Sight::Event(event) => {
                    let Some((seen, view)) = sees.as_mut() else {
                        panic!("{}: {:?} hears of events without a table", self.table, self.viewer)
                    };
                    assert_eq!(
                        at.from,
                        seen.from + 1,
                        "{}: {:?} misses an event (resumed from {from:?})",
                        self.table,
                        self.viewer
                    );
                    view.apply(&event);
                    *seen = at.clone();
                    rng.chance(COMPARED)
                }
            };
            if compared && let Some((_, view)) = sees.as_ref() {
                assert!(
                    *view == moment.table.view(&self.viewer),
                    "{}: {:?} does not see what there is after event {}",
                    self.table,
                    self.viewer,
                    at.from
                );
            }
        }
    }

    /// That a message has no card that is not the viewer's to see.
    fn must_not_show(&self, moment: &Moment, at: &ResumePoint, text: &str) {
        if !moment.hidden {
            return;
        }
        let mut cards = BTreeSet::new();
        let message: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let secret = &message["view"]["round"]["secret"];
        assert!(secret.is_null(), "{}: event {} shows the secret", self.table, at.from);
        cards_in(&message, &mut cards);
        let own = match &self.viewer {
            Viewer::Player(player) => moment.hands.get(player),
            _ => None,
        };
        cards.retain(|card| own.is_none_or(|own| !own.contains(card)));
        assert!(cards.is_empty(), "{}: event {} shows {:?} {cards:?}", self.table, at.from, self.viewer);
    }

    /// That it sees the table as it is.
    pub(crate) fn look(&self, shared: &Shared) {
        let history = shared.history();
        let (table, tip) = (history.table(&self.table), history.tip(&self.table));
        let sees = self.sees();
        let Some((at, view)) = sees.as_ref() else {
            panic!("{}: {:?} sees nothing", self.table, self.viewer)
        };
        assert_eq!(*at, ResumePoint::from(tip), "{}: {:?} has not heard of all", self.table, self.viewer);
        assert!(*view == table.view(&self.viewer), "{}: {:?} sees another table", self.table, self.viewer);
    }
}

/// Every card as it is written.
static DECK: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| Card::deck().map(|card| card.to_string()).collect());

/// Every card that stands in a message.
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
            // The rules of a table name no card that was dealt, and bytes that seats add may look like one.
            let fields = fields.iter().filter(|(name, _)| !["facts", "bytes"].contains(&name.as_str()));
            fields.for_each(|(_, value)| cards_in(value, cards));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
