//! Operator requests: opens the tables that are measured.

use serde_json::{Value, json};
use ureq::Agent;

/// Client of a server's operator routes.
pub(crate) struct Operator {
    agent: Agent,
    address: String,
    secret: String,
}

impl Operator {
    pub(crate) fn new(address: &str, secret: &str) -> Operator {
        Operator { agent: Agent::new_with_defaults(), address: address.to_owned(), secret: secret.to_owned() }
    }

    /// Returns the first book in the lobby that the dealer banks.
    fn book(&self) -> String {
        let mut response =
            self.agent.get(format!("http://{}/api/tables", self.address)).call().expect("the lobby");
        let text = response.body_mut().read_to_string().expect("the lobby");
        let lobby: Value = serde_json::from_str(&text).expect("the lobby");
        let tables = lobby["tables"].as_array().expect("tables");
        let table = tables.iter().find(|table| table["seats_bank"] == false).expect("a table");
        table["book"].as_str().expect("its book").to_owned()
    }

    /// Opens tables that accept wagers 1 ms after a round is settled.
    pub(crate) fn open_tables(&self, tables: u16) {
        let clocks = json!({ "bank": 600_000, "wagers": 600_000, "settings": 60_000, "between": 1 });
        let book = self.book();
        for table in 0..tables {
            let body = json!({
                "id": format!("load-{table}"),
                "table": format!("load-{table}"),
                "rules": { "book": book, "clocks": clocks },
            });
            let request = self.agent.post(format!("http://{}/api/operator/tables", self.address));
            let request = request.header("authorization", format!("Bearer {}", self.secret));
            let request = request.header("paigow-operator", "load").content_type("application/json");
            request.send(body.to_string()).expect("open a table");
        }
    }
}
