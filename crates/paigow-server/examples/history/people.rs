//! People, sessions, the operators' secret and the operators' log.

use crate::Failure;
use crate::play::{CLUB, PRACTICE, Play};
use paigow_server::{NewAct, People, Person, PersonKind, Session, SessionOf, Store, secret_digest};
use paigow_table::{Purpose, Time};
use serde_json::{Value, json};

const PEOPLE: &[(&str, &str)] =
    &[("ann", "Ann"), ("bob", "Bob"), ("cat", "Cät"), ("dan", "Dan"), ("eve", "Eve"), ("gus", "Gus")];
const BOT: &str = "bot-1-ez";
const DAY_MS: u64 = 86_400_000;

/// Enrols all people and issues their chips.
pub(crate) async fn enrol<S: Store + People>(play: &Play<S>) -> Result<(), Failure> {
    let (store, since) = (play.host.store(), play.now());
    let guests = PEOPLE.iter().map(|(id, name)| (*id, *name, PersonKind::Guest));
    for (id, name, kind) in guests.chain([(BOT, "Sam (bot)", PersonKind::Bot)]) {
        store.enrol(Person { id: id.parse()?, name: name.parse()?, kind, since }).await?;
        if id != "gus" {
            play.chips(id, PRACTICE, 1_000_000, Purpose::Issue).await?;
        }
    }
    for who in ["ann", "bob", "eve"] {
        play.chips(who, CLUB, 250_000, Purpose::Issue).await?;
    }
    store.claim_operator_secret(secret_digest(&[7; 32]), since).await?;
    let sessions = [SessionOf::Player("ann".parse()?), SessionOf::Operator("olga".parse()?)];
    for (number, who) in (1..).zip(sessions) {
        let digest = secret_digest(&[number; 32]);
        store.begin_session(Session { digest, who, since, seen: since, until: since.plus(DAY_MS) }).await?;
    }
    Ok(())
}

/// Writes the operators' log at the end of play and redeems chips of two players.
pub(crate) async fn operate<S: Store + People>(play: &Play<S>) -> Result<(), Failure> {
    let (store, now) = (play.host.store(), play.now());
    play.chips("dan", PRACTICE, 250_000, Purpose::Redeem).await?;
    play.chips("eve", CLUB, 1, Purpose::Redeem).await?;
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
