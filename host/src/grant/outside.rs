//! What a layer sees of the outside through WASI: the folders and variables that it was granted by name, as plain data
//! for the sandbox. A folder that is not what its name says is refused; one that does not exist is just not there.

use std::path::{Component, Path, PathBuf};

use super::HostContext;
use super::tally::{SAID, Tally};
use crate::dirs::MAX_PATH_BYTES;
use crate::layer::Grants;
use crate::log::Level;
use crate::sandbox::WasiAccess;
use crate::state::{ConversationKey, Scope};

/// The folders and variables of this layer. What is refused is logged once in a session.
pub(crate) fn outside(
    layer: &str,
    grants: &Grants,
    host: &HostContext,
    conversation: &ConversationKey,
) -> WasiAccess {
    let root = if grants.files.is_empty() { None } else { host.project.root() };
    let root = root.and_then(|root| root.canonicalize().ok());
    let mut outside = WasiAccess::default();
    for name in root.iter().flat_map(|_| &grants.files) {
        match root.as_deref().map_or(Ok(None), |root| folder(root, name)) {
            Ok(found) => outside.folders.extend(found.map(|path| (path, name.clone()))),
            Err(why) => refuse(layer, name, why, host, conversation),
        }
    }
    let variables = grants.environment.iter();
    outside.variables =
        variables.filter_map(|name| Some((name.clone(), host.project.variable(name)?))).collect();
    outside
}

/// The real path of a named folder below `root`, which is a real path itself. `.` is the root, if it is said so plainly:
/// no other name and no link leads there.
fn folder(root: &Path, name: &str) -> Result<Option<PathBuf>, &'static str> {
    if name == "." {
        return Ok(Some(root.to_owned()));
    }
    let plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    if name.is_empty() || name.len() > MAX_PATH_BYTES || !Path::new(name).components().all(plain) {
        return Err(
            "it must be a folder's path relative to the project's root, without `..`, or `.` for all of it",
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

fn refuse(layer: &str, name: &str, why: &str, host: &HostContext, conversation: &ConversationKey) {
    let key = format!("files {layer} {name}");
    let tally =
        Tally { state: &host.state, scope: Scope::Session(&conversation.session), owner: SAID, key: &key };
    let mut first = true;
    // Where it cannot be kept, it is said again.
    let _ = tally.change(|times: u32| {
        first = times == 0;
        Ok(1u32)
    });
    if first {
        let message = format!("its grant files = [{name:?}] is not heeded: {why}");
        host.log.write(Level::Warn, Some(layer), message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    #[test]
    fn only_a_folder_below_the_root_is_given_and_what_is_missing_is_just_absent() {
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
