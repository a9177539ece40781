//! Tells the embedded guard where Interleaf's own files are, and which words of a tool call lead to one of
//! them through a symbolic link. The guard itself sees no files, and decides before which calls a person is
//! asked.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::claude::Event;
use crate::dirs::{account_default_folders, real_path, recorded_folders};
use crate::project_context::ProjectContext;
use crate::roster::FileLayers;

/// The setting in which the guard finds this.
pub(super) const SETTING: &str = "own_files";

/// Maximum number of different words of a call that are looked up. For a longer call the guard is told that
/// there are more.
const MAX_WORDS: usize = 4096;

/// Maximum length of a word that is looked up, in bytes.
const MAX_WORD_BYTES: usize = 1024;

/// Fields of the client's own tools that hold the text of a file. No word in them is a path of the call.
const TEXT_FIELDS: [&str; 4] = ["content", "new_string", "old_string", "new_source"];

/// Variables that may stand in a path.
const VARIABLES: [&str; 7] = [
    "HOME",
    "INTERLEAF_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_CONFIG_DIR",
];

/// Returns the value of the setting for a tool call.
pub(super) fn describe(context: &ProjectContext, layers: &FileLayers, event: &Event) -> Value {
    let cwd = Path::new(&event.common.cwd);
    let is_cwd_real = cwd.canonicalize().is_ok_and(|real| real == cwd);
    let paths = own_paths(context, layers);
    let variables = variables(cwd);
    let (words, has_more) = words(event.tool_call().unwrap_or_default());
    let real_paths: Vec<PathBuf> = paths.iter().map(|path| real_path(path)).collect();
    let (mut linked, mut around) = (Vec::new(), Vec::new());
    for word in words {
        let expanded = expand(&word, &variables);
        let path = cwd.join(&*expanded);
        if is_cwd_real && is_no_path(&expanded, cwd) {
            continue;
        }
        let Some(real) = real_path_with_link(&path) else { continue };
        if real_paths.iter().any(|own| real.starts_with(own)) {
            linked.push(word);
        } else if real_paths.iter().any(|own| own.starts_with(&real)) {
            around.push(word);
        }
    }
    let all: BTreeSet<&PathBuf> = paths.iter().chain(&real_paths).collect();
    let variables: Vec<String> = variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
    json!({
        "paths": all, "linked": linked, "around": around, "variables": variables, "has_more": has_more,
    })
}

/// Returns the folders and files with which a person decides what Interleaf does.
fn own_paths(context: &ProjectContext, layers: &FileLayers) -> Vec<PathBuf> {
    let folders = &context.folders;
    let mut paths = vec![folders.config.clone(), folders.data.clone(), folders.state.clone()];
    paths.extend(account_default_folders());
    paths.extend(recorded_folders());
    paths.push(context.project.config_file());
    paths.push(context.project.config_file().with_file_name("layers"));
    paths.extend(layers.candidates.iter().map(|(candidate, _)| candidate.file.clone()));
    paths
}

fn variables(cwd: &Path) -> Vec<(&'static str, String)> {
    let set = VARIABLES.into_iter().filter_map(|name| Some((name, std::env::var(name).ok()?)));
    set.chain([("PWD", cwd.to_string_lossy().into_owned())]).collect()
}

/// Returns the words of a call's input that may be paths, and whether there are more of them. Strings are
/// split where a shell ends a word; quotes do not matter.
fn words(input: &str) -> (BTreeSet<String>, bool) {
    let mut words = BTreeSet::new();
    let mut texts = vec![serde_json::from_str(input).unwrap_or_default()];
    while let Some(value) = texts.pop() {
        match value {
            Value::String(text) => add_words(&text, &mut words),
            Value::Array(values) => texts.extend(values),
            Value::Object(fields) => {
                let may_be_path = |(name, _): &(String, Value)| !TEXT_FIELDS.contains(&name.as_str());
                texts.extend(fields.into_iter().filter(may_be_path).map(|(_, value)| value));
            }
            _ => {}
        }
    }
    let has_more = words.len() > MAX_WORDS;
    (words, has_more)
}

fn add_words(text: &str, words: &mut BTreeSet<String>) {
    let unquoted: String = text.chars().filter(|c| !matches!(c, '\'' | '"' | '\\')).collect();
    let is_end = |c: char| c.is_whitespace() || ";|&<>(){},=`".contains(c);
    let quoted = text.split(['\'', '"']).chain([text]);
    for word in unquoted.split(is_end).chain(quoted) {
        if words.len() > MAX_WORDS {
            return;
        }
        if !word.is_empty() && word.len() <= MAX_WORD_BYTES && !word.contains(['\n', '\0']) {
            words.insert(word.to_owned());
        }
    }
}

/// Replaces `~` and variables.
fn expand<'a>(word: &'a str, variables: &[(&str, String)]) -> Cow<'a, str> {
    let home = word.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
    if home.is_none() && !word.contains('$') {
        return word.into();
    }
    let word = home.map_or_else(|| word.to_owned(), |rest| format!("$HOME{rest}"));
    let expand = |word: String, (name, value): &(&str, String)| {
        word.replace(&format!("${{{name}}}"), value).replace(&format!("${name}/"), &format!("{value}/"))
    };
    variables.iter().fold(word, expand).into()
}

/// Tells, with one question to the file system, that a word of ordinary text leads through no link: its first
/// part does not exist in the current folder, or it is a single name and no link.
fn is_no_path(word: &str, cwd: &Path) -> bool {
    if word.starts_with('/') {
        return false;
    }
    let (first, rest) = word.split_once('/').unwrap_or((word, ""));
    match cwd.join(first).symlink_metadata() {
        Ok(found) => rest.is_empty() && !found.is_symlink(),
        Err(_) => true,
    }
}

/// Returns where a path leads, if that is not where it seems to lead. The last part need not exist.
fn real_path_with_link(path: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().or_else(|_| match path.parent().zip(path.file_name()) {
        Some((parent, name)) => parent.canonicalize().map(|parent| parent.join(name)),
        None => Err(std::io::ErrorKind::NotFound.into()),
    });
    real.ok().filter(|real| real != path)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    #[test]
    fn the_text_that_a_call_writes_is_no_list_of_paths() {
        let (found, has_more) =
            words(r#"{"file_path": "/a/b.md", "content": "one two", "edits": [{"old_string": "x"}]}"#);

        assert_eq!((found, has_more), (BTreeSet::from(["/a/b.md".to_owned()]), false));
    }

    #[test]
    fn a_word_is_followed_only_where_it_can_lead_through_a_link() {
        let scratch = Scratch::new();
        scratch.file("folder/file", "");
        std::os::unix::fs::symlink("folder", scratch.path().join("link")).expect("ours");
        let is_no_path = |word| is_no_path(word, scratch.path());

        assert!(is_no_path("missing") && is_no_path("missing/file") && is_no_path("folder"));
        assert!(
            !is_no_path("link")
                && !is_no_path("link/file")
                && !is_no_path("folder/file")
                && !is_no_path("/etc")
        );
    }
}
