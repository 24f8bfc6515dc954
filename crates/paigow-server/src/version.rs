//! Version of the program and the commit it was built from.

/// Version of the program, from the crate's manifest.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Commit the program was built from, or `unknown` outside git.
pub const COMMIT: &str = env!("PAIGOW_COMMIT");

/// Time of that commit in seconds since 1970, or empty outside git.
pub const COMMIT_SECONDS: &str = env!("PAIGOW_COMMIT_SECONDS");

/// Version and commit, as stored with tables and in the table `programs`, and printed by `--version`.
pub const PROGRAM: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("PAIGOW_COMMIT"), ")");
