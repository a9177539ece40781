//! A process without privileges. If the tests run as root, whom file modes do not restrict, it runs as the
//! user `nobody` (65534), else as the person who runs the tests.

use crate::program::program;
use crate::scratch::Scratch;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The user and group that own nothing.
pub const NOBODY: u32 = 65_534;

/// Tells whether the tests run as root. Only root can create files owned by another user.
pub fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0)
}

/// Returns a command that runs `program` without privileges.
pub fn unprivileged(scratch: &Scratch, program: &Path, arguments: &[&str]) -> Command {
    let (user, group) = (format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"));
    let mut command = scratch.command(if is_root() { Path::new("setpriv") } else { program });
    if is_root() {
        command.args([&user, &group, "--clear-groups", "--"]).arg(program);
    }
    command.args(arguments);
    command
}

/// Copies `interleaf` so that every user can run it: the build folder may be closed to others.
///
/// # Panics
/// If it cannot be copied.
pub fn copied_program(scratch: &Scratch) -> PathBuf {
    let copy = scratch.root.join("interleaf-copy");
    std::fs::copy(program(), &copy).expect("the program can be copied");
    std::fs::set_permissions(&copy, std::fs::Permissions::from_mode(0o755)).expect("the copy is ours");
    copy
}
