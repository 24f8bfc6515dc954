//! Runs the commands in the README and in the transcripts under `cmd/`, and compares their output.

use crate::program::CACHE;

#[test]
fn transcripts_match_the_output() {
    trycmd::TestCases::new().env("PAIGOW_CACHE", CACHE).case("../../README.md").case("tests/cmd/*.md");
}
