//! Runs the commands in the README and in the transcripts under `cmd/`, and compares their output.

#[test]
fn transcripts_match_the_output() {
    trycmd::TestCases::new()
        .env("PAIGOW_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .case("../../README.md")
        .case("tests/cmd/*.md");
}
