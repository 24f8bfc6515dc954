//! People, sessions, the operator secret and the operator log.

use crate::Failure;
use crate::play::{CLUB, HistoryHost, PRACTICE};
use paigow_server::{NewAct, People, Person, PersonKind, Session, SessionOwner, Store, secret_digest};
use paigow_table::{Purpose, Time};
use serde_json::{Value, json};

const PEOPLE: &[(&str, &str)] =
    &[("ann", "Ann"), ("bob", "Bob"), ("cat", "Cät"), ("dan", "Dan"), ("eve", "Eve"), ("gus", "Gus")];
const BOT: &str = "bot-1-ez";
const DAY_MS: u64 = 86_400_000;

/// Enrols all people and issues their chips.
pub(crate) async fn enrol<S: Store + People>(history: &HistoryHost<S>) -> Result<(), Failure> {
    let (store, since) = (history.host.store(), history.now());
    let guests = PEOPLE.iter().map(|(id, name)| (*id, *name, PersonKind::Guest));
    for (id, name, kind) in guests.chain([(BOT, "Sam (bot)", PersonKind::Bot)]) {
        store.enrol(Person { id: id.parse()?, name: name.parse()?, kind, since }).await?;
        if id != "gus" {
            history.chips(id, PRACTICE, 1_000_000, Purpose::Issue).await?;
        }
    }
    for who in ["ann", "bob", "eve"] {
        history.chips(who, CLUB, 250_000, Purpose::Issue).await?;
    }
    store.claim_operator_secret(secret_digest(&[7; 32]), since).await?;
    let sessions = [SessionOwner::Player("ann".parse()?), SessionOwner::Operator("olga".parse()?)];
    for (number, who) in (1..).zip(sessions) {
        let digest = secret_digest(&[number; 32]);
        store
            .begin_session(Session {
                digest,
                who,
                since,
                seen: since,
                until: since.plus(DAY_MS),
                client: String::new(),
            })
            .await?;
    }
    Ok(())
}

/// Redeems chips of two players and writes the operator log.
pub(crate) async fn operate<S: Store + People>(history: &HistoryHost<S>) -> Result<(), Failure> {
    let (store, now) = (history.host.store(), history.now());
    history.chips("dan", PRACTICE, 250_000, Purpose::Redeem).await?;
    history.chips("eve", CLUB, 1, Purpose::Redeem).await?;
    store.rename(&"dan".parse()?, &"Daniel".parse()?).await?;
    store.touch_session(&secret_digest(&[1; 32]), now, now.plus(DAY_MS)).await?;
    let acts = [
        ("session.begin", json!({})),
        ("table.open", json!({ "table": "ops", "book": "ez" })),
        ("chips", json!({ "player": "dan", "currency": PRACTICE, "cents": 250_000, "redeem": true })),
        ("notices", json!({ "text": "Danke schön!" })),
    ];
    for (what, detail) in &acts {
        log(store, what, detail, now).await?;
    }
    Ok(())
}

async fn log<S: People>(store: &S, what: &str, detail: &Value, at: Time) -> Result<(), Failure> {
    let act = NewAct::new("olga".parse()?, what, detail).map_err(|faults| format!("{what}: {faults:?}"))?;
    store.log_act(act, at).await?;
    Ok(())
}
