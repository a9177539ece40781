//! Which transcripts belong to a project.
//!
//! Claude Code keeps a transcript for each session, in a folder for each folder in which sessions began. The
//! name of that folder says only roughly which one it was: `my.app` and `my-app` have the same, and a long
//! one is cut. So names only narrow the search, and the working folder that each transcript names decides.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::payload::{self, Payload};
use crate::clock::Millis;

/// The folder of all transcripts in the person's Claude Code folder.
const PROJECTS: &str = "projects";

/// Maximum length of the name of a project's folder. Of a longer one, the client keeps the beginning and adds
/// a hyphen and a hash of the path.
const MAX_NAME_UNITS: usize = 200;

/// Maximum size of the beginning of a transcript in which its working folder is looked for, in bytes. It
/// stands in the first message; before that come a few lines of the client's own.
const MAX_HEAD_BYTES: u64 = 4 << 20;

/// The transcript of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptFile {
    /// The session.
    pub session: String,
    /// The file.
    pub path: PathBuf,
    /// The time of its last change.
    pub modified_at: Millis,
}

/// Returns the transcripts of a project's sessions, those that changed last at the end, each session once.
///
/// `roots` are the real paths of the project's work trees. `belongs` tells whether a folder is one of the
/// project's. A session belongs to the project of the folder in which it began; one that names none belongs
/// to no project.
pub fn project_transcripts(
    user_folder: &Path,
    roots: &[PathBuf],
    belongs: impl Fn(&Path) -> bool,
) -> Vec<TranscriptFile> {
    let mut known = HashMap::new();
    let mut is_own = |file: &TranscriptFile| {
        let Some(began_in) = began_in(&file.path) else { return false };
        *known.entry(began_in).or_insert_with_key(|folder| belongs(folder))
    };
    let folders = possible_folders(user_folder, roots).into_iter();
    let mut files: Vec<_> =
        folders.flat_map(|folder| transcripts_in(&folder)).filter(|it| is_own(it)).collect();
    sort(&mut files);
    let mut newest = HashMap::new();
    for (place, file) in files.iter().enumerate() {
        newest.insert(file.session.clone(), place);
    }
    let mut places = 0..;
    files.retain(|file| places.next() == newest.get(&file.session).copied());
    files
}

/// Returns the transcripts in a folder, those that changed last at the end.
pub fn transcripts_in(folder: &Path) -> Vec<TranscriptFile> {
    let mut files: Vec<_> = each_transcript_in(folder).collect();
    sort(&mut files);
    files
}

/// Returns the transcripts in a folder one by one, in any order.
pub fn each_transcript_in(folder: &Path) -> impl Iterator<Item = TranscriptFile> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| transcript_file(&entry))
}

fn sort(files: &mut [TranscriptFile]) {
    files.sort_by(|a, b| (a.modified_at, &a.path).cmp(&(b.modified_at, &b.path)));
}

fn transcript_file(entry: &fs::DirEntry) -> Option<TranscriptFile> {
    let path = entry.path();
    let session =
        path.file_stem()?.to_str().filter(|_| path.extension().is_some_and(|end| end == "jsonl"))?;
    let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let modified_at = Millis::try_from(modified.as_millis()).ok()?;
    Some(TranscriptFile { session: session.to_owned(), path, modified_at })
}

/// Returns the folder in which the client keeps what belongs to the sessions that began in `root`, a real
/// path. It need not exist.
pub fn folder_of(user_folder: &Path, root: &Path) -> PathBuf {
    let exact = user_folder.join(PROJECTS).join(cut(&encoded(root)));
    if encoded(root).len() <= MAX_NAME_UNITS {
        return exact;
    }
    let is_of_root = |folder: &PathBuf| {
        transcripts_in(folder).iter().any(|file| began_in(&file.path).as_deref() == Some(root))
    };
    possible_folders(user_folder, &[root.to_owned()]).into_iter().find(is_of_root).unwrap_or(exact)
}

/// Returns the existing folders whose names can be those of these folders, of a folder in them, or of one
/// whose name only begins alike.
fn possible_folders(user_folder: &Path, roots: &[PathBuf]) -> Vec<PathBuf> {
    let names: Vec<String> = roots.iter().map(|root| cut(&encoded(root)).to_owned()).collect();
    let is_possible = |folder: &str| {
        names.iter().any(|name| {
            // The root of the file system is a hyphen of its own.
            folder
                .strip_prefix(name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-') || name.ends_with('-'))
        })
    };
    let entries = fs::read_dir(user_folder.join(PROJECTS)).into_iter().flatten().flatten();
    let entries = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_possible));
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    folders.sort_unstable();
    folders
}

/// Returns the name that the client gives a folder before it cuts it: a hyphen for each UTF-16 unit of the
/// path that is neither a letter nor a digit of ASCII. An emoji has two.
fn encoded(folder: &Path) -> String {
    let hyphens = |c: char| if c.is_ascii_alphanumeric() { c.to_string() } else { "-".repeat(c.len_utf16()) };
    folder.to_string_lossy().chars().map(hyphens).collect()
}

fn cut(name: &str) -> &str {
    &name[..name.len().min(MAX_NAME_UNITS)]
}

/// Returns the folder in which a session began: the first that its transcript names.
fn began_in(transcript: &Path) -> Option<PathBuf> {
    let mut lines = BufReader::new(File::open(transcript).ok()?.take(MAX_HEAD_BYTES));
    let mut line = Vec::new();
    while read_line(&mut lines, &mut line).ok()? > 0 {
        let text = payload::decode(&line);
        let named = Payload::parse(&text).ok().and_then(|line| line.string("cwd"));
        if let Some(folder) = named.map(PathBuf::from).filter(|folder| folder.is_absolute()) {
            return Some(folder);
        }
    }
    None
}

fn read_line(lines: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    lines.read_until(b'\n', line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    /// A session's transcript: a line of the client's own, then one that names its folder.
    fn transcript(cwd: &str) -> String {
        let first = r#"{"type":"file-history-snapshot","snapshot":{"cwd":"/of/the/snapshot"}}"#;
        format!("{first}\n{}\n{{\"cwd\":\"/later\"}}\n", serde_json::json!({ "type": "user", "cwd": cwd }))
    }

    fn sessions(scratch: &Scratch, roots: &[&str], belongs: impl Fn(&Path) -> bool) -> Vec<String> {
        let roots: Vec<PathBuf> = roots.iter().map(PathBuf::from).collect();
        let files = project_transcripts(scratch.path(), &roots, belongs);
        files.into_iter().map(|file| file.session).collect()
    }

    #[test]
    fn a_folder_that_two_projects_share_is_sorted_by_the_working_folder() {
        let scratch = Scratch::new();
        scratch.file("projects/-dev-my-app/dot.jsonl", &transcript("/dev/my.app"));
        scratch.file("projects/-dev-my-app/hyphen.jsonl", &transcript("/dev/my-app"));
        scratch.file("projects/-dev-my-app/nobody.jsonl", "{}\n");

        assert_eq!(sessions(&scratch, &["/dev/my.app"], |cwd| cwd.starts_with("/dev/my.app")), ["dot"]);
        assert_eq!(sessions(&scratch, &["/dev/my-app"], |cwd| cwd.starts_with("/dev/my-app")), ["hyphen"]);
    }

    #[test]
    fn sessions_in_subfolders_and_work_trees_are_found_and_those_beside_the_project_are_not() {
        let scratch = Scratch::new();
        scratch.file("projects/-dev-shop/root.jsonl", &transcript("/dev/shop"));
        scratch.file("projects/-dev-shop-api/inside.jsonl", &transcript("/dev/shop/api"));
        scratch.file("projects/-dev-shop-api/beside.jsonl", &transcript("/dev/shop-api"));
        scratch.file("projects/-dev-shopping/other.jsonl", &transcript("/dev/shop"));
        scratch.file("projects/-trees-fix/tree.jsonl", &transcript("/trees/fix"));
        let belongs = |cwd: &Path| cwd.starts_with("/dev/shop") || cwd.starts_with("/trees/fix");

        let mut found = sessions(&scratch, &["/dev/shop", "/trees/fix"], belongs);

        found.sort_unstable();
        assert_eq!(found, ["inside", "root", "tree"]);
    }

    #[test]
    fn a_character_has_a_hyphen_for_each_utf_16_unit() {
        assert_eq!(encoded(Path::new("/dev/é🙂x")), "-dev----x");
        let scratch = Scratch::new();
        scratch.file("projects/-dev----x/a.jsonl", &transcript("/dev/é🙂x"));

        assert_eq!(sessions(&scratch, &["/dev/é🙂x"], |_| true), ["a"]);
        assert_eq!(
            folder_of(scratch.path(), Path::new("/dev/é🙂x")),
            scratch.path().join("projects/-dev----x")
        );
    }

    #[test]
    fn a_long_path_is_found_by_the_beginning_of_its_name() {
        let scratch = Scratch::new();
        let (long, other) = (format!("/dev/{}/a", "x".repeat(250)), format!("/dev/{}/b", "x".repeat(250)));
        let name = cut(&encoded(Path::new(&long))).to_owned();
        assert_eq!(name.len(), 200);
        scratch.file(&format!("projects/{name}-1k2j3h/mine.jsonl"), &transcript(&long));
        scratch.file(&format!("projects/{name}-9z8y7x/theirs.jsonl"), &transcript(&other));

        assert_eq!(sessions(&scratch, &[&long], |cwd| cwd == Path::new(&long)), ["mine"]);
        let folder = folder_of(scratch.path(), Path::new(&other));
        assert!(folder.ends_with(format!("{name}-9z8y7x")), "{}", folder.display());
    }

    #[test]
    fn the_transcripts_are_in_the_order_of_their_last_change_and_each_session_once() {
        let scratch = Scratch::new();
        for (place, name) in ["-dev-shop/b", "-dev-shop-api/a", "-dev-shop-api/b"].into_iter().enumerate() {
            let file = scratch.file(&format!("projects/{name}.jsonl"), &transcript("/dev/shop"));
            let at = UNIX_EPOCH + std::time::Duration::from_secs(1_000 + place as u64);
            File::options().write(true).open(file).and_then(|file| file.set_modified(at)).expect("ours");
        }

        let files = project_transcripts(scratch.path(), &["/dev/shop".into()], |_| true);

        let found: Vec<_> = files.iter().map(|file| (file.session.as_str(), file.modified_at)).collect();
        assert_eq!(found, [("a", 1_001_000), ("b", 1_002_000)]);
    }

    #[test]
    fn the_root_of_the_file_system_is_a_project_like_others() {
        let scratch = Scratch::new();
        scratch.file("projects/-/root.jsonl", &transcript("/"));
        scratch.file("projects/-srv/below.jsonl", &transcript("/srv"));

        assert_eq!(sessions(&scratch, &["/"], |cwd| cwd == Path::new("/")), ["root"]);
    }
}
