//! File systems that a test mounts: a small disk, a read-only one, a folder at a second path. Only root may
//! mount, so elsewhere the test is reported as skipped.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use interleaf_tests::skip::{not_skipped, skipped};

/// A mounted file system, which is unmounted at the end.
pub struct Mount(PathBuf);

impl Mount {
    /// Mounts an empty disk of two megabytes at a folder, which is created. Reports the calling test as
    /// skipped and returns `None` if that is not permitted.
    #[track_caller]
    pub fn small_disk(at: &Path) -> Option<Self> {
        fs::create_dir_all(at).expect("ours");
        Self::new(at, &["-t", "tmpfs", "-o", "size=2m,mode=755", "tmpfs"])
    }

    /// Mounts a folder at another path, which is created.
    #[track_caller]
    pub fn bind(folder: &Path, at: &Path) -> Option<Self> {
        fs::create_dir_all(at).expect("ours");
        Self::new(at, &["--bind", folder.to_str().expect("utf-8")])
    }

    /// Makes a folder a read-only file system.
    #[track_caller]
    pub fn read_only(folder: &Path) -> Option<Self> {
        let mount = Self::bind(folder, folder)?;
        let path = folder.to_str().expect("utf-8");
        assert!(mount_program(&["-o", "remount,bind,ro", path]).is_ok(), "a mount can be made read-only");
        Some(mount)
    }

    #[track_caller]
    fn new(at: &Path, options: &[&str]) -> Option<Self> {
        match mount_program(&[options, &[at.to_str().expect("utf-8")]].concat()) {
            Ok(()) => {
                not_skipped();
                Some(Self(at.to_owned()))
            }
            Err(reason) => {
                skipped(&format!("mounting is not permitted here ({reason}); run the tests as root"));
                None
            }
        }
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        // Lazily: a worker that still runs in the folder keeps the file system until it ends.
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

fn mount_program(arguments: &[&str]) -> Result<(), String> {
    let output = Command::new("mount").args(arguments).output().map_err(|error| error.to_string())?;
    let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if output.status.success() { Ok(()) } else { Err(reason) }
}

/// Fills a disk to its last block, and returns the file that does so.
pub fn fill(disk: &Path) -> PathBuf {
    let path = disk.join("filler");
    let mut file = File::create(&path).expect("an empty file needs no space");
    while file.write_all(&[b'x'; 4096]).is_ok() {}
    path
}
