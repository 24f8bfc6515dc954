//! Operator requests: opens the tables that are measured.

use crate::authenticator::code_of;
use serde_json::{Value, json};
use ureq::Agent;

/// Password of the admin.
const PASSWORD: &str = "tidal lantern mosaic seven";

/// Client of a server's operator routes.
pub(crate) struct Operator {
    agent: Agent,
    address: String,
    /// Cookie of the session.
    cookie: String,
}

impl Operator {
    /// Enrols the first admin with the operator secret.
    pub(crate) fn enrol(address: &str, secret: &str) -> Operator {
        let agent = Agent::new_with_defaults();
        let post = |path: &str, body: &Value| {
            let request = agent.post(format!("http://{address}/api/operator/{path}"));
            let response = request.content_type("application/json").send(body.to_string());
            response.expect("the enrolment of the admin")
        };
        let body = json!({ "name": "load", "code": secret, "password": PASSWORD });
        let options = post("enrolment/options", &body).body_mut().read_to_string().expect("the options");
        let options: Value = serde_json::from_str(&options).expect("the options");
        let code = code_of(options["totp"]["secret"].as_str().expect("an authenticator"), 0);
        let enrolled = post("enrolment", &json!({ "ceremony": options["ceremony"], "code": code }));
        let cookie = enrolled.headers()["set-cookie"].to_str().expect("a cookie");
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Operator { agent, address: address.to_owned(), cookie }
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
            let request = request.header("cookie", &self.cookie).content_type("application/json");
            request.send(body.to_string()).expect("open a table");
        }
    }
}
