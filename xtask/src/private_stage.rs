//! The folder outside the checkout in which sessions are played.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Creates the folder `name` of this user below `temporary`, and removes that of an earlier run. Only this
/// user can read it.
///
/// # Errors
/// If the folder of an earlier run cannot be removed, or somebody else made one of that name.
pub fn new_stage(temporary: &Path, name: &str) -> Result<PathBuf> {
    let user = fs::metadata("/proc/self").context("/proc is needed")?.uid();
    let stage = temporary.canonicalize()?.join(format!("{name}-{user}"));
    let failed = || format!("cannot use {}; set TMPDIR to a folder of your own", stage.display());
    if stage.symlink_metadata().is_ok() {
        fs::remove_dir_all(&stage).with_context(failed)?;
    }
    // It must be new: whoever made it first could read it.
    fs::DirBuilder::new().mode(0o700).create(&stage).with_context(failed)?;
    Ok(stage)
}

#[cfg(test)]
mod tests {
    use interleaf_tests::scratch::Scratch;

    use super::*;

    #[test]
    fn a_stage_of_an_earlier_run_is_replaced() {
        let scratch = Scratch::new();
        let stage = new_stage(&scratch.root, "interleaf-test").unwrap();
        fs::write(stage.join("old"), "").unwrap();

        assert_eq!(new_stage(&scratch.root, "interleaf-test").unwrap(), stage);

        assert_eq!(fs::read_dir(&stage).unwrap().count(), 0);
        assert_eq!(fs::metadata(&stage).unwrap().mode() & 0o777, 0o700);
    }
}
