//! Puts the rule books and house ways of the repository into the library: each file's name and text.

use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let books = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../rulebooks");
    let ways = books.join("house-ways");
    println!("cargo::rerun-if-changed={}", books.display());
    let text = format!(
        "const BOOKS: &[(&str, &str)] = &[{}];\nconst HOUSE_WAYS: &[(&str, &str)] = &[{}];\n",
        entries(&books)?,
        entries(&ways)?
    );
    fs::write(Path::new(&env::var("OUT_DIR")?).join("library.rs"), text)?;
    Ok(())
}

/// The TOML files of a folder as Rust pairs, in the order of their names.
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
        // As Rust writes texts, whatever the path may hold.
        let (name, path) = (path.file_stem().unwrap_or_default().to_string_lossy(), path.to_string_lossy());
        format!("({name:?}, include_str!({path:?}))")
    };
    Ok(files.iter().map(|path| pair(path)).collect::<Vec<_>>().join(", "))
}
