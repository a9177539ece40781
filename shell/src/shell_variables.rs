//! What a shell makes of a command's first word: the variables and aliases that the line itself sets, and
//! braces. A command can hide its name in them.

use std::collections::BTreeMap;

use crate::embedded_scripts::holds_command;

/// Maximum number of variables that are kept for a line.
const MAX_VARIABLES: usize = 64;

/// Maximum length of a variable's value, and of a word after expansion, in bytes.
const MAX_VALUE_BYTES: usize = 4096;

/// Maximum number of words that braces expand to.
const MAX_BRACE_WORDS: usize = 64;

/// Builtins that assign variables in their arguments.
const DECLARATIONS: [&str; 5] = ["export", "declare", "typeset", "local", "readonly"];

/// Maximum number of values that programs run.
const MAX_SCRIPTS: usize = 16;

/// The texts that a line assigns to variables.
#[derive(Debug, Default)]
pub struct ShellVariables {
    values: BTreeMap<String, String>,
    /// The values that programs run, all that a variable had.
    scripts: Vec<String>,
}

impl ShellVariables {
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        if self.scripts.len() < MAX_SCRIPTS && holds_command(name) {
            self.scripts.push(value.to_owned());
        }
        let has_room = self.values.len() < MAX_VARIABLES || self.values.contains_key(name);
        if value.len() <= MAX_VALUE_BYTES && has_room {
            self.values.insert(name.to_owned(), value.to_owned());
        }
    }

    /// Removes and returns the values that programs run.
    pub(crate) fn take_scripts(&mut self) -> Vec<String> {
        std::mem::take(&mut self.scripts)
    }

    /// Sets what `export NAME=VALUE …` and the like set. An alias is kept under a name that no variable has.
    pub(crate) fn set_declared(&mut self, words: &[String]) {
        let Some((first, rest)) = words.split_first() else { return };
        let is_alias = first == "alias";
        if !is_alias && !DECLARATIONS.contains(&first.as_str()) {
            return;
        }
        for (name, value) in rest.iter().filter_map(|word| assignment(word)) {
            match is_alias {
                true => self.set(&alias(name), value),
                false => self.set(name, value),
            }
        }
    }

    /// Sets the variable of `for NAME in WORD …` to its first value.
    pub(crate) fn set_loop_variable(&mut self, words: &[String]) {
        if let [keyword, name, is_in, value, ..] = words
            && matches!(keyword.as_str(), "for" | "select")
            && is_in == "in"
        {
            self.set(name, value);
        }
    }

    /// Returns the values.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.values.values().map(String::as_str)
    }

    /// Replaces `$NAME` and `${NAME}` of these variables.
    pub fn expand(&self, word: &str) -> String {
        let mut found = String::new();
        let mut rest = word;
        while let Some((before, after)) = rest.split_once('$') {
            found.push_str(before);
            let (name, behind) = name(after);
            match self.values.get(name).filter(|value| found.len() + value.len() <= MAX_VALUE_BYTES) {
                Some(value) => {
                    found.push_str(value);
                    rest = behind;
                }
                None => {
                    found.push('$');
                    rest = after;
                }
            }
        }
        found + rest
    }

    /// Returns the words of a command that begins with an alias or a variable of these; `None` for any other
    /// word.
    pub(crate) fn command(&self, first: &str) -> Option<Vec<String>> {
        if self.values.is_empty() {
            return None;
        }
        let expanded = self.values.get(&alias(first)).cloned().unwrap_or_else(|| self.expand(first));
        (expanded != first).then(|| expanded.split_whitespace().map(str::to_owned).collect())
    }
}

fn alias(name: &str) -> String {
    format!("alias {name}")
}

/// Splits the text after `$` into the name of a variable and the rest.
fn name(text: &str) -> (&str, &str) {
    if let Some((name, rest)) = text.strip_prefix('{').and_then(|text| text.split_once('}')) {
        return (name, rest);
    }
    text.split_at(text.find(|c: char| !is_name_char(c)).unwrap_or(text.len()))
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns the name and the value in `NAME=value`.
pub fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let is_name = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
    (is_name && name.chars().all(is_name_char)).then_some((name, value))
}

/// Returns the words that `a{b,c}d` stands for; `None` for a word without such braces.
pub fn expand_braces(word: &str) -> Option<Vec<String>> {
    let mut words = vec![word.to_owned()];
    let mut is_expanded = false;
    while let Some(at) = words.iter().position(|word| innermost_braces(word).is_some()) {
        let (open, close) = innermost_braces(&words[at])?;
        let word = words.remove(at);
        let parts: Vec<String> = word[open + 1..close]
            .split(',')
            .map(|part| format!("{}{part}{}", &word[..open], &word[close + 1..]))
            .collect();
        is_expanded = true;
        if words.len() + parts.len() > MAX_BRACE_WORDS || word.len() > MAX_VALUE_BYTES {
            return None;
        }
        words.splice(at..at, parts);
    }
    words.retain(|word| !word.is_empty());
    is_expanded.then_some(words).filter(|words| !words.is_empty())
}

/// Returns the positions of the first pair of braces that has a comma and no braces inside.
fn innermost_braces(word: &str) -> Option<(usize, usize)> {
    let mut open = None;
    for (at, c) in word.char_indices() {
        match (c, open) {
            ('{', _) if !word[..at].ends_with('$') => open = Some(at),
            ('}', Some(start)) if word[start..at].contains(',') => return Some((start, at)),
            ('}', _) => open = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_expand_to_words() {
        for (word, expected) in [
            ("{make,deploy}", Some(&["make", "deploy"][..])),
            ("ma{k,d}e", Some(&["make", "made"])),
            ("a{b,c}{d,e}", Some(&["abd", "abe", "acd", "ace"])),
            ("ma{ke,}", Some(&["make", "ma"])),
            ("{make}", None),
            ("${a,b}", None),
            ("make", None),
            ("{,}", None),
        ] {
            let expanded = expand_braces(word);

            let expanded =
                expanded.as_ref().map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(expanded.as_deref(), expected, "{word}");
        }
        assert_eq!(expand_braces(&"{a,b}".repeat(20)), None, "a million words");
    }

    #[test]
    fn variables_are_replaced_where_they_are_known() {
        let mut variables = ShellVariables::default();
        variables.set("a", "inter");
        variables.set("b", "${a}leaf x");

        assert_eq!(variables.expand("$a/${a}/$ab/${c}$"), "inter/inter/$ab/${c}$");
        assert_eq!(variables.command("$b"), Some(vec!["${a}leaf".to_owned(), "x".to_owned()]));
        assert_eq!(variables.command("b"), None, "not an alias");
        variables.set_declared(&["alias", "b=make it"].map(str::to_owned));
        assert_eq!(variables.command("b"), Some(vec!["make".to_owned(), "it".to_owned()]));
        assert_eq!(variables.command("$c"), None);
    }
}
