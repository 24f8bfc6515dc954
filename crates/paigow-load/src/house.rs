//! The house's part: tables.

use serde_json::{Value, json};
use ureq::Agent;

/// An operator of a server.
pub(crate) struct House {
    agent: Agent,
    address: String,
    secret: String,
}

impl House {
    pub(crate) fn new(address: &str, secret: &str) -> House {
        House { agent: Agent::new_with_defaults(), address: address.to_owned(), secret: secret.to_owned() }
    }

    /// A book at which the dealer banks.
    fn book(&self) -> String {
        let mut answer =
            self.agent.get(format!("http://{}/api/tables", self.address)).call().expect("the lobby");
        let text = answer.body_mut().read_to_string().expect("the lobby");
        let lobby: Value = serde_json::from_str(&text).expect("the lobby");
        let tables = lobby["tables"].as_array().expect("tables");
        let table = tables.iter().find(|table| table["seats_bank"] == false).expect("a table");
        table["book"].as_str().expect("its book").to_owned()
    }

    /// Opens tables at which wagers may be placed as soon as the last round was settled.
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
            request.send(body.to_string()).expect("a table is opened");
        }
    }
}
