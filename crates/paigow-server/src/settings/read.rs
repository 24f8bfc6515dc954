//! What was given, from where, and what is wrong with it.

use super::value::ReadSetting;
use super::{KEYS, SettingKey, SettingType, Settings};
use paigow::document::{Document, DocumentEntry, Source, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// All that was given.
#[derive(Clone, Debug, Default)]
pub struct SettingSources {
    /// Flags by the key of their setting, without those that were not given.
    pub flags: Vec<(String, String)>,
    /// The environment, whatever else is in it.
    pub environment: Vec<(String, String)>,
    /// The file, with the name it has for people.
    pub file: Option<Source>,
}

/// Where a value was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettingOrigin {
    /// By a flag.
    Flag(String),
    /// In the environment.
    Variable(String),
    /// In the file.
    File {
        /// Its name.
        name: String,
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
    },
    /// Nowhere: it is what the program does by itself.
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

/// Something wrong with what was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingProblem {
    /// Where it was given.
    pub place: SettingOrigin,
    /// What is wrong.
    pub says: String,
}

impl fmt::Display for SettingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.says)
    }
}

/// The variable that names the file, for which there is no key in it.
const CONFIG: &str = "PAIGOW_CONFIG";
/// The variables of the program that set up something else.
const OTHERS: [&str; 3] = [CONFIG, "PAIGOW_CACHE", "PAIGOW_OPERATOR_SECRET"];

impl SettingSources {
    /// What the process was given: its flags, its environment, and the file that a flag or `PAIGOW_CONFIG` names.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn to_process(
        flags: Vec<(String, String)>,
        config: Option<PathBuf>,
    ) -> Result<SettingSources, SettingProblem> {
        // What is not Unicode is no setting's name, and where it is a setting's value the check says what is wrong with it.
        let lossy = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
        };
        let by_flag = config.map(|path| (path, SettingOrigin::Flag("config".to_owned())));
        let named = by_flag
            .or_else(|| Some((std::env::var_os(CONFIG)?.into(), SettingOrigin::Variable(CONFIG.to_owned()))));
        let read = |(path, place): (PathBuf, SettingOrigin)| {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(&path);
            let text = text.map_err(|why| SettingProblem { place, says: format!("{name}: {why}") })?;
            Ok(Source::new(name, text))
        };
        let file = named.map(read).transpose()?;
        Ok(SettingSources { flags, environment: std::env::vars_os().map(lossy).collect(), file })
    }

    /// Variables that look like settings and are none. They may be another's business, so they are only worth a warning.
    pub fn stray_variables(&self) -> Vec<&str> {
        let stray = |name: &&str| {
            name.starts_with("PAIGOW_")
                && !OTHERS.contains(name)
                && KEYS.iter().all(|key| key.variable() != **name)
        };
        self.environment.iter().map(|(name, _)| name.as_str()).filter(stray).collect()
    }
}

impl Settings {
    /// The settings that were given.
    ///
    /// # Errors
    /// Every problem with them, those of values that others take the place of included.
    pub fn read(given: &SettingSources) -> Result<Settings, Vec<SettingProblem>> {
        let mut layers = Layers::default();
        layers.take_flags(&given.flags);
        layers.take_environment(&given.environment);
        if let Some(source) = &given.file {
            layers.take_file(source);
        }
        let settings = Settings::of(&mut layers);
        settings.filter(|_| layers.problems.is_empty()).ok_or(layers.problems)
    }
}

/// What was given for each key, what counts most first.
#[derive(Default)]
pub(super) struct Layers {
    values: BTreeMap<&'static str, Vec<(SettingOrigin, String)>>,
    problems: Vec<SettingProblem>,
}

impl Layers {
    fn add(&mut self, key: &SettingKey, place: SettingOrigin, text: &str) {
        self.values.entry(key.name).or_default().push((place, text.to_owned()));
    }

    fn problem(&mut self, place: SettingOrigin, says: String) {
        self.problems.push(SettingProblem { place, says });
    }

    fn take_flags(&mut self, flags: &[(String, String)]) {
        for (name, text) in flags {
            match KEYS.iter().find(|key| key.name == name) {
                Some(key) => self.add(key, SettingOrigin::Flag(key.flag()), text),
                None => self.problem(SettingOrigin::Flag(name.clone()), "is no setting".to_owned()),
            }
        }
    }

    fn take_environment(&mut self, environment: &[(String, String)]) {
        for key in KEYS {
            let variable = key.variable();
            if let Some((_, text)) = environment.iter().find(|(name, _)| *name == variable) {
                self.add(key, SettingOrigin::Variable(variable), text);
            }
        }
    }

    fn take_file(&mut self, source: &Source) {
        match Document::parse(source) {
            Ok(document) => document.root.entries.iter().for_each(|entry| self.take_entry(entry)),
            Err(problems) => {
                for problem in problems {
                    self.problem(in_file(&problem.span), problem.message);
                }
            }
        }
    }

    fn take_entry(&mut self, entry: &DocumentEntry) {
        let Some(key) = KEYS.iter().find(|key| key.name == entry.key) else {
            let says = format!("`{}` is no setting; there are {}", shown(&entry.key), names());
            return self.problem(in_file(&entry.key_span), says);
        };
        let place = in_file(&entry.node.span);
        match (key.kind, &entry.node.value) {
            (SettingType::Number(..), Value::Integer(number)) => self.add(key, place, &number.to_string()),
            (SettingType::Switch, Value::Bool(truth)) => self.add(key, place, &truth.to_string()),
            (
                SettingType::Address
                | SettingType::OptionalAddress
                | SettingType::Text
                | SettingType::File
                | SettingType::Folder
                | SettingType::WebOrigin
                | SettingType::Word(_),
                Value::Text(text),
            ) => {
                self.add(key, place, text);
            }
            (kind, value) => {
                let says = format!("`{}` is {}, and must be {kind}", key.name, value.kind());
                self.problem(place, says);
            }
        }
    }

    /// The value of a key: the first that was given, or the default. All that were given are checked.
    pub(super) fn value<T: ReadSetting>(&mut self, key: &SettingKey) -> Option<T> {
        let mut given = self.values.remove(key.name).unwrap_or_default();
        given.push((SettingOrigin::Default, key.default.to_owned()));
        let mut first = None;
        for (place, text) in given {
            let value = T::read(&text, &key.kind);
            if value.is_none() {
                let says = format!("`{}` is `{}`, and must be {}", key.name, shown(&text), key.kind);
                self.problem(place, says);
            }
            first = first.or(value);
        }
        first
    }
}

fn in_file(span: &paigow::document::Span) -> SettingOrigin {
    let (line, column) = span.line_and_column();
    SettingOrigin::File { name: span.source.name.to_string(), line, column }
}

fn names() -> String {
    KEYS.iter().map(|key| key.name).collect::<Vec<_>>().join(", ")
}

/// As much of a text as a message repeats.
fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}
