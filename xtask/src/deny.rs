//! `cargo xtask deny`: checks licenses, bans and sources of all dependencies against `deny.toml`.
//!
//! The file has the format of `cargo deny`, which takes minutes to build and cannot be assumed on a developer's
//! machine. This check covers the fields that the file uses and refuses any other, so no entry is silently ignored.

use crate::failure::Failure;
use crate::test::cargo;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Contents of `deny.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Deny {
    graph: Graph,
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Graph {
    targets: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Bans {
    multiple_versions: Level,
    deny: Vec<Entry>,
    skip: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Sources {
    unknown_git: Level,
}

/// A crate, or one version of it as `name@version`, and why it is listed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Level {
    Allow,
    Deny,
}

/// Output of `cargo metadata`, as far as it is read.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
}

/// Checks the dependencies of every target platform and prints all faults.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let path = root.join("deny.toml");
    let text = std::fs::read_to_string(&path).map_err(|cause| Failure::Unreadable { path, cause })?;
    let deny: Deny =
        toml::from_str(&text).map_err(|error| Failure::Invalid("deny.toml".into(), error.to_string()))?;
    let mut faults = BTreeSet::new();
    for target in &deny.graph.targets {
        let args = ["metadata", "--format-version", "1", "--locked", "--filter-platform", target];
        let command = format!("cargo {}", args.join(" "));
        let output = match cargo().args(args).current_dir(root).output() {
            Ok(output) if output.status.success() => output.stdout,
            Ok(output) => {
                eprint!("{}", String::from_utf8_lossy(&output.stderr));
                return Err(Failure::Ended { command, status: output.status });
            }
            Err(cause) => return Err(Failure::NotStarted { command, cause }),
        };
        let metadata =
            serde_json::from_slice(&output).map_err(|error| Failure::Invalid(command, error.to_string()))?;
        faults.extend(check(&deny, &metadata));
    }
    for fault in &faults {
        println!("deny.toml: {fault}");
    }
    if faults.is_empty() { Ok(()) } else { Err(Failure::Faults(faults.len())) }
}

/// Returns every dependency that `deny.toml` does not allow, and every entry of it that has no effect.
fn check(deny: &Deny, metadata: &Metadata) -> Vec<String> {
    let used: BTreeSet<&str> = metadata.resolve.nodes.iter().map(|node| node.id.as_str()).collect();
    let packages: Vec<&Package> = metadata
        .packages
        .iter()
        .filter(|package| used.contains(package.id.as_str()) && package.source.is_some())
        .collect();
    let mut faults = Vec::new();
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut licenses = BTreeSet::new();
    for Package { name, version, license, source, .. } in &packages {
        let names = |entry: &&Entry| entry.name == *name || entry.name == format!("{name}@{version}");
        if let Some(entry) = deny.bans.deny.iter().find(names) {
            faults.push(format!("{name} {version} is banned: {}", entry.reason));
        }
        if !deny.bans.skip.iter().any(|entry| names(&entry)) {
            versions.entry(name).or_default().insert(version);
        }
        let is_registry = source.as_deref().is_some_and(|source| source.starts_with("registry+"));
        let level = if is_registry { &Level::Allow } else { &deny.sources.unknown_git };
        if *level == Level::Deny {
            faults.push(format!("{name} {version} does not come from the registry"));
        }
        // Crates from before 2018 separate alternatives by `/`.
        let expression = license.as_deref().unwrap_or_default();
        match spdx::Expression::parse_mode(expression, spdx::ParseMode::LAX) {
            Ok(expression) => {
                let mut is_allowed = |requirement: &spdx::LicenseReq| {
                    let id = requirement.license.id().map_or("", |id| id.name);
                    let is_listed = deny.licenses.allow.iter().any(|allowed| allowed == id);
                    if is_listed {
                        licenses.insert(id);
                    }
                    is_listed
                };
                if !expression.evaluate(|requirement| is_allowed(requirement)) {
                    faults
                        .push(format!("{name} {version} has the license {expression}, which is not allowed"));
                }
            }
            Err(error) => faults.push(format!("{name} {version} has no readable license: {}", error.reason)),
        }
    }
    let several = versions.iter().filter(|(_, versions)| versions.len() > 1);
    for (name, versions) in several.filter(|_| deny.bans.multiple_versions == Level::Deny) {
        let versions = versions.iter().copied().collect::<Vec<_>>().join(", ");
        faults.push(format!(
            "{name} is used in {versions}: update one, or list one under `skip` with the reason"
        ));
    }
    for entry in &deny.bans.skip {
        let is_used =
            packages.iter().any(|package| entry.name == format!("{}@{}", package.name, package.version));
        if !is_used {
            faults.push(format!("`{}` under `skip` is not used: {}", entry.name, entry.reason));
        }
    }
    for license in deny.licenses.allow.iter().filter(|license| !licenses.contains(license.as_str())) {
        faults.push(format!("the license {license} is allowed and not used"));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENY: &str = r#"
        graph = { targets = ["any"] }
        licenses = { allow = ["MIT"] }
        bans = { multiple-versions = "deny", deny = [{ crate = "bad", reason = "it is" }], skip = [{ crate = "two@2", reason = "why" }] }
        sources = { unknown-git = "deny" }
    "#;

    fn faults(packages: &[(&str, &str, &str, Option<&str>)]) -> Vec<String> {
        let id = |name: &str, version: &str| format!("{name}-{version}");
        let metadata = Metadata {
            packages: packages
                .iter()
                .map(|(name, version, license, source)| Package {
                    id: id(name, version),
                    name: (*name).to_owned(),
                    version: (*version).to_owned(),
                    license: Some((*license).to_owned()),
                    source: source.map(str::to_owned),
                })
                .collect(),
            resolve: Resolve {
                nodes: packages.iter().map(|(name, version, ..)| Node { id: id(name, version) }).collect(),
            },
        };
        check(&toml::from_str(DENY).unwrap(), &metadata)
    }

    const REGISTRY: Option<&str> = Some("registry+index");

    #[test]
    fn accepts_allowed_dependencies_and_own_crates() {
        let packages = [
            ("own", "0", "None", None),
            ("two", "1", "MIT/Apache-2.0", REGISTRY),
            ("two", "2", "MIT", REGISTRY),
        ];
        assert_eq!(faults(&packages), Vec::<String>::new());
    }

    #[test]
    fn names_every_fault() {
        let packages = [
            ("bad", "1", "MIT", REGISTRY),
            ("copyleft", "1", "GPL-3.0-only", REGISTRY),
            ("elsewhere", "1", "MIT", Some("git+somewhere")),
            ("three", "1", "MIT", REGISTRY),
            ("three", "2", "MIT", REGISTRY),
        ];
        let expected = [
            "bad 1 is banned: it is",
            "copyleft 1 has the license GPL-3.0-only, which is not allowed",
            "elsewhere 1 does not come from the registry",
            "three is used in 1, 2: update one, or list one under `skip` with the reason",
            "`two@2` under `skip` is not used: why",
        ];
        assert_eq!(faults(&packages), expected);
    }

    #[test]
    fn refuses_unknown_entries() {
        assert!(toml::from_str::<Deny>(&DENY.replace("licenses =", "licences =")).is_err());
    }
}
