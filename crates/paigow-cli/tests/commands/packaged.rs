//! Files in `packaging/` that a test can run or resolve without a container engine: the archive of a release, the unit of
//! systemd, and the paths and names in the container files.

use paigow_server::Settings;
use paigow_server::settings::SettingSources;
use saphyr::{LoadableYamlNode, Yaml};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn packaging(name: &str) -> String {
    let path = root().join("packaging").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs a command that must succeed, and returns its output.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn archive_of_a_release_is_complete_and_reproducible() {
    let folder = TempDir::new().unwrap();
    // A small program that is the built one, which has a hundred megabytes in tests.
    let program = folder.path().join("paigow");
    fs::write(&program, format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_paigow"))).unwrap();
    fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let pack = |name: &str| {
        let archive = folder.path().join(name);
        let mut command = Command::new(root().join("packaging/archive.sh"));
        output(command.arg(&program).arg(&archive).env("SOURCE_DATE_EPOCH", "1700000000"));
        archive
    };
    let (first, second) = (pack("first.tar.gz"), pack("second.tar.gz"));
    assert!(fs::read(&first).unwrap() == fs::read(&second).unwrap(), "the archives differ");
    let installed = folder.path().join("usr");
    fs::create_dir(&installed).unwrap();
    output(Command::new("tar").args(["--strip-components=1", "-xzf"]).arg(&first).arg("-C").arg(&installed));
    let version = output(Command::new(installed.join("bin/paigow")).arg("--version"));
    assert!(version.contains(paigow_server::VERSION), "{version}");
    for file in [
        "share/man/man1/paigow.1",
        "share/man/man1/paigow-operator-enrol.1",
        "share/bash-completion/completions/paigow",
        "share/zsh/site-functions/_paigow",
        "share/fish/vendor_completions.d/paigow.fish",
        "share/doc/paigow/operating.md",
        "share/doc/paigow/LICENSE-MIT",
        "share/paigow/paigow.service",
        "share/paigow/paigow-https.conf",
    ] {
        let path = installed.join(file);
        assert!(fs::metadata(&path).is_ok_and(|found| found.len() > 0), "{file} is missing");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o644, "{file}");
    }
    // The unit names its manual by the path at which the archive installs it.
    let unit = packaging("paigow.service");
    assert!(
        unit.contains("file:/usr/local/share/doc/paigow/operating.md")
            && unit.contains("man:paigow-serve(1)")
    );
    let usage = Command::new(root().join("packaging/archive.sh")).stderr(Stdio::null()).status().unwrap();
    assert_eq!(usage.code(), Some(2));
}

/// Returns the values of a key in a unit.
fn values<'t>(unit: &'t str, key: &str) -> Vec<&'t str> {
    let entries = unit.lines().filter_map(|line| line.split_once('='));
    entries.filter(|(name, _)| *name == key).map(|(_, value)| value).collect()
}

#[test]
fn systemd_accepts_the_unit_and_its_drop_in() {
    let (unit, https) = (packaging("paigow.service"), packaging("paigow-https.conf"));
    let environment = values(&https, "Environment").into_iter().map(|pair| pair.split_once('=').unwrap());
    let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let sources = SettingSources { environment: environment.collect(), ..SettingSources::default() };
    let settings = Settings::read(&sources).unwrap_or_else(|problems| panic!("{problems:?}"));
    assert!(settings.tls_cert.is_some() && sources.unknown_variables().is_empty());
    assert!(values(&https, "SocketBindAllow").contains(&&*format!("tcp:{}", settings.listen.port())));
    // A port below 1024 needs the capability in the namespace of the machine.
    assert!(settings.listen.port() < 1024);
    for key in ["AmbientCapabilities", "CapabilityBoundingSet"] {
        assert_eq!((values(&unit, key), values(&https, key)), (vec![""], vec!["CAP_NET_BIND_SERVICE"]));
    }
    assert_eq!((values(&unit, "PrivateUsers"), values(&https, "PrivateUsers")), (vec!["yes"], vec!["no"]));
    // Each credential has the name that a setting uses.
    for (name, path) in values(&https, "LoadCredential").iter().map(|pair| pair.split_once(':').unwrap()) {
        assert!(https.contains(&format!("=%d/{name}")) && path == format!("/etc/paigow/{name}"), "{name}");
    }
    let has_systemd = Command::new("systemd-analyze").arg("--version").stdout(Stdio::null()).status();
    if !has_systemd.is_ok_and(|status| status.success()) {
        return;
    }
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("paigow.service");
    fs::write(&file, unit.replace("/usr/local/bin/paigow", env!("CARGO_BIN_EXE_paigow"))).unwrap();
    let verify = || {
        let mut command = Command::new("systemd-analyze");
        let output = command.args(["verify", "--man=no"]).arg(&file).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(verify(), "");
    let drop_in = folder.path().join("paigow.service.d");
    fs::create_dir(&drop_in).unwrap();
    fs::write(drop_in.join("https.conf"), &https).unwrap();
    assert_eq!(verify(), "");
    fs::write(drop_in.join("https.conf"), format!("{https}Unknown=1\n")).unwrap();
    assert!(verify().contains("Unknown"), "the drop-in is not read");
}

/// Words of a text that begin with a prefix.
fn words<'t>(text: &'t str, prefix: &str) -> Vec<&'t str> {
    text.split_whitespace().filter(|word| word.starts_with(prefix)).collect()
}

#[test]
fn container_files_name_existing_paths_stages_and_services() {
    let container = packaging("Containerfile");
    // The image builds with the version of the toolchain file, which is at least the oldest supported one.
    let toolchain = fs::read_to_string(root().join("rust-toolchain.toml")).unwrap();
    let image = words(&container, "docker.io/library/rust:")[0].rsplit(':').next().unwrap();
    let version = image.split('-').next().unwrap();
    assert!(toolchain.contains(&format!("channel = \"{version}")), "{image}");
    // Every path that the last stage copies is made by the first.
    let (build, last) = container.rsplit_once("\nFROM ").unwrap();
    let copied: Vec<&str> = last.lines().filter_map(|line| line.strip_prefix("COPY --from=build ")).collect();
    assert_eq!(copied.len(), 4);
    for line in copied {
        let path = line.split(' ').find(|word| word.starts_with('/')).unwrap();
        let made = path.strip_prefix("/source/").unwrap_or(path);
        assert!(
            build.contains(made)
                || made == "target/release/paigow" && build.contains("cargo build --release"),
            "{line}"
        );
    }
    // The image runs the commands that the program has.
    for line in build.lines().filter(|line| line.contains("target/release/paigow ")) {
        let command = line.split("target/release/paigow ").nth(1).unwrap().split(' ').next().unwrap();
        let help = Command::new(env!("CARGO_BIN_EXE_paigow"))
            .args([command, "--help"])
            .stdout(Stdio::null())
            .status();
        assert!(help.unwrap().success(), "{line}");
    }

    let text = packaging("compose.yaml");
    let mut documents = Yaml::load_from_str(&text).unwrap();
    let compose = documents.remove(0);
    let keys = |name: &str| -> BTreeSet<String> {
        let mapping = compose[name].as_mapping().unwrap();
        mapping.keys().map(|key| key.as_str().unwrap().to_owned()).collect()
    };
    let (services, volumes, networks) = (keys("services"), keys("volumes"), keys("networks"));
    assert_eq!(services, ["db", "paigow"].map(ToOwned::to_owned).into());
    let folder = root().join("packaging");
    for service in &services {
        let service = &compose["services"][service.as_str()];
        for volume in service["volumes"].as_sequence().unwrap() {
            let source = volume.as_str().unwrap().split(':').next().unwrap();
            let exists =
                if source.starts_with('.') { folder.join(source).exists() } else { volumes.contains(source) };
            assert!(exists, "{source} does not exist");
        }
        for network in service["networks"].as_sequence().unwrap() {
            assert!(networks.contains(network.as_str().unwrap()), "{network:?}");
        }
    }
    let build = &compose["services"]["paigow"]["build"];
    let context = folder.join(build["context"].as_str().unwrap());
    assert!(context.join(build["dockerfile"].as_str().unwrap()).exists());
    let waits = compose["services"]["paigow"]["depends_on"].as_mapping().unwrap();
    assert!(waits.keys().all(|name| services.contains(name.as_str().unwrap())));
    // The volumes of the image are those that the service mounts, and the manual makes every secret.
    for path in ["/var/lib/paigow", "/var/cache/paigow"] {
        assert!(container.contains(&format!("\"{path}\"")) && text.contains(&format!(":{path}\n")), "{path}");
    }
    let manual = fs::read_to_string(root().join("docs/operating.md")).unwrap();
    for secret in keys("secrets") {
        let file = compose["secrets"][secret.as_str()]["file"].as_str().unwrap().trim_start_matches("./");
        assert!(manual.contains(&format!("> {file}\n")), "the manual does not create {file}");
    }
    // The script of the database reads a secret that its service has.
    let script = packaging("postgres-init.sh");
    for path in script.split("/run/secrets/").skip(1) {
        let name = path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
        let given = compose["services"]["db"]["secrets"].as_sequence().unwrap();
        assert!(given.iter().any(|secret| secret.as_str() == Some(name)), "{name}");
    }
    output(Command::new("sh").arg("-n").arg(folder.join("postgres-init.sh")));
}
