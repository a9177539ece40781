//! Whether what was mended was the agent's own slip: a name that it had changed and forgot elsewhere, a typo. It is
//! mended, and nobody will meet it again.

use std::collections::BTreeSet;

use interleaf_shell::Command;

use super::pair::Pair;
use crate::rules::context::Context;
use crate::rules::deeds::Deed;
use crate::rules::languages;
use crate::word_lists::{SYNTAX, has_any};
use interleaf_classifier::words::words;

/// Whether somebody says so.
pub fn is_told(text: &str) -> bool {
    languages::has(text, &words(text), |language| &language.slip)
}

/// Whether an error only says that something was written wrongly.
pub fn is_syntax(error: &str) -> bool {
    has_any(&error.to_lowercase(), &SYNTAX)
}

/// Files that this command rewrites in place, as an editor would.
pub fn rewritten(command: &Command) -> Option<Vec<&str>> {
    let in_place = match command.program.as_str() {
        "sed" | "gsed" => command.has_option(&["-i", "--in-place"]),
        "perl" => command.has_option(&["-i"]),
        "sd" | "patch" | "dos2unix" => true,
        _ => false,
    };
    let operands: Vec<&str> = command.operands().collect();
    let file = |word: &&str| !word.contains(|c: char| c.is_whitespace() || "'\"$;|".contains(c));
    let scripts = usize::from(command.program != "patch" && !command.has_option(&["-e"]));
    in_place.then(|| operands.into_iter().skip(scripts).filter(file).collect())
}

/// Files that the stretch wrote before this pair failed for the first time.
pub fn written_before<'a>(context: &'a Context, pair: &Pair) -> BTreeSet<&'a str> {
    context.deeds_before(pair.begin()).iter().filter_map(Deed::written).collect()
}
