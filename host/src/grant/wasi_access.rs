//! The folders and environment variables that a layer was granted by name and can access through WASI, as
//! plain data for the sandbox. A folder outside the project's root is refused; a folder that does not exist
//! is skipped.

use std::path::{Component, Path, PathBuf};

use super::HostContext;
use super::shared_counter::{SharedCounter, WARNED};
use crate::dirs::MAX_PATH_BYTES;
use crate::layer::Grants;
use crate::log::Level;
use crate::sandbox::WasiAccess;
use crate::state::{ConversationKey, Scope};

/// Returns the folders and variables of this layer. Logs a refused folder once in a session.
pub(crate) fn wasi_access(
    layer: &str,
    grants: &Grants,
    host: &HostContext,
    conversation: &ConversationKey,
) -> WasiAccess {
    let root = if grants.files.is_empty() { None } else { host.project.root() };
    let root = root.and_then(|root| root.canonicalize().ok());
    let mut wasi = WasiAccess::default();
    if let Some(root) = root {
        for name in &grants.files {
            match folder(&root, name) {
                Ok(found) => wasi.folders.extend(found.map(|path| (path, name.clone()))),
                Err(reason) => warn_once(layer, name, reason, host, conversation),
            }
        }
    }
    let variables = grants.environment.iter();
    wasi.variables =
        variables.filter_map(|name| Some((name.clone(), host.project.variable(name)?))).collect();
    wasi
}

/// Returns the real path of a named folder below `root`, which is a real path itself. Only the name `.` gives
/// the root; another name or a symbolic link that leads to the root is refused.
fn folder(root: &Path, name: &str) -> Result<Option<PathBuf>, &'static str> {
    if name == "." {
        return Ok(Some(root.to_owned()));
    }
    let is_plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    if name.is_empty() || name.len() > MAX_PATH_BYTES || !Path::new(name).components().all(is_plain) {
        return Err(
            "it must be a path relative to the project's root, without `..`; only `.` names the root itself",
        );
    }
    let Ok(path) = root.join(name).canonicalize() else { return Ok(None) };
    if path == root {
        return Err("it is the project's root itself; name the folders in it");
    }
    if !path.starts_with(root) {
        return Err("it leads out of the project's root");
    }
    if !path.is_dir() {
        return Err("it is not a folder");
    }
    Ok(Some(path))
}

fn warn_once(layer: &str, name: &str, reason: &str, host: &HostContext, conversation: &ConversationKey) {
    let key = format!("files {layer} {name}");
    let scope = Scope::Session(&conversation.session);
    let counter = SharedCounter { state: &host.state, scope, owner: WARNED, key: &key };
    let mut is_first = true;
    // If the count cannot be stored, the warning is repeated.
    let _ = counter.update(|count: u32| {
        is_first = count == 0;
        Ok(1u32)
    });
    if is_first {
        let message = format!("its grant files = [{name:?}] is ignored: {reason}");
        host.log.write(Level::Warn, Some(layer), message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    #[test]
    fn only_folders_below_the_root_are_granted_and_missing_ones_are_skipped() {
        let scratch = Scratch::new();
        let root = scratch.path().join("project").join("deep");
        std::fs::create_dir_all(root.join("docs/api")).expect("ours");
        scratch.file("project/deep/file", "");
        let root = root.canonicalize().expect("made");
        for (link, to) in [("out", ".."), ("self", "."), ("in", "docs"), ("passwd", "/etc")] {
            std::os::unix::fs::symlink(to, root.join(link)).expect("ours");
        }

        assert_eq!(folder(&root, "docs/api"), Ok(Some(root.join("docs/api"))));
        assert_eq!(folder(&root, "in"), Ok(Some(root.join("docs"))));
        assert_eq!(folder(&root, "./docs"), Ok(Some(root.join("docs"))));
        assert_eq!(folder(&root, "nowhere"), Ok(None));
        assert_eq!(folder(&root, "."), Ok(Some(root.clone())));
        for wrong in
            ["", "./", "..", "docs/../..", "docs/..", "/etc", "out", "self", "passwd", "passwd/ssl", "file"]
        {
            assert!(folder(&root, wrong).is_err(), "{wrong}");
        }
    }
}
