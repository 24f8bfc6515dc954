//! Dependencies: which crate may depend on which, and the files that every crate folder must have.
//!
//! A new crate or a new dependency between crates must be added to [`ALLOWED`]. The same table applies to dev- and
//! build-dependencies: a test that needs the server belongs to the server.

use super::fault::Fault;
use super::tree::Tree;
use super::{toml_text, words};
use std::collections::BTreeSet;
use toml::de::{DeTable, DeValue};

/// Every crate in `crates/` and the workspace crates it may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("paigow", &["paigow-testkit"]),
    ("paigow-testkit", &["paigow"]),
    ("paigow-math", &["paigow", "paigow-testkit"]),
    ("paigow-answers", &["paigow-math", "paigow"]),
    ("paigow-table", &["paigow", "paigow-testkit"]),
    ("paigow-simulator", &["paigow-server", "paigow-table", "paigow", "paigow-testkit"]),
    ("paigow-load", &[]),
    ("paigow-python", &["paigow-answers", "paigow-table", "paigow-math", "paigow"]),
    ("paigow-server", &["paigow-answers", "paigow-table", "paigow-math", "paigow", "paigow-testkit"]),
    ("paigow-cli", &["paigow-server", "paigow-answers", "paigow-table", "paigow-math", "paigow"]),
];

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    let shared = tree.text("Cargo.toml").and_then(|text| toml_text::parse("Cargo.toml", text).ok());
    let shared = shared.unwrap_or_default();
    let folders: BTreeSet<&str> = tree
        .files()
        .filter_map(|(path, _)| path.strip_prefix("crates/")?.split_once('/'))
        .map(|(folder, _)| folder)
        .collect();
    for &folder in &folders {
        for name in ["Cargo.toml", "README.md"] {
            let path = format!("crates/{folder}/{name}");
            if !tree.contains(&path) {
                faults.push(Fault::new(&path, 1, "is missing: every crate needs this file"));
            }
        }
    }
    for (path, text) in tree.files().filter(|(path, _)| path.ends_with("/Cargo.toml")) {
        let manifest = match toml_text::parse(path, text) {
            Ok(manifest) => manifest,
            Err(fault) => {
                faults.push(fault);
                continue;
            }
        };
        if toml_text::get(&manifest, &["lints", "workspace"]).and_then(DeValue::as_bool) != Some(true)
            && !has_own_lints(text, tree.text("Cargo.toml").unwrap_or_default())
        {
            faults.push(Fault::new(path, 1, "lacks `[lints] workspace = true`"));
        }
        let folder = path.strip_prefix("crates/").and_then(|rest| rest.strip_suffix("/Cargo.toml"));
        let Some(folder) = folder else { continue };
        if toml_text::get(&manifest, &["package", "name"]).and_then(DeValue::as_str) != Some(folder) {
            faults.push(Fault::new(path, 1, format!("the package is not named `{folder}` like its folder")));
        }
        let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == folder) else {
            faults.push(Fault::new(
                path,
                1,
                format!("`{folder}` is not in the table in xtask/src/tidy/dependencies.rs: add it there"),
            ));
            continue;
        };
        for (at, name, is_local) in dependencies(&manifest, &shared) {
            if (is_local || folders.contains(name)) && !allowed.contains(&name) {
                let message = format!("`{folder}` must not depend on `{name}`");
                faults.push(Fault::new(path, words::line_of(text, at), message));
            }
        }
    }
    faults
}

/// Whether a manifest repeats the lints of the workspace, with `unsafe_code` denied instead of forbidden.
///
/// Macro-generated code may need `#[allow(unsafe_code)]`, which `forbid` rejects and `deny` permits.
fn has_own_lints(manifest: &str, shared: &str) -> bool {
    let lints = |text: &str, path: &[&str]| {
        let table = text.parse::<toml::Table>().ok()?;
        let lints = path.iter().try_fold(&toml::Value::Table(table), |value, key| value.get(key)).cloned();
        lints.filter(toml::Value::is_table)
    };
    let Some(mut all) = lints(shared, &["workspace", "lints"]) else { return false };
    if let Some(level) = all.get_mut("rust").and_then(|rust| rust.get_mut("unsafe_code")) {
        *level = "deny".into();
    }
    lints(manifest, &["lints"]) == Some(all)
}

/// Returns every dependency: offset of its key, real name of the package, and whether it is a path dependency.
fn dependencies<'t>(manifest: &'t DeTable<'_>, shared: &'t DeTable<'_>) -> Vec<(usize, &'t str, bool)> {
    let targets = manifest.get("target").and_then(|value| value.get_ref().as_table());
    let targets =
        targets.into_iter().flat_map(DeTable::values).filter_map(|value| value.get_ref().as_table());
    let mut found = Vec::new();
    for owner in std::iter::once(manifest).chain(targets) {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(section) = toml_text::get(owner, &[kind]).and_then(DeValue::as_table) else { continue };
            for (key, own) in section {
                let at = key.span().start;
                let key = key.get_ref().as_ref();
                let inherited = toml_text::get(shared, &["workspace", "dependencies", key]);
                let is_inherited = own.get_ref().get("workspace").is_some();
                let spec = inherited.filter(|_| is_inherited).unwrap_or(own.get_ref());
                let name = spec.get("package").and_then(|name| name.get_ref().as_str()).unwrap_or(key);
                found.push((at, name, spec.get("path").is_some()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fault::assert_faults;

    const SHARED: (&str, &str) = (
        "Cargo.toml",
        "[workspace.dependencies]\nrules = { package = \"paigow\", path = \"crates/paigow\" }\ntoml = \"1\"\n",
    );

    /// Checks a workspace of `paigow` and one more crate with this manifest.
    fn check_crate(folder: &str, manifest: &str) -> Vec<Fault> {
        let paigow = "[package]\nname = \"paigow\"\n[lints]\nworkspace = true";
        let [path, readme] = ["Cargo.toml", "README.md"].map(|name| format!("crates/{folder}/{name}"));
        let files = [("crates/paigow/Cargo.toml", paigow), ("crates/paigow/README.md", ""), SHARED];
        check(&Tree::of(&[&files[..], &[(&path, manifest), (&readme, "")]].concat()))
    }

    #[test]
    fn allowed_dependencies_pass() {
        let manifest = "[package]\nname = \"paigow-math\"\n[dependencies]\nrules.workspace = true\n\
                        toml.workspace = true\n[lints]\nworkspace = true";
        assert_faults(check_crate("paigow-math", manifest), &[]);
    }

    #[test]
    fn forbidden_dependencies_are_found_in_every_section() {
        let manifest = "[package]\nname = \"paigow\"\n[lints]\nworkspace = true\n[dependencies]\n\
                        rules.workspace = true\n[dev-dependencies]\npaigow = \"1\"\n\
                        [target.'cfg(unix)'.build-dependencies]\nx = { path = \"../../xtask\" }";
        let at = ["6: `paigow` must not depend on `paigow`", "8: ", "10: `paigow` must not depend on `x`"];
        let at = at.map(|rest| format!("crates/paigow/Cargo.toml:{rest}"));
        assert_faults(check_crate("paigow", manifest), &at.each_ref().map(String::as_str));
    }

    #[test]
    fn crate_must_be_listed_named_like_its_folder_and_linted() {
        let expected = [
            "crates/new/Cargo.toml:1: `new` is not in the table",
            "crates/new/Cargo.toml:1: lacks `[lints]",
            "crates/new/Cargo.toml:1: the package is not named `new`",
        ];
        assert_faults(check_crate("new", "[package]\nname = \"old\""), &expected);
    }

    #[test]
    fn own_lints_must_be_those_of_the_workspace_except_for_unsafe_code() {
        let shared = "[workspace.lints.rust]\nunsafe_code = \"forbid\"\nmissing_docs = \"deny\"\n\
                      [workspace.lints.clippy]\npedantic = { level = \"deny\", priority = -1 }\n";
        let check = |lints: &str| {
            let manifest = format!("[package]\nname = \"paigow\"\n{lints}");
            check(&Tree::of(&[
                ("Cargo.toml", shared),
                ("crates/paigow/Cargo.toml", &manifest),
                ("crates/paigow/README.md", ""),
            ]))
        };
        let clippy = "[lints.clippy]\npedantic = { level = \"deny\", priority = -1 }\n";
        let rust = |unsafe_code: &str| format!("[lints.rust]\nunsafe_code = \"{unsafe_code}\"\n");
        let same = |level: &str| format!("{}missing_docs = \"deny\"\n{clippy}", rust(level));
        assert_faults(check(&same("deny")), &[]);
        let missing = ["crates/paigow/Cargo.toml:1: lacks `[lints]"];
        assert_faults(check(&same("allow")), &missing);
        assert_faults(check(&format!("{}{clippy}", rust("deny"))), &missing);
        assert_faults(check(&same("deny").replace("pedantic", "style")), &missing);
    }

    #[test]
    fn crate_folder_needs_a_valid_manifest_and_a_readme() {
        let found = check(&Tree::of(&[("crates/paigow/src/lib.rs", "")]));
        assert_faults(
            found,
            &["crates/paigow/Cargo.toml:1: is missing", "crates/paigow/README.md:1: is missing"],
        );
        assert_faults(check_crate("paigow-cli", "[package"), &["crates/paigow-cli/Cargo.toml:1: "]);
    }
}
