//! Finds home folders: `/home/NAME`, `/Users/NAME`, `C:\Users\NAME` and `/root` become `~`, because the name
//! is personal.
//!
//! A home folder must begin a path: `https://example.org/home/page` and `src/home/index.ts` do not contain
//! one.

use super::ascii::{self, ALNUM, ALPHA, WORD};
use super::rule_tables::HOME;
use super::spans::Span;

/// Folders beside the home folders that belong to no person.
const SHARED_FOLDERS: &[&str] = &["all", "default", "guest", "linuxbrew", "public", "shared"];

/// Prefixes that may precede a home folder.
const MOUNTS: &[&str] =
    &["/var", "/export", "/host_mnt", "/System/Volumes/Data", "file://", "file://localhost"];

/// Folders in which drives of Windows are mounted.
const DRIVE_MOUNTS: [&str; 3] = ["/mnt", "/cygdrive", "/host_mnt"];

/// Maximum number of backslashes that represent one in nested strings.
const MAX_BACKSLASHES: usize = 3;

/// Finds a home folder in `folder`, which is `/home/` or `/users/`, with slashes of either direction.
pub fn user_home(bytes: &[u8], at: usize, folder: &str, found: &mut Vec<Span>) -> usize {
    let after = at + folder.len();
    let drive = drive_start(bytes, at);
    // Only Windows ignores the case of a folder; elsewhere, `/users/…` is the path of a URL.
    let is_exact = drive.is_some() || bytes[at + 1] == if folder == "/home/" { b'h' } else { b'U' };
    let Some(start) = drive.or_else(|| path_start(bytes, at)) else { return after };
    let slashes = bytes[after..].iter().take(MAX_BACKSLASHES).take_while(|&&byte| byte == b'\\').count();
    let name = after + slashes;
    let end = user_name_end(bytes, name, drive.is_some());
    if is_exact && end > name && !ascii::is_one_of(&bytes[name..end], SHARED_FOLDERS) {
        found.push(Span::new(start, end, HOME));
    }
    end.max(after)
}

/// Finds the home folder of root.
pub fn root_home(bytes: &[u8], at: usize, folder: &str, found: &mut Vec<Span>) -> usize {
    let end = at + folder.len();
    let is_complete = !ascii::is_at(bytes, end, WORD)
        && !matches!(bytes.get(end..), Some([b'.', next, ..]) if ascii::is(*next, ALNUM));
    if bytes[at..].starts_with(folder.as_bytes()) && is_complete && path_start(bytes, at) == Some(at) {
        found.push(Span::new(at, end, HOME));
    }
    end
}

/// Finds the home folder in the name of Claude Code's folder for a project: `projects/-home-NAME-…`.
pub fn claude_project(bytes: &[u8], at: usize, folder: &str, found: &mut Vec<Span>) -> usize {
    let start = at + folder.find('-').unwrap_or_default();
    let name = at + folder.len();
    let end = ascii::run_end(bytes, name, ALNUM);
    if end > name {
        found.push(Span::new(start, end, HOME));
    }
    end.max(name)
}

/// Returns the start of the path whose folder of homes is at `at`; none if it is part of another path.
fn path_start(bytes: &[u8], at: usize) -> Option<usize> {
    let before = &bytes[..at];
    if let Some(mount) = MOUNTS.iter().find(|mount| before.ends_with(mount.as_bytes())) {
        let start = at - mount.len();
        return if mount.starts_with("file") {
            Some(at)
        } else {
            can_precede_path(&bytes[..start]).then_some(start)
        };
    }
    can_precede_path(before).then_some(at)
}

/// Returns whether a path can begin after this text: after a space, a quote, a punctuation mark, or the
/// letter of a flag (`-I`).
fn can_precede_path(before: &[u8]) -> bool {
    match before {
        [] => true,
        [.., b'-', letter] => ascii::is(*letter, ALPHA),
        [
            ..,
            b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'=' | b':' | b',' | b';' | b'(' | b'['
            | b'{' | b'>' | b'|' | b'@',
        ] => true,
        [.., last] => *last >= 0x80 || ascii::ends_with_escape(before),
    }
}

/// Returns the start of the drive before the folder of homes: `C:`, `/c`, `/mnt/c`, `/cygdrive/c`.
fn drive_start(bytes: &[u8], at: usize) -> Option<usize> {
    let before = &bytes[..at];
    let slashes = before.iter().rev().take(MAX_BACKSLASHES).take_while(|&&byte| byte == b'\\').count();
    match &bytes[..at - slashes] {
        [before @ .., letter, b':'] if ascii::is(*letter, ALPHA) && is_drive_letter(bytes, before.len()) => {
            Some(before.len())
        }
        [before @ .., b'/', letter] if ascii::is(*letter, ALPHA) => {
            let mount = DRIVE_MOUNTS.iter().find(|mount| before.ends_with(mount.as_bytes()));
            let start = before.len() - mount.map_or(0, |mount| mount.len());
            can_precede_path(&bytes[..start]).then_some(start)
        }
        _ => None,
    }
}

/// Returns whether the letter at `at` is a separate word and not part of an escape (`\n:`).
fn is_drive_letter(bytes: &[u8], at: usize) -> bool {
    ascii::is_word_start(bytes, at) && !ascii::ends_with_escape(&bytes[..at + 1])
}

/// Returns the end of a user's name, which may contain a space on Windows.
fn user_name_end(bytes: &[u8], start: usize, is_windows: bool) -> usize {
    if !bytes.get(start).is_some_and(|&byte| is_name_byte(byte)) || bytes[start] == b'.' {
        return start;
    }
    let mut end = ascii::run_end_where(bytes, start, is_name_byte);
    if is_windows && bytes.get(end) == Some(&b' ') {
        let second = ascii::run_end_where(bytes, end + 1, is_name_byte);
        let is_path = second > end + 1 && matches!(bytes.get(second), Some(b'\\' | b'/'));
        end = if is_path { second } else { end };
    }
    while end > start && matches!(bytes[end - 1], b'.' | b'-') {
        end -= 1;
    }
    end
}

/// Returns whether the byte is part of a letter of any script. 0xe2 and 0xef begin typographic signs.
fn is_name_byte(byte: u8) -> bool {
    ascii::is(byte, ascii::NAME) || (byte >= 0x80 && !matches!(byte, 0xe2 | 0xef))
}
