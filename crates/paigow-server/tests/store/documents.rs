//! Conformance tests for documents, ceremonies and sessions of one owner, run against every store.

use crate::both_stores::on_both_stores;
use crate::kit::{Game, host, name, player_account};
use paigow::rulebook::BuiltIn;
use paigow_server::{
    DocumentKey, DocumentKind, DocumentWrite, Documents, EndSessions, People, PeopleChange, Person,
    PersonKind, RulesCache, Session, SessionOwner, Store, StoredDocument, audit, secret_digest,
};
use paigow_table::{Owner, Time};

fn key(kind: DocumentKind, id: &str) -> DocumentKey {
    DocumentKey { kind, id: id.to_owned() }
}

fn write(kind: DocumentKind, id: &str, expected: u64, json: Option<&str>) -> DocumentWrite {
    DocumentWrite { key: key(kind, id), expected, json: json.map(str::to_owned) }
}

fn documents(documents: Vec<DocumentWrite>) -> PeopleChange {
    PeopleChange { documents, ..PeopleChange::default() }
}

fn person(id: &str, called: &str) -> Person {
    Person { id: name(id), name: name(called), kind: PersonKind::Guest, since: Time(1) }
}

fn session(number: u8, who: &SessionOwner, client: &str) -> Session {
    let digest = secret_digest(&[number; 32]);
    let seen = Time(100 + u64::from(number));
    Session { digest, who: who.clone(), since: Time(100), seen, until: Time(900), client: client.to_owned() }
}

async fn assert_clean(store: &impl Store) {
    assert_eq!(audit(store, RulesCache::new(BuiltIn)).await.unwrap().findings, []);
}

async fn write_replaces_the_version_it_names(store: impl Store + People + Documents) {
    let account = key(DocumentKind::Account, "ann");
    assert_eq!(store.document(&account).await.unwrap(), None);
    let first = documents(vec![write(DocumentKind::Account, "ann", 0, Some("{\"n\":1}"))]);
    assert!(store.change_people(first.clone(), Time(5)).await.unwrap());
    assert!(!store.change_people(first, Time(6)).await.unwrap(), "the document exists");
    let stored = StoredDocument { key: account.clone(), version: 1, json: "{\"n\":1}".to_owned() };
    assert_eq!(store.document(&account).await.unwrap(), Some(stored));
    for (expected, is_current) in [(2, false), (1, true), (1, false), (2, true)] {
        let change = documents(vec![write(DocumentKind::Account, "ann", expected, Some("{}"))]);
        assert_eq!(store.change_people(change, Time(7)).await.unwrap(), is_current, "{expected}");
    }
    assert_eq!(store.document(&account).await.unwrap().unwrap().version, 3);
    // Another kind may have the same id.
    assert_eq!(store.document(&key(DocumentKind::Limits, "ann")).await.unwrap(), None);
    for (expected, is_current) in [(2, false), (3, true), (3, false)] {
        let change = documents(vec![write(DocumentKind::Account, "ann", expected, None)]);
        assert_eq!(store.change_people(change, Time(8)).await.unwrap(), is_current, "{expected}");
    }
    assert_eq!(store.document(&account).await.unwrap(), None);
    let again = documents(vec![write(DocumentKind::Account, "ann", 0, Some("{}"))]);
    assert!(store.change_people(again, Time(9)).await.unwrap());
    assert_clean(&store).await;
}

async fn change_is_made_as_a_whole_or_not_at_all(store: impl Store + People + Documents) {
    let (ann, who) = (person("ann", "Ann"), SessionOwner::Player(name("ann")));
    assert!(store.enrol(ann.clone()).await.unwrap());
    for number in 1..=3 {
        assert!(store.begin_session(session(number, &who, "")).await.unwrap());
    }
    let change = PeopleChange {
        documents: vec![
            write(DocumentKind::Account, "ann", 0, Some("{}")),
            write(DocumentKind::AccountName, "digest", 0, Some("{}")),
        ],
        renames: vec![(ann.id.clone(), name("Anna"))],
        end_sessions: Some(EndSessions { of: who.clone(), except: Some(secret_digest(&[2; 32])) }),
        ..PeopleChange::default()
    };
    let taken = documents(vec![write(DocumentKind::AccountName, "digest", 0, Some("{\"of\":\"bob\"}"))]);
    assert!(store.change_people(taken, Time(4)).await.unwrap());
    assert!(!store.change_people(change.clone(), Time(5)).await.unwrap(), "the name is taken");
    assert_eq!(store.document(&key(DocumentKind::Account, "ann")).await.unwrap(), None);
    assert_eq!(store.person(&ann.id).await.unwrap(), Some(ann.clone()));
    assert_eq!(store.sessions_of(&who, Time(200)).await.unwrap().len(), 3);
    let absent = PeopleChange {
        renames: vec![(name("absent"), name("Anna"))],
        documents: Vec::new(),
        ..change.clone()
    };
    assert!(!store.change_people(absent, Time(5)).await.unwrap());
    assert_eq!(store.sessions_of(&who, Time(200)).await.unwrap().len(), 3);
    let freed = documents(vec![write(DocumentKind::AccountName, "digest", 1, None)]);
    assert!(store.change_people(freed, Time(6)).await.unwrap());
    assert!(store.change_people(change, Time(7)).await.unwrap());
    assert_eq!(store.person(&ann.id).await.unwrap().unwrap().name.as_str(), "Anna");
    let left: Vec<[u8; 32]> =
        store.sessions_of(&who, Time(200)).await.unwrap().iter().map(|session| session.digest).collect();
    assert_eq!(left, [secret_digest(&[2; 32])]);
    let removal = PeopleChange {
        documents: vec![write(DocumentKind::Account, "ann", 1, None)],
        remove: Some(ann.id.clone()),
        end_sessions: Some(EndSessions { of: who.clone(), except: None }),
        ..PeopleChange::default()
    };
    assert!(store.change_people(removal.clone(), Time(8)).await.unwrap());
    assert!(!store.change_people(removal, Time(8)).await.unwrap());
    assert_eq!(store.person(&ann.id).await.unwrap(), None);
    assert_eq!(store.sessions_of(&who, Time(200)).await.unwrap(), []);
    assert_clean(&store).await;
}

async fn required_versions_decide_over_people_and_sessions(store: impl Store + People + Documents) {
    let claim = key(DocumentKind::AccountName, "digest");
    let who = SessionOwner::Operator(name("olga"));
    let joins = |number: u8, version: u64| PeopleChange {
        required: vec![(claim.clone(), version)],
        enrol: Some(person(&format!("guest-{number}"), "Ann")),
        begin_session: Some(session(number, &who, "Firefox")),
        ..PeopleChange::default()
    };
    assert!(!store.change_people(joins(1, 1), Time(1)).await.unwrap(), "there is no such document");
    assert!(store.change_people(joins(1, 0), Time(1)).await.unwrap());
    let claimed = documents(vec![write(DocumentKind::AccountName, "digest", 0, Some("{}"))]);
    assert!(store.change_people(claimed, Time(2)).await.unwrap());
    assert!(!store.change_people(joins(2, 0), Time(3)).await.unwrap(), "the document exists");
    assert_eq!(store.person(&name("guest-2")).await.unwrap(), None);
    assert!(store.change_people(joins(2, 1), Time(3)).await.unwrap());
    let taken = PeopleChange { begin_session: Some(session(3, &who, "")), ..joins(2, 1) };
    assert!(!store.change_people(taken, Time(4)).await.unwrap(), "the id is taken");
    assert!(store.person(&name("guest-1")).await.unwrap().is_some());
    assert_eq!(store.sessions_of(&who, Time(200)).await.unwrap().len(), 2);
    let both = PeopleChange {
        renames: vec![(name("guest-1"), name("Bea")), (name("guest-2"), name("Cora"))],
        ..PeopleChange::default()
    };
    assert!(store.change_people(both, Time(5)).await.unwrap());
    assert_eq!(store.person(&name("guest-2")).await.unwrap().unwrap().name.as_str(), "Cora");
    assert_clean(&store).await;
}

async fn newest_documents_come_first(store: impl Store + People + Documents) {
    for (id, at) in [("a", 20), ("b", 300), ("c", 100)] {
        let json = format!("{{\"at\":{at}}}");
        let change = documents(vec![write(DocumentKind::Approval, id, 0, Some(&json))]);
        assert!(store.change_people(change, Time(1)).await.unwrap());
    }
    let newest = store.newest_documents(DocumentKind::Approval, 2).await.unwrap();
    let ids: Vec<&str> = newest.iter().map(|document| document.key.id.as_str()).collect();
    assert_eq!(ids, ["b", "c"]);
    assert_eq!(store.newest_documents(DocumentKind::Limits, 2).await.unwrap(), []);
}

async fn of_concurrent_writers_exactly_one_succeeds(
    store: impl Store + People + Documents + Clone + 'static,
) {
    let tasks: Vec<_> = (0..16)
        .map(|number| {
            let store = store.clone();
            let json = format!("{{\"by\":{number}}}");
            let change = documents(vec![write(DocumentKind::AccountName, "ann", 0, Some(&json))]);
            tokio::spawn(async move { store.change_people(change, Time(1)).await.unwrap().then_some(json) })
        })
        .collect();
    let mut written = Vec::new();
    for task in tasks {
        written.extend(task.await.unwrap());
    }
    let [json] = &written[..] else { panic!("{written:?}") };
    let stored = store.document(&key(DocumentKind::AccountName, "ann")).await.unwrap().unwrap();
    assert_eq!((stored.version, &stored.json), (1, json));
    assert_clean(&store).await;
}

async fn documents_are_listed_by_kind_in_pages(store: impl Store + People + Documents) {
    let kinds = [DocumentKind::Operator, DocumentKind::Approval];
    let writes = kinds.iter().flat_map(|kind| ["b", "a", "c"].map(|id| write(*kind, id, 0, Some("{}"))));
    assert!(store.change_people(documents(writes.collect()), Time(1)).await.unwrap());
    let ids = async |after: Option<&str>, limit| -> Vec<String> {
        let page = store.documents(DocumentKind::Operator, after, limit).await.unwrap();
        page.into_iter().map(|document| document.key.id).collect()
    };
    assert_eq!(ids(None, 2).await, ["a", "b"]);
    assert_eq!(ids(Some("b"), 2).await, ["c"]);
    assert_eq!(ids(Some("c"), 2).await, Vec::<String>::new());
    assert_clean(&store).await;
}

async fn ceremony_is_taken_once_and_expires(store: impl Store + People + Documents) {
    let (one, other) = ([1; 32], [2; 32]);
    store.put_ceremony(one, "{\"a\":1}".to_owned(), Time(100)).await.unwrap();
    store.put_ceremony(other, "{}".to_owned(), Time(200)).await.unwrap();
    assert_eq!(store.take_ceremony(&[3; 32], Time(1)).await.unwrap(), None);
    assert_eq!(store.take_ceremony(&one, Time(99)).await.unwrap().as_deref(), Some("{\"a\":1}"));
    assert_eq!(store.take_ceremony(&one, Time(99)).await.unwrap(), None);
    assert_eq!(store.forget_ceremonies(Time(199)).await.unwrap(), 0);
    assert_eq!(store.take_ceremony(&other, Time(200)).await.unwrap(), None, "it has expired");
    store.put_ceremony(one, "{}".to_owned(), Time(300)).await.unwrap();
    assert_eq!(store.forget_ceremonies(Time(300)).await.unwrap(), 1);
    assert_clean(&store).await;
}

async fn sessions_of_an_owner_are_listed(store: impl Store + People + Documents) {
    let (ann, olga) = (SessionOwner::Player(name("ann")), SessionOwner::Operator(name("olga")));
    for (number, who, client) in [(1, &ann, "Firefox"), (2, &ann, "Safari"), (3, &olga, "Chrome")] {
        assert!(store.begin_session(session(number, who, client)).await.unwrap());
    }
    let listed = store.sessions_of(&ann, Time(899)).await.unwrap();
    assert_eq!(listed, [session(2, &ann, "Safari"), session(1, &ann, "Firefox")]);
    assert_eq!(store.sessions_of(&ann, Time(900)).await.unwrap(), [], "they have expired");
    assert_eq!(store.sessions_of(&olga, Time(200)).await.unwrap(), [session(3, &olga, "Chrome")]);
    let end = PeopleChange {
        end_sessions: Some(EndSessions { of: olga.clone(), except: None }),
        ..PeopleChange::default()
    };
    assert!(store.change_people(end, Time(5)).await.unwrap());
    assert_eq!(store.sessions_of(&olga, Time(200)).await.unwrap(), []);
    assert_eq!(store.sessions_of(&ann, Time(200)).await.unwrap().len(), 2);
    assert_clean(&store).await;
}

async fn people_are_found_by_a_part_of_their_name_or_id(store: impl Store + People + Documents) {
    for (id, called) in
        [("g-1", "Ann"), ("g-2", "Joann"), ("g-3", "100% Bob"), ("ann-4", "Eve_!"), ("g-5", "王")]
    {
        assert!(store.enrol(person(id, called)).await.unwrap());
    }
    let ids = async |part: &str, after: Option<&str>, limit| -> Vec<String> {
        let after = after.map(name);
        let found = store.people_like(part, after.as_ref(), limit).await.unwrap();
        found.into_iter().map(|person| person.id.to_string()).collect()
    };
    assert_eq!(ids("ANN", None, 9).await, ["ann-4", "g-1", "g-2"]);
    assert_eq!(ids("ann", Some("ann-4"), 1).await, ["g-1"]);
    assert_eq!(ids("%", None, 9).await, ["g-3"]);
    assert_eq!(ids("_!", None, 9).await, ["ann-4"]);
    assert_eq!(ids("王", None, 9).await, ["g-5"]);
    assert_eq!(ids("", None, 9).await.len(), 5);
    assert_eq!(ids("x", None, 9).await, Vec::<String>::new());
}

async fn transfers_and_balances_of_a_player_are_read(store: impl Store + People + Documents + Clone) {
    let host = host(store.clone(), 1);
    let game = Game::open(&host, "t1", "ez", 2).await;
    game.play_round().await;
    let mut account = player_account("t1-p1");
    let all = store.journal(Some(&account), 0, 1_000).await.unwrap();
    assert!(all.len() > 3, "{}", all.len());
    let mut latest = Vec::new();
    let mut before = None;
    loop {
        let page = store.latest_transfers(&account, before, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some(last.seq);
        latest.extend(page);
    }
    latest.reverse();
    assert_eq!(latest, all);
    let balances = store.balances_of(&account.owner).await.unwrap();
    let expected = store.balances(std::slice::from_ref(&account)).await.unwrap()[&account];
    assert_eq!(balances.into_iter().collect::<Vec<_>>(), [(account.currency.clone(), expected)]);
    account.currency = name("CLUB");
    host.issue(&crate::kit::operator(), &name("club"), account.clone(), 700).await.unwrap();
    assert_eq!(store.balances_of(&account.owner).await.unwrap()[&account.currency], 700);
    assert_eq!(store.balances_of(&account.owner).await.unwrap().len(), 2);
    assert_eq!(store.balances_of(&Owner::Player(name("absent"))).await.unwrap().len(), 0);
}

on_both_stores!(
    write_replaces_the_version_it_names,
    change_is_made_as_a_whole_or_not_at_all,
    required_versions_decide_over_people_and_sessions,
    newest_documents_come_first,
    of_concurrent_writers_exactly_one_succeeds,
    documents_are_listed_by_kind_in_pages,
    ceremony_is_taken_once_and_expires,
    sessions_of_an_owner_are_listed,
    people_are_found_by_a_part_of_their_name_or_id,
    transfers_and_balances_of_a_player_are_read
);
