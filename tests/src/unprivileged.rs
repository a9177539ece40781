//! A process of somebody else's: nobody (65534) where the tests run as root, for whom modes mean nothing,
//! else simply the person who runs them, whom they do bind.

use crate::program::program;
use crate::scratch::Scratch;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The user and group that own nothing.
pub const NOBODY: u32 = 65_534;

/// Whether the tests run as root, who alone can make files of another user's.
pub fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0)
}

/// `program` as somebody who does not own the project.
pub fn unprivileged(scratch: &Scratch, program: &Path, arguments: &[&str]) -> Command {
    let (user, group) = (format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"));
    let mut command = scratch.command(if is_root() { Path::new("setpriv") } else { program });
    if is_root() {
        command.args([&user, &group, "--clear-groups", "--"]).arg(program);
    }
    command.args(arguments);
    command
}

/// A copy of `interleaf` that anybody may run: the build's own may lie in a folder that is closed to others.
///
/// # Panics
/// When it cannot be copied.
pub fn copied_program(scratch: &Scratch) -> PathBuf {
    let copy = scratch.root.join("interleaf-copy");
    std::fs::copy(program(), &copy).expect("the program can be copied");
    std::fs::set_permissions(&copy, std::fs::Permissions::from_mode(0o755)).expect("the copy is ours");
    copy
}
