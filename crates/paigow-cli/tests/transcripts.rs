//! The README and the transcripts under `cmd/` are run, and must print what they show.

#[test]
fn what_is_shown_is_what_is_printed() {
    trycmd::TestCases::new()
        .env("PAIGOW_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .case("../../README.md")
        .case("tests/cmd/*.md");
}
