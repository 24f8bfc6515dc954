//! Plays a fixed history onto a store, so that later releases can prove that they still read it.
//!
//! `history STORE` plays onto an empty store (a path, or `postgres://…`) and prints a summary of it as JSON.
//! `history --fixture FOLDER`, run by `cargo xtask fixture`, plays onto both kinds of store and writes `store.db`,
//! `store.sql` and `expected.json`.
//!
//! Times and secrets are fixed: every run on either store writes the same events, hashes and balances. The secret of a
//! round is the first of a fixed series whose deal has the required outcomes.

mod coverage;
mod dealer_banks;
mod documents;
mod environment;
mod fixture;
mod operators;
mod people;
mod play;
mod run;
mod seats_bank;
mod step;
mod summary;

use paigow_server::AnyStore;
use std::error::Error;
use std::process::ExitCode;

/// Error of the program.
type Failure = Box<dyn Error + Send + Sync>;

const USAGE: &str = "Usage: history STORE | history --fixture FOLDER";

#[tokio::main]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args[..] {
        ["--fixture", folder] => fixture::create(folder.as_ref()).await,
        [store] if !store.starts_with('-') => print(store).await,
        _ => Err(USAGE.into()),
    };
    match result {
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
