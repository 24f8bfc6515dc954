//! Files of the page: embedded in the program, or read from a folder while the page is developed.
//!
//! The embedded modules are joined into two files and the style sheets into one, because a round trip for every file
//! makes a distant browser wait. Paths contain a digest of all files, so that browsers may cache them without a time limit.
//! Browsers revalidate the document that refers to them on every load.

mod bundle;

use super::ApiProblem;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bundle::{Script, ScriptNames};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Component, PathBuf};
use std::sync::{Arc, LazyLock};

// `FILES`: paths and contents of the page's files and fonts.
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The HTML document of every view.
const DOCUMENT: &str = "index.html";
/// The module that imports all others.
const ENTRY: &str = "app.js";
/// The joined modules: the first script, and the one that other views load.
const SCRIPTS: ScriptNames = ScriptNames { first: "page.js", second: "later.js" };
/// Views of the first script. Most visits begin with them.
const FIRST_VIEWS: [&str; 2] = ["views/lobby.js", "views/table.js"];
/// The service worker, which the browser loads by its own address.
const SERVICE_WORKER: &str = "service-worker.js";
/// The style sheets, joined.
const STYLE: &str = "page.css";
/// `Cache-Control` of files that never change: one year, the longest usual lifetime.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// The embedded page.
static EMBEDDED: LazyLock<EmbeddedPage> = LazyLock::new(EmbeddedPage::new);

/// Location of the page's files.
pub(super) enum Page {
    /// Embedded in the program.
    Embedded,
    /// In a folder, read for every request.
    Folder(PathBuf),
}

impl Page {
    /// Returns the embedded page, joined now and not at the first request, or the page in a folder.
    pub(super) fn new(folder: Option<PathBuf>) -> Page {
        if folder.is_none() {
            LazyLock::force(&EMBEDDED);
        }
        folder.map_or(Page::Embedded, Page::Folder)
    }

    /// Returns a text file of the page with versioned paths.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        let (version, file) = match self {
            Page::Embedded => (EMBEDDED.version.as_str(), embedded(path).map(Bytes::from_static)),
            Page::Folder(_) => ("0", self.file("0", path)),
        };
        Some(String::from_utf8_lossy(&file?).replace("/assets/0/", &format!("/assets/{version}/")))
    }

    /// Returns the HTML document of the page.
    pub(super) fn document(&self) -> String {
        match self {
            Page::Embedded => EMBEDDED.document.clone(),
            Page::Folder(folder) => match self.file("0", DOCUMENT) {
                Some(text) => with_versioned_paths(&String::from_utf8_lossy(&text), "0"),
                None => format!("{} has no {DOCUMENT}", folder.display()),
            },
        }
    }

    fn file(&self, version: &str, path: &str) -> Option<Bytes> {
        match self {
            Page::Embedded => EMBEDDED.files.get(path).filter(|_| version == EMBEDDED.version).cloned(),
            Page::Folder(folder) => {
                // Only the program has the fonts.
                if path.starts_with("fonts/") {
                    return embedded(path).map(Bytes::from_static);
                }
                let mut parts = std::path::Path::new(path).components();
                let is_inside = parts.all(|part| matches!(part, Component::Normal(_)));
                is_inside.then(|| std::fs::read(folder.join(path)).ok()).flatten().map(Bytes::from)
            }
        }
    }

    fn cache_control(&self) -> &'static str {
        match self {
            Page::Embedded => IMMUTABLE,
            Page::Folder(_) => "no-store",
        }
    }
}

struct EmbeddedPage {
    version: String,
    document: String,
    files: BTreeMap<String, Bytes>,
}

impl EmbeddedPage {
    fn new() -> EmbeddedPage {
        let mut files: BTreeMap<String, Bytes> =
            FILES.iter().map(|(path, data)| ((*path).to_owned(), Bytes::from_static(data))).collect();
        let text = |path: &str| embedded(path).map(|data| String::from_utf8_lossy(data).into_owned());
        let document = text(DOCUMENT).unwrap_or_default();
        let style: String = style_sheets(&document).filter_map(text).collect();
        // A test joins the modules, so a program with modules that cannot be joined is never released.
        let joined = bundle::bundle(ENTRY, &FIRST_VIEWS, &SCRIPTS, &text);
        let joined = joined.unwrap_or_else(|error| panic!("the page cannot be joined: {error}"));
        for (name, Script { text, source_map }) in
            [(SCRIPTS.first, joined.first), (SCRIPTS.second, joined.second)]
        {
            files.insert(name.to_owned(), format!("{text}//# sourceMappingURL={name}.map\n").into());
            files.insert(format!("{name}.map"), source_map.into());
        }
        files.insert(STYLE.to_owned(), style.replace("url(\"../", "url(\"").into());
        let mut digest = Sha256::new();
        for (path, data) in &files {
            digest.update(path);
            digest.update(Sha256::digest(data));
        }
        let mut version = String::new();
        for byte in &digest.finalize()[..6] {
            // Writing to a `String` cannot fail.
            let _ = write!(version, "{byte:02x}");
        }
        let document = with_versioned_paths(&with_joined_files(&document), &version);
        EmbeddedPage { version, document, files }
    }
}

/// Returns the contents of an embedded file.
pub(super) fn embedded(path: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(other, _)| *other == path).map(|(_, data)| *data)
}

/// Returns the paths of the style sheets that the document refers to.
fn style_sheets(document: &str) -> impl Iterator<Item = &str> {
    document
        .lines()
        .filter_map(|line| line.trim().strip_prefix("<link rel=\"stylesheet\" href=\"/")?.strip_suffix("\">"))
}

/// Replaces the style sheets and the modules in the document by the joined ones.
fn with_joined_files(document: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut has_style = false;
    for line in document.lines() {
        if line.trim().starts_with("<link rel=\"stylesheet\"") {
            if !std::mem::replace(&mut has_style, true) {
                lines.push(format!("  <link rel=\"stylesheet\" href=\"/{STYLE}\">"));
            }
        } else {
            lines.push(line.replace(&format!("src=\"/{ENTRY}\""), &format!("src=\"/{}\"", SCRIPTS.first)));
        }
    }
    lines.join("\n") + "\n"
}

/// Replaces the paths of files in the document by versioned ones.
fn with_versioned_paths(document: &str, version: &str) -> String {
    document.replace("=\"/", &format!("=\"/assets/{version}/"))
}

/// Serves the service worker. Its address has no version, because browsers compare the files at one address.
pub(super) async fn service_worker(Extension(page): Extension<Arc<Page>>) -> Result<Response, ApiProblem> {
    let missing = || ApiProblem::not_found("no_such_file", "the page has no service worker");
    let script = page.text(SERVICE_WORKER).ok_or_else(missing)?;
    let headers = [(header::CONTENT_TYPE, content_type(SERVICE_WORKER)), (header::CACHE_CONTROL, "no-cache")];
    Ok((headers, script).into_response())
}

/// Serves a file of the page.
pub(super) async fn file(
    Extension(page): Extension<Arc<Page>>,
    Path((version, path)): Path<(String, String)>,
) -> Result<Response, ApiProblem> {
    // A page that was loaded from another version of the server must be reloaded.
    let missing = || ApiProblem::not_found("no_such_file", "this version of the page has no such file");
    let file = page.file(&version, &path).ok_or_else(missing)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type(&path))),
        (header::CACHE_CONTROL, HeaderValue::from_static(page.cache_control())),
    ];
    Ok((headers, file).into_response())
}

/// Returns the content type of a file of the page.
fn content_type(path: &str) -> &'static str {
    match extension(path) {
        "css" => "text/css",
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript",
        "map" => "application/json",
        "otf" => "font/otf",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        "ttf" => "font/ttf",
        _ => "application/octet-stream",
    }
}

fn extension(path: &str) -> &str {
    let extension = std::path::Path::new(path).extension().and_then(|extension| extension.to_str());
    extension.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_refers_to_one_versioned_script_and_style_sheet() {
        let EmbeddedPage { version, document, files } = &*EMBEDDED;
        let base = format!("=\"/assets/{version}/");
        assert_eq!(document.matches("=\"/").count(), document.matches(&base).count(), "{document}");
        assert_eq!(document.matches("<script").count(), 1);
        assert_eq!(document.matches("rel=\"stylesheet\"").count(), 1);
        for path in document.split(&base).skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(files.contains_key(path), "{path}");
            assert_ne!(content_type(path), "application/octet-stream", "{path}");
        }
        let is_embedded =
            |path: &String| !path.starts_with("tests/") && !matches!(extension(path), "md" | "ts" | "json");
        assert!(files.keys().all(is_embedded), "tests and type declarations are not embedded");
    }

    #[test]
    fn joined_files_contain_every_module_and_style_sheet() {
        let text = |path: &str| String::from_utf8(EMBEDDED.files[path].to_vec()).unwrap();
        let ScriptNames { first, second } = SCRIPTS;
        let style = text(STYLE);
        let maps = text(&format!("{first}.map")) + &text(&format!("{second}.map"));
        for path in EMBEDDED.files.keys() {
            if extension(path) == "js"
                && path != first
                && path != second
                && path != SERVICE_WORKER
                && !text(path).contains("\nexport {};")
            {
                assert!(maps.contains(&format!("\"{path}\"")), "{path} is not imported");
            } else if extension(path) == "css" && path != STYLE {
                let linked = text(path).replace("url(\"../", "url(\"");
                assert!(style.contains(&linked), "{path} is not linked");
            }
        }
        // The second script imports from the first. Only their last lines export.
        assert_eq!(text(first).matches("\nimport ").count(), 0);
        assert_eq!(text(second).matches("\nimport ").count(), 0);
        for script in [first, second] {
            assert_eq!(text(script).matches("\nexport ").count(), 1, "{script}");
        }
    }

    #[test]
    fn folder_is_read_for_every_request_and_not_left() {
        let folder = tempfile::tempdir().unwrap();
        let page = Page::new(Some(folder.path().to_owned()));
        assert_eq!(page.file("0", "app.js"), None);
        std::fs::write(folder.path().join("app.js"), "first").unwrap();
        std::fs::write(folder.path().join(DOCUMENT), "<script src=\"/app.js\">").unwrap();
        assert_eq!(page.file("0", "app.js").unwrap(), "first");
        assert_eq!(page.document(), "<script src=\"/assets/0/app.js\">");
        let name = folder.path().file_name().unwrap().to_str().unwrap();
        for path in [format!("../{name}/app.js"), folder.path().join("app.js").display().to_string()] {
            assert_eq!(page.file("0", &path), None, "{path}");
        }
    }
}
