//! How far long work has come. The library keeps no clock and prints nothing: it tells whoever asked.

/// Told of every part of the work that is done, with how many parts it was. Any core may call it.
pub type Progress<'a> = &'a (dyn Fn(u64) + Sync);

/// For those who do not want to know.
pub const QUIET: Progress<'static> = &|_| {};
