//! The folders of this build. A test process derives them from its own path, `TARGET/PROFILE/deps/NAME-HASH`,
//! which follows `--target-dir`, `CARGO_TARGET_DIR` and `--release`.

use std::path::{Path, PathBuf};

/// Returns the root of the checkout.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests package lies one folder below the workspace")
}

/// Returns `tests/fixtures`, the folder of files that tests read.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Returns the target folder of this test's build.
pub fn target() -> PathBuf {
    profile_folder().parent().expect("a profile folder lies in a target folder").to_path_buf()
}

/// Returns the profile of this test's build, as `cargo build --profile` takes it.
pub fn profile() -> String {
    match profile_folder().file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev".to_owned(),
        Some(other) => other.to_owned(),
    }
}

fn profile_folder() -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a path");
    let deps = test
        .ancestors()
        .find(|folder| folder.ends_with("deps"))
        .expect("cargo runs tests from a deps folder");
    deps.parent().expect("deps lies in a profile folder").to_path_buf()
}
