//! The page: files that are part of the program. Their addresses carry a digest of all of them, so that browsers may keep them for good;
//! the one document that names them is always asked for anew.

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

/// The document every view of the page begins with.
const DOCUMENT: &str = "index.html";
/// The page's files for as long as they are what they are: a year is the most that is asked for.
const FOR_GOOD: &str = "public, max-age=31536000, immutable";

/// The page as this program has it.
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
            // Writing to a string cannot fail.
            let _ = write!(version, "{byte:02x}");
        }
        let text = Files::get(DOCUMENT).map(|file| String::from_utf8_lossy(&file.data).into_owned());
        let document = with_addresses(text.unwrap_or_default(), &paths, &version);
        Page { version, document }
    }
}

/// The document with the addresses of this version, and with every module named, so that the browser asks for all of them at once.
fn with_addresses(document: String, paths: &[String], version: &str) -> String {
    let named = paths.iter().fold(document, |text, path| {
        text.replace(&format!("\"/{path}\""), &format!("\"/assets/{version}/{path}\""))
    });
    let is_module =
        |path: &&String| std::path::Path::new(path.as_str()).extension().is_some_and(|end| end == "js");
    let preload =
        |path: &String| format!("  <link rel=\"modulepreload\" href=\"/assets/{version}/{path}\">\n");
    let modules: Vec<String> = paths.iter().filter(is_module).map(preload).collect();
    named.replacen("</head>", &format!("{}</head>", modules.concat()), 1)
}

/// The page, whichever view of it is asked for: it sees to the rest itself.
pub(super) async fn document() -> Response {
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (kind, PAGE.document.clone()).into_response()
}

/// A file of the page.
pub(super) async fn file(Path((version, path)): Path<(String, String)>) -> Result<Response, ApiProblem> {
    let file = Files::get(&path).filter(|_| version == PAGE.version);
    // A page of an older version is told, and asks for the new one.
    file.map(|file| sent(&file))
        .ok_or_else(|| ApiProblem::not_found("no_such_file", "this version of the page has no such file"))
}

fn sent(file: &EmbeddedFile) -> Response {
    let kind = HeaderValue::from_str(file.metadata.mimetype());
    let mut response = file.data.clone().into_owned().into_response();
    let headers = response.headers_mut();
    headers
        .insert(header::CONTENT_TYPE, kind.unwrap_or(HeaderValue::from_static("application/octet-stream")));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(FOR_GOOD));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_names_every_module_and_nothing_by_an_address_that_will_be_something_else() {
        let Page { version, document } = &*PAGE;
        let modules = Files::iter().filter(|path| path.ends_with(".js")).count();
        assert!(modules > 10);
        assert_eq!(document.matches("rel=\"modulepreload\"").count(), modules);
        let own = format!("=\"/assets/{version}/");
        assert_eq!(document.matches("=\"/").count(), document.matches(&own).count(), "{document}");
        assert!(Files::iter().all(|path| !path.starts_with("tests/") && !path.ends_with(".md")));
        assert!(Files::iter().all(|path| !path.ends_with(".d.ts")), "types are for checking");
    }
}
