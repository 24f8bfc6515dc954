//! Files in `packaging/`: every metric, label and setting that they name exists.

use crate::kit::{TestServer, clocks, samples};
use crate::rounds::play;
use paigow::document::Source;
use paigow_server::Settings;
use paigow_server::settings::SettingSources;
use saphyr::{LoadableYamlNode, Yaml};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Labels that Prometheus adds to every series.
const ADDED: [&str; 2] = ["instance", "job"];

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn yaml(text: &str) -> Yaml<'_> {
    let mut documents = Yaml::load_from_str(text).unwrap();
    assert_eq!(documents.len(), 1);
    documents.remove(0)
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Words of a text that begin with a prefix.
fn words<'t>(text: &'t str, prefix: &str) -> BTreeSet<&'t str> {
    text.split(|c| !is_name(c)).filter(|word| word.starts_with(prefix)).collect()
}

/// A query, and the texts that show labels of its result.
struct Query {
    expr: String,
    shown: Vec<String>,
}

impl Query {
    /// Names of metrics, each with the labels that the query selects by.
    fn metrics(&self) -> Vec<(&str, Vec<&str>)> {
        let mut found = Vec::new();
        for (at, _) in self.expr.match_indices("paigow_") {
            let rest = &self.expr[at..];
            let (name, rest) = rest.split_at(rest.find(|c| !is_name(c)).unwrap_or(rest.len()));
            let selector = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
            // The selector of a label is `name="value"`, with any of four operators.
            let labels = selector.map_or_else(Vec::new, |(labels, _)| {
                labels.split(',').map(|label| label.split(['=', '!']).next().unwrap()).collect()
            });
            found.push((name, labels));
        }
        found
    }

    /// Labels that the query groups by, and those that are shown.
    fn other_labels(&self) -> Vec<&str> {
        let lists = self.expr.split("by (").skip(1).map(|rest| rest.split(')').next().unwrap());
        let grouped = lists.flat_map(|list| list.split(", "));
        let shown = self.shown.iter().flat_map(|text| {
            let labels = text.split("{{").skip(1).map(|rest| rest.split("}}").next().unwrap().trim());
            labels.map(|label| label.strip_prefix("$labels.").unwrap_or(label))
        });
        // The value itself is shown too.
        grouped.chain(shown).filter(|label| !label.starts_with("$value")).collect()
    }
}

fn alerts() -> Vec<Query> {
    let text = read("prometheus-alerts.yaml");
    let file = yaml(&text);
    let mut queries = Vec::new();
    for group in file["groups"].as_sequence().unwrap() {
        for rule in group["rules"].as_sequence().unwrap() {
            let text = |value: &Yaml<'_>| value.as_str().unwrap().to_owned();
            let shown = ["summary", "action"].map(|name| text(&rule["annotations"][name])).to_vec();
            queries.push(Query { expr: text(&rule["expr"]), shown });
        }
    }
    queries
}

fn panels() -> Vec<Query> {
    let file: Value = serde_json::from_str(&read("grafana-dashboard.json")).unwrap();
    let targets = file["panels"].as_array().unwrap().iter().filter_map(|panel| panel["targets"].as_array());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    targets
        .flatten()
        .map(|target| Query { expr: text(&target["expr"]), shown: vec![text(&target["legendFormat"])] })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_and_dashboard_name_existing_metrics_and_labels() {
    let server = TestServer::new(&[("guests_per_address", "3")]).await;
    server.open_table("green", "california", &clocks(20_000, 20_000, 1_500, 60_000)).await;
    let mut players = server.seat_guests("green", 3).await;
    play("california", &mut players).await;
    // A series of refusals begins with the first one.
    let refused = server.browser().post("/api/session", &serde_json::json!({ "name": "Ann" })).await;
    assert_eq!(refused.status, 429);
    let mut labels: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for sample in samples(&server.browser()).await {
        labels.entry(sample.name).or_default().extend(sample.labels.into_keys());
    }
    let (alerts, panels) = (alerts(), panels());
    assert!(alerts.len() >= 15 && panels.len() >= 30, "{} {}", alerts.len(), panels.len());
    let mut named = BTreeSet::new();
    for query in alerts.iter().chain(&panels) {
        let mut known: BTreeSet<&str> = ADDED.into();
        for (metric, selected) in query.metrics() {
            let existing =
                labels.get(metric).unwrap_or_else(|| panic!("there is no {metric}: {}", query.expr));
            let existing: BTreeSet<&str> = existing.iter().map(String::as_str).chain(ADDED).collect();
            let unknown: Vec<&&str> = selected.iter().filter(|label| !existing.contains(*label)).collect();
            assert!(unknown.is_empty(), "{metric} has no label {unknown:?}: {}", query.expr);
            known.extend(existing);
            named.insert(metric.to_owned());
        }
        let unknown: Vec<&str> =
            query.other_labels().into_iter().filter(|label| !known.contains(label)).collect();
        assert!(unknown.is_empty(), "no metric has the label {unknown:?}: {}", query.expr);
    }
    // Every metric of the server is shown or watched.
    for metric in labels.keys().filter(|name| !name.ends_with("_sum") && !name.ends_with("_count")) {
        assert!(named.contains(metric), "{metric} is neither in the dashboard nor in the alerts");
    }
    // The manual describes each.
    let manual = read("../docs/operating.md");
    for metric in &named {
        let base = metric.trim_end_matches("_bucket");
        assert!(manual.contains(base), "docs/operating.md does not describe {base}");
    }
}

/// Returns the settings that a file gives as environment variables, or panics with their problems.
fn settings(environment: &[(String, String)], file: Option<Source>) -> Settings {
    let sources = SettingSources { environment: environment.to_vec(), file, ..SettingSources::default() };
    assert_eq!(sources.unknown_variables(), [""; 0]);
    Settings::read(&sources).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Returns the pairs `PAIGOW_NAME=VALUE` of a text, without the commit that only the build reads.
fn variables(text: &str) -> Vec<(String, String)> {
    let words = text.split([' ', '\n', '"']).filter_map(|word| word.split_once('='));
    let named = words.filter_map(|(name, value)| {
        // The unit has `Environment=PAIGOW_NAME=VALUE`.
        let (name, value) =
            if name == "Environment" { value.split_once('=').unwrap() } else { (name, value) };
        name.starts_with("PAIGOW_").then(|| (name.to_owned(), value.to_owned()))
    });
    named.filter(|(name, _)| name != "PAIGOW_COMMIT").collect()
}

#[test]
fn packaging_names_existing_settings() {
    let toml = read("paigow.toml");
    // The lines that are switched off are settings too.
    let all: Vec<String> = toml
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|rest| rest.contains(" = ")).unwrap_or(line).to_owned())
        .filter(|line| !line.starts_with('#'))
        .collect();
    let file = Source::new("paigow.toml", all.join("\n"));
    let unit = read("paigow.service");
    let of_unit = variables(&unit);
    assert_eq!(of_unit.len(), 3, "{of_unit:?}");
    let service = settings(&of_unit, Some(file));
    assert!(service.health_listen.is_some() && service.public_origin.is_some());
    let seconds = |text: &str, name: &str| -> u64 {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(name)).unwrap();
        line.trim_matches([' ', '"', 's']).parse().unwrap()
    };
    assert!(seconds(&unit, "TimeoutStopSec=") > service.drain_seconds);
    for address in [Some(service.listen), service.health_listen] {
        let port = format!("SocketBindAllow=tcp:{}", address.unwrap().port());
        assert!(unit.contains(&port), "the unit does not allow {port}");
    }
    let files: u64 = seconds(&unit, "LimitNOFILE=");
    assert!(files >= u64::from(service.connections) + u64::from(service.sockets) + 256);

    let container = read("Containerfile");
    let of_container = variables(&container);
    assert_eq!(of_container.len(), words(&container, "PAIGOW_").len() - 1, "{of_container:?}");
    let image = settings(&of_container, None);
    let compose_text = read("compose.yaml");
    let compose = yaml(&compose_text);
    let given = compose["services"]["paigow"]["environment"].as_mapping().unwrap();
    let given = given
        .iter()
        .map(|(name, value)| (name.as_str().unwrap().to_owned(), value.as_str().unwrap().to_owned()));
    let given: Vec<(String, String)> = of_container.iter().cloned().chain(given).collect();
    // The settings file of the manual names the database. No variable may override it.
    let secret = Source::new("paigow.toml", "store = \"postgres://paigow:secret@db/paigow\"".to_owned());
    let composed = settings(&given, Some(secret));
    assert_eq!((image.store.file(), composed.store.file()), (Some(Path::new("paigow.db")), None));
    assert!(
        container.contains("WORKDIR /var/lib/paigow") && container.contains("VOLUME [\"/var/lib/paigow\"")
    );
    assert!(seconds(&compose_text, "stop_grace_period: ") > composed.drain_seconds);
    // The health check asks the second listener.
    let health = format!("http://127.0.0.1:{}", image.health_listen.unwrap().port());
    assert!(container.contains(&health) && compose_text.contains(&health));
    for port in [image.listen.port(), image.health_listen.unwrap().port()] {
        assert!(compose_text.contains(&format!("127.0.0.1:{port}:{port}")), "{port} is not published");
    }
    // Every secret that a service uses is declared.
    for service in ["db", "paigow"] {
        for secret in compose["services"][service]["secrets"].as_sequence().unwrap() {
            let file = compose["secrets"][secret.as_str().unwrap()]["file"].as_str().unwrap();
            assert!(file.starts_with("./secrets/"), "{file}");
        }
    }
}
