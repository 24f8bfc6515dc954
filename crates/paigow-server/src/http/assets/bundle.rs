//! Joins the modules of the page into two scripts, each with a source map.
//!
//! Over HTTP/1.1 a browser fetches six files at a time, so a page of a hundred modules takes about twenty round trips.
//! A script contains every module as a function that is called once, after the modules it imports, and returns its
//! exports. Each source line stays one line of the script, so the source map only lists lines. Comments and
//! indentation are left out.
//!
//! The first script has the entry and the views that most visits begin with. The second has the other views. The
//! browser loads it when one of them is shown.
//!
//! The modules must follow these conventions, which the page's style implies. Other forms of imports and exports that
//! the joiner recognizes are a [`BundleError`]:
//! - `import` and `export` start a line and end with `;` where they name a module.
//! - Imports do not form a cycle. Views are imported with `() => import("./views/x.js")`, which may form one.
//! - An export is a `const`, function or class declaration, or a list of names.

use std::collections::HashMap;
use std::fmt::Write;
use thiserror::Error;

/// The modules of the page in two scripts.
#[derive(Debug)]
pub(super) struct Bundle {
    pub(super) first: Script,
    pub(super) second: Script,
}

/// A script with its source map.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) text: String,
    pub(super) source_map: String,
}

/// Names of the scripts. They import from each other by these names.
pub(super) struct ScriptNames {
    pub(super) first: &'static str,
    pub(super) second: &'static str,
}

/// Why modules cannot be joined.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum BundleError {
    #[error("{importer} imports {path}, which does not exist")]
    Missing { importer: String, path: String },
    #[error("these modules import one another: {0}")]
    Cycle(String),
    #[error("{path}:{line}: this form of import or export is not supported: {text}")]
    Unsupported { path: String, line: usize, text: String },
}

/// Joins a module and all modules that it imports, directly or not. `read` returns the text of a module. The views in
/// `first_views` belong to the first script.
pub(super) fn bundle(
    entry: &str,
    first_views: &[&str],
    names: &ScriptNames,
    read: &dyn Fn(&str) -> Option<String>,
) -> Result<Bundle, BundleError> {
    let mut joined = Joined { read, modules: HashMap::new(), importing: Vec::new(), ordered: Vec::new() };
    joined.visit(entry, entry)?;
    joined.visit_loads(&|path| first_views.contains(&path))?;
    let second = joined.ordered.len();
    joined.visit_loads(&|_| true)?;
    Ok(joined.write(second, names))
}

/// A module with its imports and exports replaced.
struct Module {
    path: String,
    lines: Vec<String>,
    exports: Vec<String>,
    /// Modules that it loads later, each with the path of this module.
    loads: Vec<(String, String)>,
}

struct Joined<'a> {
    read: &'a dyn Fn(&str) -> Option<String>,
    /// Number of every visited module.
    modules: HashMap<String, usize>,
    /// Modules whose imports are being visited.
    importing: Vec<String>,
    /// Modules in the order in which they run.
    ordered: Vec<Module>,
}

impl Joined<'_> {
    /// Visits the wanted modules that visited modules load later. They import modules that load views, so each is
    /// joined after the modules that load it.
    fn visit_loads(&mut self, is_wanted: &dyn Fn(&str) -> bool) -> Result<(), BundleError> {
        let mut next = 0;
        while let Some(module) = self.ordered.get(next) {
            for (importer, path) in module.loads.clone() {
                if is_wanted(&path) {
                    self.visit(&importer, &path)?;
                }
            }
            next += 1;
        }
        Ok(())
    }

    fn visit(&mut self, importer: &str, path: &str) -> Result<(), BundleError> {
        if let Some(start) = self.importing.iter().position(|other| other == path) {
            return Err(BundleError::Cycle(self.importing[start..].join(", ")));
        }
        if self.modules.contains_key(path) {
            return Ok(());
        }
        let missing = || BundleError::Missing { importer: importer.to_owned(), path: path.to_owned() };
        let text = compact(&(self.read)(path).ok_or_else(missing)?);
        let number = self.modules.len();
        self.modules.insert(path.to_owned(), number);
        self.importing.push(path.to_owned());
        let module = self.read_module(path, &text)?;
        self.importing.pop();
        self.ordered.push(module);
        Ok(())
    }

    fn read_module(&mut self, path: &str, text: &str) -> Result<Module, BundleError> {
        let mut module =
            Module { path: path.to_owned(), lines: Vec::new(), exports: Vec::new(), loads: Vec::new() };
        let mut lines = text.lines().enumerate();
        while let Some((number, first)) = lines.next() {
            let unsupported = || BundleError::Unsupported {
                path: path.to_owned(),
                line: number + 1,
                text: first.to_owned(),
            };
            if !(first.starts_with("import ") || first.starts_with("export ")) {
                module.lines.push(with_loads(first, path, &mut module.loads));
                continue;
            }
            // A list of names may have several lines.
            let is_list = first.starts_with("import ") || first.starts_with("export {");
            let mut statement = first.to_owned();
            let mut extra_lines = 0;
            while is_list && !statement.trim_end().ends_with(';') {
                let (_, line) = lines.next().ok_or_else(unsupported)?;
                statement.push(' ');
                statement.push_str(line.trim());
                extra_lines += 1;
            }
            let replaced = if is_list {
                self.replace_list(path, statement.trim_end(), &mut module.exports)?.ok_or_else(unsupported)?
            } else {
                let declaration = statement.trim_start_matches("export ");
                module.exports.extend(declared_names(declaration).ok_or_else(unsupported)?);
                declaration.to_owned()
            };
            module.lines.push(with_loads(&replaced, path, &mut module.loads));
            module.lines.extend(std::iter::repeat_n(String::new(), extra_lines));
        }
        Ok(module)
    }

    /// Replaces an import, or an export of a list of names. Returns `None` if it has an unknown form.
    fn replace_list(
        &mut self,
        path: &str,
        statement: &str,
        exports: &mut Vec<String>,
    ) -> Result<Option<String>, BundleError> {
        let is_import = statement.starts_with("import ");
        let rest = statement["import ".len()..].trim_end_matches(';').trim();
        let (names, from) = match rest.split_once(" from ") {
            Some((names, from)) => (names, Some(from)),
            None if is_import => ("", Some(rest)),
            None => (rest, None),
        };
        let source = match from.map(|from| from.trim_matches('"')) {
            Some(from) => {
                let imported = resolve(path, from);
                self.visit(path, &imported)?;
                Some(format!("module{}", self.modules[&imported]))
            }
            None => None,
        };
        if let Some(namespace) = names.strip_prefix("* as ") {
            let source = source.filter(|_| is_import);
            return Ok(source.map(|source| format!("const {namespace} = {source};")));
        }
        if names.is_empty() {
            return Ok(Some(String::new()));
        }
        let Some(names) = names.strip_prefix('{').and_then(|names| names.strip_suffix('}')) else {
            return Ok(None);
        };
        let pairs = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        let pairs = pairs.map(|name| name.split_once(" as ").unwrap_or((name, name)));
        if is_import {
            let names: Vec<String> = pairs.map(|(theirs, ours)| format!("{theirs}: {ours}")).collect();
            return Ok(source.map(|source| format!("const {{ {} }} = {source};", names.join(", "))));
        }
        exports.extend(pairs.map(|(ours, theirs)| match &source {
            Some(source) => format!("{theirs}: {source}.{ours}"),
            None => format!("{theirs}: {ours}"),
        }));
        Ok(Some(String::new()))
    }

    /// Writes the scripts. The second one begins with the module at this index.
    fn write(&self, second: usize, names: &ScriptNames) -> Bundle {
        let (first_modules, second_modules) = self.ordered.split_at(second);
        let (mut first, mut map) = (String::new(), SourceMap::default());
        write_modules(first_modules, &self.modules, &mut first, &mut map);
        // Written in the same order on every run.
        let exports: Vec<String> = first_modules.iter().map(|module| self.name(&module.path)).collect();
        let _ = writeln!(first, "export {{ {} }};", exports.join(", "));
        let first_map = map.to_json(first_modules);

        let (mut later, mut map) = (String::new(), SourceMap::default());
        let _ = writeln!(later, "import {{ {} }} from \"./{}\";", exports.join(", "), names.first);
        map.skip_line();
        write_modules(second_modules, &self.modules, &mut later, &mut map);
        let exports: Vec<String> = second_modules.iter().map(|module| self.name(&module.path)).collect();
        let _ = writeln!(later, "export {{ {} }};", exports.join(", "));
        let later_map = map.to_json(second_modules);

        for module in &self.ordered {
            for (_, path) in &module.loads {
                let name = self.name(path);
                let load = if first_modules.iter().any(|module| module.path == *path) {
                    // Read in a microtask, after the whole script has run: the entry loads the first view while it runs.
                    format!("Promise.resolve().then(() => {name})")
                } else {
                    format!("import(\"./{}\").then((script) => script.{name})", names.second)
                };
                first = first.replace(&load_call(path), &load);
                later = later.replace(&load_call(path), &load);
            }
        }
        Bundle {
            first: Script { text: first, source_map: first_map },
            second: Script { text: later, source_map: later_map },
        }
    }

    /// Name of a module in the scripts.
    fn name(&self, path: &str) -> String {
        format!("module{}", self.modules[path])
    }
}

/// Appends modules to a script.
fn write_modules(
    modules: &[Module],
    numbers: &HashMap<String, usize>,
    script: &mut String,
    map: &mut SourceMap,
) {
    for (source, module) in (0..).zip(modules) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(script, "const module{} = (() => {{", numbers[&module.path]);
        map.skip_line();
        for (line, text) in (0..).zip(&module.lines) {
            script.push_str(text);
            script.push('\n');
            map.add_line(source, line);
        }
        let _ = writeln!(script, "return {{ {} }};\n}})();", module.exports.join(", "));
        map.skip_line();
        map.skip_line();
    }
}

/// Removes indentation, and replaces comments that fill whole lines by empty lines. Lines of a multi-line template
/// literal are text.
fn compact(text: &str) -> String {
    let (mut in_comment, mut in_template) = (false, false);
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        let code = line.trim_start();
        if !in_comment && !in_template && (code.starts_with("/*") || code.starts_with("//")) {
            in_comment = code.starts_with("/*") && !code.contains("*/");
            let is_whole = code.starts_with("//") || in_comment || code.trim_end().ends_with("*/");
            if !is_whole {
                kept.push_str(code);
            }
        } else if in_comment {
            in_comment = !code.contains("*/");
        } else {
            kept.push_str(if in_template { line } else { code });
            in_template ^= line.matches('`').count() % 2 == 1;
        }
        kept.push('\n');
    }
    kept
}

/// Returns the path that a module's import refers to.
fn resolve(importer: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = importer.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// Marks the imports of views in a line with the path of the module, and records them.
fn with_loads(line: &str, path: &str, loads: &mut Vec<(String, String)>) -> String {
    const LOAD: &str = "=> import(\"";
    let Some((before, after)) = line.split_once(LOAD) else { return line.to_owned() };
    let Some((relative, rest)) = after.split_once("\")") else { return line.to_owned() };
    let loaded = resolve(path, relative);
    let marked = format!("{before}=> {}{}", load_call(&loaded), with_loads(rest, path, loads));
    loads.push((path.to_owned(), loaded));
    marked
}

/// Stands for a module in the script until all modules have numbers.
fn load_call(path: &str) -> String {
    // Source text has no such character.
    format!("\u{0}{path}\u{0}")
}

/// Returns the names that an exported declaration declares, or `None` if it has an unknown form.
fn declared_names(declaration: &str) -> Option<Vec<String>> {
    let declaration = declaration.strip_prefix("async ").unwrap_or(declaration);
    let (keyword, rest) = declaration.split_once(' ')?;
    if !matches!(keyword, "const" | "function" | "function*" | "class") {
        return None;
    }
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$';
    let name: String = rest.chars().take_while(|letter| is_name(*letter)).collect();
    (!name.is_empty()).then(|| vec![name])
}

/// Mappings of a source map (ECMA-426), one segment for each line.
#[derive(Default)]
struct SourceMap {
    mappings: String,
    /// Source and line of the last segment. Segments contain differences.
    last: (i64, i64),
}

impl SourceMap {
    fn skip_line(&mut self) {
        self.mappings.push(';');
    }

    fn to_json(&self, modules: &[Module]) -> String {
        // Relative to the address of the source map.
        let sources: Vec<&str> = modules.iter().map(|module| module.path.as_str()).collect();
        serde_json::json!({ "version": 3, "sources": sources, "names": [], "mappings": self.mappings })
            .to_string()
    }

    fn add_line(&mut self, source: i64, line: i64) {
        let (last_source, last_line) = self.last;
        // Column of the script, source, line of the source, column of the source.
        for difference in [0, source - last_source, line - last_line, 0] {
            push_vlq(&mut self.mappings, difference);
        }
        self.last = (source, line);
        self.mappings.push(';');
    }
}

/// Appends a number as a base64 variable-length quantity.
fn push_vlq(text: &mut String, number: i64) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut rest = number.unsigned_abs() << 1 | u64::from(number < 0);
    loop {
        let digit = rest & 31;
        rest >>= 5;
        let more = if rest > 0 { 32 } else { 0 };
        text.push(char::from(DIGITS[(digit | more) as usize]));
        if rest == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(files: &[(&str, &str)]) -> Result<Bundle, BundleError> {
        let read =
            |path: &str| files.iter().find(|(other, _)| *other == path).map(|(_, text)| (*text).to_owned());
        bundle("app.js", &["first.js"], &ScriptNames { first: "page.js", second: "later.js" }, &read)
    }

    #[test]
    fn modules_run_after_their_imports() {
        let joined = join(&[
            (
                "app.js",
                "import { a, b as c } from \"./x/one.js\";\nimport * as two from \"./two.js\";\nrun(a, c, two);\n",
            ),
            ("x/one.js", "import \"../two.js\";\nexport const a = 1;\nexport function b() {}\n"),
            ("two.js", "export class Two {}\nexport { Two as Other };\n"),
        ]);
        let expected = "const module2 = (() => {\nclass Two {}\n\nreturn { Two, Other: Two };\n})();\n\
            const module1 = (() => {\n\nconst a = 1;\nfunction b() {}\nreturn { a, b };\n})();\n\
            const module0 = (() => {\nconst { a: a, b: c } = module1;\nconst two = module2;\nrun(a, c, two);\n\
            return {  };\n})();\nexport { module2, module1, module0 };\n";
        assert_eq!(joined.unwrap().first.text, expected);
    }

    #[test]
    fn loaded_views_may_import_the_module_that_loads_them() {
        let joined = join(&[
            (
                "app.js",
                "export const go = () => import(\"./view.js\");\n/** @type {() => import(\"./t.js\").T} */\n",
            ),
            ("view.js", "import { go } from \"./app.js\";\nexport {\n  go as again,\n};\n"),
        ]);
        let Bundle { first, second } = joined.unwrap();
        let load = "const go = () => import(\"./later.js\").then((script) => script.module1);";
        assert!(first.text.contains(load), "{}", first.text);
        assert!(second.text.starts_with("import { module0 } from \"./page.js\";\n"), "{}", second.text);
        assert!(second.text.contains("const { go: go } = module0;\n\n\n\nreturn { again: go };"));
        assert!(second.text.ends_with("export { module1 };\n"));
    }

    #[test]
    fn first_views_are_in_the_first_script() {
        let joined = join(&[
            ("app.js", "const a = () => import(\"./first.js\");\nconst b = () => import(\"./other.js\");\n"),
            ("first.js", "import { x } from \"./shared.js\";\nexport const one = x;\n"),
            ("other.js", "import { x } from \"./shared.js\";\nexport const two = x;\n"),
            ("shared.js", "export const x = 1;\n"),
        ]);
        let Bundle { first, second } = joined.unwrap();
        assert!(
            first.text.contains("const a = () => Promise.resolve().then(() => module1);"),
            "{}",
            first.text
        );
        assert!(first.text.contains("const x = 1;") && !second.text.contains("const x = 1;"));
        assert!(second.text.contains("const { x: x } = module2;\nconst two = x;"), "{}", second.text);
    }

    #[test]
    fn comments_and_indentation_are_left_out_and_lines_keep_their_numbers() {
        let text = "// one\n/** two */\n/**\n * three\n */\nconst a = 1; // four\n  /** five */ b();\nconst t = `\n // text\n`;\n";
        let expected = "\n\n\n\n\nconst a = 1; // four\n/** five */ b();\nconst t = `\n // text\n`;\n";
        assert_eq!(compact(text), expected);
    }

    #[test]
    fn unsupported_modules_are_refused() {
        let refused = |files: &[(&str, &str)]| join(files).unwrap_err().to_string();
        let missing = refused(&[("app.js", "import \"./x.js\";\n")]);
        assert_eq!(missing, "app.js imports x.js, which does not exist");
        let cycle = refused(&[("app.js", "import \"./x.js\";\n"), ("x.js", "import \"./app.js\";\n")]);
        assert_eq!(cycle, "these modules import one another: app.js, x.js");
        for line in [
            "export default 1;",
            "export let x = 1;",
            "import x from \"./app2.js\";",
            "export * from \"./app2.js\";",
        ] {
            let text = format!("\n{line}\n");
            let message = refused(&[("app.js", &text), ("app2.js", "")]);
            assert_eq!(message, format!("app.js:2: this form of import or export is not supported: {line}"));
        }
    }

    #[test]
    fn source_map_names_the_line_of_each_source() {
        let joined = join(&[("app.js", "import \"./x.js\";\nlast();\n"), ("x.js", "first();\n")]).unwrap();
        let map: serde_json::Value = serde_json::from_str(&joined.first.source_map).unwrap();
        assert_eq!(map["sources"], serde_json::json!(["x.js", "app.js"]));
        // Line 1 of the script is the wrapper, line 2 is line 1 of `x.js`; lines 6 and 7 are lines 1 and 2 of `app.js`.
        assert_eq!(map["mappings"], ";AAAA;;;;ACAA;AACA;;;");
        let mut text = String::new();
        for number in [0, 1, -1, 16, -17, 1000] {
            push_vlq(&mut text, number);
        }
        assert_eq!(text, "ACDgBjBw+B");
    }
}
