//! Operators with roles on the command line: enrolment, sign-in, permissions and approvals.

use crate::enrolled::{Enrolled, PASSWORD};
use crate::guest::{Guest, post, wait_until};
use crate::process::{Server, audit};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

fn new_server() -> (TempDir, String, Server) {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("paigow.db").to_str().unwrap().to_owned();
    let server = Server::start(&store);
    (folder, store, server)
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Adds an operator, who enrols with the code.
fn add(server: &Server, admin: &Enrolled, name: &str, role: &str) -> Enrolled {
    let added = server.operator_json(admin, &["add-operator", name, "--role", role]);
    Enrolled::new(server, name, added["code"].as_str().unwrap())
}

fn assert_refused(output: &Output, code: &str) {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains(code), "{output:?}");
}

/// The entries of the operators' log for a kind of act, with the operator and the detail.
fn acts(server: &Server, operator: &Enrolled, what: &str) -> Vec<(String, Value)> {
    let acts = server.operator_json(operator, &["acts", "--limit", "500"]);
    let acts = acts["acts"].as_array().unwrap().iter().filter(|act| act["what"] == what);
    let detail = |act: &Value| serde_json::from_str(act["detail"].as_str().unwrap()).unwrap();
    acts.map(|act| (act["operator"].as_str().unwrap().to_owned(), detail(act))).collect()
}

#[test]
fn operators_sign_in_with_lines_of_standard_input() {
    let (_folder, _, server) = new_server();
    let file = server.secret_file.clone().unwrap();
    let secret = std::fs::read_to_string(&file).unwrap().trim().to_owned();
    assert_eq!((secret.len(), mode(&file)), (64, 0o600));
    assert!(!server.startup_output.contains(&secret), "{}", server.startup_output);
    let olga = server.admin();
    assert_eq!(mode(olga.session()), 0o600);

    server.operator_json(&olga, &["sign-out"]);
    assert!(!olga.session().exists());
    assert_refused(&server.operator(&olga, &["balance"]), "sign-in --name");
    assert_refused(&olga.sign_in(&server.address, "wrong", &olga.next_code()), "wrong_credentials");
    assert_refused(&olga.sign_in(&server.address, PASSWORD, "000000000"), "wrong_credentials");
    assert!(!olga.session().exists());
    assert!(olga.sign_in(&server.address, PASSWORD, &olga.next_code()).status.success());
    assert_eq!(mode(olga.session()), 0o600);
    server.operator_json(&olga, &["balance"]);

    // A recovery code replaces the code of the authenticator once.
    let code = &olga.recovery_codes[0];
    assert!(olga.sign_in(&server.address, PASSWORD, code).status.success());
    assert_refused(&olga.sign_in(&server.address, PASSWORD, code), "wrong_credentials");

    let begun = acts(&server, &olga, "session.begin");
    let outcomes: Vec<&str> = begun.iter().map(|(_, detail)| detail["outcome"].as_str().unwrap()).collect();
    let wrong = "wrong_credentials";
    assert_eq!(outcomes, ["done", wrong, wrong, "done", "done", wrong]);
    assert!(
        begun.iter().all(|(name, detail)| name == "olga" && detail["address"] == "127.0.0.1"),
        "{begun:?}"
    );
}

#[test]
fn roles_limit_operators_and_a_second_operator_approves() {
    let (_folder, store, server) = new_server();
    let olga = server.admin();
    let vera = add(&server, &olga, "vera", "viewer");
    let carl = add(&server, &olga, "carl", "cashier");
    let cora = add(&server, &olga, "cora", "cashier");
    let ann = Guest::new(&server.address, "Ann");
    let cents = ann.cents(&server.address);

    server.operator_json(&vera, &["person", &ann.player]);
    assert_refused(&server.operator(&vera, &["chips", &ann.player, "500"]), "not_allowed");
    assert_refused(&server.operator(&carl, &["pause", "ez"]), "not_allowed");
    assert_refused(&server.operator(&carl, &["rename", &ann.player, "Anne"]), "not_allowed");
    server.operator_json(&carl, &["chips", &ann.player, "100000"]);
    assert_eq!(ann.cents(&server.address), cents + 100_000, "not above the limit");

    let request = |id: &str| {
        let waiting = server.operator_json(&carl, &["chips", &ann.player, "100001", "--id", id]);
        assert_eq!(waiting["approval"]["state"], "waiting");
        waiting["approval"]["id"].as_str().unwrap().to_owned()
    };
    let first = request("first");
    assert_eq!(request("first"), first, "a retry has the same approval");
    assert_eq!(ann.cents(&server.address), cents + 100_000);
    assert_refused(&server.operator(&carl, &["approve", &first]), "own_request");
    assert_refused(&server.operator(&vera, &["approve", &first]), "not_allowed");
    let approved = server.operator_json(&cora, &["approve", &first]);
    assert_eq!((&approved["state"], &approved["decided_by"]), (&"approved".into(), &"cora".into()));
    assert_eq!(ann.cents(&server.address), cents + 200_001);
    let second = request("second");
    assert_eq!(server.operator_json(&cora, &["decline", &second])["state"], "declined");
    assert_refused(&server.operator(&olga, &["approve", &second]), "not_waiting");
    let listed = server.operator_json(&vera, &["approvals"]);
    assert_eq!(listed["approvals"].as_array().unwrap().len(), 2);

    server.operator_json(&olga, &["disable", "vera"]);
    assert_refused(&server.operator(&vera, &["balance"]), "no_session");
    assert_refused(&server.operator(&olga, &["disable", "olga"]), "last_admin");
    let chips = acts(&server, &olga, "chips");
    let refused: Vec<&(String, Value)> = chips.iter().filter(|(name, _)| name == "vera").collect();
    assert_eq!((refused.len(), &refused[0].1["outcome"]), (1, &"not_allowed".into()));
    assert_eq!(audit(&store)["in_order"], true);
}

#[test]
fn people_journal_and_audits_are_on_the_command_line() {
    let (_folder, _, server) = new_server();
    let olga = server.admin();
    let (ann, bob) = (Guest::new(&server.address, "Ann"), Guest::new(&server.address, "Bob"));
    for (guest, cents) in [(&ann, "700"), (&ann, "800"), (&bob, "900")] {
        server.operator_json(&olga, &["chips", &guest.player, cents, "--currency", "CHIPS"]);
    }
    let amounts = |filter: &[&str]| -> Vec<u64> {
        let args: Vec<&str> = ["journal"].iter().chain(filter).copied().collect();
        let journal = server.operator_json(&olga, &args);
        let transfers = journal["transfers"].as_array().unwrap().iter();
        transfers.map(|transfer| transfer["cents"].as_u64().unwrap()).collect()
    };
    let of_ann = ["--player", ann.player.as_str(), "--currency", "CHIPS"];
    assert_eq!(amounts(&of_ann), [700, 800]);
    assert_eq!(amounts(&["--currency", "CHIPS", "--purpose", "issue"]), [700, 800, 900]);
    assert!(amounts(&["--currency", "CHIPS", "--purpose", "redeem"]).is_empty());
    assert!(amounts(&["--currency", "CHIPS", "--table", "ez"]).is_empty());
    assert!(amounts(&["--currency", "CHIPS", "--to", "1000"]).is_empty());
    assert_eq!(amounts(&["--currency", "CHIPS", "--from", "1000"]).len(), 3);
    // CSV has all matching transfers, for any page size.
    let args = [&["journal", "--limit", "1", "--format", "csv"][..], &of_ann].concat();
    let csv = String::from_utf8(server.operator(&olga, &args).stdout).unwrap();
    assert_eq!(csv.lines().count(), 3, "{csv}");

    let renamed = server.operator_json(&olga, &["rename", &ann.player, "Anne"]);
    assert_eq!(renamed["name"], "Anne");
    assert_eq!(server.operator_json(&olga, &["sign-out-player", &ann.player]), json!({ "ended": 1 }));

    assert_eq!(server.operator_json(&olga, &["audits"]), json!({ "running": false, "last": null }));
    server.operator_json(&olga, &["audits", "--start"]);
    wait_until("the audit", || !server.operator_json(&olga, &["audits"])["last"].is_null());
    assert_eq!(server.operator_json(&olga, &["audits"])["last"]["findings"], json!([]));
}

#[test]
fn invitations_to_tables_of_the_house_are_on_the_command_line() {
    let (_folder, _, server) = new_server();
    let olga = server.admin();
    let ann = Guest::new(&server.address, "Ann");
    let open = ["open", "vip", "--book", "ez", "--name", "Club", "--private", "--invited"];
    server.operator_json(&olga, &open);
    let made = server.operator_json(&olga, &["invite", "vip", "--hours", "2"]);
    let accept = format!("/api/invitations/{}", made["secret"].as_str().unwrap());
    let (status, table) = post(&server.address, &accept, &[("cookie", ann.cookie())], &json!({}));
    assert_eq!((status, &table["table"]), (200, &json!("vip")));
    ann.sit(&server.address, "vip", 1);
    let listed = server.operator_json(&olga, &["invitations", "vip"]);
    assert_eq!(listed["members"], json!([{ "player": ann.player, "name": "Ann" }]));
    let text = String::from_utf8(server.operator(&olga, &["invitations", "vip"]).stdout).unwrap();
    assert!(text.contains(made["id"].as_str().unwrap()) && text.contains(&ann.player), "{text}");
    server.operator_json(&olga, &["withdraw", "vip", made["id"].as_str().unwrap()]);
    server.operator_json(&olga, &["remove-member", "vip", &ann.player]);
    let listed = server.operator_json(&olga, &["invitations", "vip"]);
    assert_eq!(listed, json!({ "invitations": [], "members": [] }));
    assert_refused(&server.operator(&olga, &["invite", "ez"]), "seats_for_anyone");
}
