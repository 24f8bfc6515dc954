//! Version of the program and the commit it was built from.

/// Version of the program, from the crate's manifest.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Commit the program was built from, or `unknown` outside git.
pub const COMMIT: &str = env!("PAIGOW_COMMIT");

/// Version and commit, as stored with tables and in the table `programs`, and printed by `--version`.
pub const PROGRAM: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("PAIGOW_COMMIT"), ")");
