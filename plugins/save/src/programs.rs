//! The programs that a text speaks of. They become tags of its memory, so that it is found at their commands.

use topics::{is_known_program, is_program_name};

/// Maximum number of programs of one text.
const MAX_PROGRAMS: usize = 4;

/// Returns the programs that a text names, in order: words that can only be a program, and the first word of
/// code: `make` is one in "run `make deploy`", but not in "make it faster".
pub fn programs(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (at, part) in text.split('`').enumerate() {
        let is_code = at % 2 == 1;
        for (index, word) in part.split(|c: char| c.is_whitespace() || c == ',').enumerate() {
            let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            let is_program = is_program_name(word) || is_code && index == 0 && is_known_program(word);
            if is_program && !found.iter().any(|known| known == word) {
                found.push(word.to_owned());
            }
        }
    }
    found.truncate(MAX_PROGRAMS);
    found
}

#[cfg(test)]
mod tests {
    use super::programs;

    #[test]
    fn programs_are_named_by_themselves_or_at_the_beginning_of_code() {
        for (text, expected) in [
            ("Never use npm here, use pnpm.", vec!["npm", "pnpm"]),
            ("Run the API tests with `just t api`; bare `pytest` wipes the dev db.", vec!["just", "pytest"]),
            ("make it go faster, just like the node before", vec![]),
            ("write `make it so` in the docs", vec!["make"]),
            ("deps go through uv, uv only", vec!["uv"]),
        ] {
            assert_eq!(programs(text), expected, "{text}");
        }
    }
}
