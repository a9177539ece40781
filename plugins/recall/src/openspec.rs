//! Finds the OpenSpec change that a prompt names.

/// Beginnings of the skill calls that take a change's name: `opsx:apply add-retries`,
/// `/openspec-archive-change x`.
const SKILL_PREFIXES: [&str; 2] = ["opsx:", "openspec-"];

/// Returns the change that follows a skill call in this prompt. The name of an OpenSpec change is in kebab
/// case and has a hyphen, so "use opsx:apply, please" names none.
pub fn change_in(prompt: &str) -> Option<&str> {
    let mut words = prompt.split_whitespace();
    while let Some(word) = words.next() {
        let call = word.trim_start_matches(['/', '`', '"', '(']);
        if SKILL_PREFIXES.iter().any(|prefix| call.starts_with(prefix)) {
            let next =
                words.clone().next().map(|name| name.trim_matches(['`', '"', '\'', '.', ',', ')', '?', '!']));
            if let Some(name) = next.filter(|name| is_change_name(name)) {
                return Some(name);
            }
        }
    }
    None
}

fn is_change_name(name: &str) -> bool {
    let is_kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    name.contains('-') && !name.starts_with('-') && !name.ends_with('-') && name.chars().all(is_kebab)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_after_a_skill_call_is_the_change() {
        for prompt in [
            "/opsx:explore add-webhook-retries poller",
            "please run opsx:apply `add-webhook-retries`.",
            "/openspec-archive-change add-webhook-retries",
        ] {
            assert_eq!(change_in(prompt), Some("add-webhook-retries"), "{prompt}");
        }
    }

    #[test]
    fn ordinary_words_after_a_skill_call_are_not_a_change() {
        for prompt in
            ["use opsx:apply, timeout per try 30 seconds", "opsx:apply", "add-webhook-retries is done", ""]
        {
            assert_eq!(change_in(prompt), None, "{prompt}");
        }
    }
}
