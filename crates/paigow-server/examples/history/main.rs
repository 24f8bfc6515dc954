//! Plays a fixed history onto a store, so that later releases can prove that they still read it.
//!
//! `history STORE` plays onto an empty store (a path, or `postgres://…`) and prints a summary of it as JSON. `history --fixture FOLDER`
//! plays onto both kinds of store and writes `store.db`, `store.sql` and `expected.json`; `cargo xtask fixture` calls it.
//!
//! Times and secrets are fixed: every run on either store writes the same events, hashes and balances. A secret is the first of a
//! fixed series whose deal has the outcomes that the round is there for.

mod banked;
mod dealt;
mod fixture;
mod house;
mod people;
mod play;
mod run;
mod step;
mod summary;
mod wanted;
mod world;

use paigow_server::AnyStore;
use std::error::Error;
use std::process::ExitCode;

/// Why the history was not played.
type Failure = Box<dyn Error + Send + Sync>;

const USAGE: &str = "Usage: history STORE | history --fixture FOLDER";

#[tokio::main]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let made = match args[..] {
        ["--fixture", folder] => fixture::make(folder.as_ref()).await,
        [store] if !store.starts_with('-') => print(store).await,
        _ => Err(USAGE.into()),
    };
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("history: {failure}");
            ExitCode::FAILURE
        }
    }
}

async fn print(address: &str) -> Result<(), Failure> {
    let store = AnyStore::open(address).await?;
    println!("{:#}", run::play_history(store).await?);
    Ok(())
}
