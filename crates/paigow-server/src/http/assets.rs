//! Files of the page, embedded in the program.
//!
//! Their paths contain a digest of all files, so that browsers may cache them without a time limit. Browsers revalidate
//! the document that refers to them on every load.

use super::ApiProblem;
use axum::extract::Path;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::sync::LazyLock;

#[derive(RustEmbed)]
#[folder = "../../web/"]
#[exclude = "tests/*"]
#[exclude = "*.md"]
#[exclude = "*.json"]
#[exclude = "*.d.ts"]
struct Files;

/// The HTML document of every view.
const DOCUMENT: &str = "index.html";
/// `Cache-Control` of files that never change: one year, the longest usual lifetime.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// The embedded page.
static PAGE: LazyLock<Page> = LazyLock::new(Page::new);

struct Page {
    version: String,
    document: String,
}

impl Page {
    fn new() -> Page {
        let mut digest = Sha256::new();
        let mut paths: Vec<String> = Files::iter().map(String::from).collect();
        paths.sort();
        for path in &paths {
            digest.update(path);
            digest.update(Files::get(path).map_or([0; 32], |file| file.metadata.sha256_hash()));
        }
        let mut version = String::new();
        for byte in &digest.finalize()[..6] {
            // Writing to a `String` cannot fail.
            let _ = write!(version, "{byte:02x}");
        }
        let text = Files::get(DOCUMENT).map(|file| String::from_utf8_lossy(&file.data).into_owned());
        let document = with_versioned_paths(text.unwrap_or_default(), &paths, &version);
        Page { version, document }
    }
}

/// Replaces the paths in the document by versioned ones and adds a preload for every module.
///
/// With the preloads the browser fetches all modules at once.
fn with_versioned_paths(document: String, paths: &[String], version: &str) -> String {
    let versioned = paths.iter().fold(document, |text, path| {
        text.replace(&format!("\"/{path}\""), &format!("\"/assets/{version}/{path}\""))
    });
    let is_module =
        |path: &&String| std::path::Path::new(path.as_str()).extension().is_some_and(|end| end == "js");
    let preload =
        |path: &String| format!("  <link rel=\"modulepreload\" href=\"/assets/{version}/{path}\">\n");
    let modules: Vec<String> = paths.iter().filter(is_module).map(preload).collect();
    versioned.replacen("</head>", &format!("{}</head>", modules.concat()), 1)
}

/// Serves the document, which is the same for every view.
pub(super) async fn document() -> Response {
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (kind, PAGE.document.clone()).into_response()
}

/// Serves a file of the page.
pub(super) async fn file(Path((version, path)): Path<(String, String)>) -> Result<Response, ApiProblem> {
    let file = Files::get(&path).filter(|_| version == PAGE.version);
    // A page that was loaded from another version of the server must be reloaded.
    file.map(|file| response(&file))
        .ok_or_else(|| ApiProblem::not_found("no_such_file", "this version of the page has no such file"))
}

fn response(file: &EmbeddedFile) -> Response {
    let kind = HeaderValue::from_str(file.metadata.mimetype());
    let mut response = file.data.clone().into_owned().into_response();
    let headers = response.headers_mut();
    headers
        .insert(header::CONTENT_TYPE, kind.unwrap_or(HeaderValue::from_static("application/octet-stream")));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(IMMUTABLE));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_has_only_versioned_paths_and_preloads_every_module() {
        let Page { version, document } = &*PAGE;
        let modules = Files::iter().filter(|path| path.ends_with(".js")).count();
        assert!(modules > 10);
        assert_eq!(document.matches("rel=\"modulepreload\"").count(), modules);
        let own = format!("=\"/assets/{version}/");
        assert_eq!(document.matches("=\"/").count(), document.matches(&own).count(), "{document}");
        assert!(Files::iter().all(|path| !path.starts_with("tests/") && !path.ends_with(".md")));
        assert!(Files::iter().all(|path| !path.ends_with(".d.ts")), "type declarations are not embedded");
    }
}
