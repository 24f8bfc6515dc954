//! `paigow serve`: tables, the API and the page.

use crate::Failure;
use crate::store::refused;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use paigow_server::settings::{KEYS, SettingSources, Settings};
use paigow_server::{ServeError, Started, logs, serve};
use std::io::{self, Write};
use std::path::PathBuf;

/// A flag for every setting there is.
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
            .help("A file with settings; flags and variables count for more");
        KEYS.iter().fold(command.arg(config), |command, key| {
            let default =
                if key.default.is_empty() { String::new() } else { format!(" [default: {}]", key.default) };
            let help = format!("{} [env: {}]{default}", key.about(), key.variable());
            command.arg(Arg::new(key.name).long(key.flag()).value_name("VALUE").help(help))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        ServeArgs::augment_args(command)
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

/// Serves until it is told to stop.
pub(crate) fn run(args: ServeArgs) -> Result<(), Failure> {
    let given = SettingSources::to_process(args.flags, args.config).map_err(refused)?;
    let settings = Settings::read(&given).map_err(|problems| {
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Failure::Refused(said.join("\npaigow: "))
    })?;
    logs::begin(&settings);
    for stray in given.stray_variables() {
        tracing::warn!(variable = stray, "looks like a setting and is none");
    }
    let origin = settings.public_origin.clone();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(refused)?;
    let served = runtime.block_on(serve(settings, stopped(), |started| {
        let place =
            origin.map_or_else(|| format!("http://{}", started.address), |origin| origin.as_str().to_owned());
        // Where nobody reads what is said, there is still the server.
        let _ = greet(&place, started);
    }));
    // What counts for long and was not finished by now is not waited for.
    runtime.shutdown_background();
    served.map_err(|error| match error {
        ServeError::Books(problems) => Failure::Problems(problems),
        other => refused(other),
    })
}

fn greet(place: &str, started: &Started) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "Tables for practice money, {} of them: {place}", started.tables)?;
    if let Some(secret) = &started.operator_secret {
        writeln!(out, "\nThe operators' secret, shown this once and kept nowhere: {secret}\n")?;
    }
    out.flush()
}

/// Somebody asks the process to end.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // Without the signal's handler the process ends as any other does.
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
