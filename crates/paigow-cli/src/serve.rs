//! `paigow serve`: runs the server with its tables, the API and the page.

use crate::Failure;
use crate::store::refused;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use paigow_server::settings::{KEYS, SettingKey, SettingProblem, SettingSources, SettingType, Settings};
use paigow_server::{ServeError, ServerInfo, logs, serve_until_signal};
use std::io::{self, Write};
use std::path::PathBuf;

/// Arguments of `paigow serve`: one flag per setting, and `--config`.
pub(crate) struct ServeArgs {
    flags: Vec<(String, String)>,
    config: Option<PathBuf>,
}

impl Args for ServeArgs {
    fn augment_args(command: Command) -> Command {
        let config = Arg::new("config")
            .long("config")
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("File with settings; flags and environment variables override it");
        KEYS.iter().fold(command.arg(config), |command, key| {
            let default =
                if key.default.is_empty() { String::new() } else { format!(" [default: {}]", key.default) };
            let help = format!("{} [env: {}]{default}", key.about(), key.variable());
            command
                .arg(Arg::new(key.name).long(key.flag()).value_name("VALUE").value_hint(hint(key)).help(help))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        ServeArgs::augment_args(command)
    }
}

/// Returns the kind of value that a shell completes for a setting.
fn hint(key: &SettingKey) -> ValueHint {
    match key.kind {
        SettingType::File => ValueHint::FilePath,
        SettingType::Folder => ValueHint::DirPath,
        _ => ValueHint::Unknown,
    }
}

impl FromArgMatches for ServeArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ServeArgs, clap::Error> {
        let flag = |name: &'static str| Some((name.to_owned(), matches.get_one::<String>(name)?.clone()));
        let flags = KEYS.iter().filter_map(|key| flag(key.name)).collect();
        Ok(ServeArgs { flags, config: matches.get_one::<PathBuf>("config").cloned() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = ServeArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl ServeArgs {
    /// Collects the sources of the settings.
    pub(crate) fn sources(self) -> Result<SettingSources, SettingProblem> {
        SettingSources::from_process(self.flags, self.config)
    }
}

/// Runs the server until a signal or an operator stops it.
pub(crate) fn run(args: ServeArgs) -> Result<(), Failure> {
    let sources = args.sources().map_err(refused)?;
    let settings = Settings::read(&sources).map_err(|problems| {
        let messages: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Failure::Refused(messages.join("\npaigow: "))
    })?;
    logs::begin(&settings);
    for stray in sources.unknown_variables() {
        tracing::warn!(variable = stray, "unknown environment variable with the prefix PAIGOW_");
    }
    let shown = settings.clone();
    let print_info = move |started: &ServerInfo| {
        let listener = shown.listener_origin(started.address);
        let public = shown.public_origin.clone().unwrap_or_else(|| listener.clone());
        // The certificate is for the public name. Behind a proxy, operators connect to the process itself.
        let direct = if shown.tls_cert.is_some() { &public } else { &listener };
        // The server runs even if standard output is closed.
        let _ = print_started(public.as_str(), direct.as_str(), started);
    };
    serve_until_signal(settings, Box::new(print_info)).map_err(|error| match error {
        ServeError::Books(problems) => Failure::Problems(problems),
        other => refused(other),
    })
}

/// Prints the URL and, until there is an admin, how to enrol one at the URL `direct`. The secret itself is never printed.
fn print_started(url: &str, direct: &str, started: &ServerInfo) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "Serving {} tables at {url}", started.tables)?;
    if let Some(file) = &started.operator_secret_file {
        writeln!(
            out,
            "\nNo admin has enrolled yet. The operator secret is in {}; to enrol the first admin, run\n  \
             paigow operator --server {direct} enrol --name NAME",
            file.display(),
        )?;
    }
    out.flush()
}
