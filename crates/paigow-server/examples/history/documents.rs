//! Documents of every kind, as a server writes them: an account with its name, limits, tables for invited players,
//! operators with an approval, and the use of the operator secret.
//!
//! The hashes are those of fixed passwords and codes that no account has, because a fixture is public.

use crate::Failure;
use crate::play::{HistoryHost, PRACTICE};
use paigow_server::{
    DocumentKey, DocumentKind, DocumentWrite, Documents, EndSessions, People, PeopleChange, Session,
    SessionOwner, Store, secret_digest,
};
use paigow_table::{Secret, Time};
use serde_json::{Value, json};

const DAY_MS: u64 = 86_400_000;
/// Hash of a password that no account has.
const PASSWORD: &str = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$\
    2t7kMWmzMO1pQMqnfO2cU0ouXyZ0Rmgmi+bEUfq6qvY";

/// Writes documents of every kind. Some are replaced, and one is deleted.
pub(crate) async fn write<S: Store + People + Documents>(history: &HistoryHost<S>) -> Result<(), Failure> {
    let (store, now) = (history.host.store(), history.now());
    let claim = hex(b"the key of a name");
    let ann = json!({ "name_key": "anna", "since": now, "credentials": credentials(1) });
    let change = PeopleChange {
        documents: vec![
            new(DocumentKind::Account, "ann", &ann),
            new(DocumentKind::AccountName, &claim, &json!({ "player": "ann" })),
        ],
        renames: vec![("ann".parse()?, "Anna".parse()?)],
        begin_session: Some(session(3, SessionOwner::Player("ann".parse()?), now)),
        ..PeopleChange::default()
    };
    commit(store, change, now).await?;
    let limits = json!({
        "current": { "loss": { "cents": 50_000, "days": 7 }, "minutes": 120 },
        "pending": { "limits": { "loss": null, "minutes": 120 }, "from": now.plus(DAY_MS) },
    });
    documents(store, vec![new(DocumentKind::Limits, "ann", &limits)], now).await?;

    // A table of a player and one of the house, each with an invitation.
    let (first, second) = (hex(b"first invitation"), hex(b"second invitation"));
    let own = json!({ "opened_by": "ann", "members": [], "invitations": [first] });
    let house = json!({ "opened_by": null, "members": ["bob"], "invitations": [second] });
    let invitation = |table: &str, accepted: u64| json!({ "table": table, "until": now.plus(DAY_MS), "accepted": accepted });
    let invited = vec![
        new(DocumentKind::TableAccess, "left-open", &own),
        new(DocumentKind::Invitation, &first, &invitation("left-open", 0)),
        new(DocumentKind::TableAccess, "left-dealt", &house),
        new(DocumentKind::Invitation, &second, &invitation("left-dealt", 1)),
    ];
    documents(store, invited, now).await?;
    let joined = json!({ "opened_by": "ann", "members": ["cat"], "invitations": [] });
    let accepted = vec![
        replaced(DocumentKind::TableAccess, "left-open", Some(&joined)),
        replaced(DocumentKind::Invitation, &first, None),
    ];
    documents(store, accepted, now).await?;

    let olga = json!({ "role": "admin", "since": now, "disabled": false, "enrolment": null, "credentials": credentials(3) });
    let enrolment = json!({ "digest": hex(b"an enrolment code"), "until": now.plus(DAY_MS) });
    let carl = json!({ "role": "cashier", "since": now, "disabled": true, "enrolment": enrolment, "credentials": {} });
    let secret = String::from(Secret(secret_digest(&[7; 32])));
    let change = PeopleChange {
        documents: vec![
            new(DocumentKind::Operator, "olga", &olga),
            new(DocumentKind::SecretUse, &secret, &json!({ "operator": "olga", "at": now })),
            new(DocumentKind::Operator, "carl", &carl),
        ],
        end_sessions: Some(EndSessions { of: SessionOwner::Operator("olga".parse()?), except: None }),
        begin_session: Some(session(4, SessionOwner::Operator("olga".parse()?), now)),
        ..PeopleChange::default()
    };
    commit(store, change, now).await?;
    let chips =
        json!({ "what": "chips", "player": "dan", "currency": PRACTICE, "cents": 500_000, "redeem": false });
    let void = json!({ "what": "void", "table": "sd-void", "round": 1, "reason": "wrong_count" });
    let waiting = |act: &Value, command: &str| {
        json!({ "act": act, "command": command, "by": "carl", "at": now, "until": now.plus(DAY_MS), "decision": "waiting",
            "decided_by": null, "decided_at": null, "outcome": null })
    };
    let mut declined = waiting(&void, "void-1");
    declined["decision"] = json!("declined");
    declined["decided_by"] = json!("olga");
    declined["decided_at"] = json!(now);
    let approvals = vec![
        new(DocumentKind::Approval, "00000000000000000001", &waiting(&chips, "chips-1")),
        new(DocumentKind::Approval, "00000000000000000002", &declined),
    ];
    documents(store, approvals, now).await
}

fn credentials(changes: u64) -> Value {
    json!({ "password": PASSWORD, "passkeys": [], "authenticator": null, "recovery": [], "changes": changes })
}

fn session(number: u8, who: SessionOwner, now: Time) -> Session {
    let (digest, client) = (secret_digest(&[number; 32]), "Firefox on Linux, 127.0.0.1".to_owned());
    Session { digest, who, since: now, seen: now, until: now.plus(DAY_MS), client }
}

/// Returns the digest of a text in hexadecimal digits.
fn hex(text: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    String::from(Secret(Sha256::digest(text).into()))
}

fn new(kind: DocumentKind, id: &str, json: &Value) -> DocumentWrite {
    DocumentWrite { key: DocumentKey { kind, id: id.to_owned() }, expected: 0, json: Some(json.to_string()) }
}

/// Replaces or deletes the first version of a document.
fn replaced(kind: DocumentKind, id: &str, json: Option<&Value>) -> DocumentWrite {
    let key = DocumentKey { kind, id: id.to_owned() };
    DocumentWrite { key, expected: 1, json: json.map(ToString::to_string) }
}

async fn documents<S: Documents>(store: &S, documents: Vec<DocumentWrite>, at: Time) -> Result<(), Failure> {
    commit(store, PeopleChange { documents, ..PeopleChange::default() }, at).await
}

async fn commit<S: Documents>(store: &S, change: PeopleChange, at: Time) -> Result<(), Failure> {
    if store.change_people(change, at).await? { Ok(()) } else { Err("a document is not as expected".into()) }
}
