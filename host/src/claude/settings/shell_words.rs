//! The commands and words of a hook's shell line, read well enough to find the programs that it runs.

/// Splits a shell line into words, well enough to find programs in it.
pub(super) fn shell_words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || "\"'`;&|()<>=".contains(c)).filter(|word| !word.is_empty())
}

/// Splits a shell line into its commands, each with its words from the program on: without assignments of
/// variables and without `exec`.
pub(super) fn shell_commands(line: &str) -> impl Iterator<Item = Vec<&str>> {
    let is_prefix = |word: &&str| *word == "exec" || word.contains('=');
    line.split([';', '&', '|', '(', ')', '\n'])
        .map(move |command| quoted_words(command).into_iter().skip_while(is_prefix).collect())
}

/// Splits a command at white space outside quotation marks, which are left out.
fn quoted_words(command: &str) -> Vec<&str> {
    let mut quote = None;
    let words = command.split(|c: char| {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if c == open => quote = None,
            _ => {}
        }
        quote.is_none() && c.is_whitespace()
    });
    words.map(|word| word.trim_matches(['"', '\''])).filter(|word| !word.is_empty()).collect()
}

/// Returns the name of a program without its folder and without `.exe`.
pub(super) fn program_name(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".exe").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(line: &str) -> Vec<Vec<&str>> {
        shell_commands(line).filter(|command| !command.is_empty()).collect()
    }

    #[test]
    fn a_command_begins_with_its_program() {
        assert_eq!(commands("A=1 exec x hook; y & (z a)"), [vec!["x", "hook"], vec!["y"], vec!["z", "a"]]);
        assert_eq!(commands(r#""/opt/my tools/x" 'a b'"#), [["/opt/my tools/x", "a b"]]);
        assert_eq!(commands("echo x hook"), [["echo", "x", "hook"]]);
    }

    #[test]
    fn a_program_has_no_folder_and_no_suffix() {
        assert_eq!([r"C:\bin\x.exe", "/usr/bin/x", "x"].map(program_name), ["x"; 3]);
    }
}
