//! Settings: precedence of sources, refused values, and the table in the documentation.

use paigow::document::Source;
use paigow_server::Settings;
use paigow_server::settings::{self, KEYS, LogFormat, LogLevel, SettingSources, SettingType};
use std::fs;

/// Returns sources from `key=value` flags and variables, and the text of the file.
fn sources(flags: &[&str], variables: &[&str], file: &str) -> SettingSources {
    let pairs = |texts: &[&str]| {
        let pairs = texts.iter().map(|text| text.split_once('=').unwrap());
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    SettingSources {
        flags: pairs(flags),
        environment: pairs(variables),
        file: Some(Source::new("paigow.toml", file)),
    }
}

fn read(flags: &[&str], variables: &[&str], file: &str) -> Settings {
    Settings::read(&sources(flags, variables, file)).unwrap()
}

fn problems(flags: &[&str], variables: &[&str], file: &str) -> Vec<String> {
    let problems = Settings::read(&sources(flags, variables, file)).unwrap_err();
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn defaults_apply_without_sources() {
    let settings = Settings::read(&SettingSources::default()).unwrap();
    assert_eq!(settings.listen, "127.0.0.1:8080".parse().unwrap());
    assert_eq!(settings.store.reveal(), "paigow.db");
    assert_eq!((settings.public_origin.as_ref(), settings.trusted_proxies), (None, 0));
    assert_eq!((settings.log_format, settings.log_level), (LogFormat::Text, LogLevel::Info));
    assert_eq!(settings.origin().as_str(), "http://127.0.0.1:8080");
    assert_eq!(settings.cookie("session"), "session");
    assert_eq!(read(&[], &[], ""), settings);
}

#[test]
fn flags_override_variables_and_variables_override_the_file() {
    let file = "listen = \"127.0.0.1:1\"\nsockets = 1\nbots = false\nlog_format = \"json\"";
    let variables = ["PAIGOW_LISTEN=127.0.0.1:2", "PAIGOW_SOCKETS=2", "PATH=/bin"];
    let settings = read(&["listen=127.0.0.1:3"], &variables, file);
    assert_eq!((settings.listen.port(), settings.sockets, settings.bots), (3, 2, false));
    assert_eq!(settings.log_format, LogFormat::Json);
    assert_eq!(settings.drain_seconds, 10);
}

#[test]
fn every_problem_names_its_source() {
    let file =
        "lissten = \"127.0.0.1:1\"\nsockets = \"many\"\n  bots = 1\nbody_bytes = -5\n[limits]\nx = 1.5\n";
    let variables = ["PAIGOW_LOG_LEVEL=loud", "PAIGOW_TRUSTED_PROXIES=9"];
    let found = problems(&["listen=nowhere", "public_origin=table.example", "color=red"], &variables, file);
    let starts = [
        "--color: unknown setting",
        "paigow.toml:1:1: unknown setting `lissten`; the settings are listen, health_listen, store, ",
        "paigow.toml:2:11: `sockets` is text, but must be 1 to 1000000",
        "paigow.toml:3:10: `bots` is a whole number, but must be `true` or `false`",
        "paigow.toml:5:2: unknown setting `limits`",
        "--listen: `listen` is `nowhere`, but must be an address and a port",
        "--public-origin: `public_origin` is `table.example`, but must be `https://` or `http://` and a host",
        "PAIGOW_TRUSTED_PROXIES: `trusted_proxies` is `9`, but must be 0 to 8",
        "paigow.toml:4:14: `body_bytes` is `-5`, but must be 1024 to 16777216",
        "PAIGOW_LOG_LEVEL: `log_level` is `loud`, but must be `error` or `warn` or `info` or `debug` or `trace`",
    ];
    assert_eq!(found.len(), starts.len(), "{found:#?}");
    for (found, start) in found.iter().zip(starts) {
        assert!(found.starts_with(start), "{found}\n{start}");
    }
}

#[test]
fn overridden_values_are_checked() {
    assert_eq!(
        problems(&["sockets=5"], &["PAIGOW_SOCKETS=0"], "sockets = 0"),
        [
            "PAIGOW_SOCKETS: `sockets` is `0`, but must be 1 to 1000000",
            "paigow.toml:1:11: `sockets` is `0`, but must be 1 to 1000000"
        ]
    );
    assert_eq!(problems(&["store="], &[], ""), ["--store: `store` is ``, but must be non-empty text"]);
}

#[test]
fn every_toml_error_is_reported() {
    let found = problems(&["sockets=x"], &[], "listen = \nsockets = 5 5\n");
    assert_eq!(found.len(), 3, "{found:#?}");
    assert!(found[0].starts_with("paigow.toml:1:") && found[1].starts_with("paigow.toml:2:"), "{found:#?}");
    assert!(found[2].starts_with("--sockets: "), "{found:#?}");
}

#[test]
fn every_key_is_read_from_every_source_and_bounded() {
    for key in KEYS {
        let flag = format!("{}={}", key.name, key.default);
        let variable = format!("{}={}", key.variable(), key.default);
        let same = Settings::read(&SettingSources::default()).unwrap();
        assert_eq!(read(&[&flag], &[&variable], ""), same, "{}", key.name);
        let quoted = format!("{} = \"{}\"", key.name, key.default);
        let plain = format!("{} = {}", key.name, key.default);
        let accepted = [quoted, plain].map(|file| Settings::read(&sources(&[], &[], &file)).is_ok());
        assert_eq!(accepted.iter().filter(|accepted| **accepted).count(), 1, "{}: {accepted:?}", key.name);
        if let SettingType::Number(min, max) = key.kind {
            for (number, fits) in
                [(Some(min), true), (Some(max), true), (min.checked_sub(1), false), (Some(max + 1), false)]
            {
                let Some(number) = number else { continue };
                let flag = format!("{}={number}", key.name);
                assert_eq!(Settings::read(&sources(&[&flag], &[], "")).is_ok(), fits, "{flag}");
            }
        }
        for nonsense in ["\u{1}", "18446744073709551616", "-1", "1.5", " "] {
            let flag = format!("{}={nonsense}", key.name);
            // Each TLS file needs the other.
            let pair = [&flag, "tls_cert=cert.pem", "tls_key=key.pem"];
            let flags = if key.name.starts_with("tls_") { &pair[..] } else { &pair[..1] };
            let fits = Settings::read(&sources(flags, &[], "")).is_ok();
            assert_eq!(
                fits,
                matches!(key.kind, SettingType::Text | SettingType::File | SettingType::Folder),
                "{flag}"
            );
        }
    }
}

#[test]
fn origin_is_normalised_as_in_browsers() {
    let origin = |text: &str| {
        let sources = sources(&[&format!("public_origin={text}")], &[], "");
        Settings::read(&sources).ok().map(|settings| settings.origin().as_str().to_owned())
    };
    let is = |text: &str| Some(text.to_owned());
    assert_eq!(origin("https://table.example"), is("https://table.example"));
    assert_eq!(origin("HTTPS://Table.Example:443/"), is("https://table.example"));
    assert_eq!(origin("http://table.example:80"), is("http://table.example"));
    assert_eq!(origin("https://table.example:8443"), is("https://table.example:8443"));
    assert_eq!(origin("http://[::1]:8080"), is("http://[::1]:8080"));
    for wrong in [
        "table.example",
        "ftp://table.example",
        "https://",
        "https://:80",
        "https://a b",
        "https://u@a",
        "https://a/b",
        "https://a?b",
        "https://a#b",
        "https://a:port",
        "https://a:70000",
        "https://[::g]",
        "https://a:1:2",
        "https://é",
    ] {
        assert_eq!(origin(wrong), None, "{wrong}");
    }
    let settings = read(&["public_origin=https://table.example"], &[], "");
    assert_eq!(settings.cookie("session"), "__Host-session");
    assert_eq!(read(&["listen=[::1]:80"], &[], "").origin().as_str(), "http://[::1]");
}

#[test]
fn tls_needs_both_files_and_an_https_origin() {
    let settings = read(&["tls_cert=cert.pem", "tls_key=key.pem", "listen=127.0.0.1:443"], &[], "");
    assert_eq!(settings.origin().as_str(), "https://127.0.0.1");
    assert_eq!(settings.cookie("session"), "__Host-session");
    assert_eq!(
        problems(&[], &["PAIGOW_TLS_KEY=key.pem"], ""),
        ["PAIGOW_TLS_KEY: `tls_key` is set, but `tls_cert` is not: set both or neither"]
    );
    assert_eq!(
        problems(&["public_origin=http://table.example"], &[], "tls_cert = \"cert.pem\""),
        [
            "paigow.toml:1:12: `tls_cert` is set, but `tls_key` is not: set both or neither",
            "--public-origin: `public_origin` is `http://table.example`, but must begin with https:// because `tls_cert` \
             is set"
        ]
    );
}

#[test]
fn store_password_is_not_shown() {
    for (store, shown) in [
        ("postgres://ann:secret@db/paigow", "postgres://ann@db/paigow"),
        ("postgres://ann:se@cret@db/paigow?password=secret", "postgres://ann@db/paigow"),
        ("postgres://db/paigow?user=a&password=secret", "postgres://db/paigow"),
        ("postgres://ann:se?cret@db/paigow", "postgres://…"),
        ("postgres://db/paigow?password=se@cret", "postgres://…"),
        ("postgres://db/paigow", "postgres://db/paigow"),
        ("data/paigow.db", "data/paigow.db"),
    ] {
        let settings = read(&[&format!("store={store}")], &[], "");
        assert_eq!(settings.store.to_string(), shown);
        assert_eq!(settings.store.reveal(), store);
        assert!(!format!("{:?}", settings.store).contains("cret"), "{store}");
    }
}

#[test]
fn unknown_variables_are_listed() {
    let variables = ["PAIGOW_SOKETS=1", "PAIGOW_SOCKETS=1", "PAIGOW_CACHE=/x", "PAIGOW_CONFIG=x", "HOME=/"];
    assert_eq!(sources(&[], &variables, "").unknown_variables(), ["PAIGOW_SOKETS"]);
}

#[test]
fn file_is_found_by_its_flag() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("paigow.toml");
    let load =
        || SettingSources::from_process(vec![("bots".to_owned(), "false".to_owned())], Some(path.clone()));
    let missing = load().unwrap_err().to_string();
    assert!(missing.starts_with("--config: ") && missing.contains("paigow.toml: "), "{missing}");
    fs::write(&path, "sockets = 7\nbots = true").unwrap();
    let settings = Settings::read(&load().unwrap()).unwrap();
    assert_eq!((settings.sockets, settings.bots), (7, false));
}

/// `UPDATE_GOLDEN=1 cargo test -p paigow-server --test library settings::` updates the table.
#[test]
fn documentation_lists_every_setting() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operating.md");
    let text = fs::read_to_string(path).unwrap();
    let start = text.find("| key, `--flag`").unwrap();
    let end = text[start..].find("\n\n").map_or(text.len(), |end| start + end + 1);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, format!("{}{}{}", &text[..start], settings::table(), &text[end..])).unwrap();
        return;
    }
    assert_eq!(&text[start..end], settings::table());
}
