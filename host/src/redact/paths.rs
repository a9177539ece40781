//! Home folders: `/home/NAME`, `/Users/NAME`, `C:\Users\NAME` and `/root` become `~`, for the name is a person's.
//!
//! Only where such a path begins: `https://example.org/home/page` and `src/home/index.ts` are no homes.

use super::kinds::HOME;
use super::letters::{self, ALNUM, ALPHA, WORD};
use super::spans::Span;

/// Folders beside the homes that belong to nobody.
const NOBODY: &[&str] = &["all", "default", "guest", "linuxbrew", "public", "shared"];

/// What may stand before a home without making it another path.
const MOUNTS: &[&str] =
    &["/var", "/export", "/host_mnt", "/System/Volumes/Data", "file://", "file://localhost"];

/// A home in a folder of homes: `folder` is `/home/` or `/users/`, whatever way its slashes lean.
pub fn home(bytes: &[u8], at: usize, folder: &str, found: &mut Vec<Span>) -> usize {
    let after = at + folder.len();
    let drive = drive(bytes, at);
    // A site's `/users/…` is no folder; only Windows does not mind the case.
    let exact = drive.is_some() || &bytes[at + 1..at + 2] == if folder == "/home/" { b"h" } else { b"U" };
    let Some(start) = drive.or_else(|| start(bytes, at)) else { return after };
    let name = after + bytes[after..].iter().take(3).take_while(|&&byte| byte == b'\\').count();
    let end = name_end(bytes, name, drive.is_some());
    if exact && end > name && !is_nobody(&bytes[name..end]) {
        found.push(Span::new(start, end, HOME));
    }
    end.max(after)
}

/// The administrator's home.
pub fn root(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = at + "/root".len();
    let whole = !letters::is_at(bytes, end, WORD)
        && !matches!(bytes.get(end..), Some([b'.', next, ..]) if letters::is(*next, ALNUM));
    if bytes[at..].starts_with(b"/root") && whole && start(bytes, at) == Some(at) {
        found.push(Span::new(at, end, HOME));
    }
    end
}

/// Claude Code's folder for a project, which has the project's path in its name: `projects/-home-NAME-…`.
pub fn project(bytes: &[u8], at: usize, folder: &str, found: &mut Vec<Span>) -> usize {
    let start = at + folder.find('-').unwrap_or_default();
    let name = at + folder.len();
    let end = letters::run(bytes, name, ALNUM);
    if end > name {
        found.push(Span::new(start, end, HOME));
    }
    end.max(name)
}

/// Where the path starts that has a folder of homes here, or nothing if that is inside of another path.
fn start(bytes: &[u8], at: usize) -> Option<usize> {
    let before = &bytes[..at];
    if let Some(mount) = MOUNTS.iter().find(|mount| before.ends_with(mount.as_bytes())) {
        let whole = at - mount.len();
        return if mount.starts_with("file") { Some(at) } else { begins(&bytes[..whole]).then_some(whole) };
    }
    begins(before).then_some(at)
}

/// Whether a path can begin behind this: a space, a quote, a sign, or the letter of a flag like `-I`.
fn begins(before: &[u8]) -> bool {
    match before {
        [] => true,
        [.., b'-', letter] => letters::is(*letter, ALPHA),
        [
            ..,
            b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'=' | b':' | b',' | b';' | b'(' | b'['
            | b'{' | b'>' | b'|' | b'@',
        ] => true,
        [.., last] => *last >= 0x80 || letters::ends_escape(before),
    }
}

/// Where the drive stands before the folder of homes: `C:`, `/c`, `/mnt/c`, `/cygdrive/c`.
fn drive(bytes: &[u8], at: usize) -> Option<usize> {
    let slashes = bytes[..at].iter().rev().take(3).take_while(|&&byte| byte == b'\\').count();
    match &bytes[..at - slashes] {
        [before @ .., letter, b':'] if letters::is(*letter, ALPHA) && begins_drive(bytes, before.len()) => {
            Some(before.len())
        }
        [before @ .., b'/', letter] if letters::is(*letter, ALPHA) => {
            let mount =
                ["/mnt", "/cygdrive", "/host_mnt"].iter().find(|mount| before.ends_with(mount.as_bytes()));
            let start = before.len() - mount.map_or(0, |mount| mount.len());
            begins(&bytes[..start]).then_some(start)
        }
        _ => None,
    }
}

/// Whether the letter here stands alone and is not that of an escape (`\n:`).
fn begins_drive(bytes: &[u8], at: usize) -> bool {
    letters::starts_word(bytes, at) && !letters::ends_escape(&bytes[..at + 1])
}

/// Where the name of a person ends; on Windows there may be spaces in it.
fn name_end(bytes: &[u8], start: usize, spaces: bool) -> usize {
    if !bytes.get(start).is_some_and(|&byte| is_name(byte)) || bytes[start] == b'.' {
        return start;
    }
    let mut end = one_name_end(bytes, start);
    if spaces && bytes.get(end) == Some(&b' ') {
        let second = one_name_end(bytes, end + 1);
        let goes_on = second > end + 1 && matches!(bytes.get(second), Some(b'\\' | b'/'));
        end = if goes_on { second } else { end };
    }
    while end > start && matches!(bytes[end - 1], b'.' | b'-') {
        end -= 1;
    }
    end
}

fn one_name_end(bytes: &[u8], start: usize) -> usize {
    start + bytes[start..].iter().take_while(|&&byte| is_name(byte)).count()
}

/// Letters of any script but no signs of the typesetter, which begin with these bytes.
fn is_name(byte: u8) -> bool {
    letters::is(byte, letters::NAME) || (byte >= 0x80 && !matches!(byte, 0xe2 | 0xef))
}

fn is_nobody(name: &[u8]) -> bool {
    NOBODY.iter().any(|nobody| name.eq_ignore_ascii_case(nobody.as_bytes()))
}
