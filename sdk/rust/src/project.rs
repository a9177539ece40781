//! Information about the session's project. Needs the grant `project`. The host runs git only when a layer
//! calls one of these functions.
//!
//! ```
//! use interleaf_layer::prelude::*;
//! use interleaf_layer::testing::Host;
//!
//! Host::new().set_branch("fix/typo");
//!
//! assert_eq!(project::branch()?.as_deref(), Some("fix/typo"));
//! # Ok::<(), Error>(())
//! ```

use crate::Result;
pub use crate::bindings::interleaf::layer::project::Commit;
use crate::host::project as host;

/// Returns the project's name.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert_eq!(project::name()?, "project");
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Denied`](crate::Error::Denied) without the grant `project`, as for every function of this module.
pub fn name() -> Result<String> {
    host::name()
}

/// Returns the current branch; none on a detached HEAD and without git.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert_eq!(project::branch()?, None);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`name`].
pub fn branch() -> Result<Option<String>> {
    host::branch()
}

/// Returns the remote's default branch, if git knows it.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert_eq!(project::default_branch()?, None);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`name`].
pub fn default_branch() -> Result<Option<String>> {
    host::default_branch()
}

/// Returns the subjects of the newest commits of HEAD, newest first, at most `limit`.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert!(project::recent_subjects(5)?.is_empty());
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`name`].
pub fn recent_subjects(limit: u32) -> Result<Vec<String>> {
    host::recent_subjects(limit)
}

/// Returns the commits after this hash, oldest first.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert!(project::commits_since("9fceb02")?.is_empty());
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`name`], and [`Error::NotFound`](crate::Error::NotFound) for a hash that git does not know.
pub fn commits_since(hash: &str) -> Result<Vec<Commit>> {
    host::commits_since(hash)
}

/// Returns the files that differ from HEAD, relative to the project's root.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert!(project::changed_files()?.is_empty());
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`name`].
pub fn changed_files() -> Result<Vec<String>> {
    host::changed_files()
}

/// Returns the path relative to the project's root; none for a path outside of it.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert_eq!(project::relative_path("/project/src/cart.rs")?.as_deref(), Some("src/cart.rs"));
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`name`].
pub fn relative_path(path: &str) -> Result<Option<String>> {
    host::relative_path(path)
}

/// Returns those of these paths, relative to the project's root, that exist. At most 100 are looked at.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert_eq!(project::existing_paths(&["src/cart.rs".to_owned()])?, ["src/cart.rs"]);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`name`].
pub fn existing_paths(paths: &[String]) -> Result<Vec<String>> {
    host::existing_paths(paths)
}
