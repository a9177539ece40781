//! Which settings a running Claude Code was told to read: `--setting-sources user,project`, which programs that start
//! it often pass. Nothing tells its hooks, so its command line is looked at, where the system shows it.

use crate::dirs::read_file;

/// A command line with a long prompt in it is no larger, in bytes.
const LARGEST: u64 = 4 << 20;

/// The sources that the process `client` was told to read, by their names; `None` where it was told nothing or where
/// that cannot be seen.
pub(super) fn told(client: &str) -> Option<Vec<String>> {
    let process: u32 = client.parse().ok()?;
    // What `/proc` holds has no length before it is read, so the limit is for the reading alone.
    let line = read_file(format!("/proc/{process}/cmdline").as_ref(), LARGEST).ok()??;
    named(&line)
}

/// The sources named in a command line, whose arguments end with NUL.
fn named(line: &[u8]) -> Option<Vec<String>> {
    const OPTION: &str = "--setting-sources";

    let mut arguments = line.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let list = arguments.find_map(|argument| match argument.strip_prefix(OPTION)? {
        "" => Some(None),
        rest => Some(Some(rest.strip_prefix('=')?.to_owned())),
    })?;
    let list = list.or_else(|| arguments.next().map(|list| list.into_owned()))?;
    Some(list.split(',').map(|source| source.trim().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(line: &str) -> Option<Vec<String>> {
        named(line.replace(' ', "\0").as_bytes())
    }

    #[test]
    fn the_sources_are_those_of_the_option_in_either_spelling() {
        assert_eq!(
            sources("claude -p --setting-sources user,local hi "),
            Some(vec!["user".into(), "local".into()])
        );
        assert_eq!(sources("claude --setting-sources=project -p hi "), Some(vec!["project".into()]));
        assert_eq!(sources("claude --setting-sources  -p hi "), Some(vec![String::new()]));
    }

    #[test]
    fn without_the_option_nothing_is_told() {
        assert_eq!(sources("claude -p hi "), None);
        assert_eq!(sources("claude --setting-sources-of-mine x "), None);
        assert_eq!(sources(""), None);
        assert_eq!((told("no number"), told("0")), (None, None));
    }
}
