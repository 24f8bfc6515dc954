//! Purity: the rules, math and table crates use no clock, randomness, file or floating point.
//!
//! Code that takes all its input as arguments can be replayed, enumerated and proved. Hash tables are banned because
//! their iteration order differs between runs. Test modules are exempt.

use super::fault::Fault;
use super::tree::Tree;
use super::{rust_text, words};

const PURE: &[&str] = &["crates/paigow/src/", "crates/paigow-math/src/", "crates/paigow-table/src/"];

/// Modules of `std` that access the operating system.
const SYSTEM_MODULES: &[&str] = &["fs", "net", "env", "process", "thread"];

const BANNED: &[&str] = &["SystemTime", "Instant", "HashMap", "HashSet", "rand::", "getrandom", "f32", "f64"];

pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in tree.with_extension(&["rs"]) {
        if PURE.iter().any(|folder| path.starts_with(folder)) {
            let code = rust_text::code_only(&rust_text::without_tests(text));
            let mut report = |at, word: &str| {
                let message = format!("`{word}` in a pure crate: pass the value in, or move the code");
                faults.push(Fault::new(path, words::line_of(&code, at), message));
            };
            for word in BANNED {
                words::positions(&code, word).for_each(|at| report(at, word));
            }
            for part in SYSTEM_MODULES {
                let full = format!("std::{part}");
                words::positions(&code, &full).for_each(|at| report(at, &full));
                for group in words::positions(&code, "std::{").map(|at| at + "std::".len()) {
                    let inside = &code[group..group + rust_text::block_len(&code[group..])];
                    words::positions(inside, part).for_each(|at| report(group + at, &full));
                }
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fault::assert_faults;

    fn check_lib(folder: &str, text: &str) -> Vec<Fault> {
        check(&Tree::of(&[(&format!("crates/{folder}/src/lib.rs"), text)]))
    }

    #[test]
    fn every_banned_word_is_found_in_every_pure_crate() {
        let modules = SYSTEM_MODULES.iter().map(|part| format!("std::{part}"));
        for word in BANNED.iter().map(ToString::to_string).chain(modules) {
            for folder in ["paigow", "paigow-math", "paigow-table"] {
                let at = format!("crates/{folder}/src/lib.rs:2: `{word}`");
                assert_faults(check_lib(folder, &format!("\nx!({word});")), &[&at]);
            }
        }
    }

    #[test]
    fn banned_modules_are_found_in_grouped_imports() {
        let found = check_lib("paigow", "use std::{\n    fmt,\n    env::{self},\n};\nfn env() {}");
        assert_faults(found, &["crates/paigow/src/lib.rs:3: `std::env`"]);
    }

    #[test]
    fn comments_tests_and_other_crates_are_exempt() {
        assert_faults(
            check_lib("paigow", "// no f64\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\nlet af64;"),
            &[],
        );
        assert_faults(check_lib("paigow-server", "use std::fs;"), &[]);
    }
}
