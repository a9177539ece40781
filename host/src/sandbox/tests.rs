//! Tests of the cache of compiled layers: when it is used, and which files it refuses to load.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::Sandbox;
use crate::dirs::scratch::Scratch;
use crate::layer::Layer;

fn layer() -> Layer {
    Layer::embedded().remove(0)
}

/// Loads the layer in a new sandbox, as another process would, and returns the number of compilations.
fn compilations(cache: &Path) -> usize {
    let sandbox = Sandbox::new(Some(cache)).expect("a sandbox");
    let layer = layer();
    sandbox.load(&layer).expect("it loads");
    sandbox.compilation_count()
}

fn compiled_file(cache: &Path) -> PathBuf {
    let folder =
        fs::read_dir(cache.join("compiled")).expect("made").next().expect("one engine").expect("a folder");
    folder.path().join(layer().digest.as_ref()).with_extension("cwasm")
}

#[test]
fn a_cached_layer_is_not_compiled_again() {
    let cache = Scratch::new();

    assert_eq!(compilations(cache.path()), 1);
    assert_eq!(compilations(cache.path()), 0);
}

#[test]
fn a_cached_layer_is_not_compiled_again_for_another_stack_size() {
    let cache = Scratch::new();
    compilations(cache.path());
    let sandbox = Sandbox::new(Some(cache.path())).expect("a sandbox");

    for stack in [64 << 10, 512 << 10, 1 << 20, 64 << 10] {
        sandbox.load_for_event(&layer(), stack).expect("it loads");
    }

    assert_eq!(sandbox.compilation_count(), 0);
}

#[test]
fn only_the_owner_can_read_compiled_code() {
    let cache = Scratch::new();
    compilations(cache.path());

    let file = compiled_file(cache.path());

    assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o600);
    assert_eq!(
        fs::metadata(file.parent().expect("a folder")).expect("there").permissions().mode() & 0o777,
        0o700
    );
}

#[test]
fn a_file_or_folder_that_others_can_write_is_not_loaded() {
    for writable_kind in ["file", "folder"] {
        let cache = Scratch::new();
        compilations(cache.path());
        let file = compiled_file(cache.path());
        let writable = if writable_kind == "file" {
            file.clone()
        } else {
            file.parent().expect("a folder").to_path_buf()
        };

        fs::set_permissions(&writable, fs::Permissions::from_mode(0o777)).expect("ours");

        assert_eq!(compilations(cache.path()), 1, "{writable_kind}");
    }
}

#[test]
fn a_symbolic_link_is_not_followed() {
    let cache = Scratch::new();
    compilations(cache.path());
    let file = compiled_file(cache.path());
    let elsewhere = cache.path().join("elsewhere.cwasm");
    fs::rename(&file, &elsewhere).expect("ours");
    std::os::unix::fs::symlink(&elsewhere, &file).expect("ours");

    assert_eq!(compilations(cache.path()), 1);
}

#[test]
fn a_broken_or_foreign_file_is_a_miss_and_is_replaced() {
    for broken in [&b""[..], b"\x7fELF nonsense", b"not compiled code at all"] {
        let cache = Scratch::new();
        compilations(cache.path());
        fs::write(compiled_file(cache.path()), broken).expect("ours");

        assert_eq!(compilations(cache.path()), 1);
        assert_eq!(compilations(cache.path()), 0);
    }
}

#[test]
fn a_layer_loads_even_if_the_cache_cannot_be_written() {
    let cache = Scratch::new();
    let no_folder = cache.file("a-file", "");

    assert_eq!(compilations(&no_folder), 1);
    assert_eq!(compilations(&no_folder), 1);
}
