//! Generates the tables of built-in rule books, house ways, strategy cards and books of earlier releases: names and texts.

use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let books = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("rulebooks");
    let is_included = env::var_os("CARGO_FEATURE_BOOKS").is_some();
    println!("cargo::rerun-if-changed={}", books.display());
    let entries = |folder: &Path| if is_included { entries(folder) } else { Ok(String::new()) };
    let text = format!(
        "const BOOKS: &[(&str, &str)] = &[{}];\nconst HOUSE_WAYS: &[(&str, &str)] = &[{}];\n\
         const CARDS: &[(&str, &str)] = &[{}];\nconst EARLIER: &[(&str, &[(&str, &str)])] = &[{}];\n",
        entries(&books)?,
        entries(&books.join("house-ways"))?,
        entries(&books.join("cards"))?,
        if is_included { editions(&books.join("earlier"))? } else { String::new() }
    );
    fs::write(Path::new(&env::var("OUT_DIR")?).join("library.rs"), text)?;
    Ok(())
}

/// Returns the books of earlier releases as Rust pairs, the latest release first.
fn editions(folder: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let mut releases = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let number = |part: &str| part.parse::<u32>();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let version = name.split('.').map(number).collect::<Result<Vec<u32>, _>>()?;
        releases.push((version, format!("({name:?}, &[{}])", entries(&path)?)));
    }
    releases.sort();
    Ok(releases.into_iter().rev().map(|(_, pair)| pair).collect::<Vec<_>>().join(", "))
}

/// Returns the TOML files of a folder as Rust pairs of name and text, sorted by name.
fn entries(folder: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            files.push(path.canonicalize()?);
        }
    }
    files.sort();
    let pair = |path: &Path| {
        // `{:?}` escapes the texts as Rust string literals.
        let (name, path) = (path.file_stem().unwrap_or_default().to_string_lossy(), path.to_string_lossy());
        format!("({name:?}, include_str!({path:?}))")
    };
    Ok(files.iter().map(|path| pair(path)).collect::<Vec<_>>().join(", "))
}
