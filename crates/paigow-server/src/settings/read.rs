//! Reads settings from flags, environment and file, and reports every problem with its origin.

use super::value::ReadSetting;
use super::{KEYS, SettingKey, SettingType, Settings};
use paigow::document::{Document, DocumentEntry, Source, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// Sources that settings are read from.
#[derive(Clone, Debug, Default)]
pub struct SettingSources {
    /// Flags that were given, as pairs of setting key and value.
    pub flags: Vec<(String, String)>,
    /// Environment variables, including those that are not settings.
    pub environment: Vec<(String, String)>,
    /// Settings file, if there is one.
    pub file: Option<Source>,
}

/// Origin of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettingOrigin {
    /// A command-line flag.
    Flag(String),
    /// An environment variable.
    Variable(String),
    /// The settings file.
    File {
        /// Name of the file.
        name: String,
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
    },
    /// The default of the setting.
    Default,
}

impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingOrigin::Flag(name) => write!(f, "--{name}"),
            SettingOrigin::Variable(name) => f.write_str(name),
            SettingOrigin::File { name, line, column } => write!(f, "{name}:{line}:{column}"),
            SettingOrigin::Default => f.write_str("by default"),
        }
    }
}

/// A value or key that is not valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingProblem {
    /// Origin of the value.
    pub origin: SettingOrigin,
    /// Description of the problem.
    pub message: String,
}

impl fmt::Display for SettingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin, self.message)
    }
}

/// Environment variable with the path of the settings file. It has no key in the file.
const CONFIG: &str = "PAIGOW_CONFIG";
/// Environment variables of the program that are not settings of the server.
const OTHER_VARIABLES: [&str; 3] = [CONFIG, "PAIGOW_CACHE", "PAIGOW_OPERATOR_SESSION"];

impl SettingSources {
    /// Collects the sources of this process: the flags, its environment, and the file named by `config` or
    /// `PAIGOW_CONFIG`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn from_process(
        flags: Vec<(String, String)>,
        config: Option<PathBuf>,
    ) -> Result<SettingSources, SettingProblem> {
        // No setting has a name outside Unicode. A value outside Unicode is read with replacement characters.
        let lossy = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
        };
        let by_flag = config.map(|path| (path, SettingOrigin::Flag("config".to_owned())));
        let config = by_flag
            .or_else(|| Some((std::env::var_os(CONFIG)?.into(), SettingOrigin::Variable(CONFIG.to_owned()))));
        let read = |(path, origin): (PathBuf, SettingOrigin)| {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(&path);
            let text = text.map_err(|why| SettingProblem { origin, message: format!("{name}: {why}") })?;
            Ok(Source::new(name, text))
        };
        let file = config.map(read).transpose()?;
        Ok(SettingSources { flags, environment: std::env::vars_os().map(lossy).collect(), file })
    }

    /// Environment variables with the prefix `PAIGOW_` that are not settings.
    ///
    /// They deserve a warning and no error, because another program may use them.
    pub fn unknown_variables(&self) -> Vec<&str> {
        let is_stray = |name: &&str| {
            name.starts_with("PAIGOW_")
                && !OTHER_VARIABLES.contains(name)
                && KEYS.iter().all(|key| key.variable() != **name)
        };
        self.environment.iter().map(|(name, _)| name.as_str()).filter(is_stray).collect()
    }
}

impl Settings {
    /// Reads all settings from their sources.
    ///
    /// # Errors
    /// All problems, including those of overridden values.
    pub fn read(sources: &SettingSources) -> Result<Settings, Vec<SettingProblem>> {
        let mut layers = Layers::default();
        layers.add_flags(&sources.flags);
        layers.add_environment(&sources.environment);
        if let Some(source) = &sources.file {
            layers.add_file(source);
        }
        let settings = Settings::from_layers(&mut layers);
        if let Some(settings) = &settings {
            layers.check_tls(settings);
        }
        settings.filter(|_| layers.problems.is_empty()).ok_or(layers.problems)
    }
}

/// Given values of each key, the highest precedence first.
#[derive(Default)]
pub(super) struct Layers {
    values: BTreeMap<&'static str, Vec<(SettingOrigin, String)>>,
    /// Origin of the value in force, by key.
    origins: BTreeMap<&'static str, SettingOrigin>,
    problems: Vec<SettingProblem>,
}

impl Layers {
    fn add(&mut self, key: &SettingKey, origin: SettingOrigin, text: &str) {
        self.values.entry(key.name).or_default().push((origin, text.to_owned()));
    }

    fn problem(&mut self, origin: SettingOrigin, message: String) {
        self.problems.push(SettingProblem { origin, message });
    }

    fn add_flags(&mut self, flags: &[(String, String)]) {
        for (name, text) in flags {
            match KEYS.iter().find(|key| key.name == name) {
                Some(key) => self.add(key, SettingOrigin::Flag(key.flag()), text),
                None => self.problem(SettingOrigin::Flag(name.clone()), "unknown setting".to_owned()),
            }
        }
    }

    fn add_environment(&mut self, environment: &[(String, String)]) {
        for key in KEYS {
            let variable = key.variable();
            if let Some((_, text)) = environment.iter().find(|(name, _)| *name == variable) {
                self.add(key, SettingOrigin::Variable(variable), text);
            }
        }
    }

    fn add_file(&mut self, source: &Source) {
        match Document::parse(source) {
            Ok(document) => document.root.entries.iter().for_each(|entry| self.add_entry(entry)),
            Err(problems) => {
                for problem in problems {
                    self.problem(in_file(&problem.span), problem.message);
                }
            }
        }
    }

    fn add_entry(&mut self, entry: &DocumentEntry) {
        let Some(key) = KEYS.iter().find(|key| key.name == entry.key) else {
            let message =
                format!("unknown setting `{}`; the settings are {}", truncated(&entry.key), names());
            return self.problem(in_file(&entry.key_span), message);
        };
        let origin = in_file(&entry.node.span);
        match (key.kind, &entry.node.value) {
            (SettingType::Number(..), Value::Integer(number)) => self.add(key, origin, &number.to_string()),
            (SettingType::Switch, Value::Bool(truth)) => self.add(key, origin, &truth.to_string()),
            (
                SettingType::Address
                | SettingType::OptionalAddress
                | SettingType::Text
                | SettingType::File
                | SettingType::Folder
                | SettingType::WebOrigin
                | SettingType::Secret
                | SettingType::Word(_),
                Value::Text(text),
            ) => {
                self.add(key, origin, text);
            }
            (kind, value) => {
                let message = format!("`{}` is {}, but must be {kind}", key.name, value.kind());
                self.problem(origin, message);
            }
        }
    }

    /// Returns the first valid value of a key, with the default last. Checks every given value.
    pub(super) fn value<T: ReadSetting>(&mut self, key: &SettingKey) -> Option<T> {
        let mut given = self.values.remove(key.name).unwrap_or_default();
        given.push((SettingOrigin::Default, key.default.to_owned()));
        let mut first = None;
        for (origin, text) in given {
            let value = T::read(&text, &key.kind);
            if value.is_none() {
                let found = match key.kind {
                    SettingType::Secret => "invalid".to_owned(),
                    _ => format!("`{}`", truncated(&text)),
                };
                let message = format!("`{}` is {found}, but must be {}", key.name, key.kind);
                self.problem(origin, message);
            } else if first.is_none() {
                self.origins.insert(key.name, origin);
            }
            first = first.or(value);
        }
        first
    }

    /// Adds the problems of the TLS settings with each other.
    fn check_tls(&mut self, settings: &Settings) {
        let lone = match (&settings.tls_cert, &settings.tls_key) {
            (Some(_), None) => Some(("tls_cert", "tls_key")),
            (None, Some(_)) => Some(("tls_key", "tls_cert")),
            _ => None,
        };
        if let Some((given, missing)) = lone {
            let message = format!("`{given}` is set, but `{missing}` is not: set both or neither");
            self.problem(self.origin(given), message);
        }
        let public = settings.public_origin.as_ref().filter(|public| !public.is_https());
        if let (Some(_), Some(public)) = (&settings.tls_cert, public) {
            let message = format!(
                "`public_origin` is `{}`, but must begin with https:// because `tls_cert` is set",
                public.as_str()
            );
            self.problem(self.origin("public_origin"), message);
        }
    }

    fn origin(&self, key: &str) -> SettingOrigin {
        self.origins.get(key).cloned().unwrap_or(SettingOrigin::Default)
    }
}

fn in_file(span: &paigow::document::Span) -> SettingOrigin {
    let (line, column) = span.line_and_column();
    SettingOrigin::File { name: span.source.name.to_string(), line, column }
}

fn names() -> String {
    KEYS.iter().map(|key| key.name).collect::<Vec<_>>().join(", ")
}

/// Truncates a text to the length that a message quotes.
fn truncated(text: &str) -> String {
    text.chars().take(80).collect()
}
