//! Determines the commit the program is built from: `PAIGOW_COMMIT`, else git, else `unknown` (a source archive without
//! git), and its time: `SOURCE_DATE_EPOCH`, else git. Generates the table of the page's files, with the fonts from the crates that contain them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-env-changed=PAIGOW_COMMIT");
    let given = env::var("PAIGOW_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(from_git).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=PAIGOW_COMMIT={commit}");
    println!("cargo::rerun-if-env-changed=SOURCE_DATE_EPOCH");
    let given = env::var("SOURCE_DATE_EPOCH").ok().filter(|seconds| !seconds.is_empty());
    let seconds = given.or_else(|| git(&["log", "-1", "--format=%ct"])).unwrap_or_default();
    println!("cargo::rustc-env=PAIGOW_COMMIT_SECONDS={seconds}");
    write_page()
}

/// Writes the table of the page's files: paths and contents.
fn write_page() -> Result<(), Box<dyn std::error::Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let web = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../web").canonicalize()?;
    println!("cargo::rerun-if-changed={}", web.display());
    let mut files = fonts(&out)?;
    add_files(&web, "", &mut files)?;
    files.sort();
    // `{:?}` escapes the texts as Rust string literals.
    let pair = |(name, path): &(String, PathBuf)| {
        format!("({name:?}, include_bytes!({:?}))", path.to_string_lossy())
    };
    let pairs: Vec<String> = files.iter().map(pair).collect();
    let text = format!("const FILES: &[(&str, &[u8])] = &[{}];\n", pairs.join(",\n"));
    fs::write(out.join("page.rs"), text)?;
    Ok(())
}

/// Adds the files of a folder that browsers load. Tests, type declarations and manuals are left out.
fn add_files(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() && name != "tests" {
            add_files(&path, &format!("{name}/"), files)?;
        } else if matches!(extension, Some("css" | "html" | "js" | "svg" | "webmanifest")) {
            files.push((name, path));
        }
    }
    Ok(())
}

/// Writes the three fonts of the page to the build folder. Returns their paths in the page and on the disk.
fn fonts(out: &Path) -> Result<Vec<(String, PathBuf)>, Box<dyn std::error::Error>> {
    let is_serif = |font: &&[u8]| {
        has_name(font, "LibertinusSerif-Bold") && !has_name(font, "LibertinusSerif-BoldItalic")
    };
    let serif = typst_assets::fonts().find(is_serif).ok_or("Libertinus Serif Bold is missing")?;
    let fonts =
        [("serif.otf", serif), ("sans.ttf", notosans::REGULAR_TTF), ("sans-bold.ttf", notosans::BOLD_TTF)];
    let mut files = Vec::new();
    for (name, font) in fonts {
        fs::write(out.join(name), font)?;
        files.push((format!("fonts/{name}"), out.join(name)));
    }
    Ok(files)
}

/// Whether a font contains a PostScript name.
fn has_name(font: &[u8], name: &str) -> bool {
    font.windows(name.len()).any(|bytes| bytes == name.as_bytes())
}

/// Returns the checked-out commit. Cargo reruns this script when it changes.
///
/// Cargo would rerun the script, and compile the server again, in every build if it watched a file that does not exist.
/// A branch that is only in `packed-refs` gets a file in `refs/heads` with its next commit.
fn from_git() -> Option<String> {
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]).unwrap_or_else(|| "HEAD".to_owned());
    for (path, if_missing) in [("HEAD", None), ("packed-refs", None), (&branch, Some("refs/heads"))] {
        for path in [Some(path), if_missing].into_iter().flatten() {
            let path = git(&["rev-parse", "--git-path", path])?;
            if Path::new(&path).exists() {
                println!("cargo::rerun-if-changed={path}");
                break;
            }
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}
