//! Version of the program and the commit it was built from.

/// Version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Commit the program was built from; `unknown` outside git.
pub const COMMIT: &str = env!("PAIGOW_COMMIT");

/// Version and commit, as tables, stores and `--version` show them.
pub const PROGRAM: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("PAIGOW_COMMIT"), ")");
